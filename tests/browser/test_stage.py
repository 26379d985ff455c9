"""Tests of the pages on a stream: old browsers, loading failures, all overlays at once, looks, and pets."""

import re
from pathlib import Path

from conftest import ROOT, document, now

# Features added to browsers after Chromium 103.
NEWER = """
    for (const [owner, names] of [
      [AbortSignal, ['any']],
      [Array, ['fromAsync']],
      [Promise, ['withResolvers', 'try']],
      [Object, ['groupBy']],
      [Map, ['groupBy']],
      [URL, ['canParse', 'parse']],
      [Response, ['json']],
      [Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with']],
      [String.prototype, ['isWellFormed', 'toWellFormed']],
      [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom', 'symmetricDifference']],
      [ArrayBuffer.prototype, ['transfer', 'resize']],
      [globalThis, ['Iterator', 'scheduler']],
    ]) for (const name of names) delete owner[name];
    const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
    for (const name of ['map', 'filter', 'take', 'drop', 'flatMap', 'toArray', 'forEach', 'some', 'every', 'find', 'reduce']) delete iterator[name];
"""
NEWER_CSS = r":has\(|color-mix|light-dark|@container|\d(cq|d?v)[wh]\b(?<!\dv[wh])|oklch|@layer\s*\{|@scope|^\s+&|(?<!-)\b(translate|rotate|scale):"


def connected(page, service, fragment, path="/overlay/"):
    page.goto(f"{service.base}{path}#debug=1&{fragment}")
    page.locator("#debug", has_text="Connected").wait_for()


def test_the_overlay_runs_on_chromium_103(browser, service):
    page = browser.new_page(locale="en")
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(NEWER)
    connected(page, service, "duration=60")
    service.cheer(amount=1_000, message="Cheer1000 gg", document=document())
    page.locator(".alert[data-size=party] .picture").wait_for()
    assert page.locator(".words").inner_text() == "1,000 gg"
    assert errors == []
    for sheet in (ROOT / "web/overlay").glob("*.css"):
        assert re.search(NEWER_CSS, sheet.read_text(), re.M) is None, sheet.name


def test_a_failed_file_or_a_late_service_does_not_stop_the_overlay(browser, service, tmp_path):
    page = browser.new_page(locale="en")
    failures = {"/common.js": 1, "/overlay.css": 1, "/boot.js": 1}

    def fail(route):
        for part in failures:
            if part in route.request.url and failures[part] > 0:
                failures[part] -= 1
                return route.abort()
        return route.fallback()

    page.route("**/overlay/*", fail)
    connected(page, service, "duration=60")
    assert list(failures.values()) == [0, 0, 0]
    # The guide's file waits for a service that starts after OBS.
    service.stop()
    guide = (ROOT / "docs/overlay.md").read_text()
    html = re.search(r"^```html\n(.*?)^```", guide, re.S | re.M).group(1)
    html = html.replace("http://127.0.0.1:3000/overlay/", f"{service.base}/overlay/").replace("#overlay=<id>", "#debug=1")
    (file := Path(tmp_path / "start.html")).write_text(html)
    late = browser.new_page()
    late.goto(file.as_uri())
    service.start(service.base.rsplit(":", 1)[1])
    late.locator("#debug", has_text="Connected").wait_for()


def test_one_key_stops_every_overlay_and_lets_them_go_on(browser, service):
    records = [service.send("POST", "/overlays", {"name": name, "settings": {"duration": 60}})["overlay_id"] for name in "ab"]
    # Without any events, the Overview is the setup.
    service.cheer(amount=5)
    pages = [browser.new_page(locale="en") for _ in range(3)]
    for page, fragment in zip(pages, [*(f"overlay={record}" for record in records), "duration=60"]):
        connected(page, service, fragment)
    console = browser.new_page(locale="en")
    console.goto(f"{service.base}/console/")
    console.get_by_role("button", name="Stop all alerts").wait_for()
    console.locator(".stop-notice").wait_for(state="attached")
    console.get_by_role("button", name="Key: PAUSE").click()
    console.keyboard.press("F8")
    console.get_by_role("button", name="Key: F8").wait_for()
    service.cheer(amount=7)
    for page in pages:
        page.locator(".alert").wait_for()
    console.keyboard.press("F8")
    console.get_by_role("button", name="Resume all alerts").first.wait_for()
    for page in pages:
        page.locator(".alert").wait_for(state="detached")
    assert [overlay["paused"] for overlay in service.send("GET", "/overlays")] == [True, True]
    console.keyboard.press("F8")
    for page in pages:
        page.locator(".alert", has_text="cheered 7 bits").wait_for()


