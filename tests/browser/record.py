"""Creates the recording in `docs/pictures`: python tests/browser/record.py

Plays `demo --live` for 30 seconds and takes pictures of the Overview, with the overlay in its corner. The pictures in
the other documents are the references of test_pictures.py."""

import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conftest import BINARY, OPTIONS, ROOT, Service
from PIL import Image
from playwright.sync_api import sync_playwright

PICTURES = ROOT / "docs/pictures"
SECONDS = 30
FRAMES_PER_SECOND = 3
SIZE = (1120, 640)
OVERLAY_SIZE = (400, 225)
MOST_BYTES = 2_000_000
# The overlay is transparent. This is the stream's picture behind it.
BACKGROUND = "document.body.style.background = 'linear-gradient(135deg, #26324a, #3d2a4d 55%, #1f3d3a)'"


def picture(page):
    return Image.open(io.BytesIO(page.screenshot(type="jpeg", quality=92))).convert("RGB")


def settled(page):
    """Waits until nothing is loading."""
    page.locator("main h1").wait_for()
    page.wait_for_load_state("networkidle")
    page.locator(".skeleton").first.wait_for(state="detached")
    time.sleep(0.5)


def computed(service, leaderboard):
    """Waits until a leaderboard has entries. The statistics are computed within two minutes."""
    for _ in range(150):
        try:
            if service.send("GET", leaderboard):
                return
        except OSError:
            pass
        time.sleep(1)
    raise TimeoutError(f"{leaderboard} has no entries")


def record(browser, service, play):
    console = browser.new_page(viewport=dict(zip(("width", "height"), SIZE)), locale="en", color_scheme="dark")
    console.goto(f"{service.base}/console/")
    settled(console)
    overlay = browser.new_page(viewport={"width": 1280, "height": 720}, locale="en")
    overlay.goto(f"{service.base}/overlay/#overlay={service.send('GET', '/overlays')[0]['overlay_id']}")
    overlay.evaluate(BACKGROUND)
    time.sleep(1)
    demo = subprocess.Popen([*play, "--live", "--duration", str(SECONDS)])
    frames, begin = [], time.monotonic()
    while (passed := time.monotonic() - begin) < SECONDS + 1:
        frame = picture(console).resize(SIZE)
        corner = picture(overlay).resize(OVERLAY_SIZE)
        frame.paste(corner, (SIZE[0] - OVERLAY_SIZE[0] - 12, SIZE[1] - OVERLAY_SIZE[1] - 12))
        frames.append((passed, frame))
        time.sleep(max(0, 1 / FRAMES_PER_SECOND - (time.monotonic() - begin - passed)))
    assert demo.wait() == 0
    durations = [int((after[0] - before[0]) * 1_000) for before, after in zip(frames, frames[1:])] + [1_500]
    images = [frame for _, frame in frames]
    path = PICTURES / "stream.webp"
    images[0].save(path, save_all=True, append_images=images[1:], duration=durations, loop=0, quality=45, method=4, minimize_size=False)
    size = path.stat().st_size
    print(f"{path}: {len(images)} pictures, {size} bytes")
    assert len(images) > 20 and size < MOST_BYTES


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder) / "data")
        try:
            goal = {"of": "subs", "target": 60, "title": "New camera"}
            service.send("POST", "/overlays", {"name": "Stream", "settings": {"duration": 2, "goal": goal}})
            play = [BINARY, "demo", "--url", service.base, "--data-dir", str(service.folder)]
            subprocess.run([*play, "--events", "600", "--viewers", "40"], check=True)
            computed(service, "/leaderboards/events")
            browser = playwright.chromium.launch(**OPTIONS)
            record(browser, service, [*play, "--events", "0", "--viewers", "25"])
            browser.close()
        finally:
            service.stop()


if __name__ == "__main__":
    sys.exit(main())
