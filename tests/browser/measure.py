"""Measures the speed of the pages with a year of history. `docs/benchmarks.md` has the results; no test depends on it.

    cargo build --release
    SERVICE=target/release/event-capture python tests/browser/measure.py --events 100000
"""

import argparse
import statistics
import subprocess
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conftest import BINARY, OPTIONS, Service
from playwright.sync_api import sync_playwright

WATCH_LONG_TASKS = """
    window.longest = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((task) => (window.longest = Math.max(window.longest, task.duration))))
        .observe({type: 'longtask', buffered: true});
"""


def report(name, seconds):
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    milliseconds = [f"{value * 1_000:.0f}" for value in (statistics.median(ordered), ordered[0], ordered[-1], p95)]
    print("{}: {} ms ({}–{}), 95 % below {} ms".format(name, *milliseconds), flush=True)


# Remembers when a row is there, how many requests had ended by then, their bytes, and how far the layout has moved.
FIRST_ROW = """
    window.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (window.shift += one.value)))
        .observe({ type: "layout-shift", buffered: true });
    new MutationObserver((_, observer) => {
        if (!document.querySelector("ROW")) return;
        observer.disconnect();
        window.firstRow = performance.now();
    }).observe(document, { childList: true, subtree: true });
"""
LOADED = """() => {
    const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const before = all.filter((one) => one.responseEnd <= firstRow);
    const bytes = before.reduce((sum, one) => sum + one.encodedBodySize, 0);
    return [firstRow / 1000, bytes, before.filter((one) => /\\.(js|css)$/.test(one.name)).length, shift];
}"""
# What the first row of each view is.
ROWS = {
    "overview": ".row", "activity": ".row", "letters": ".letter-card", "viewers": ".viewers td.name a", "store": ".purchases li",
    "rules": ".rules li", "commands": ".rules li", "analytics": ".figures .big", "alerts": ".alert-list li",
    "streams": ".streams tbody tr", "settings": ".card dd", "data": "table tbody td",
}


def first_views(browser, service):
    """Opens two views in an empty browser."""
    for view in ("activity", "overview"):
        contents, rows = [], []
        for _ in range(7):
            page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
            page.add_init_script(FIRST_ROW.replace("ROW", ROWS[view]))
            page.goto(f"{service.base}/console/#/{view}")
            page.locator(ROWS[view]).first.wait_for()
            contents.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0") / 1_000)
            rows.append(page.evaluate("firstRow") / 1_000)
            page.close()
        report(f"{view}: first content", contents)
        report(f"{view}: first row", rows)