def test_amounts_decide_the_look_and_a_replay_has_the_names(browser, service):
    cheers = {"color": "#00ff00"}
    overlay = service.send("POST", "/overlays", {"name": "a", "settings": {"duration": 60, "theme": "minimal", "alerts": {"cheer": cheers}}})
    page = browser.new_page(locale="en", viewport={"width": 1280, "height": 720})
    connected(page, service, f"overlay={overlay['overlay_id']}")

    def skip():
        alert = page.locator(".alert")
        service.send("POST", "/alerts", {"control": "skip", "entry": int(alert.get_attribute("data-id"))})
        alert.wait_for(state="detached")

    for amount, size in [(99, "toast"), (100, "card"), (10_000, "grand")]:
        service.cheer(amount=amount, message=f"cheer{amount} gg")
        page.locator(f".alert[data-size={size}][data-theme=minimal]", has_text=f"{amount:,} bits!").wait_for()
        assert page.locator("strong.name").evaluate("node => getComputedStyle(node).color") == "rgb(0, 255, 0)"
        assert page.locator(".words").inner_text() == f"{amount:,} gg"
        skip()
    common = {"occurred_at": now(), "reference": "bomb"}
    details = {"giver": {"user_id": "9", "user_name": "Gifter"}, "tier": 1}
    user = lambda name: {"user": {"platform_id": name, "name": name}, "user_name": name}
    given = service.send("POST", "/events", {**common, **user("Gifter"), "event_type": "plain", "message": "x", "details": {**details, "total": 1}})
    received = {"event_type": "subscriber", "tier": 1, "subscribed_length": 1, "details": {**details, "recipient": {"user_id": "1", "user_name": "Receiver"}}}
    service.send("POST", "/events", {**common, **user("Receiver"), **received})
    page.locator(".alert .words", has_text="1 / 1").wait_for()
    skip()
    service.send("POST", "/alerts", {"event_id": given["event_id"]})
    page.locator(".alert .words", has_text="1 / 1").wait_for()


def test_widgets_follow_their_settings_and_pets_walk(browser, service):
    overlay = service.send("POST", "/overlays", {"name": "a", "settings": {"lang": "en"}})["overlay_id"]
    goal, pets = browser.new_page(), browser.new_page(viewport={"width": 1920, "height": 320})
    connected(goal, service, f"overlay={overlay}", "/overlay/goal/")
    connected(pets, service, f"overlay={overlay}", "/overlay/pets/")
    goal.get_by_role("heading", name="Goal: Subs").wait_for()
    size = "() => parseFloat(getComputedStyle(document.body).fontSize)"
    before = goal.evaluate(size)
    service.send("PATCH", f"/overlays/{overlay}", {"settings": {"lang": "de", "scale": 2, "theme": "paper"}})
    goal.get_by_role("heading", name="Ziel: Abos").wait_for()
    assert goal.evaluate(size) == 2 * before
    for widget in (goal, pets):
        widget.locator("body[data-theme=paper]").wait_for()
    event = {"event_type": "plain", "message": "hi", "occurred_at": now()}
    people = [{"user": {"platform_id": name, "name": name}, "user_name": name} for name in ("Petra", "Noah")]
    ann = service.send("POST", "/users", people[0]["user"])["user_id"]
    service.send("POST", f"/users/{ann}/specimen", {"born_at": now()})
    for person in [*people, people[0]]:
        service.send("POST", "/events", {**event, **person})
    pets.locator(f".walker[data-owner='{ann}']", has_text="Petra").locator("svg.pet").wait_for()
    assert pets.locator(".walker").count() == 1
    # A jump does not leave the source.
    pets.evaluate("""() => {
        const name = document.querySelector('.owner');
        const jump = () => name.getAnimations().find((one) => !(one instanceof CSSTransition));
        window.highest = (async () => {
            while (!jump()) await new Promise(requestAnimationFrame);
            const rest = name.getBoundingClientRect().top;
            jump().pause();
            jump().currentTime = 0.48 * 640;
            return [rest, name.getBoundingClientRect().top];
        })();
    }""")
    service.send("POST", "/events", {**event, **people[0]})
    rest, highest = pets.evaluate("window.highest")
    assert 0 <= highest < rest, (rest, highest)
    service.send("PATCH", f"/overlays/{overlay}", {"settings": {"pets": {"names": False}}})
    pets.locator(".owner").wait_for(state="hidden")


def test_thirty_pets_cover_no_face_and_no_name(browser, service):
    for number in range(30):
        user = {"platform_id": str(number), "name": f"Viewer_with_a_name_{number}"}
        event = {"event_type": "plain", "message": "hi", "occurred_at": now(), "user": user, "user_name": user["name"]}
        owner = service.send("POST", "/events", event)["user_id"]
        service.send("POST", f"/users/{owner}/specimen", {"born_at": now()})
    # With reduced motion, each pet stands still in the middle of its slot.
    page = browser.new_page(viewport={"width": 1920, "height": 320}, reduced_motion="reduce")
    connected(page, service, "", "/overlay/pets/")
    page.locator(".walker").nth(29).wait_for()
    assert page.locator(".walker[data-row='2']").count() > 0
    covered = page.evaluate("""() => {
        const inside = ({ left, right, top, bottom }) => left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
        const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
        const boxes = (selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
        const [names, faces] = [boxes('.owner'), boxes('.turn > .pet > :not(.contour) .face')];
        const bad = names.flatMap((name, at) => [...faces, ...names.slice(at + 1)].filter((other) => meet(name, other)));
        return [faces.length, bad.length, [...names, ...faces].filter((box) => !inside(box)).length];
    }""")
    assert covered == [30, 0, 0]
