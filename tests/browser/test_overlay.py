"""Tests of the overlay in a real browser: each alert is shown once and in order, despite losses."""

import subprocess
import time

import pytest
from conftest import OPTIONS, Watch, accessible, document, now, start_of


def begun(page, service, fragment):
    """Opens the overlay and waits until it has requested the head."""
    with page.expect_response(lambda response: response.url.split("?")[0].endswith("/feed")):
        page.goto(f"{service.base}/overlay/#{fragment}")
    time.sleep(0.3)


def skip(page, service):
    """Drops the visible alert."""
    alert = page.locator(".alert")
    service.send("POST", "/alerts", {"control": "skip", "entry": int(alert.get_attribute("data-id"))})
    alert.wait_for(state="detached")


def plain(locator):
    """Returns a text with plain spaces. The page uses non-breaking ones between numbers and units."""
    return locator.inner_text().replace("\u00a0", " ")


def test_each_type_has_its_own_alert(browser, service, artifacts):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    watch = Watch(page)
    begun(page, service, "duration=60&types=plain,subscriber,cheer,raid")
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
        assert plain(shown.locator(".headline")) == text
        assert shown.locator(".words").inner_text() == (event.get("message") or "")
        skip(page, service)
    watch.check(service)


def test_a_document_pops_up_and_its_stamps_appear(browser, service, artifacts):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    watch = Watch(page)
    begun(page, service, "duration=60")
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


def test_it_speaks_german_and_tests_respect_its_types(browser, service):
    page = browser.new_page()
    begun(page, service, "duration=60&types=cheer,notice&lang=de")
    service.send("POST", "/alerts", {"test": {"event_type": "raid", "viewer_count": 2}})
    service.send("POST", "/alerts", {"test": {"event_type": "cheer", "amount": 2, "user_name": "Bea"}})
    page.locator(".alert").wait_for()
    assert plain(page.locator(".headline")) == "Bea hat 2 Bits gecheert!"
    skip(page, service)
    service.send("POST", "/alerts", {"test": {"event_type": "cheer", "amount": 3}})
    page.locator(".headline", has_text="Jemand").wait_for()
    skip(page, service)
    poll = {"title": "Welches Spiel?", "choices": [{"title": "Blau", "votes": 1}]}
    notice = {"event_type": "plain", "message": "The poll ended.", "source": "twitch/channel.poll.end", "details": poll}
    service.send("POST", "/alerts", {"test": notice})
    page.locator(".alert.notice").wait_for()
    assert page.locator(".headline").inner_text() == "Die Umfrage ist beendet: Welches Spiel? – Blau (1 Stimme)"
    assert page.locator(".words").inner_text() == ""


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
    # Each end of the browser may interrupt one alert. That alert is then missing and can be replayed.
    assert len(numbers) >= total - 3 and numbers[-1] == total + 1


def test_two_overlays_are_as_far_as_each_has_shown(chromium, service, tmp_path):
    """Both have the same origin, so they share the browser's storage."""
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
    begun(page, service, "duration=60&max_age=3")
    context.close()
    service.cheer(amount=2)
    time.sleep(5)
    context = chromium.launch_persistent_context(tmp_path / "profile", **OPTIONS)
    page = context.new_page()
    begun(page, service, "duration=60&max_age=3")
    service.cheer(amount=3)
    page.locator(".headline", has_text="cheered 3 bits!").wait_for()
    context.close()


def test_an_empty_page_explains_itself_in_a_browser_only(browser, service):
    explanation = "This page is for OBS. It is empty until there is something to show."
    for is_obs in (False, True):
        page = browser.new_page()
        if is_obs:
            page.add_init_script("window.obsstudio = {}")
        begun(page, service, "lang=en")
        page.mouse.move(10, 10)
        page.mouse.move(50, 50)
        assert (page.get_by_text(explanation).count() == 1) is not is_obs
        page.locator("#debug").wait_for(state="hidden", timeout=10_000)
        page.close()


