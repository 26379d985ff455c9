"""Tests of the console's frame, overview and setup: the history, dialogs, phones, and figures that are accurate to the
second."""

import json
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from conftest import Service, Watch, accessible, document, start_of
from playwright.sync_api import expect
from test_console import opened, plots_are_in_their_cards, until

SECRET = "s3cRe7-of-tests"


def put(service, number, minutes_ago, name="Ann", **event):
    """Stores a past event. Only imports can set Twitch's sources."""
    if not (users := service.send("GET", f"/users?platform_id={name}")):
        users = [service.send("POST", "/users", {"platform_id": name, "name": name})]
    time = (datetime.now(UTC) - timedelta(minutes=minutes_ago)).isoformat()
    common = {"user_id": users[0]["user_id"], "user_name": name, "occurred_at": time, "created_at": time}
    service.send("PUT", f"/events/{number}", {**common, **event})


def stream(service, number, minutes_ago, state="online"):
    put(service, number, minutes_ago, event_type="plain", source=f"twitch/stream.{state}", message="The stream changed.")


def figures(page):
    page.locator(".figure .big").first.wait_for()
    return dict(zip(page.locator(".figure > .quiet:first-child").all_inner_texts(), page.locator(".figure .big").all_inner_texts()))


def test_back_undoes_filters_and_records_and_a_record_in_the_url_is_modal(browser, service):
    event = service.cheer("Ann", 11)
    service.cheer("Ann", 12)
    page = opened(browser, service)
    page.locator(".row").first.wait_for()
    page.get_by_role("button", name="Bits", exact=True).click()
    page.get_by_label("Search name or message").press_sequentially("ann")
    until(page, "location.hash.includes('search=ann')")
    page.go_back()
    until(page, "!location.hash.includes('search') && location.hash.includes('kinds=')")
    until(page, "document.querySelector('[type=search]').value === ''")
    page.go_back()
    page.get_by_role("button", name="Bits", exact=True, pressed=True).wait_for()
    page.locator(".row", has_text="cheered 11 bits").wait_for()
    page.goto(f"{service.base}/console/#/data?open={event['event_id']}")
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("link", name="user").wait_for()
    # The list next to the drawer has grown since.
    page.locator("table.records tbody tr").nth(1).wait_for()
    assert page.evaluate("document.querySelector('dialog').matches(':modal')")
    page.keyboard.press("Escape")
    # The browser hides the dialog first. It then notifies the page, which adds an entry to the history.
    until(page, "!location.hash.includes('open=')")
    # Goes back by script: the browser's own Back skips entries that a page adds without a click, as after Escape.
    page.evaluate("history.back()")
    drawer.wait_for()
    page.watch.check(service)


