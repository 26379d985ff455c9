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
from pathlib import Path

from conftest import BINARY, OPTIONS, Service
from playwright.sync_api import sync_playwright

WATCH_LONG_TASKS = """
    window.longest = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((task) => (window.longest = Math.max(window.longest, task.duration))))
        .observe({type: 'longtask', buffered: true});
"""


def report(name, seconds):
    print(f"{name}: {statistics.median(seconds) * 1_000:.0f} ms ({min(seconds) * 1_000:.0f}–{max(seconds) * 1_000:.0f})", flush=True)


def first_walls(browser, service):
    waits = []
    for _ in range(5):
        page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
        started = time.monotonic()
        page.goto(f"{service.base}/console/")
        page.locator(".row").nth(49).wait_for(state="attached")
        waits.append(time.monotonic() - started)
        page.close()
    report("first wall of 50 events, from an empty browser", waits)


def scrolled(browser, service, pages):
    page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
    page.add_init_script(WATCH_LONG_TASKS)
    page.goto(f"{service.base}/console/")
    page.locator(".row").nth(49).wait_for()
    waits = []
    for number in range(1, pages):
        rows = 50 * number
        started = time.monotonic()
        while page.locator(".row").count() < rows + 50:
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            time.sleep(0.02)
        waits.append(time.monotonic() - started)
    report(f"the next 50 of {50 * pages} by scrolling", waits)
    print(f"longest task of the page meanwhile: {page.evaluate('longest'):.0f} ms")
    page.evaluate("window.longest = 0; scrollTo(0, 0)")
    waits = []
    for number in range(5):
        started = time.monotonic()
        service.cheer(amount=770_000 + number)
        page.locator(".row", has_text=f"cheered 770,00{number} bits").wait_for(state="attached")
        waits.append(time.monotonic() - started)
    report(f"from POST to a wall of {50 * pages}", waits)
    print(f"longest task of the page meanwhile: {page.evaluate('longest'):.0f} ms")
    page.close()


def alerts(browser, service, has_socket):
    page = browser.new_page(locale="en")
    if not has_socket:
        page.route("**/health", lambda route: route.fulfill(json={"status": "ok"}))
    with page.expect_response(lambda answer: answer.url.split("?")[0].endswith("/feed")):
        page.goto(f"{service.base}/overlay/#duration=1")
    time.sleep(1)
    waits = []
    for number in range(15):
        started = time.monotonic()
        service.cheer(amount=number + 1)
        page.locator(".alert", has_text=f"cheered {number + 1} bit").wait_for()
        waits.append(time.monotonic() - started)
        page.locator(".alert").wait_for(state="detached")
        time.sleep(0.07 * number)
    report(f"from POST to the overlay, by {'the socket' if has_socket else 'polling each second'}", waits)
    page.close()


def plots(browser, service):
    page = browser.new_page(viewport={"width": 1200, "height": 800}, locale="en")
    page.add_init_script(WATCH_LONG_TASKS)
    page.goto(f"{service.base}/console/#/plots")
    page.locator(".uplot").first.wait_for()
    started = time.monotonic()
    page.get_by_role("button", name="365").click()
    page.get_by_text("loading").wait_for(state="detached", timeout=300_000)
    status = page.locator(".bar [role=status]").inner_text()
    print(f"plots of a year ({status}): {time.monotonic() - started:.1f} s; longest task: {page.evaluate('longest'):.0f} ms")
    page.close()


def settled(service):
    """Waits until the feed has all changes."""
    before, now = None, head(service)
    while now != before:
        time.sleep(2)
        before, now = now, head(service)


def head(service):
    with urllib.request.urlopen(service.base + "/feed") as answer:
        return answer.headers["feed-head"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--events", type=int, default=100_000)
    arguments.add_argument("--pages", type=int, default=40)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder) / "data")
        started = time.monotonic()
        command = [BINARY, "demo", "--url", service.base, "--events", str(options.events), "--viewers", "500", "--days", "365"]
        subprocess.run(command, check=True)
        print(f"filled in {time.monotonic() - started:.0f} s", flush=True)
        settled(service)
        browser = playwright.chromium.launch(**OPTIONS)
        first_walls(browser, service)
        scrolled(browser, service, options.pages)
        alerts(browser, service, has_socket=False)
        alerts(browser, service, has_socket=True)
        plots(browser, service)
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
