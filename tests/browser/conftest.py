"""Shared code of the page tests: a separate service, a browser, and checks for every page."""

import base64
import hmac
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import time
import urllib.error
import urllib.request
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("SERVICE", ROOT / "target/debug/event-capture"))
ARTIFACTS = ROOT / "target/browser"
AXE = os.environ.get("AXE")
# A view's widths, languages and themes. Each pair of two of them is covered within three days, two looks a day. SLICE=k
# takes the looks of the k-th day since 1970, and DEEP=1 every combination.
SLICE = int(os.environ.get("SLICE") or time.time() // 86_400)
LOOKS = [(375, "en", "light"), (375, "de", "dark"), (768, "en", "dark"), (1280, "de", "dark"), (1280, "en", "light"), (768, "de", "light")]
LOOKS = LOOKS[SLICE % 3 :: 3]
if os.environ.get("DEEP"):
    LOOKS = list(itertools.product((375, 768, 1280), ("en", "de"), ("light", "dark")))
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def pytest_report_header():
    return f"SLICE={SLICE} repeats this run"


class Service:
    """The service as started by `cargo run`, with a separate folder."""

    def __init__(self, folder, *arguments, port="0"):
        self.folder, self.arguments = folder, arguments
        self.start(port)

    def start(self, port):
        command = [BINARY, "--port", port, "--data-dir", self.folder, *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.base = self.process.stdout.readline().split()[-1]

    def restart(self):
        """Kills the service and restarts it at the same address."""
        self.process.kill()
        self.process.wait()
        self.start(self.base.rsplit(":", 1)[1])

    def stop(self):
        self.process.kill()
        self.process.wait()

    def count(self, path, places):
        """Waits until the statistics have that many places. They are counted at startup, and then once a minute."""
        time.sleep(1)
        self.restart()
        deadline = time.monotonic() + 150
        while time.monotonic() < deadline:
            try:
                if len(self.send("GET", path)) >= places:
                    return
            except urllib.error.HTTPError as error:
                # The first statistics are still being computed.
                assert error.code == 503
            time.sleep(0.2)
        raise AssertionError(f"{path} has fewer than {places} places")

    def token(self, scope):
        command = [BINARY, "token", "create", "--scope", scope, "--name", scope, "--data-dir", self.folder]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def send(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")

    def cheer(self, name="Ann", amount=100, token=None, **more):
        user = {"platform_id": f"id-{name}", "name": name}
        event = {"event_type": "cheer", "amount": amount, "user_name": name, "user": user, "occurred_at": now(), **more}
        return self.send("POST", "/events", event, token)

    def notify(self, kind, secret):
        """Sends a sample notification the way Twitch does: only its webhook and imports create events from its
        sources."""
        samples = map(json.loads, (ROOT / "tests/samples/twitch.jsonl").read_text().splitlines())
        sample = next(sample for sample in samples if sample["subscription"]["type"] == kind)
        if "followed_at" in sample["event"]:
            sample["event"]["followed_at"] = now()
        body = json.dumps(sample).encode()
        number, time_sent = f"{kind} {time.time_ns()}", now()
        signature = hmac.new(secret.encode(), number.encode() + time_sent.encode() + body, "sha256").hexdigest()
        message = {"Id": number, "Type": "notification", "Timestamp": time_sent, "Signature": f"sha256={signature}"}
        headers = {f"Twitch-Eventsub-Message-{name}": value for name, value in message.items()}
        headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self.base}/webhooks/twitch", body, headers)
        assert urllib.request.urlopen(request).status == 204

    def fed(self, after, *types):
        """Waits until the feed has entries of these types after a number. They arrive within seconds of their cause."""
        deadline = time.monotonic() + 30
        while (found := [entry["type"] for entry in self.send("GET", f"/feed?after={after}")]) != list(types):
            assert time.monotonic() < deadline, found
            time.sleep(0.05)


def now():
    import datetime

    return datetime.datetime.now(datetime.UTC).isoformat()


def png(width, height, pixel):
    """Returns a PNG. The function `pixel` maps (x, y) to (red, green, blue)."""
    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in pixel(x, y)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def document(stamps=("heart", "star", "odd")):
    image = png(320, 200, lambda x, y: (235 - y // 4, 215, 180 + x // 6))
    places = [{"stamp_type": kind, "pos_x": 80 + 80 * place, "pos_y": 90, "rotation": 0.3 * place} for place, kind in enumerate(stamps)]
    return {"document_data": base64.b64encode(image).decode(), "seal": 7, "stamps": places}


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path / "data")
    yield service
    service.stop()


@pytest.fixture
def guarded(tmp_path):
    """A service that requires tokens."""
    service = Service(tmp_path / "data", "--require-token")
    yield service
    service.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        yield playwright.chromium


OPTIONS = {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox"]}


@pytest.fixture(scope="session")
def browser(chromium):
    browser = chromium.launch(**OPTIONS)
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def pages_are_closed(request):
    """Closes what a test has opened. Otherwise, its pages would poll and draw until the end, and slow down later tests."""
    if "browser" not in request.fixturenames:
        yield
        return
    browser = request.getfixturevalue("browser")
    before = list(browser.contexts)
    yield
    for context in [context for context in browser.contexts if context not in before]:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()


class Watch:
    """A page's violations: foreign origins, missing files, policy violations, errors, and tokens in a URL."""

    def __init__(self, page, secrets=()):
        self.wrong, self.secrets = [], secrets
        page.on("request", self.request)
        page.on("response", self.response)
        page.on("console", self.logged)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.hosts = set()

    def request(self, request):
        host = re.match(r"(\w+:)(//[^/]*)?", request.url).group(0)
        if not host.startswith("data:"):
            self.hosts.add(host)
        if any(secret in request.url.split("#")[0] for secret in self.secrets):
            self.wrong.append(f"a token in {request.url}")

    def response(self, response):
        if response.status >= 400 and re.search(r"/(console|overlay|viewer|docs|shared)/.*\.(js|css|json|svg|woff2)$", response.url):
            self.wrong.append(f"{response.status} for the file {response.url}")

    def logged(self, message):
        if "Content Security Policy" in message.text or "TrustedType" in message.text:
            self.wrong.append(message.text)

    def check(self, service):
        assert self.wrong == []
        allowed = {service.base, service.base.replace("http:", "ws:")}
        assert self.hosts <= allowed, self.hosts


def start_of(locator):
    """The left edge of an element's text."""
    return locator.evaluate("node => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect().left; }")


def accessible(page):
    """Checks that axe finds no violations. The page's policy forbids the script, so the debugger injects it."""
    if AXE is None:
        pytest.skip("AXE names no axe-core")
    session = page.context.new_cdp_session(page)
    run = f"axe.run(document, {{runOnly: {RULES}}}).then((found) => found.violations.map((one) => one.id + ' ' + one.nodes.map((node) => node.target).join(' ')))"
    session.send("Runtime.evaluate", {"expression": Path(AXE).read_text()})
    found = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
    assert found["result"]["value"] == [], page.url


@pytest.fixture
def artifacts():
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    return ARTIFACTS


@pytest.fixture
def visited(browser, service):
    """Opens views of the console, each in a separate page that is watched."""
    pages = []

    def visit(view, **options):
        page = browser.new_page(**{"locale": "en", "viewport": {"width": 1200, "height": 800}, **options})
        pages.append(page)
        page.watch = Watch(page)
        page.goto(f"{service.base}/console/#/{view}")
        page.locator("main h1").wait_for()
        page.locator(".state.connected").wait_for(state="attached")
        return page

    yield visit
    for page in pages:
        page.unroute_all(behavior="ignoreErrors")
        page.close()