def test_the_figures_of_a_stream_are_its_own_and_compare_with_the_streams_before(browser, service):
    stream(service, 1, 1_500)
    put(service, 2, 1_490, event_type="cheer", amount=300)
    put(service, 3, 1_430, event_type="cheer", amount=5_000)
    stream(service, 4, 1_400, "offline")
    stream(service, 5, 20)
    put(service, 6, 10, event_type="cheer", amount=1_250, message="Cheer1000 Cheer250 well done")
    put(service, 7, 9, event_type="subscriber", tier=1, subscribed_length=5, details={"is_prime": True})
    page = opened(browser, service, "overview", reduced_motion="reduce")
    page.get_by_text("LIVE").wait_for()
    page.locator(".figure", has_text="950 more than usual by now").wait_for()
    # The stream before had none.
    page.locator(".figure", has_text="Subs").get_by_text("usually 0").wait_for()
    page.locator(".figure", has_text="Gifts").get_by_text("as usual by now").wait_for()
    assert figures(page) == {"Subs": "1", "Gifts": "0", "Bits": "1,250", "Follows": "0", "Raids": "0"}
    assert page.locator(".row.cheer .words").first.inner_text() == "well done"
    page.locator(".row.subscriber", has_text="Prime").wait_for()
    service.cheer("Bea", 50)
    page.locator(".figure", has_text="Bits").get_by_text("1,300").wait_for()
    # A cheer of 50 bits is too small for the list of viewers to thank. A viewer is there once.
    thanks = page.locator(".thanks")
    thanks.get_by_role("checkbox", name="Thank Ann: 1,250 bits, Tier 1").wait_for()
    assert thanks.get_by_role("checkbox").count() == 1
    thanks.get_by_role("checkbox").check()
    thanks.get_by_role("checkbox", checked=True).wait_for()
    thanks.get_by_role("checkbox").uncheck()
    # What comes after the tick waits again.
    thanks.get_by_role("checkbox").check()
    accessible(page)
    service.cheer("Ann", 300)
    thanks.get_by_role("checkbox", name="Thank Ann: 300 bits", checked=False).wait_for()
    page.reload()
    thanks.get_by_role("checkbox", name="Thank Ann: 300 bits").wait_for()
    assert (thanks.get_by_role("checkbox").count(), figures(page)["Bits"]) == (1, "1,600")
    service.cheer("Cleo", 100)
    thanks.get_by_role("button", name="All done").click()
    thanks.get_by_text("Nobody is waiting for a thank-you.").wait_for()
    thanks.get_by_role("button", name="Undo").click()
    assert thanks.get_by_role("checkbox").count() == 2
    # Whoever cheers after the stream waits as well, and does not count.
    stream(service, 8, 5, "offline")
    service.cheer("Dora", 500)
    page.reload()
    thanks.get_by_role("checkbox", name="Thank Dora: 500 bits").wait_for()
    assert figures(page)["Bits"] == "1,250"
    # A stream that restarts within the hour starts at zero.
    stream(service, 9, -1 / 60)
    page.reload()
    page.get_by_text("Nobody is waiting for a thank-you.").wait_for()
    assert figures(page)["Bits"] == "0"
    page.watch.check(service)


def test_a_phone_has_all_views_the_search_and_a_remote_control(browser, service):
    for name in ("Stream", "Second"):
        service.send("POST", "/overlays", {"name": name, "settings": {"duration": 60}})
    service.send("POST", "/tokens", {"name": "OBS auf dem Rechner"})
    service.cheer("Ann", 11)
    page = opened(browser, service, "overview", viewport={"width": 375, "height": 800}, locale="de", reduced_motion="reduce")
    remote = page.get_by_role("region", name="Alerts", exact=True)
    # The alert of an event before the page was opened, and its replay.
    remote.get_by_role("button", name="Überspringen").click()
    remote.get_by_role("button", name="Überspringen", disabled=True).wait_for()
    remote.get_by_role("button", name="Wiederholen").click()
    remote.get_by_role("button", name="Leeren").click()
    remote.get_by_role("button", name="Leeren", disabled=True).wait_for()
    remote.get_by_role("button", name="Alle Alerts anhalten").click()
    remote.get_by_role("button", name="Alle Alerts fortsetzen").wait_for()
    assert [overlay["paused"] for overlay in service.send("GET", "/overlays")] == [True, True]
    assert page.locator(".state").is_visible() and page.get_by_role("button", name="Suchen").is_visible()
    page.get_by_role("button", name="Mehr", exact=True).click()
    accessible(page)
    page.get_by_role("navigation").get_by_role("link", name="Einstellungen").click()
    page.get_by_role("tab", name="Tokens").click()
    page.get_by_text("OBS auf dem Rechner").wait_for()
    accessible(page)
    # No word is broken into letters, and nothing is cut off.
    assert page.locator("td", has_text="OBS auf dem Rechner").first.bounding_box()["height"] < 40
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.watch.check(service)


def test_the_setup_gives_way_to_an_import_and_twitch_stays_one_click_away(browser, service):
    page = opened(browser, service, "overview")
    page.locator("h1", has_text="Set up your channel").wait_for()
    put(service, 1, 5, event_type="subscriber", tier=1, subscribed_length=5)
    page.locator(".row.subscriber").wait_for()
    page.get_by_role("link", name="Connect Twitch").wait_for()
    page.watch.check(service)


