"""Tests of the overlay in a real browser: each alert is shown once and in order, despite losses."""

import subprocess
import time

from conftest import OPTIONS, Watch, accessible, document


def begun(page, service, fragment):
    """Opens the overlay, and waits until it has requested the head."""
    with page.expect_response(lambda answer: answer.url.split("?")[0].endswith("/feed")):
        page.goto(f"{service.base}/overlay/#{fragment}")
    time.sleep(0.3)


def test_each_type_has_its_own_alert(browser, service, artifacts):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    watch = Watch(page)
    begun(page, service, "duration=2&types=plain,subscriber,cheer,raid")
    user = {"platform_id": "1", "name": "Ann"}
    common = {"user": user, "user_name": "Ann", "occurred_at": "2026-11-20T12:00:00Z"}
    for event, text in [
        ({"event_type": "cheer", "amount": 1500, "message": "so good"}, "Ann cheered 1,500 bits!"),
        ({"event_type": "raid", "viewer_count": 1}, "Ann is raiding with 1 viewer!"),
        ({"event_type": "subscriber", "tier": 2, "subscribed_length": 5}, "Ann just resubscribed: 5 months!"),
        ({"event_type": "plain", "message": "<b>hello</b>"}, "Ann"),
    ]:
        service.send("POST", "/events", {**common, **event})
        shown = page.locator(f".alert.{event['event_type']}")
        shown.wait_for()
        assert shown.locator(".headline").inner_text() == text
        assert shown.locator(".words").inner_text() == (event.get("message") or "")
        shown.wait_for(state="detached")
    watch.check(service)


def test_a_document_pops_up_and_its_stamps_appear(browser, service, artifacts):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    watch = Watch(page)
    begun(page, service, "duration=3")
    service.cheer(amount=500, message="For your collection!", document=document())
    page.locator(".alert .picture").wait_for()
    page.locator(".stamp.on").nth(2).wait_for()
    accessible(page)
    places = page.locator(".picture > g").evaluate_all("all => all.map(one => one.getAttribute('transform'))")
    assert [place.split(")")[0] for place in places] == ["translate(80 90", "translate(160 90", "translate(240 90"], "in their order, the newest on top"
    assert places[1].startswith("translate(160 90) rotate(17.18")
    assert page.locator(".picture").get_attribute("viewBox") == "0 0 320 200"
    time.sleep(0.6)
    page.screenshot(path=artifacts / "overlay.png", omit_background=True)
    watch.check(service)


def test_it_speaks_german_and_shows_a_test_whatever_its_type(browser, service):
    page = browser.new_page()
    begun(page, service, "duration=2&types=raid&lang=de")
    service.cheer()
    service.send("POST", "/alerts", {"test": {"event_type": "cheer", "amount": 2, "user_name": "Bea"}})
    page.locator(".alert").wait_for()
    assert page.locator(".headline").inner_text() == "Bea hat 2 Bits gecheert!"


def test_an_alert_is_shown_within_a_second_of_its_post(browser, service):
    page = browser.new_page()
    begun(page, service, "duration=1")
    waits = []
    for number in range(5):
        started = time.monotonic()
        service.cheer(amount=number + 1)
        page.locator(".alert", has_text=f"cheered {number + 1} bit").wait_for()
        waits.append(time.monotonic() - started)
        page.locator(".alert").wait_for(state="detached")
    print("from POST to page, seconds:", [round(wait, 2) for wait in waits])


def test_a_killed_browser_and_a_killed_service_show_each_once_and_in_order(chromium, service, tmp_path):
    shown = []
    total = 12

    def look(page, until):
        """Records the alerts in the order of their appearance, until there are `until`."""
        deadline = time.monotonic() + 40
        while len(shown) < until and time.monotonic() < deadline:
            for text in page.locator(".alert .headline").all_inner_texts():
                if not shown or shown[-1] != text:
                    shown.append(text)
            time.sleep(0.05)

    for part in range(3):
        context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
        page = context.new_page()
        begun(page, service, "duration=1")
        for number in range(4):
            service.cheer(amount=2 + 4 * part + number)
        if part == 1:
            service.restart()
        look(page, 4 * part + 2)
        subprocess.run(["pkill", "-KILL", "-f", f"user-data-dir={tmp_path / 'profile'}"], check=True)
        (tmp_path / "profile/SingletonLock").unlink(missing_ok=True)
    context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
    page = context.new_page()
    page.goto(f"{service.base}/overlay/#duration=1")
    look(page, total)
    context.close()
    numbers = [int(text.split()[2]) for text in shown]
    assert len(set(numbers)) == len(numbers), "each at most once"
    assert numbers == sorted(numbers), "in order"
    # Each end of the browser may interrupt one alert. It is then missing, and can be replayed.
    assert len(numbers) >= total - 3 and numbers[-1] == total + 1