def test_a_token_is_in_no_address_and_a_wrong_one_is_named(browser, guarded):
    token = guarded.token("overlay")
    writer = guarded.token("write")
    page = browser.new_page()
    watch = Watch(page, [token])
    begun(page, guarded, f"duration=1&token={token}")
    guarded.cheer(token=writer)
    page.locator(".alert").wait_for()
    watch.check(guarded)
    page.goto("about:blank")
    page.goto(f"{guarded.base}/overlay/#token=wrong")
    page.locator("#debug", has_text="This overlay has no access.").wait_for()
    page.goto("about:blank")
    page.goto(f"{guarded.base}/overlay/#overlay=77&token={token}")
    page.locator("#debug", has_text="This overlay does not exist.").wait_for()


def test_pictures_are_shown_under_each_name_of_this_machine(browser, service):
    page = browser.new_page()
    with page.expect_response(lambda response: response.url.split("?")[0].endswith("/feed")):
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
    assert plain(headline).startswith("Ann hat 1 Bit")
    # The first alert is visible and the second waiting. Both are dropped.
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


def gift(service, sender, total):
    """Sends a community gift, starting with the giver's event."""
    common = {"occurred_at": now(), "reference": f"gift of {sender}"}
    details = {"giver": {"user_id": "9", "user_name": sender}, "tier": 1}
    user = {"user": {"platform_id": "9", "name": sender}, "user_name": sender}
    gifted = {**common, **user, "event_type": "plain", "message": "x", "details": {**details, "total": total}}
    service.send("POST", "/events", gifted)
    for number in range(total):
        name = f"Recipient{number}"
        received = {"user": {"platform_id": f"r{number}", "name": name}, "user_name": name, "event_type": "subscriber", "tier": 1, "subscribed_length": 1}
        recipient = {"user_id": f"r{number}", "user_name": name}
        service.send("POST", "/events", {**common, **received, "details": {**details, "recipient": recipient}})


def test_a_gift_bomb_is_one_alert_with_the_giver_and_its_recipients(browser, service, artifacts):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    watch = Watch(page)
    page.add_init_script("""
        window.tags = [];
        new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes])
            .filter((node) => node.className === 'tag').forEach((node) => tags.push(node.lastChild.textContent)))
            .observe(document, { childList: true, subtree: true });
    """)
    begun(page, service, "duration=60")
    gift(service, "Big_Gifter", 50)
    service.cheer(amount=7)
    alert = page.locator(".alert.gift")
    alert.wait_for()
    page.locator(".alert.gift .headline", has_text="Big_Gifter gifted 50 Tier 1 subs!").wait_for()
    page.locator(".alert.gift .words", has_text="50 / 50").wait_for()
    assert page.evaluate("tags") == [f"Recipient{number}" for number in range(50)], "each name flies out once"
    page.screenshot(path=artifacts / "overlay-gifts.png", omit_background=True)
    service.send("POST", "/alerts", {"control": "skip", "entry": int(alert.get_attribute("data-id"))})
    page.locator(".alert.cheer").wait_for()
    assert page.locator(".alert.subscriber").count() == 0, "no recipient has an alert of its own"
    watch.check(service)


def test_a_deleted_event_leaves_the_queue_and_the_screen(browser, service):
    page = browser.new_page()
    begun(page, service, "duration=30")
    events = [service.cheer(amount=amount) for amount in (2, 3, 4)]
    page.locator(".alert", has_text="cheered 2 bits").wait_for()
    for event in events[:2]:
        service.send("DELETE", f"/events/{event['event_id']}")
    page.locator(".alert", has_text="cheered 4 bits").wait_for()


def test_the_overlay_starts_although_its_first_requests_fail(browser, guarded):
    token, write = guarded.token("overlay"), guarded.token("write")
    overlay = guarded.send("POST", "/overlays", {"name": "stream", "settings": {"duration": 2}}, write)["overlay_id"]
    page = browser.new_page()
    failures = {"/overlays/": 2, "/i18n/": 1, "/health": 2}

    def fail(route):
        for part in failures:
            if part in route.request.url and failures[part] > 0:
                failures[part] -= 1
                return route.abort() if failures[part] else route.fulfill(status=503, body="busy")
        return route.fallback()

    page.route("**/*", fail)
    page.goto(f"{guarded.base}/overlay/#token={token}&overlay={overlay}")
    for _ in range(60):
        guarded.cheer(token=write)
        if page.locator(".alert").count() > 0:
            break
        time.sleep(0.5)
    page.locator(".alert").wait_for()
    assert all(remaining == 0 for remaining in failures.values()), failures