def test_the_setup_puts_an_overlay_into_obs_and_the_token_stays_on_this_computer(browser, guarded):
    token = guarded.token("write")
    context = browser.new_context(locale="en")
    page = context.new_page()
    watch = Watch(page, [token])
    page.goto(f"{guarded.base}/console/")
    page.get_by_label("Access token").fill(token)
    page.get_by_label("Stay signed in on this computer").check()
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Create the overlay").click()
    tile = page.get_by_role("link", name="Alerts · 1920 × 1080")
    page.get_by_text("Overlay not open", exact=True).wait_for()
    # A URL's token is shown once.
    page.reload()
    page.get_by_role("button", name="Make a new URL").click()
    address = tile.get_attribute("href")
    assert [one["name"] for one in guarded.send("GET", "/overlays", token=token)] == ["Stream"]
    accessible(page)
    overlay = context.new_page()
    overlay.goto(address)
    page.get_by_text("Overlay open in one place", exact=True).wait_for()
    page.get_by_role("button", name="Send a test alert").click()
    overlay.locator(".headline", has_text="Ann").wait_for()
    number = guarded.send("GET", "/overlays", token=token)[0]["overlay_id"]
    guarded.send("PATCH", f"/overlays/{number}", {"settings": {"alerts": {"cheer": {"enabled": False}}}}, token=token)
    page.get_by_role("button", name="Send a test alert").click()
    page.get_by_text("Bits are off, so no overlay shows it.").wait_for()
    dragged = "(event => (document.querySelector('.tile').dispatchEvent(event), event.dataTransfer.getData('text/uri-list')))"
    url = page.evaluate(f"{dragged}(new DragEvent('dragstart', {{ bubbles: true, dataTransfer: new DataTransfer() }}))")
    assert "?layer-name=Alerts&layer-width=1920&layer-height=1080#overlay=" in url
    page.close()
    page = context.new_page()
    page.goto(f"{guarded.base}/console/#/settings")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("textbox", name="Access token").wait_for()
    watch.check(guarded)


def test_the_sidebar_scrolls_in_a_low_window(browser, service):
    page = opened(browser, service, "overview", viewport={"width": 844, "height": 390})
    find = page.get_by_role("button", name="Find")
    find.focus()
    box = find.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 390, box
    page.locator(".state").scroll_into_view_if_needed()
    expect(page.locator(".state")).to_be_in_viewport()