def test_two_overlays_are_as_far_as_each_has_shown(chromium, service, tmp_path):
    """Both share the browser's storage, because they have one origin."""
    quick, slow = "duration=1&types=cheer", "duration=4&types=cheer"
    context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
    pages = [context.new_page(), context.new_page()]
    for page, fragment in zip(pages, (quick, slow)):
        begun(page, service, fragment)
    for amount in (2, 3, 4):
        service.cheer(amount=amount)
    pages[0].locator(".alert", has_text="cheered 4 bits").wait_for()
    context.close()
    context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
    page = context.new_page()
    page.goto(f"{service.base}/overlay/#{slow}")
    page.locator(".alert", has_text="cheered 4 bits").wait_for()
    page = context.new_page()
    begun(page, service, quick)
    assert page.locator(".alert").count() == 0, "it has shown all"
    context.close()


def test_what_is_too_old_is_not_shown(chromium, service, tmp_path):
    context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
    page = context.new_page()
    begun(page, service, "duration=1&max_age=3")
    context.close()
    service.cheer(amount=2)
    time.sleep(5)
    service.cheer(amount=3)
    context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
    page = context.new_page()
    page.goto(f"{service.base}/overlay/#duration=1&max_age=3")
    page.locator(".alert").wait_for()
    assert page.locator(".headline").inner_text().endswith("cheered 3 bits!")
    context.close()


def test_a_token_is_in_no_address_and_a_wrong_one_shows_nothing(browser, guarded):
    token = guarded.token("overlay")
    writer = guarded.token("write")
    page = browser.new_page()
    watch = Watch(page, [token])
    begun(page, guarded, f"duration=1&token={token}")
    guarded.cheer(token=writer)
    page.locator(".alert").wait_for()
    watch.check(guarded)
    page.goto("about:blank")
    page.goto(f"{guarded.base}/overlay/#token=wrong&debug=1")
    page.locator("#debug", has_text="401").wait_for()
    page.goto("about:blank")
    page.goto(f"{guarded.base}/overlay/#token=wrong")
    time.sleep(1)
    assert page.locator("body").inner_text().strip() == "", "a stream shows no errors"


def test_pictures_are_shown_under_each_name_of_this_machine(browser, service):
    page = browser.new_page()
    with page.expect_response(lambda answer: answer.url.split("?")[0].endswith("/feed")):
        page.goto(f"{service.base.replace('127.0.0.1', 'localhost')}/overlay/?v=2#duration=2")
    service.cheer(document=document())
    page.locator(".alert .picture").wait_for()


def test_an_overlay_record_has_the_settings_and_controls_the_alerts(browser, guarded):
    token, write = guarded.token("overlay"), guarded.token("write")
    settings = {"types": ["cheer"], "duration": 30, "lang": "de"}
    overlay = guarded.send("POST", "/overlays", {"name": "stream", "settings": settings}, write)["overlay_id"]
    page = browser.new_page()
    watch = Watch(page, [token])
    begun(page, guarded, f"token={token}&overlay={overlay}&types=raid")
    headline = page.locator(".headline")
    for amount in (1, 2, 3):
        guarded.cheer(amount=amount, token=write)
    page.locator(".alert", has_text="1 Bit").wait_for()
    assert headline.inner_text().startswith("Ann hat 1 Bit")
    # The first one is visible, and the second waits: both are dropped.
    guarded.send("POST", "/alerts", {"control": "skip", "entry": 2}, write)
    guarded.send("POST", "/alerts", {"control": "skip", "entry": 1}, write)
    page.locator(".alert", has_text="3 Bits").wait_for()
    # While it is paused, alerts wait.
    guarded.send("PATCH", f"/overlays/{overlay}", {"paused": True, "settings": {"types": "cheer", "duration": 1}}, write)
    guarded.cheer(amount=4, token=write)
    time.sleep(1.5)
    guarded.send("POST", "/alerts", {"control": "clear"}, write)
    page.locator(".alert").wait_for(state="detached")
    guarded.cheer(amount=5, token=write)
    time.sleep(1.5)
    assert page.locator(".alert").count() == 0
    guarded.send("PATCH", f"/overlays/{overlay}", {"paused": False}, write)
    page.locator(".alert", has_text="5 Bits").wait_for()
    page.locator(".alert").wait_for(state="detached")
    watch.check(guarded)