def test_names_are_cut_templates_filled_and_variations_applied(browser, service):
    cheer = {"text": "{name} gave {amount}", "color": "#00ff00", "variations": [{"minimum": 1_000, "text": "WOW {name}: {amount}!"}]}
    overlay = service.send("POST", "/overlays", {"name": "stream", "settings": {"duration": 60, "position": "bottom-left", "alerts": {"cheer": cheer}}})
    page = browser.new_page(viewport={"width": 1280, "height": 720}, locale="en")
    begun(page, service, f"overlay={overlay['overlay_id']}")
    service.cheer("N" * 300, 99)
    page.locator(".headline", has_text=f"{'N' * 25}… gave 99").wait_for()
    assert page.locator("strong.name").evaluate("node => getComputedStyle(node).color") == "rgb(0, 255, 0)"
    page.locator(".alert").evaluate("node => Promise.all(node.getAnimations().map((animation) => animation.finished))")
    box = page.locator(".alert").bounding_box()
    assert box["y"] > 360 and box["x"] < 100, "at the bottom left"
    skip(page, service)
    service.cheer("<img src=x>", 1_500)
    page.locator(".headline", has_text="WOW <img src=x>: 1,500!").wait_for()


def test_no_alert_is_larger_than_its_overlay_allows(browser, service):
    overlay = service.send("POST", "/overlays", {"name": "stream", "settings": {}})["overlay_id"]
    page = browser.new_page(viewport={"width": 1280, "height": 720}, locale="en")
    begun(page, service, f"overlay={overlay}")
    for largest, size, height in (("screen", "grand", 0.5), ("card", "card", 0.42), ("toast", "toast", 0.15)):
        settings = {"duration": 60, "largest_size": largest, "alerts": {"cheer": {"text": "{name} gave {amount}"}}}
        service.send("PATCH", f"/overlays/{overlay}", {"settings": settings})
        service.cheer("N" * 30, 10_000, message="A long message of a viewer who has a lot to say. " * 10)
        alert = page.locator(f".alert[data-size={size}]")
        alert.wait_for()
        assert alert.evaluate("node => node.offsetHeight / innerHeight") <= height
        skip(page, service)


def test_sounds_are_played_unless_the_overlay_is_muted(browser, service):
    overlay = service.send("POST", "/overlays", {"name": "stream", "settings": {"duration": 2, "alerts": {"cheer": {"sound": "chime", "speak": True}}}})
    page = browser.new_page(locale="en")
    page.add_init_script("""
        window.notes = 0; window.spoken = [];
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...all) { window.notes += 1; return start.apply(this, all); };
        Object.defineProperty(window, 'speechSynthesis', { value: { speak: (one) => window.spoken.push(one.text) } });
    """)
    begun(page, service, f"overlay={overlay['overlay_id']}")
    service.cheer(amount=2, message="hello there")
    page.locator(".alert").wait_for()
    notes, spoken = page.evaluate("[notes, spoken]")
    assert notes > 2 and spoken == ["hello there"]
    page.locator(".alert").wait_for(state="detached")
    service.send("PATCH", f"/overlays/{overlay['overlay_id']}", {"muted": True})
    service.cheer(amount=3)
    page.locator(".alert", has_text="cheered 3 bits").wait_for()
    assert page.evaluate("[notes, spoken.length]") == [notes, 1]


def test_emotes_are_loaded_only_on_their_page(browser, service):
    page = browser.new_page(locale="en")
    requested = []
    page.route("https://static-cdn.jtvnw.net/**", lambda route: (requested.append(route.request.url), route.fulfill(status=404)))
    details = {"emotes": [{"id": "25", "begin": 3, "end": 7}]}
    for path, count in [("/overlay/", 0), ("/overlay/emotes/", 1)]:
        with page.expect_response(lambda response: response.url.split("?")[0].endswith("/feed")):
            page.goto(f"{service.base}{path}#duration=60")
        time.sleep(0.3)
        service.cheer(amount=2, message="😀 Kappa!", details=details) if count == 0 else service.cheer(amount=3, message="😀  Kappa", details=details)
        page.locator(".alert").wait_for()
        assert page.locator(".emote").count() == count
    assert requested == ["https://static-cdn.jtvnw.net/emoticons/v2/25/default/dark/3.0"]