def slow_views(browser, service, folder):
    """Opens every view in an empty browser on a slow line."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    command = ["node", Path(__file__).with_name("slow-line.mjs"), service.base, key, certificate]
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    line = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    base = f"https://127.0.0.1:{line.stdout.readline().strip()}"
    for view, row in ROWS.items():
        openings = []
        for _ in range(3):
            page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en", ignore_https_errors=True)
            page.add_init_script(FIRST_ROW.replace("ROW", row))
            page.goto(f"{base}/console/#/{view}", wait_until="commit")
            page.locator(row).first.wait_for(timeout=60_000)
            # The line is shared, so the next opening waits until it is free.
            page.wait_for_load_state("networkidle")
            openings.append(page.evaluate(LOADED))
            page.close()
        seconds, size, files, shift = sorted(openings)[1]
        print(f"{view}, slow line: first row after {seconds:.1f} s, {size / 1_000:.0f} KB, {files} files, shift {shift:.2f}", flush=True)
    line.kill()


def flood(browser, service, minutes):
    """Shows 1,000 events a minute in the activity."""
    page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
    page.add_init_script(WATCH_LONG_TASKS)
    page.goto(f"{service.base}/console/#/activity?kinds=cheer&bits=10000000")
    page.get_by_text("No events match").or_(page.locator(".row")).first.wait_for()
    page.evaluate("""() => {
        window.seen = new Map();
        const look = () => document.querySelectorAll('.row .kind').forEach((one) => seen.set(one.textContent, 1));
        new MutationObserver(look).observe(document.querySelector('main'), { childList: true, subtree: true });
        window.longest = 0;
    }""")
    network = page.context.new_cdp_session(page)
    many, begin = 1_000 * minutes, time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        for number in range(many):
            time.sleep(max(0, begin + number * 0.06 - time.monotonic()))
            pool.submit(service.cheer, "Ann", 10_000_000 + number)
    time.sleep(5)
    network.send("HeapProfiler.collectGarbage")
    heap = page.evaluate("performance.memory.usedJSHeapSize")
    print(f"{page.evaluate('seen.size')} of {many} events at 1,000 a minute; longest task {page.evaluate('longest'):.0f} ms; heap {heap / 1e6:.1f} MB", flush=True)
    page.close()


def burst(browser, service, many):
    """Sends many alerts at once and counts those that the overlay shows."""
    page = browser.new_page(locale="en")
    with page.expect_response(lambda response: response.url.split("?")[0].endswith("/feed")):
        page.goto(f"{service.base}/overlay/#duration=1")
    page.evaluate("""() => {
        window.seen = new Set();
        new MutationObserver(() => document.querySelectorAll('.alert').forEach((one) => seen.add(one.dataset.id)))
            .observe(document.querySelector('#stage'), { childList: true, subtree: true });
    }""")
    time.sleep(1)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: service.cheer("Ann", number), range(1, many + 1)))
    deadline = time.monotonic() + many * 2
    while page.evaluate("seen.size") < many and time.monotonic() < deadline:
        time.sleep(1)
    print(f"{page.evaluate('seen.size')} of {many} alerts of a burst shown", flush=True)
    page.close()


def alerts(browser, service, has_socket):
    page = browser.new_page(locale="en")
    if not has_socket:
        page.route("**/health", lambda route: route.fulfill(json={"status": "ok"}))
    with page.expect_response(lambda response: response.url.split("?")[0].endswith("/feed")):
        page.goto(f"{service.base}/overlay/#duration=1")
    time.sleep(1)
    waits = []
    for number in range(40):
        started = time.monotonic()
        service.cheer(amount=number + 1)
        page.locator(".alert", has_text=f"cheered {number + 1} bit").wait_for()
        waits.append(time.monotonic() - started)
        page.locator(".alert").wait_for(state="detached")
        time.sleep(0.03 * number)
    report(f"from POST to the overlay, by {'the socket' if has_socket else 'polling each second'}", waits)
    page.close()


def analytics(browser, service):
    page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
    page.add_init_script(WATCH_LONG_TASKS)
    page.goto(f"{service.base}/console/#/analytics")
    page.locator(".uplot").first.wait_for(timeout=300_000)
    waits = []
    for days in (90, 7, 30, 90):
        started = time.monotonic()
        with page.expect_response(lambda response: "/statistics" in response.url):
            page.get_by_role("button", name=f"{days} days").click()
        page.locator(".uplot").first.wait_for()
        waits.append(time.monotonic() - started)
    report("analytics of another period", waits)
    print(f"longest task: {page.evaluate('longest'):.0f} ms")
    page.close()


def settled(service):
    """Waits until the feed has all changes."""
    before, now = None, head(service)
    while now != before:
        time.sleep(2)
        before, now = now, head(service)


def head(service):
    with urllib.request.urlopen(service.base + "/feed") as response:
        return response.headers["feed-head"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--events", type=int, default=100_000)
    arguments.add_argument("--minutes", type=int, default=10)
    arguments.add_argument("--burst", type=int, default=200)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder) / "data")
        started = time.monotonic()
        command = [BINARY, "demo", "--url", service.base, "--events", str(options.events), "--viewers", "500", "--days", "365"]
        subprocess.run(command, check=True)
        print(f"filled in {time.monotonic() - started:.0f} s", flush=True)
        settled(service)
        browser = playwright.chromium.launch(**OPTIONS)
        first_views(browser, service)
        slow_views(browser, service, Path(folder))
        alerts(browser, service, has_socket=False)
        alerts(browser, service, has_socket=True)
        analytics(browser, service)
        flood(browser, service, options.minutes)
        burst(browser, service, options.burst)
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
