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


FIRST_ROW = """
    new MutationObserver((_, observer) => {
        if (!document.querySelector('.row .name')) return;
        observer.disconnect();
        window.firstRow = performance.now();
    }).observe(document, { childList: true, subtree: true });
"""
BYTES = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter((one) => one.responseEnd <= firstRow).reduce((sum, one) => sum + one.transferSize, 0)"""


def first_views(browser, service, view, slow):
    """Opens a view in an empty browser. `slow` limits the network to 50 KB/s with a latency of 400 ms."""
    contents, rows, size = [], [], 0
    for _ in range(3 if slow else 7):
        page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
        page.add_init_script(FIRST_ROW)
        if slow:
            network = page.context.new_cdp_session(page)
            network.send("Network.enable")
            network.send("Network.emulateNetworkConditions", {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
        page.goto(f"{service.base}/console/#/{view}")
        page.locator(".row .name").first.wait_for(timeout=60_000)
        contents.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0") / 1_000)
        rows.append(page.evaluate("firstRow") / 1_000)
        size = page.evaluate(BYTES)
        page.close()
    network = "50 KB/s and 400 ms" if slow else "this machine"
    report(f"{view}, {network}: first content", contents)
    report(f"{view}, {network}: first row", rows)
    print(f"{view}: {size} bytes as sent before the first row")


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
        for view in ("activity", "overview"):
            first_views(browser, service, view, slow=False)
            first_views(browser, service, view, slow=True)
        alerts(browser, service, has_socket=False)
        alerts(browser, service, has_socket=True)
        analytics(browser, service)
        flood(browser, service, options.minutes)
        burst(browser, service, options.burst)
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