@pytest.mark.parametrize("widget", ["recent", "ticker"])
def test_a_widget_without_events_shows_nothing(browser, service, widget):
    overlay = service.send("POST", "/overlays", {"name": "Stream", "settings": {"theme": "paper"}})["overlay_id"]
    page = browser.new_page(locale="en")
    page.goto(f"{service.base}/overlay/{widget}/#overlay={overlay}")
    page.locator("body[data-theme=paper]").wait_for()
    page.wait_for_timeout(500)
    assert page.locator("main").evaluate("main => getComputedStyle(main).visibility") == "hidden"
    service.cheer("Ann", 11)
    page.locator("li", has_text="Ann cheered 11 bits!").first.wait_for()


def test_each_widget_shows_its_figures_and_follows_the_feed(browser, guarded):
    token, write = guarded.token("overlay"), guarded.token("write")
    settings = {"goal": {"of": "bits", "target": 100, "start": 40, "title": "Microphone"}, "goal2": {"of": "bits", "target": 1_000, "title": "Trip"}, "recent": {"kinds": ["cheer"], "limit": 2}}
    overlay = guarded.send("POST", "/overlays", {"name": "stream", "settings": settings}, write)["overlay_id"]
    for amount in (11, 12, 13):
        guarded.cheer(amount=amount, token=write)
    pages = {}
    for widget in ("goal", "leaderboard", "recent", "ticker"):
        page = pages[widget] = browser.new_page(viewport={"width": 500, "height": 300}, locale="en", reduced_motion="reduce")
        page.watch = Watch(page, [token])
        page.goto(f"{guarded.base}/overlay/{widget}/#overlay={overlay}&token={token}")
    second = pages["second"] = browser.new_page(viewport={"width": 500, "height": 300}, locale="en", reduced_motion="reduce")
    second.watch = Watch(second, [token])
    second.goto(f"{guarded.base}/overlay/goal/#overlay={overlay}&token={token}&second")
    pages["recent"].locator("li").nth(1).wait_for()
    # Numbers and units stay together.
    assert pages["recent"].locator("li .text").all_inner_texts() == ["Ann cheered 13\u00a0bits!", "Ann cheered 12\u00a0bits!"]
    pages["ticker"].locator("li", has_text="Ann cheered 11 bits!").wait_for()
    pages["goal"].get_by_role("heading", name="Microphone").wait_for(timeout=150_000)
    pages["leaderboard"].get_by_role("heading", name="Top bits").wait_for(timeout=150_000)
    # Nothing waits for the statistics, which may be two minutes behind.
    pages["goal"].get_by_text("76 / 100").wait_for()
    second.get_by_role("heading", name="Trip").wait_for()
    second.get_by_text("36 / 1,000").wait_for()
    event = guarded.cheer("Bea", amount=14, token=write)
    pages["goal"].get_by_text("90 / 100").wait_for()
    pages["leaderboard"].locator("li", has_text="Bea").get_by_text("14", exact=True).wait_for()
    guarded.send("PATCH", f"/events/{event['event_id']}", {"amount": 40}, write)
    pages["goal"].get_by_text("Reached").wait_for()
    assert pages["leaderboard"].locator("li .text").all_inner_texts() == ["Bea", "Ann"]
    guarded.send("PATCH", f"/events/{event['event_id']}", {"amount": 14}, write)
    pages["goal"].get_by_text("90 / 100").wait_for()
    pages["recent"].locator("li", has_text="Bea cheered 14 bits!").wait_for()
    guarded.send("PATCH", f"/overlays/{overlay}", {"settings": {**settings, "goal": {**settings["goal"], "title": "Camera"}}}, write)
    pages["goal"].get_by_role("heading", name="Camera").wait_for()
    # A long name does not cut the amount.
    guarded.cheer("MaximilianDerGrosse_TV25", amount=125_000, token=write)
    text = pages["recent"].locator("li .text", has_text="Maximilian")
    text.wait_for()
    assert text.evaluate("node => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]") == [0, 0]
    # A right-to-left name stands at its place, not at its value.
    guarded.cheer("محمد", amount=15, token=write)
    name = pages["leaderboard"].locator("li .text", has_text="محمد")
    name.wait_for()
    assert start_of(name) - name.bounding_box()["x"] < 2
    for page in pages.values():
        page.watch.check(guarded)