def test_a_past_stream_has_a_summary(browser, service):
    put(service, 1, 400, event_type="plain", source="twitch/stream.online", message="The stream began.")
    put(service, 2, 350, event_type="subscriber", tier=1, subscribed_length=1)
    put(service, 3, 340, event_type="cheer", amount=150)
    put(service, 4, 330, event_type="raid", viewer_count=42)
    put(service, 5, 280, event_type="plain", source="twitch/stream.offline", message="The stream ended.")
    put(service, 8, 390, event_type="plain", source="twitch/channel.update", message="The stream is now called “Late night”.",
        details={"title": "Late night", "category_name": "Just Chatting"})
    # The summary excludes an event after the stream's end, and a stream that is still running.
    put(service, 6, 270, event_type="cheer", amount=7)
    stream(service, 7, 10)
    service.count("/leaderboards/bits", 1)
    page = opened(browser, service, "streams", permissions=["clipboard-read", "clipboard-write"])
    row = page.locator("tbody tr")
    row.locator("td", has_text="Late night").wait_for()
    assert row.count() == 1
    cells = [" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
    assert cells[1:] == ["Late night Just Chatting", "2:00 h", "1", "150", "1", "1"]
    accessible(page)
    row.get_by_role("link").click()
    page.get_by_role("heading", name="Top cheerers").wait_for()
    page.get_by_role("heading", name="Late night").wait_for()
    assert page.get_by_text("2:00 h · Just Chatting").is_visible()
    until(page, "document.title === 'Late night · Streams · Console'")
    top = page.get_by_role("listitem").filter(has_text="1. Ann 150 bits").get_by_role("link")
    assert top.get_attribute("href").startswith("#/viewers/")
    assert figures(page) == {"Subs": "1", "Gifts": "0", "Bits": "150", "Follows": "0", "Raids": "1", "Viewers": "1"}
    # The rows are those of the stream only, without the chat.
    plots_are_in_their_cards(page)
    page.get_by_role("listitem").filter(has_text="raided").wait_for()
    assert page.locator(".row .sum").all_inner_texts() == ["42 viewers", "150 bits", ""]
    accessible(page)
    page.get_by_role("button", name="Copy the summary").click()
    page.get_by_text("Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("link", name="All streams").click()
    page.get_by_role("heading", name="Streams", exact=True).wait_for()
    row.wait_for()
    # Its viewers may be counted later.
    page.route("**/leaderboards/events?*", lambda route: route.fulfill(json=[]))
    page.reload()
    row.locator("td", has_text="–").wait_for()
    page.goto(f"{service.base}/console/#/streams/123")
    page.get_by_text("This doesn't exist, or was deleted.").wait_for()
    for line in ("2:00 h", "Subs 1 · Gifts 0 · Bits 150", "New subscribers: Ann", "Top cheerers: 1. Ann · 150 bits", "Raids: Ann · 42 viewers"):
        assert line in text, text
    page.watch.check(service)


def test_a_past_stream_is_compared_with_whole_streams_however_short_it_is(browser, service):
    stream(service, 1, 600)
    put(service, 2, 490, event_type="cheer", amount=100)
    stream(service, 3, 480, "offline")
    stream(service, 4, 300)
    put(service, 5, 295, event_type="cheer", amount=150)
    put(service, 6, 294, event_type="raid", viewer_count=3)
    stream(service, 7, 290, "offline")
    page = opened(browser, service, "streams")
    row = page.locator("tbody tr").first
    row.get_by_text("+50%").wait_for()
    cells = ["".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
    # For one raid instead of none, there is no percentage.
    assert cells[2:6] == ["10min", "0", "150▲+50%", "1▲"]
    row.get_by_role("link").click()
    page.locator(".figure", has_text="Bits").get_by_text("50 more than usual").wait_for()
    page.goto(f"{service.base}/console/#/overview")
    page.locator(".figure", has_text="Bits").get_by_text("50 more than usual").wait_for()
    page.watch.check(service)


def test_streams_of_the_same_hour_have_their_own_viewers(browser, tmp_path):
    service = Service(tmp_path / "data", "--twitch-secret", SECRET)
    for number, name in enumerate(["Ann", "Bea", "Cleo"]):
        put(service, 10 + number, 7, name, event_type="plain", message="hello")
    stream(service, 1, 8)
    stream(service, 2, 6, "offline")
    page = opened(browser, service, "streams")
    viewers = page.locator(".streams td[data-label=Viewers]")
    expect(viewers).to_have_text(re.compile(r"^3\b"))
    # A stream that ends appears.
    stream(service, 3, 5)
    put(service, 20, 4, "Bea", event_type="plain", message="hello")
    service.notify("stream.offline", SECRET)
    expect(viewers).to_have_count(2)
    expect(viewers.first).to_have_text(re.compile(r"^2\b"))
    expect(viewers.last).to_have_text(re.compile(r"^3\b"))
    page.locator(".streams tbody a").first.click()
    chatters = page.locator("section", has=page.get_by_role("heading", name="Top chatters"))
    expect(chatters.get_by_role("listitem")).to_have_text(["1. Bea 1 message"])
    service.stop()


def test_back_from_a_stream_shows_the_same_rows(browser, service):
    for number in range(30):
        stream(service, 2 * number + 1, 3_000 - 100 * number)
        stream(service, 2 * number + 2, 2_950 - 100 * number, "offline")
    # In the 14th row.
    put(service, 100, 1_390, event_type="cheer", amount=5)
    page = opened(browser, service, "streams")
    # Without their figures, no rows are added, and none is compared with some of the streams before.
    rows = page.locator(".streams tbody tr")
    expect(rows.nth(11).locator("td").last).to_have_text(re.compile(r"\d"))
    page.route("**/leaderboards/**", lambda route: route.abort())
    page.get_by_role("button", name="Load more").click()
    page.locator(".streams + .problem").wait_for()
    bits = rows.nth(13).locator("td[data-label=Bits]")
    assert rows.count() == 15 and bits.inner_text().strip() == "5"
    page.unroute_all()
    expect(rows).to_have_count(24)
    expect(bits).to_have_text(re.compile("▲"))
    row = page.locator(".streams tbody a").nth(20)
    row.scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 50)")
    until(page, "location.hash.includes('y=')")
    before = page.evaluate("scrollY")
    assert before > 0
    row.click()
    page.get_by_role("link", name="All streams").wait_for()
    page.go_back()
    until(page, f"scrollY === {before}")
    expect(page.locator(".streams tbody tr")).to_have_count(24)
    expect(row).to_be_focused()


def test_viewers_of_a_stream_that_are_not_counted_yet_are_not_zero(browser, service):
    stream(service, 1, 300)
    put(service, 2, 250, event_type="cheer", amount=5)
    stream(service, 3, 200, "offline")
    page = browser.new_page(locale="en")
    page.route("**/leaderboards/events?*", lambda route: route.fulfill(json=[]))
    page.goto(f"{service.base}/console/#/streams")
    page.locator(".streams tbody a").click()
    page.get_by_text("Being counted…").wait_for()
    assert page.locator(".figure", has_text="Viewers").count() == 0
    page.close()


def test_the_hours_of_a_stream_are_those_of_the_readers_clock(browser, service):
    stream(service, 1, 300)
    stream(service, 2, 200, "offline")
    begin = time.gmtime(time.time() - 300 * 60 + 9 * 3_600)
    page = opened(browser, service, "streams", timezone_id="Asia/Tokyo")
    page.locator(".streams tbody a").click()
    hours = page.locator("section", has=page.get_by_role("heading", name="Activity per hour"))
    hours.locator("summary").click()
    first = hours.locator("tbody td").first.inner_text()
    assert re.search(rf"\b{begin.tm_hour % 12 or 12}:00\s{'AM' if begin.tm_hour < 12 else 'PM'}$", first), first
    page.watch.check(service)


def test_a_lost_network_is_reported_at_once(browser, service):
    page = opened(browser, service, "overview")
    # The notices are loaded after the first rows.
    page.locator(".notice-bars").wait_for(state="attached")
    page.context.set_offline(True)
    # A socket would report it much later.
    page.locator(".notice-bar.offline").wait_for(timeout=5_000)
    page.context.set_offline(False)
    page.locator(".notice-bar.offline").wait_for(state="detached")
    page.close()


@pytest.mark.parametrize(("locale", "message"), [("en", "The console could not be loaded."), ("de", "Die Konsole konnte nicht geladen werden.")])
def test_a_console_that_cannot_start_says_so(browser, service, locale, message):
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.route("**/console/common.js", lambda route: route.abort())
    page.goto(f"{service.base}/console/")
    page.get_by_role("alert").get_by_text(message).wait_for()
    page.unroute("**/console/common.js")
    page.get_by_role("button", name="Retry" if locale == "en" else "Erneut versuchen").click()
    page.locator(".state.connected").wait_for()
    # The body of a failed response is never used as texts.
    page.route("**/i18n/*.json", lambda route: route.fulfill(status=500, json={"nav.overview": "wrong"}))
    page.reload()
    page.get_by_role("alert").get_by_text("The console could not be loaded.").wait_for()
    page.unroute("**/i18n/*.json")
    page.get_by_role("button", name="Retry").click()
    page.locator(".state.connected").wait_for()
    context.close()


def test_the_four_commands_are_switched_on_and_changed(browser, service, artifacts):
    page = opened(browser, service, "commands")
    page.get_by_role("heading", name="!points").wait_for()
    assert page.get_by_role("heading", level=2).all_inner_texts() == ["!points", "!top", "!buy", "!give"]
    assert service.send("GET", "/commands") == []
    page.get_by_text("Ann, you have 1,250 points and rank 3.").wait_for()
    page.get_by_text("Twitch is not connected yet, so no chat arrives.").wait_for()
    assert page.get_by_text("The service answers in").count() == 0
    german = opened(browser, service, "commands", locale="de")
    german.get_by_text("Willst du das ändern, starte ihn mit --language de.").wait_for()
    german.close()
    page.get_by_role("switch", name="Enabled: !points").click()
    page.locator(".rules li", has_text="!points").get_by_text("On", exact=True).wait_for()
    page.get_by_role("button", name="Edit: !buy").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Command").fill("!kauf")
    dialog.get_by_label("Answer").fill("Enjoy your {product}, {user} {x}")
    dialog.get_by_text("Enjoy your golden key, Ann {x}").wait_for()
    dialog.get_by_text("{x} is not a placeholder of this command.").wait_for()
    dialog.get_by_label("Cooldown per viewer").press_sequentially("1.5")
    assert dialog.get_by_label("Cooldown per viewer").input_value() == "1.5"
    # The reason is below the field, which gets the focus.
    dialog.get_by_role("button", name="Save").click()
    dialog.locator(".field", has_text="Cooldown per viewer").get_by_role("alert").wait_for()
    field = dialog.get_by_role("spinbutton", name="Cooldown per viewer (seconds)", exact=True)
    expect(field).to_have_accessible_description("Enter a whole number.")
    assert dialog.get_by_label("Cooldown per viewer").evaluate("node => node === document.activeElement")
    dialog.get_by_label("Cooldown per viewer").fill("30")
    accessible(page)
    page.screenshot(path=artifacts / "commands-form.png")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_role("switch", name="Enabled: !kauf").wait_for()
    page.get_by_role("switch", name="Enabled: !points").click()
    page.locator(".rules li", has_text="!points").get_by_text("Off", exact=True).wait_for()
    stored = {command["name"]: (command["action"], command["answer"], command["user_cooldown"], command["enabled"]) for command in service.send("GET", "/commands")}
    assert stored == {"!points": ("balance", None, None, False), "!kauf": ("buy", "Enjoy your {product}, {user} {x}", 30, False)}
    # A name that another command has is refused at its place, also of one that is only offered.
    page.get_by_role("button", name="Edit: !kauf").click()
    for name in ("!POINTS", "!give"):
        dialog.get_by_label("Command").fill(name)
        dialog.locator(".field", has_text="Command").get_by_text("Another command has this name.").wait_for()
        dialog.get_by_role("button", name="Save").press("Enter")
        assert dialog.get_by_label("Command").evaluate("node => node === document.activeElement")
    assert {command["name"] for command in service.send("GET", "/commands")} == {"!points", "!kauf"}
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Reset: !kauf").click()
    page.get_by_role("button", name="Restore this command as it was").click()
    page.get_by_role("switch", name="Enabled: !buy").wait_for()
    until(page, "document.activeElement.ariaLabel?.startsWith('Edit: !')")
    accessible(page)


def test_every_promise_of_the_setup_is_true(browser, tmp_path):
    """The setup's texts, in order, and the promises that they make."""
    service = Service(tmp_path / "data", "--twitch-secret", SECRET)
    page = opened(browser, service, "overview")
    page.get_by_role("radio", name="Paper").check()
    page.get_by_role("button", name="Create the overlay").click()
    tile = page.get_by_role("link", name="Alerts · 1920 × 1080")
    tile.wait_for()
    assert service.send("GET", "/overlays")[0]["settings"] == {"theme": "paper"}
    expected = page.get_by_text("OBS shows “Ann cheered 100 bits!” for a few seconds")
    expected.wait_for()
    page.get_by_text("Overlay not open", exact=True).wait_for()
    number = service.send("GET", "/overlays")[0]["overlay_id"]
    service.send("PATCH", f"/overlays/{number}", {"settings": {"duration": 1, "theme": "paper"}})
    # "OBS shows" the test: its page has an OBS variable.
    obs = browser.new_page(locale="en", viewport={"width": 1920, "height": 1080})
    obs.add_init_script("window.obsstudio = {}")
    obs.goto(tile.get_attribute("href"))
    page.get_by_text("Overlay open in one place · in OBS").wait_for()
    page.get_by_role("button", name="Send a test alert").click()
    page.get_by_text("Sent to the overlays.").wait_for()
    headline = lambda text: obs.locator(".headline", has_text=text).wait_for()
    headline("Ann cheered 100 bits!")
    # A tab is another open overlay, but not one in OBS. The alerts' preview does not count.
    tab = browser.new_page(locale="en")
    tab.goto(tile.get_attribute("href"))
    page.get_by_text("Overlay open in 2 places · in OBS").wait_for()
    preview = opened(browser, service, "alerts")
    preview.frame_locator("iframe[title=Preview]").locator("#stage").wait_for(state="attached")
    obs.goto("about:blank")
    page.get_by_text("Overlay open in one place", exact=True).wait_for()
    obs.goto(tile.get_attribute("href"))
    page.get_by_text("Overlay open in 2 places · in OBS").wait_for()
    tab.close()
    # "The first follow, sub or cheer appears here and as an alert in OBS."
    for kind, shown, text in (
        ("channel.follow", "follow", "is now following!"),
        ("channel.subscribe", "subscriber", "just subscribed"),
        ("channel.bits.use", "cheer", "bits"),
    ):
        service.notify(kind, SECRET)
        obs.locator(f".alert.{shown} .headline", has_text=text).wait_for()
        page.locator(f".row.{shown}").first.wait_for()
    page.locator(".obs", has_text="Overlay open in one place · in OBS").wait_for()
    preview.watch.check(service)
    page.watch.check(service)
    service.stop()


def test_a_key_stops_all_alerts_in_every_view_and_an_overlay_that_was_paused_before_stays_paused(visited, service):
    own = service.send("POST", "/overlays", {"name": "Own", "settings": {"duration": 9}, "paused": True})
    other = service.send("POST", "/overlays", {"name": "Other", "settings": {}})
    paused = lambda: [service.send("GET", f"/overlays/{one['overlay_id']}")["paused"] for one in (own, other)]
    # Without any events, the overview is the setup.
    page = visited("overview")
    notice = page.locator(".stop-notice")
    notice.wait_for(state="attached")
    page.locator("h1", has_text="Set up your channel").wait_for()
    page.get_by_text("OBS shows “Ann cheered 100 bits!” for a few seconds").wait_for()
    page.get_by_role("button", name="Send a test alert").click()
    page.get_by_text("Don't see it?").wait_for()
    accessible(page)
    page.keyboard.press("Pause")
    notice.get_by_text("All alerts are stopped.").wait_for()
    assert paused() == [True, True]
    page.get_by_role("button", name="Send a test alert").click()
    page.get_by_text("Sent. All alerts are stopped, so overlays wait.").wait_for()
    page.goto(f"{service.base}/console/#/settings")
    page.get_by_role("button", name="Key: Pause").click()
    page.keyboard.press("F8")
    page.get_by_role("button", name="Key: F8").wait_for()
    accessible(page)
    page.keyboard.press("F8")
    notice.get_by_text("All alerts are stopped.").wait_for(state="detached")
    assert paused() == [True, False]
    assert service.send("GET", f"/overlays/{own['overlay_id']}")["settings"] == {"duration": 9}
    # An alert's preview is a page within the page.
    page.goto(f"{service.base}/console/#/alerts")
    page.frame_locator("iframe[title=Preview]").locator("body").wait_for()
    page.locator("iframe").first.focus()
    page.keyboard.press("F8")
    notice.get_by_role("button", name="Resume all alerts").click()
    notice.get_by_text("All alerts are stopped.").wait_for(state="detached")
    assert paused() == [True, False]
    page.watch.check(service)


def test_controls_that_write_are_disabled_while_the_service_is_away(visited, service):
    service.send("POST", "/rules", {"name": "Chat", "amount": 5, "event_type": "plain"})
    service.send("POST", "/overlays", {"name": "Own", "settings": {}})
    product = service.send("POST", "/products", {"name": "Hat", "price": 5})["product_id"]
    letter = service.cheer("Ann", 100, document=document())["document_id"]
    writes = {
        f"store?tab=products&open={product}": ("button:text-is('Save')", "input[type=number]"),
        "rules?open=new": ("button:text-is('Save')", "[role=switch]", "button:text-is('Delete')"),
        f"letters/{letter}": ("button:text-is('Replay on stream')", ".seal-choice .seals button", ".stamp-palette button"),
        "alerts?kind=cheer": ("button:text-is('Mute sounds')", "button:text-is('Send test')", ".alert-list input"),
    }
    pages = {view: visited(view) for view in writes}
    for view, page in pages.items():
        page.locator(".notice-bars").wait_for(state="attached")
        for selector in writes[view]:
            page.locator(f"{selector} >> visible=true").first.wait_for()
            assert page.locator(selector).first.is_enabled(), selector
    service.stop()
    for view, page in pages.items():
        page.locator(".notice-bar.offline").get_by_role("button", name="Retry").wait_for()
        for selector in writes[view]:
            assert page.locator(selector).first.is_disabled(), selector
    assert pages["rules?open=new"].locator("[role=switch]").first.evaluate("one => getComputedStyle(one).opacity") == "0.55"
    # A dialog covers the bar.
    pages["rules?open=new"].get_by_role("dialog").get_by_text("Not possible without a connection").wait_for()


def test_a_problem_says_its_fix_and_leads_on(browser, service):
    service.cheer("Ann", 11)
    page = opened(browser, service, "viewers/99999")
    card = page.get_by_role("alert")
    card.get_by_text("This doesn't exist, or was deleted.").wait_for()
    accessible(page)
    card.get_by_role("link", name="Back to Viewers").click()
    page.get_by_role("link", name="Ann").wait_for()
    for status, code, what, way in ((500, "internal_error", "The service has an error.", "Retry"), (403, "scope_insufficient", "This token may not do that.", "Use another token")):
        body = json.dumps({"status": status, "code": code, "title": "Title", "detail": "It needs the scope `read`."})
        page.route("**/events?**", lambda route: route.fulfill(status=status, content_type="application/problem+json", body=body))
        page.evaluate("location.hash = '#/activity?kinds=cheer'")
        card.get_by_text(what).wait_for()
        card.get_by_role("button", name=way).wait_for()
        assert page.locator(".skeleton").count() == 0 and "`" not in card.inner_text()
        # The state of the connection does not contradict the card.
        page.locator(f".state.{'failing' if status == 500 else 'connected'}").wait_for()
        accessible(page)
        page.evaluate("location.hash = '#/viewers'")
        page.get_by_role("link", name="Ann").wait_for()
        page.unroute_all()


def test_right_to_left_texts_stay_in_their_column(browser, service):
    service.send("POST", "/overlays", {"name": "a", "settings": {}, "paused": True})
    service.cheer("محمد", 500, message="مرحبا blue")
    page = opened(browser, service, "overview")
    for selector in (".row .words", ".thanks .name"):
        text = page.locator(selector)
        text.wait_for()
        assert start_of(text) - text.bounding_box()["x"] < 2, selector
    # Only the name has its direction, not the sentence.
    text = page.locator(".queue li")
    text.get_by_text("cheered 500 bits").wait_for()
    name, sentence = text.locator("bdi").bounding_box(), text.locator("span").first.bounding_box()
    assert name["x"] - sentence["x"] < 2


def test_the_focus_stays_near_a_control_that_removes_itself(browser, service):
    user = service.cheer("Ann", 100)["user_id"]
    service.cheer("Bea", 100)
    service.send("POST", f"/users/{user}/specimen", {})
    page = opened(browser, service, "overview")
    has_focus = lambda name: until(page, f"document.activeElement.textContent.trim() === '{name}'")

    def press(*names):
        for name in names:
            page.get_by_role("button", name=name, exact=True).press("Enter")

    press("All done")
    has_focus("Undo")
    press("Undo")
    has_focus("All done")
    page.goto(f"{service.base}/console/#/viewers/{user}?tab=pet")
    press("Remove pet: Ann", "Remove this pet")
    has_focus("Give pet")
    press("Bring back")
    page.locator(".own-pet .meadow").wait_for()
    until(page, "document.activeElement.closest('#panel')")
    page.goto(f"{service.base}/console/#/alerts")
    press("Create overlay")
    page.get_by_role("tab", name="This overlay").wait_for()
    until(page, "document.activeElement.closest('#main')")
    page.get_by_role("tab", name="This overlay").click()
    page.get_by_role("button", name=re.compile("^Delete overlay")).press("Enter")
    press("Delete this overlay")
    has_focus("Create overlay")
    # Nothing had the focus before a dialog that the address opens.
    page.goto(f"{service.base}/console/#/rules?open=new")
    page.reload()
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    until(page, "document.activeElement.id === 'main'")
