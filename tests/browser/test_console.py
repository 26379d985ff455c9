"""Tests of the console in a real browser: all views, themes, languages and widths, the keyboard, and the token."""

import calendar
import json
import os
import re
import subprocess
import time
import urllib.error
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conftest import BINARY, LOOKS, Service, Watch, accessible, document, now
from playwright.sync_api import expect

# Each view, and its content when it has loaded.
VIEWS = {
    "overview": ".figure .big",
    "activity": ".row .name",
    "letters": ".letter-card",
    "viewers": "tbody a",
    "analytics": ".uplot",
    "streams": "tbody tr",
    "alerts": ".scene iframe",
    "alerts?tab=widgets": ".widgets iframe",
    "alerts?tab=urls": ".tiles",
    "alerts?tab=overlay": ".alert-look",
    "data": "table.records tbody tr",
    "settings": "section.card",
    "settings?tab=tokens": ".tokens",
    "settings?tab=privacy": "[role=tabpanel] form",
}


@pytest.fixture(scope="module")
def channel(tmp_path_factory):
    """A service with demo data and an overlay."""
    service = Service(tmp_path_factory.mktemp("channel") / "data")
    subprocess.run([BINARY, "demo", "--url", service.base, "--events", "400", "--viewers", "20"], check=True)
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    service.count("/leaderboards/events", 1)
    yield service
    service.stop()


# Backgrounds of a card in the light and in the dark theme.
CARD = {"light": "rgb(255, 255, 255)", "dark": "rgb(28, 26, 36)"}


@pytest.mark.skipif("OLD_CHROMIUM" not in os.environ, reason="OLD_CHROMIUM names no Chromium 103")
@pytest.mark.parametrize("theme", CARD)
def test_every_page_works_in_the_oldest_browser(chromium, channel, theme):
    old = chromium.launch(executable_path=os.environ["OLD_CHROMIUM"], args=["--no-sandbox", "--disable-gpu"])

    @contextmanager
    def shown(path, content):
        page = old.new_page(viewport={"width": 1280, "height": 800}, locale="en-US", color_scheme=theme)
        watch = Watch(page)
        page.goto(channel.base + path)
        # Playwright's locators need newer browsers.
        until(page, f"document.querySelector({json.dumps(content)})?.getClientRects().length > 0")
        yield page
        watch.check(channel)
        page.close()

    for view, content in {**VIEWS, "letters": ".letter-filters .fields"}.items():
        with shown(f"/console/#/{view}", content) as page:
            cards = page.evaluate("[...document.querySelectorAll('main .card')].map((one) => getComputedStyle(one).backgroundColor)")
            assert set(cards) <= {CARD[theme]}, view
    user = channel.send("GET", "/users?limit=1")[0]["user_id"]
    channel.send("POST", f"/users/{user}/inventory", {"name": "hat", "quantity": 1})
    with shown(f"/console/#/viewers/{user}?tab=items", ".things .buttons button:last-child") as page:
        page.evaluate("document.querySelector('.things .buttons button:last-child').click()")
        until(page, "document.querySelector('dialog.asking')?.open")
        page.keyboard.press("Escape")
        until(page, "!document.querySelector('dialog.asking')")
    for path, content in {f"/viewer/#user={user}": ".stage", "/docs/guides/": "h1"}.items():
        with shown(path, content):
            pass
    old.close()


def until(page, condition):
    """Waits until an expression is true. The page's policy allows no other way to evaluate a text."""
    deadline = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        time.sleep(0.05)


def opened(browser, service, view="activity", **options):
    options = {"viewport": {"width": 1200, "height": 800}, "locale": "en", **options}
    page = browser.new_page(**options)
    page.watch = Watch(page)
    page.goto(f"{service.base}/console/#/{view}")
    page.locator("main h1").wait_for()
    page.locator(".state.connected").wait_for(state="attached")
    return page


def signed_in(browser, service, token, view="overview"):
    """Opens a view of a service that requires tokens, and signs in."""
    page = browser.new_page(locale="en")
    page.goto(f"{service.base}/console/#/{view}")
    page.get_by_role("textbox", name="Access token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    # The view reloads with the token.
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator(".state.connected").wait_for(state="attached")
    return page


@pytest.mark.parametrize("width, language, theme", LOOKS)
def test_each_view_is_accessible(browser, channel, artifacts, width, language, theme):
    options = {"color_scheme": theme, "locale": language, "viewport": {"width": width, "height": 800}}
    page = opened(browser, channel, "overview", reduced_motion="reduce", **options)
    viewer = channel.send("GET", "/events?limit=1")[0]["user_id"]
    viewers = {f"viewers/{viewer}?tab={tab}": "[role=tabpanel] > *" for tab in ("timeline", "wallet", "items", "pet")}
    for view, content in {**VIEWS, **viewers}.items():
        page.evaluate(f"location.hash = '#/{view}'")
        # The records are part of the settings.
        entry = re.split("[/?]", view)[0].replace("data", "settings")
        page.locator(f"nav a[href='#/{entry}'][aria-current]").wait_for(state="attached")
        page.locator(f"main {content}").first.wait_for()
        accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view}: nothing is wider than the page"
        if view.isalpha() and language == "en" and width != 768:
            page.screenshot(path=artifacts / f"{view}-{theme}-{width}.png")
    page.watch.check(channel)
    page.close()


def test_events_appear_as_they_happen_and_can_be_paused_filtered_and_replayed(browser, service):
    page = opened(browser, service)
    service.cheer("Ann", 11, message="<i>one</i>", document=document())
    row = page.locator(".row", has_text="cheered 11 bits")
    row.wait_for()
    assert row.locator(".words").inner_text() == "<i>one</i>"
    row.locator(".picture").wait_for()
    page.get_by_role("button", name="Freeze the list").click()
    service.cheer("Bea", 12)
    page.get_by_role("button", name="Unfreeze · 1 new").click()
    page.locator(".row", has_text="cheered 12 bits").wait_for()
    page.get_by_role("button", name="Bits", exact=True).click()
    page.locator(".row").first.wait_for(state="detached")
    page.get_by_role("button", name="Bits", exact=True).click()
    page.get_by_role("button", name="Replay: Ann cheered 11 bits").click()
    row.get_by_text("Sent, but there is no overlay yet.").wait_for()
    service.fed(5, "alert.replayed")
    # A replay says that no overlay shows it.
    overlay = service.send("POST", "/overlays", {"name": "Stream", "settings": {"alerts": {"cheer": {"enabled": False}}}})
    page.get_by_role("button", name="Replay: Ann cheered 11 bits").click()
    row.get_by_text("Bits are off, so no overlay shows it.").wait_for()
    service.send("DELETE", f"/overlays/{overlay['overlay_id']}")
    # An event is edited and deleted where it is shown.
    page.get_by_role("button", name="Edit: Bea cheered 12 bits").click()
    page.get_by_label("Message", exact=True).fill("edited here")
    page.get_by_role("button", name="Save").click()
    page.locator(".row", has_text="edited here").wait_for()
    page.get_by_role("button", name="Delete: Bea cheered 12 bits").click()
    page.get_by_role("button", name="Delete this event").click()
    page.locator(".row", has_text="cheered 12 bits").wait_for(state="detached")
    assert page.evaluate("document.activeElement.matches('.row')"), "the next row has the focus"
    page.watch.check(service)


def test_the_activity_is_filtered_by_kind_amount_and_text(browser, service):
    webhook = {"user": {"platform_id": "1", "name": "Ann"}, "user_name": "Ann", "occurred_at": "2026-11-20T12:00:00Z"}
    for amount in (5, 500):
        service.cheer("Ann", amount)
    service.send("POST", "/events", {**webhook, "event_type": "plain", "message": "hello chat"})
    gift = {"reference": "g1", "details": {"giver": {"user_id": "1", "user_name": "Ann"}, "total": 2, "tier": 1}}
    # Only Twitch and imports can set such a source.
    imported = {"source": "twitch/channel.chat.notification/community_sub_gift", "created_at": now(), "occurred_at": now()}
    user = {"user_id": service.send("GET", "/users?platform_id=1")[0]["user_id"], "user_name": "Ann"}
    message = "Ann gifted 2 tier 1 subscriptions."
    service.send("PUT", "/events/1", {**user, **gift, **imported, "event_type": "plain", "message": message})
    for name in ("Bea", "Cleo"):
        received = {"user": {"platform_id": name, "name": name}, "user_name": name, "event_type": "subscriber", "tier": 1, "subscribed_length": 1}
        details = {**gift["details"], "recipient": {"user_id": name, "user_name": name}}
        service.send("POST", "/events", {**webhook, **received, "reference": "g1", "details": details})
    page = opened(browser, service)
    page.locator(".row", has_text="cheered 5 bits").wait_for()
    # The chat is off by default, and a gift is one row with its recipients.
    assert page.locator(".row").count() == 3
    page.locator(".row.gift", has_text="gifted 2 Tier 1 subs").locator("summary").click()
    page.locator(".row.gift", has_text="Bea").get_by_text("Cleo").wait_for()
    page.get_by_role("button", name="Chat", exact=True).click()
    page.locator(".row", has_text="hello chat").wait_for()
    # The list follows what is typed. The letters of a word share an entry of the history.
    length = page.evaluate("history.length")
    page.get_by_label("Search name or message").press_sequentially("hel", delay=400)
    page.locator(".row", has_text="cheered 500 bits").wait_for(state="detached")
    until(page, "location.hash.includes('search=hel')")
    assert page.evaluate("history.length") == length + 1
    page.get_by_label("Search name or message").fill("")
    page.locator(".row", has_text="cheered 500 bits").wait_for()
    page.get_by_label("Smallest cheer").fill("-5")
    page.get_by_role("alert").filter(has_text="Enter a whole number.").wait_for()
    page.get_by_label("Smallest cheer").fill("100")
    page.locator(".row", has_text="cheered 5 bits").wait_for(state="detached")
    page.get_by_label("Search name or message").fill("HELLO")
    page.locator(".row", has_text="cheered 500 bits").wait_for(state="detached")
    page.locator(".row", has_text="hello chat").wait_for()
    until(page, "location.hash.includes('search=HELLO')")
    url = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(url)
    page.locator(".row", has_text="hello chat").wait_for()
    assert (page.locator(".row").count(), page.get_by_label("Smallest cheer").input_value()) == (1, "100")
    page.get_by_label("Search name or message").fill("zz")
    page.get_by_text("No events match these filters.").wait_for()
    page.get_by_label("Search name or message").fill("")
    page.locator(".row", has_text="hello chat").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("event_id,occurred_at,event_type") and len(lines) == 4


def test_the_past_is_read_page_by_page(browser, channel):
    page = opened(browser, channel, "activity?kinds=subscriber gift cheer raid redemption follow notice plain")
    ids = "[...document.querySelectorAll('.row .name')].length"
    # The height changes while rows arrive, so the end moves.
    for rows in (20, 40, 60, 80):
        until(page, f"(scrollTo(0, document.documentElement.scrollHeight), {ids} >= {rows})")


def test_a_rare_event_is_found_among_many(browser, channel):
    channel.send("PUT", "/events/7", {"user_id": channel.send("GET", "/users?limit=1")[0]["user_id"], "user_name": "Rare", "event_type": "plain", "message": "needle",
        "occurred_at": "2020-01-01T00:00:00Z", "created_at": "2020-01-01T00:00:00Z"})
    page = opened(browser, channel, "activity?kinds=plain&search=needle")
    page.locator(".row", has_text="needle").wait_for()
    assert page.locator(".row").count() == 1
    page.get_by_role("main").get_by_text("Load more").wait_for(state="detached")


def test_a_letter_keeps_its_proportions_in_a_narrow_row(browser, service):
    service.cheer("Ann", 1_000_000, document=document())
    page = opened(browser, service, "activity", viewport={"width": 375, "height": 800})
    box = page.locator(".row .picture").bounding_box()
    assert box["width"] < 220 and abs(box["width"] / box["height"] - 320 / 200) < 0.02, box


def test_a_stamp_that_comes_later_is_put_on_its_document(browser, service):
    event = service.cheer(document=document(stamps=[]))
    page = opened(browser, service)
    page.locator(".row .picture").wait_for()
    stamp = {"stamp_type": "heart", "pos_x": 50, "pos_y": 50, "rotation": 0}
    service.send("POST", f"/documents/{event['document']['document_id']}/stamps", stamp)
    page.locator(".row .picture .stamp").wait_for()
    page.watch.check(service)


def test_a_viewer_is_paid_given_to_and_loses_a_pet(browser, service):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})
    home = f"/users/{user['user_id']}"
    service.send("POST", f"{home}/specimen", {})
    page = opened(browser, service, f"viewers/{user['user_id']}")
    page.get_by_role("tab", name="Points").click()
    page.get_by_label("Amount").fill("250")
    page.get_by_label("Reason").fill("welcome")
    page.get_by_role("button", name="Adjust points").click()
    page.locator(".balance", has_text="250").wait_for()
    page.locator("td", has_text="welcome").wait_for()
    page.get_by_role("tab", name="Items").click()
    page.get_by_label("Item", exact=True).fill("straw hat")
    page.get_by_label("Quantity").fill("3")
    page.get_by_role("button", name="Give item").click()
    page.get_by_text("3 × straw hat").wait_for()
    # The button was disabled in the meantime, and keeps the focus. What was done does not stay next to an error.
    page.get_by_text("Done.").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Give item"
    page.keyboard.press("Enter")
    page.get_by_role("alert").filter(has_text="Fill in this field.").wait_for()
    assert page.get_by_text("Done.").count() == 0
    page.get_by_role("button", name="Use one: straw hat").click()
    page.get_by_text("2 × straw hat").wait_for()
    page.get_by_role("button", name="Mark as unused: straw hat").wait_for()
    assert page.evaluate("document.activeElement.ariaLabel") == "Use one: straw hat"
    service.send("POST", f"{home}/inventory", {"name": "scarf"})
    page.get_by_role("button", name="Take back: scarf").click()
    page.get_by_role("button", name="Take the item back").click()
    page.locator(".things li", has_text="scarf").wait_for(state="detached")
    # Some of several are taken back, or all.
    service.send("POST", f"{home}/inventory", {"name": "old map", "quantity": 5})
    page.get_by_role("button", name="Take back: old map").click()
    for number, reason in [("0", "At least 1"), ("6", "At most 5"), ("", "Fill in this field")]:
        page.get_by_role("dialog").get_by_label("Quantity").fill(number)
        page.get_by_role("dialog").get_by_role("button", name="Take ").click()
        page.get_by_role("dialog").get_by_text(reason).wait_for()
    page.get_by_role("dialog").get_by_label("Quantity").fill("3")
    page.get_by_role("dialog").get_by_label("Quantity").press("Enter")
    page.get_by_text("2 × old map").wait_for()
    page.get_by_role("button", name="Take back: old map").click()
    assert page.get_by_role("dialog").get_by_label("Quantity").input_value() == "2"
    page.get_by_role("button", name="Take 2 back").click()
    page.locator(".things li", has_text="old map").wait_for(state="detached")
    assert page.evaluate("document.activeElement.ariaLabel") == "Use one: straw hat"
    page.get_by_role("button", name="Use all 2: straw hat").click()
    page.get_by_text("2 × straw hat").wait_for(state="detached")
    page.get_by_role("tab", name="Pet").click()
    page.get_by_role("button", name="Remove pet").click()
    page.get_by_role("button", name="Remove this pet").click()
    page.get_by_role("button", name="Give pet").wait_for()
    shown = service.send("GET", home)
    assert (shown["wallet"], shown["specimen"], shown["inventory"]) == (250, None, [])
    used = service.send("GET", f"{home}/inventory")
    assert sorted((item["name"], item["quantity"], item["used_at"] is None) for item in used) == [("straw hat", 1, False), ("straw hat", 2, False)]
    page.route("**/purchases?*", lambda route: route.fulfill(json=[{"purchase_id": 1, "name": "Hat"}]))
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    archive = json.loads(Path(download.value.path()).read_text())
    assert (archive["user"]["name"], len(archive["transactions"]), len(archive["purchases"]), len(archive["specimens"])) == ("Ann", 1, 1, 1)
    page.get_by_role("tab", name="Privacy").click()
    page.get_by_role("button", name="Delete…", exact=True).click()
    page.get_by_role("button", name="Delete this viewer and everything they own").click()
    page.get_by_role("heading", name="Viewers").wait_for()
    page.watch.check(service)


def test_one_of_several_items_is_used_once_or_not_at_all(browser, service):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})
    home = f"/users/{user['user_id']}/inventory"
    service.send("POST", home, {"name": "straw hat", "quantity": 3})
    page = opened(browser, service, f"viewers/{user['user_id']}?tab=items", viewport={"width": 375, "height": 800})
    # The buttons leave the name its room.
    name = page.get_by_text("3 × straw hat")
    name.wait_for()
    assert name.bounding_box()["width"] > 100
    # Another client changes the item between the read and the write.
    problem = {"code": "precondition_failed", "status": 412, "title": "Changed", "detail": "Read it again."}
    refuse = lambda route: route.fulfill(status=412, content_type="application/problem+json", body=json.dumps(problem)) if route.request.method == "PATCH" else route.continue_()
    page.route("**/inventory/*", refuse)
    with page.expect_response(lambda response: response.request.method == "DELETE" and response.ok):
        page.get_by_role("button", name="Use one: straw hat").click()
    page.locator(".problem").wait_for()
    assert [(item["quantity"], item["used_at"]) for item in service.send("GET", home)] == [(3, None)]


def test_a_balance_goes_below_zero_only_after_a_question(browser, service):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})
    page = opened(browser, service, f"viewers/{user['user_id']}?tab=wallet")
    for amount, text in [("0", "Enter an amount other than 0."), ("-5", "That leaves \N{MINUS SIGN}5 points.")]:
        page.get_by_label("Amount").fill(amount)
        page.get_by_label("Reason").fill("fee")
        page.get_by_role("button", name="Adjust points").click()
        page.get_by_text(text).wait_for()
        assert page.get_by_label("Amount").get_attribute("aria-invalid") == ("true" if amount == "0" else None)
    assert page.get_by_label("Amount").input_value() == "-5"
    # The confirmation is about the amount in the form.
    page.get_by_label("Amount").fill("1.5")
    page.get_by_role("button", name="Adjust below zero").wait_for(state="detached")
    assert page.get_by_label("Amount").evaluate("field => field.validity.stepMismatch")
    page.get_by_label("Amount").fill("-5")
    page.get_by_role("button", name="Adjust points").click()
    assert service.send("GET", f"/users/{user['user_id']}/wallet") == {"wallet": 0}
    page.get_by_role("button", name="Adjust below zero").click()
    page.locator(".balance", has_text="\N{MINUS SIGN}5").wait_for()
    # The page follows the viewer.
    page.get_by_role("tab", name="Overview").click()
    page.get_by_text("No events of this viewer.").wait_for()
    event = {"user_id": user["user_id"], "user_name": "Ann", "occurred_at": "2026-11-20T12:00:00Z", "event_type": "cheer", "amount": 77}
    service.send("POST", "/events", event)
    page.locator(".row", has_text="cheered 77 bits").wait_for()


def test_data_reports_all_errors_and_edits_and_deletes_a_record(browser, service):
    event = service.cheer("Ann", 11, message="before")
    page = opened(browser, service, "data")
    page.get_by_label("Resource").select_option("stamps")
    page.get_by_label("stamp_id").fill("0")
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator(".error code", has_text="stamp_id").wait_for()
    page.get_by_label("Resource").select_option("events")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as CSV").click()
    page.get_by_text("1 record saved in events.csv").wait_for()
    assert "before" in Path(download.value.path()).read_text()
    page.get_by_role("tab", name="Back up and restore").click()
    page.locator("code", has_text="cargo run -- import").wait_for()
    accessible(page)
    page.get_by_role("tab", name="Records").click()
    page.get_by_role("button", name=f"Open: events {event['event_id']}").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("link", name="user").wait_for()
    drawer.get_by_label("Field").select_option("message")
    drawer.get_by_label("Value").fill("after")
    accessible(page)
    # Another client changes the record first.
    service.send("PATCH", f"/events/{event['event_id']}", {"message": "in between"})
    drawer.get_by_role("button", name="Save").click()
    drawer.get_by_role("alert").wait_for()
    assert service.send("GET", f"/events/{event['event_id']}")["message"] == "in between"
    page.reload()
    drawer.get_by_label("Field").select_option("message")
    drawer.get_by_label("Value").fill("after")
    drawer.get_by_role("button", name="Save").click()
    drawer.get_by_role("cell", name="after").wait_for()
    drawer.get_by_role("button", name="Delete").click()
    drawer.get_by_role("button", name="Delete this record").click()
    drawer.wait_for(state="detached")
    page.get_by_text("No records match.").wait_for()
    page.get_by_label("user_name").fill("zzz")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Reset the filters").click()
    until(page, "!location.hash.includes('zzz')")
    page.watch.check(service)


def test_the_keyboard_is_enough(browser, channel):
    page = opened(browser, channel, "overview")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(11):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Settings"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Settings", exact=True).wait_for()
    page.get_by_role("link", name="Open the records").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Data").wait_for()
    page.locator("input[name=user_name]").wait_for()
    # The view has the focus, and its first control is next.
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    # The parts of a date field are separate tab stops.
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Search":
            break
    page.keyboard.press("Enter")
    page.locator("table.records tbody tr").nth(5).wait_for()
    # Ctrl-K finds views, their tabs, viewers and records.
    name = channel.send("GET", "/users?limit=1")[0]["name"]
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").wait_for()
    accessible(page)
    page.keyboard.type(name[:5].upper())
    page.get_by_role("option", name=name).first.wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=name[:5]).wait_for()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").wait_for()
    page.keyboard.type("analy")
    page.get_by_role("option", name="Analytics").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Analytics").wait_for()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").wait_for()
    page.keyboard.type("privacy")
    page.get_by_role("option", name="Privacy Settings").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Privacy", selected=True).wait_for()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").wait_for()
    page.keyboard.type("backup")
    page.get_by_role("option", name="Back up and restore").wait_for()
    user = channel.send("GET", "/users?limit=1")[0]
    page.get_by_role("combobox", name="Find").fill(str(user["user_id"]))
    # No event or letter has this identifier.
    page.get_by_role("option", name=user["name"]).wait_for()
    assert page.get_by_role("option").count() == 1
    event = channel.send("GET", "/events?limit=1")[0]
    page.get_by_role("combobox", name="Find").fill(str(event["event_id"]))
    page.get_by_role("option", name=f"Event {event['event_id']}").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").wait_for()
    page.keyboard.type("any text")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.parametrize("view, width, has_touch", [("overview", 1024, False), ("activity", 820, True), ("activity", 500, False)])
def test_a_rows_buttons_cover_nothing_but_its_time(browser, channel, view, width, has_touch):
    page = opened(browser, channel, view, locale="de", viewport={"width": width, "height": 900}, has_touch=has_touch)
    page.locator(".row .actions").first.wait_for(state="attached")
    heights = "[...document.querySelectorAll('.row')].map((row) => row.offsetHeight)"
    # They change nothing when they arrive.
    assert page.evaluate("""() => {
        const rows = [...document.querySelectorAll('.row')];
        const boxes = () => JSON.stringify(rows.flatMap((row) => [row, row.querySelector('.sum')].map((one) => one.getBoundingClientRect())));
        const shown = boxes();
        rows.forEach((row) => (row.querySelector('.actions').style.display = 'none'));
        const hidden = boxes();
        rows.forEach((row) => (row.querySelector('.actions').style.display = ''));
        return hidden === shown;
    }""")
    page.wait_for_load_state("networkidle")
    before = page.evaluate(heights)[:8]
    for row in page.locator(".row").all()[:8]:
        row.scroll_into_view_if_needed()
        if has_touch:
            row.tap(position={"x": 10, "y": 10})
        else:
            row.hover()
        assert row.evaluate("""(row) => {
            const box = (name) => row.querySelector(name).getBoundingClientRect();
            const [buttons, what, sum] = [box('.actions'), box('.what'), box('.sum')];
            return buttons.left >= what.right && buttons.left >= sum.right && buttons.right <= row.getBoundingClientRect().right;
        }""")
    assert page.evaluate(heights)[:8] == before
    until(page, "getComputedStyle(document.querySelector('.row:is(:hover, :focus-within) > time')).opacity === '0'")
    page.get_by_title("Löschen").first.wait_for()


def test_rows_are_edited_by_keyboard(browser, service):
    service.cheer("Ann", 11)
    page = opened(browser, service)
    # A part of the page that loads late may replace the focused row.
    for _ in range(50):
        page.locator(".row .name").focus()
        page.keyboard.press("Tab")
        if label := page.evaluate("document.activeElement.getAttribute('aria-label')"):
            break
        page.wait_for_timeout(100)
    assert label == "Replay: Ann cheered 11 bits"
    assert page.evaluate("getComputedStyle(document.activeElement.parentElement).opacity") == "1", "actions are visible on focus"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    # Typing begins in the text, not on the button that closes the dialog.
    until(page, "document.activeElement.matches('dialog input')")
    page.keyboard.press("Escape")
    until(page, "document.activeElement.getAttribute('aria-label')?.startsWith('Edit')")


def test_it_speaks_german_and_remembers_theme_and_language(browser, service):
    service.cheer("Ann", 100, document=document())
    context = browser.new_context(locale="en")
    page = context.new_page()
    page.goto(f"{service.base}/console/#/letters")
    page.get_by_text("cheered 100 bits").wait_for()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("combobox", name="Language").select_option("de")
    page.get_by_role("heading", name="Einstellungen").wait_for()
    page.get_by_role("link", name="Briefe").click()
    page.get_by_text("hat 100 Bits gecheert").wait_for()
    page.get_by_role("link", name="Einstellungen").click()
    stored = page.get_by_role("combobox", name="Design").evaluate(
        """select => {
            select.value = "dark";
            select.dispatchEvent(new Event("change", { bubbles: true }));
            return localStorage.getItem("theme");
        }"""
    )
    assert stored == "dark", "the choice is stored before the page can be left"
    page.reload()
    page.get_by_role("heading", name="Einstellungen").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.lang") == "de"


def test_a_token_is_asked_for_and_is_in_no_address(browser, guarded):
    token = guarded.token("write")
    page = browser.new_page(locale="en")
    watch = Watch(page, [token])
    page.goto(f"{guarded.base}/console/#/activity")
    page.get_by_role("textbox", name="Access token").fill(token)
    accessible(page)
    page.get_by_role("button", name="Sign in").click()
    page.locator(".state.connected").wait_for()
    guarded.cheer(token=token)
    page.locator(".row").wait_for()
    assert token not in page.url
    assert page.evaluate("localStorage.length") <= 1 and token not in page.evaluate("JSON.stringify(localStorage)")
    page.reload()
    page.locator(".row").wait_for()
    watch.check(guarded)


def test_the_alerts_are_set_and_shown_in_a_preview(browser, guarded, artifacts):
    token = guarded.token("write")
    page = signed_in(browser, guarded, token, "alerts")
    page.set_viewport_size({"width": 1280, "height": 800})
    watch = Watch(page, [token])
    page.get_by_role("button", name="Create overlay").click()
    preview = page.frame_locator(".scene iframe")
    preview.locator("#stage[data-position=top]").wait_for()
    page.get_by_role("button", name=re.compile("^Bits")).click()
    bits = page.get_by_role("region", name="Bits")
    bits.get_by_label("Text", exact=True).fill("{name} throws {amount} bits: <b>{message}</b>")
    bits.get_by_label("Minimum bits").fill("50")
    bits.get_by_label("Sound").select_option("none")
    bits.get_by_label("Seconds visible").fill("20")
    page.keyboard.press("Tab")
    page.get_by_text("Saved.").wait_for()
    page.get_by_role("button", name="Send test: Bits").click()
    preview.locator(".headline", has_text="Ann throws 100 bits: <b>Have some bits!</b>").wait_for()
    page.screenshot(path=artifacts / "alerts-preview.png")
    # Alerts are placed by dragging, or with the keyboard.
    places = page.locator(".places").bounding_box()
    page.mouse.move(places["x"] + places["width"] / 2, places["y"] + 10)
    page.mouse.down()
    page.mouse.move(places["x"] + places["width"] - 10, places["y"] + places["height"] - 10, steps=4)
    page.mouse.up()
    preview.locator("#stage[data-position=bottom-right]").wait_for()
    page.get_by_role("radio", name="Bottom left").focus()
    page.keyboard.press("Enter")
    preview.locator("#stage[data-position=bottom-left]").wait_for()
    page.get_by_text("Saved.").wait_for()
    saved = guarded.send("GET", "/overlays", token=token)[0]
    assert (saved["settings"]["position"], saved["settings"]["alerts"]["cheer"]["minimum"]) == ("bottom-left", 50)
    page.get_by_role("button", name="Mute sounds", exact=True).click()
    page.get_by_role("button", name="Unmute sounds").wait_for()
    # The overlay's URL has a token with read access only.
    page.get_by_role("tab", name="Overlay URLs").click()
    page.get_by_role("button", name="Copy URL: Alerts", exact=True).click()
    page.get_by_role("button", name="Create token and copy").click()
    page.get_by_text("Created the token").wait_for()
    address = page.locator(".address").inner_text()
    made = address.split("token=")[1]
    assert guarded.send("GET", "/feed", token=made) is not None
    with pytest.raises(urllib.error.HTTPError):
        guarded.send("GET", "/users", token=made)
    overlay = browser.new_page()
    overlay.goto(address)
    overlay.locator("#stage[data-position=bottom-left]").wait_for()
    watch.check(guarded)


def test_the_overview_shows_the_stream_the_queue_and_the_goal(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {"duration": 60, "goal": {"of": "bits", "target": 1_000, "title": "Microphone"}}})
    page = opened(browser, service, "overview")
    # Before the first event, the setup is shown.
    page.get_by_text("No events yet. Connect Twitch or load demo data.").wait_for()
    service.cheer("Ann", 1)
    page.get_by_text("The last 24 hours").wait_for()
    page.get_by_role("heading", name="Microphone").wait_for()
    for amount in (11, 12, 13):
        service.cheer("Ann", amount)
    page.locator(".row", has_text="cheered 13 bits").wait_for()
    # The figures do not wait for the statistics.
    page.locator(".figure", has_text="Bits").get_by_text("37").wait_for()
    queue = page.locator(".queue li")
    queue.nth(3).wait_for()
    # The feed has what happened before the page was opened.
    page.reload()
    queue.nth(3).wait_for()
    assert "cheered 1 bit" in queue.nth(0).inner_text() and queue.nth(0).get_attribute("aria-current") == "true"
    queue.nth(2).get_by_role("button").click()
    page.locator(".queue li", has_text="cheered 12 bits").wait_for(state="detached")
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("No alerts are waiting.").wait_for()
    service.cheer("Ann", 14)
    page.locator(".queue li[aria-current]", has_text="cheered 14 bits").wait_for()
    page.get_by_role("button", name="Stop all alerts").click()
    page.get_by_role("button", name="Resume all alerts").first.wait_for()
    page.locator(".queue li:not([aria-current])", has_text="cheered 14 bits").wait_for()
    assert service.send("GET", "/overlays")[0]["paused"] is True
    page.watch.check(service)


def test_a_step_that_was_done_once_is_no_longer_listed(browser, service):
    overlay = service.send("POST", "/overlays", {"name": "Stream", "settings": {}})["overlay_id"]
    service.cheer("Ann", 1)
    page = opened(browser, service, "overview")
    step = page.get_by_role("group", name="Left to set up").get_by_role("link", name="Add alerts to OBS")
    step.wait_for()
    alerts = browser.new_page()
    alerts.goto(f"{service.base}/overlay/#overlay={overlay}")
    page.get_by_text("Overlay open in one place").wait_for(timeout=30_000)
    step.wait_for(state="detached")
    alerts.close()
    page.reload()
    page.get_by_text("Overlay not open").wait_for(timeout=30_000)
    assert step.count() == 0
    page.watch.check(service)


@pytest.mark.parametrize("width", [390, 820, 1024, 1440])
def test_the_overview_does_not_move_while_it_loads(browser, service, width):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    for amount in range(1, 12):
        service.cheer("Ann", amount)
    page = browser.new_page(locale="en", viewport={"width": width, "height": 900})
    # Responses in another order than usual.
    page.add_init_script("""
        const request = window.fetch;
        let count = 0;
        window.fetch = async (...values) => {
            const delay = ((count += 1) * 170) % 600;
            const response = await request(...values);
            await new Promise((resolve) => setTimeout(resolve, delay));
            return response;
        };
        window.moves = [];
        new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
            window.moves.push([value, ...sources.map(({ node }) => node?.className ?? "")]);
        })).observe({ type: "layout-shift", buffered: true });
    """)
    page.goto(f"{service.base}/console/#/overview")
    page.get_by_role("link", name="Add alerts to OBS").wait_for()
    page.locator(".figure").first.wait_for()
    page.locator("progress").wait_for(state="attached")
    page.wait_for_timeout(1_000)
    moves = page.evaluate("window.moves")
    assert sum(move[0] for move in moves) < 0.05, moves


def test_a_failed_read_of_a_viewers_transactions_is_reported(browser, service):
    service.cheer("Ann", 1)
    user = service.send("GET", "/users")[0]["user_id"]
    service.send("POST", "/transactions", {"user_id": user, "amount": 5, "description": "gift"})
    page = browser.new_page(locale="en")
    page.route("**/transactions?*", lambda route: route.fulfill(status=500, json={"code": "internal_error"}))
    page.goto(f"{service.base}/console/#/viewers/{user}")
    page.get_by_text("The service has an error.").first.wait_for()
    page.get_by_text("Service problems").wait_for()
    page.goto(f"{service.base}/console/#/viewers/{user}?tab=wallet")
    page.get_by_role("heading", name="Adjust").wait_for()
    assert page.get_by_text("No points earned or spent yet.").count() == 0


def test_a_click_right_after_scrolling_keeps_the_position(browser, service):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: service.cheer(f"Ann {name}", 1), range(40)))
    page = opened(browser, service, "viewers")
    page.get_by_role("link", name="Ann 39").wait_for(state="attached")
    page.evaluate("scrollTo(0, 100)")
    until(page, "location.hash.endsWith('y=100')")
    page.evaluate("""new Promise((resolve) => {
        scrollTo(0, 600);
        requestAnimationFrame(() => requestAnimationFrame(() => {
            document.querySelectorAll("main tbody a")[20].click();
            resolve();
        }));
    })""")
    page.get_by_role("link", name="All viewers").wait_for()
    page.go_back()
    until(page, "scrollY === 600")


def test_the_setup_does_not_say_that_the_service_runs_while_it_is_away(browser, service):
    page = opened(browser, service, "overview")
    page.get_by_role("heading", name="The service is running (done)").wait_for()
    service.stop()
    page.get_by_role("heading", name="Can't reach the service.").wait_for()
    assert page.get_by_text("The service is running").count() == 0


def test_a_view_shows_what_it_showed_last_while_the_service_is_away(browser, service):
    service.send("POST", "/rules", {"name": "Cheering", "amount": 1, "event_type": "cheer"})
    service.cheer("Ann", 1)
    service.cheer("Bea", 1)
    service.count("/leaderboards/bits", 2)
    page = opened(browser, service, "rules")
    page.get_by_role("heading", name="Cheering").wait_for()
    page.get_by_role("link", name="Analytics").click()
    page.locator(".figure .big").first.wait_for()
    # The figures of both viewers are requested together, and later those of one.
    page.get_by_role("link", name="Viewers").click()
    page.locator("tbody td.seen time").nth(1).wait_for()
    page.get_by_label("Name starts with").fill("Ann")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.locator(".notice-bars").wait_for(state="attached")
    port = service.base.rsplit(":", 1)[1]
    service.stop()
    page.locator(".notice-bar.offline").wait_for()
    page.get_by_role("link", name="Analytics").click()
    page.locator(".figure .big").first.wait_for()
    page.evaluate("location.hash = '#/viewers?name=Ann'")
    page.locator("tbody td.seen time").wait_for()
    page.get_by_role("link", name="Rules").click()
    page.get_by_role("heading", name="Cheering").wait_for()
    page.get_by_role("link", name="Viewers").click()
    page.locator("tbody", has_text="Ann").wait_for()
    page.get_by_role("link", name="Rules").click()
    page.get_by_role("heading", name="Cheering").wait_for()
    assert page.locator(".problem").count() == 0
    # Then, it is read again.
    service.start(port)
    with page.expect_response(lambda response: "/rules?" in response.url, timeout=60_000):
        page.locator(".state.connected").wait_for(state="attached")


def test_a_response_ends_an_outage_before_the_feeds_next_attempt(browser, service):
    service.cheer("Ann", 1)
    page = opened(browser, service, "rules")
    page.locator(".notice-bars").wait_for(state="attached")
    port = service.base.rsplit(":", 1)[1]
    service.stop()
    # By now, the feed waits for six seconds or longer.
    page.locator(".notice-bar.offline").get_by_text(re.compile(r"Next attempt in ([6-9]|\d\d) s")).wait_for()
    service.start(port)
    page.get_by_role("link", name="Viewers").click()
    page.locator(".state.connected").wait_for(state="attached", timeout=3_000)


@pytest.mark.parametrize("view, button, label", [
    ("rules", "New rule", "Name"), ("commands", "Edit: !buy", "Answer"), ("activity", "Edit: Bea cheered 12 bits", "Message"),
])
def test_a_form_keeps_its_input_until_save_or_cancel(browser, service, view, button, label):
    service.cheer("Bea", 12)
    page = opened(browser, service, view)
    open_form = page.get_by_role("button", name=button).first
    dialog = page.get_by_role("dialog")
    open_form.click()
    dialog.get_by_label(label).fill("Something")
    if view == "rules":
        dialog.get_by_label("Points").fill("77")
    page.keyboard.press("Escape")
    open_form.click()
    assert dialog.get_by_label(label).input_value() == "Something"
    if view == "rules":
        assert dialog.get_by_label("Points").input_value() == "77"
    dialog.get_by_role("button", name="Cancel").click()
    open_form.click()
    assert dialog.get_by_label(label).input_value() == ""


def test_a_save_without_a_response_says_so(browser, service):
    service.cheer("Ann", 1)
    page = opened(browser, service, "rules")
    held = []
    page.route("**/rules", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    page.get_by_role("button", name="New rule").first.click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill("Chat")
    form.get_by_role("button", name="Save").click()
    form.get_by_text("No answer from the service yet. Still trying.").wait_for()
    # The reason is below both buttons.
    save, cancel, reason = [form.locator(name).bounding_box() for name in (".ending .main", ".ending > button:last-of-type", ".unanswered")]
    assert save["y"] == cancel["y"] and reason["y"] >= save["y"] + save["height"]
    held[0].fallback()
    form.wait_for(state="detached")
    assert [rule["name"] for rule in service.send("GET", "/rules")] == ["Chat"]


def test_a_board_that_is_not_counted_yet_says_so(browser, service):
    service.cheer("Ann", 11)
    page = browser.new_page(locale="en")
    page.route("**/leaderboards/bits?*", lambda route: route.fulfill(json=[]))
    page.goto(f"{service.base}/console/#/overview")
    page.get_by_text("Being counted…").wait_for()
    page.get_by_role("group", name="Top").get_by_role("button", name="Chat").click()
    page.get_by_text("Nobody yet.").wait_for()


@pytest.mark.parametrize("view", ["overview", "analytics"])
def test_each_value_of_a_board_is_in_the_row_of_its_name(browser, service, view):
    service.cheer("Ann", 11)
    service.count("/leaderboards/bits", 1)
    page = browser.new_page(locale="en")
    ranks = [{"value": 123_456_789, "user": {"user_id": number, "name": "Wolfeschlegelsteinhausenbergerdorff_the_Third"}} for number in (1, 2)]
    page.route("**/leaderboards/bits?*", lambda route: route.fulfill(json=ranks))
    page.goto(f"{service.base}/console/#/{view}")
    for row in (page.locator(".top li").first, page.locator(".top li").last):
        name, value, box = [one.bounding_box() for one in (row.get_by_role("link"), row.get_by_text("123,456,789"), row)]
        assert name["x"] + name["width"] <= value["x"] and value["x"] + value["width"] <= box["x"] + box["width"] + 1
        assert abs(name["y"] - value["y"]) < 10


@pytest.mark.parametrize("view", ["overview", "activity"])
def test_the_console_is_small_and_loads_nothing_from_elsewhere(browser, service, view):
    page = browser.new_page(locale="en")
    watch = Watch(page)
    page.add_init_script("""
        new MutationObserver((_, observer) => {
            if (!document.querySelector('.row')) return;
            observer.disconnect();
            window.firstRow = performance.now();
        }).observe(document, { childList: true, subtree: true });
    """)
    service.cheer()
    page.goto(f"{service.base}/console/#/{view}")
    page.locator(".row .actions").wait_for(state="attached")
    entries = page.evaluate("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((one) => [one.name, one.responseEnd <= firstRow ? one.encodedBodySize : 0])")
    assert 30_000 < sum(size for _, size in entries) <= 50_000, entries
    assert not any("uplot" in url for url, _ in entries)
    watch.check(service)


def test_the_api_reference_shows_and_tries_requests(browser, guarded):
    token = guarded.token("read")
    page = browser.new_page(locale="en")
    watch = Watch(page, [token])
    page.goto(f"{guarded.base}/docs/")
    page.get_by_label("Access token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Invalid, expired or revoked token").wait_for()
    page.get_by_label("Access token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Event capture for live streams").wait_for()
    page.goto(f"{guarded.base}/docs/#tag/users/GET/users")
    page.reload()
    page.get_by_role("button", name=re.compile("^Test Request.*get .users.$")).click()
    with page.expect_request(re.compile(r"/users\?.*limit=20$")):
        page.get_by_role("button", name="Send get request").click()
    page.get_by_text("200 OK").wait_for()
    page.get_by_role("dialog").press("Escape")
    page.goto(f"{guarded.base}/docs/guides/?guide=errors#codes-of-problems")
    page.get_by_role("cell", name="invalid_header", exact=True).wait_for()
    page.get_by_role("link", name="Cookbook").first.click()
    page.get_by_role("heading", name="Cookbook").wait_for()
    watch.check(guarded)


def test_a_token_for_an_overlay_is_made_and_revoked(browser, guarded):
    page = signed_in(browser, guarded, guarded.token("write"), "settings?tab=tokens")
    page.get_by_label("Token name").fill("OBS")
    page.get_by_role("button", name="Create overlay token").click()
    page.get_by_role("columnheader", name="Expires").wait_for()
    made = page.locator("section", has_text="Copy it now").get_by_role("status").locator("code").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == made
    assert guarded.send("GET", "/feed", token=made) == []
    page.get_by_role("button", name="Revoke: OBS", exact=True).click()
    page.get_by_role("button", name="Revoke this token").click()
    page.get_by_role("cell", name="OBS", exact=True).wait_for(state="detached")


def plots_are_in_their_cards(page):
    """A plot without its style sheet lies below its card."""
    page.locator(".uplot canvas").first.wait_for()
    assert page.evaluate("""[...document.querySelectorAll(".uplot canvas")].every((canvas) => {
        const [inner, outer] = [canvas, canvas.closest(".card")].map((one) => one.getBoundingClientRect());
        return inner.top >= outer.top && inner.bottom <= outer.bottom;
    })""")


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland"])
def test_a_period_is_compared_with_as_many_days_before_it(browser, service, zone):
    for name, day, amount in (("Ann", 10, 1), ("Bea", 20, 15), ("Cleo", 21, 10), ("Dora", 22, 50)):
        service.cheer(name, amount, occurred_at=f"2026-11-{day}T12:00:00Z")
    service.count("/leaderboards/bits", 4)
    page = opened(browser, service, "analytics?from=2026-11-21&to=2026-11-22", timezone_id=zone)
    bits = page.locator(".figure", has_text="Bits")
    bits.get_by_text("before: 15").wait_for()
    assert bits.locator("strong").inner_text() == "60"
    page.get_by_label("From", exact=True).fill("2026-11-22")
    bits.get_by_text("before: 10").wait_for()
    assert bits.locator("strong").inner_text() == "50"
    assert page.get_by_role("alert").count() == 0
    # The days in the wrong order are still the period between them.
    page.get_by_label("To", exact=True).fill("2026-11-20")
    bits.locator("strong", has_text="75").wait_for()
    assert "from=2026-11-20&to=2026-11-22" in page.url
    page.get_by_label("From", exact=True).fill("2126-11-20")
    page.get_by_role("alert").filter(has_text="At most").wait_for()
    page.watch.check(service)


def test_today_is_compared_with_as_many_hours(browser, service):
    week = timedelta(days=7)
    for name, amount, ago in (("Ann", 1, 3 * week), ("Bea", 20, week + timedelta(minutes=90)), ("Cleo", 500, week - timedelta(minutes=90)), ("Dora", 30, timedelta())):
        service.cheer(name, amount, occurred_at=(datetime.now(UTC) - ago).strftime("%Y-%m-%dT%H:%M:%SZ"))
    service.count("/leaderboards/bits", 4)
    page = opened(browser, service, "analytics?days=7")
    page.get_by_text("compared with the 7 days before, up to the same hour").wait_for()
    page.locator(".figure", has_text="Bits").get_by_text("before: 20").wait_for()
    page.watch.check(service)


def test_events_that_are_not_counted_yet_are_not_missing(browser, service):
    unused = opened(browser, service, "analytics")
    unused.get_by_role("link", name="Set up your channel").wait_for()
    assert unused.get_by_text("not compared").count() == 0
    service.cheer("Ann", 11)
    page = browser.new_page(locale="en")
    nothing = {"events": {"plain": 0, "subscriber": 0, "cheer": 0, "raid": 0}, "sources": {}, "bits": 0, "raid_viewers": 0, "viewers": 0}
    day = {"from": now()[:10] + "T00:00:00Z", "to": now()[:10] + "T23:59:59Z", **nothing}
    page.route("**/statistics?*", lambda route: route.fulfill(json=[day] * 30))
    page.goto(f"{service.base}/console/#/analytics")
    page.get_by_text("These events are being counted").wait_for()
    assert page.get_by_text("No events in this period.").count() == 0


def test_analytics_have_the_days_of_the_services_time_zone(browser, tmp_path):
    service = Service(tmp_path / "data", "--time-zone", "Pacific/Auckland")
    # The 20th of November in Auckland, and the 19th everywhere else.
    yesterday = time.strftime("%Y-%m-%dT12:30:00Z", time.gmtime(time.time() - 86_400))
    service.cheer("Ann", 111, occurred_at=yesterday)
    service.cheer("Bea", 222, occurred_at=yesterday, source="bot/quiz")
    service.cheer("Cleo", 5, occurred_at=time.strftime("%Y-%m-%dT12:30:00Z", time.gmtime(time.time() - 3 * 86_400)))
    service.count("/leaderboards/bits", 3)
    page = opened(browser, service, "analytics", timezone_id="America/New_York")
    page.get_by_role("button", name="7 days").click()
    bits = page.locator("section", has=page.get_by_role("heading", name="Bits per day"))
    bits.locator("summary").click()
    filled = bits.locator("tbody tr", has_text="333")
    filled.wait_for()
    assert bits.locator("tbody tr").count() == 7
    day = time.strptime(yesterday, "%Y-%m-%dT%H:%M:%SZ")
    local = time.gmtime(calendar.timegm(day) + 13 * 3_600)
    assert filled.locator("td").first.inner_text() == f"{time.strftime('%b', local)} {local.tm_mday}, {local.tm_year}"
    assert "bot/quiz" in page.locator("section", has_text="Events by source").inner_text()
    assert page.get_by_text("the data doesn't reach far enough back · the pale bar is today so far").is_visible()
    plots_are_in_their_cards(page)
    # The fields have the period, so one of them is enough to change it.
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    assert page.get_by_label("To", exact=True).input_value() == today
    page.get_by_label("From", exact=True).fill(today)
    until(page, f"location.hash.includes('from={today}&to={today}')")
    # A day is typed digit by digit, and the years on the way to it select nothing.
    page.get_by_role("button", name="7 days").click()
    year, month, day = page.evaluate("new Date(Date.now() - 4 * 864e5).toLocaleDateString('sv')").split("-")
    page.get_by_label("From", exact=True).press_sequentially(month + day + year, delay=50)
    until(page, f"location.hash.includes('from={year}-{month}-{day}&to={today}')")
    # The service returns at most 1,000 days.
    page.get_by_label("From", exact=True).fill("2020-01-01")
    page.get_by_role("alert").filter(has_text="At least").wait_for()
    page.goto(f"{service.base}/console/#/analytics?from=2020-01-01&to={today}")
    page.get_by_role("button", name="30 days", pressed=True).wait_for()
    # The heading has the day of an older event, and its row the time.
    page.goto(f"{service.base}/console/#/activity")
    row = page.locator(".row", has_text="Cleo")
    row.wait_for()
    assert re.fullmatch(r"[78]:30.AM", row.locator("time").inner_text())
    page.watch.check(service)
    page.close()
    service.stop()


@pytest.mark.parametrize("is_loaded", [False, True])
def test_views_recover_after_the_service_restarts(browser, service, is_loaded):
    """A view with a loaded module cannot load other events. Without one, it cannot load its module either."""
    service.cheer("Ann", 11)
    page = opened(browser, service, "activity" if is_loaded else "viewers")
    if is_loaded:
        page.locator(".row").wait_for()
        page.evaluate("location.hash = '#/viewers'")
    page.locator("tbody a").wait_for()
    page.locator(".notice-bars").wait_for(state="attached")
    port = service.base.rsplit(":", 1)[1]
    service.stop()
    page.locator(".state", has_text="Reconnecting…").wait_for()
    page.get_by_text(re.compile("No connection since .* The figures may be old")).wait_for()
    page.evaluate("(hash) => (location.hash = hash)", "#/activity?kinds=plain cheer" if is_loaded else "#/activity")
    page.get_by_text("Can't reach the service.").wait_for()
    service.start(port)
    # The page's next attempt may be half a minute away, or succeed before the click. Then the button is gone.
    page.evaluate("document.querySelector('.notice-bar.offline button')?.click()")
    page.locator(".row", has_text="cheered 11 bits").wait_for(timeout=60_000)
    page.locator(".state.connected").wait_for(timeout=60_000)
    page.get_by_text("No connection since").wait_for(state="detached")


@pytest.mark.parametrize("view", ["overview", "activity", "letters", "viewers", "store", "rules", "commands", "alerts", "streams", "data"])
def test_a_view_takes_what_was_requested_before_its_code(browser, service, view):
    service.cheer("Ann", 11)
    page = browser.new_page(locale="en")
    requests = []
    is_data = lambda request: request.resource_type == "fetch" and not request.url.endswith(".json")
    page.on("request", lambda request: is_data(request) and requests.append(request.url))
    page.goto(f"{service.base}/console/#/{view}")
    page.locator(".state.connected").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    early = [url for url in requests if "limit=20" in url] if view in ("overview", "activity") else requests[: 3 if view == "streams" else 2]
    assert requests[0].endswith("/feed") and len(early) >= 2
    # The rows of viewers read the same board for their figures.
    most = 2 if view == "viewers" else 1
    assert [url for url in early if requests.count(url) > most] == [], "the view's own requests have the same URLs"


@pytest.mark.parametrize("view, path", [("viewers", "/leaderboards/messages"), ("rules", "/rules"), ("commands", "/commands"), ("alerts", "/overlays?order"), ("data", "/events?limit=50")])
def test_an_opened_view_takes_what_was_requested_with_its_code(browser, service, view, path):
    page = browser.new_page(locale="en")
    page.goto(f"{service.base}/console/#/streams")
    page.locator("h1", has_text="Streams").wait_for()
    page.wait_for_load_state("networkidle")
    is_rows = lambda request: request.url.startswith(service.base + path)
    requests, code = [], []
    page.on("request", lambda request: is_rows(request) and requests.append(request.url))
    page.route(f"**/console/{view}.js", lambda route: code.append(route))
    with page.expect_request(is_rows):
        page.evaluate(f"location.hash = '#/{view}'")
    while not code:
        page.wait_for_timeout(10)
    code[0].continue_()
    page.locator("h1").filter(has_not_text="Streams").wait_for()
    page.wait_for_load_state("networkidle")
    assert len(requests) == 1, "the view took them"


def test_parts_of_a_view_recover_after_the_service_restarts(browser, service):
    service.cheer("Ann", 11)
    page = browser.new_page(locale="en")
    for part in ("actions.js", "aside.js"):
        page.route(f"**/console/{part}", lambda route: route.abort())
    failed = lambda part: page.expect_event("requestfailed", lambda request: request.url.endswith(part))
    with failed("actions.js"), failed("aside.js"):
        page.goto(f"{service.base}/console/#/overview")
    page.locator(".row", has_text="cheered 11 bits").wait_for()
    page.locator(".state.connected").wait_for(state="attached")
    page.unroute_all()
    # A restart between two polls would go unnoticed.
    port = service.base.rsplit(":", 1)[1]
    service.stop()
    page.locator(".state", has_text="Reconnecting…").wait_for(state="attached")
    service.start(port)
    page.locator(".row .actions").wait_for(state="attached")
    page.get_by_text("No alerts are waiting.").wait_for()


def test_a_view_that_is_opened_without_a_network_recovers_with_its_styles(browser, service):
    service.cheer("Ann", 11)
    service.send("POST", "/overlays", {"name": "Main", "settings": {}})
    page = browser.new_page(locale="en")
    page.goto(f"{service.base}/console/#/overview")
    page.locator(".row .actions").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.evaluate("location.hash = '#/alerts'")
    page.get_by_role("button", name="Retry").wait_for()
    page.context.set_offline(False)
    page.locator(".alert-editor").wait_for()
    assert page.locator(".alert-editor").evaluate("(editor) => getComputedStyle(editor).display") == "grid"


def test_a_part_that_is_blocked_does_not_reload_the_page_again_and_again(browser, service):
    service.cheer("Ann", 11)
    page = browser.new_page(locale="en")
    loads = []
    page.on("load", lambda: loads.append(page.url))
    page.route("**/console/actions.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(f"{service.base}/console/#/activity")
    page.locator(".state.connected").wait_for(state="attached")
    page.wait_for_timeout(500)
    assert len(loads) == 1


def test_the_streamers_guides_are_also_in_german(browser, service):
    page = browser.new_page(locale="de")
    watch = Watch(page)
    page.goto(f"{service.base}/docs/guides/?guide=console")
    page.get_by_role("heading", name="Die Konsole").wait_for()
    page.get_by_role("link", name="Übersicht").first.click()
    page.get_by_role("link", name="das Overlay").last.click()
    page.get_by_role("heading", name="Das Overlay", exact=True).wait_for()
    page.get_by_role("link", name="englische Seite").first.click()
    page.get_by_role("heading", name="The overlay", exact=True).wait_for()
    page.get_by_role("link", name="Errors").first.click()
    page.get_by_role("heading", name="Errors").first.wait_for()
    page.get_by_role("link", name="Datenschutz (englisch)").click()
    page.get_by_role("heading", name="Protect viewers' privacy").wait_for()
    page.goto(f"{service.base}/docs/guides/?guide=nope")
    page.get_by_role("heading", name="Diese Anleitung gibt es nicht").wait_for()
    page.get_by_role("main").get_by_role("link", name="Konsole").click()
    page.get_by_role("heading", name="Die Konsole").wait_for()
    # On a phone, the strip shows the current guide.
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{service.base}/docs/guides/?guide=privacy")
    box = page.get_by_role("link", name="Datenschutz (englisch)").bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= 390
    assert page.locator("nav strong").all_inner_texts() == ["Für Streamer", "Für Programme und Betrieb"]
    page.get_by_role("link", name="Zur Konsole").click()
    page.locator(".state.connected").wait_for(state="attached")
    watch.check(service)


def test_a_guide_names_the_address_of_the_service_that_serves_it(browser, service):
    page = browser.new_page(locale="en")
    page.goto(f"{service.base}/docs/guides/?guide=console")
    page.get_by_role("link", name=f"{service.base}/console/").wait_for()
    page.get_by_role("link", name="API", exact=True).click()
    until(page, f"document.querySelector('main').textContent.includes('{service.base}/errors/invalid_body')")
    # A file of another guide has that guide's title.
    assert page.get_by_role("main").get_by_role("link", name="Export and import").count() > 0
    assert page.get_by_role("main").get_by_text("transfer.md").count() == 0
    # The default of an option stays as it is.
    page.get_by_role("navigation").get_by_role("link", name="Export and import").click()
    page.locator("td", has_text="http://127.0.0.1:3000").first.wait_for()


@pytest.mark.parametrize("lang, failed, retry", [("en", "could not be loaded", "Retry"), ("de", "konnte nicht geladen werden", "Erneut versuchen")])
def test_a_guide_that_cannot_be_loaded_says_so(browser, service, lang, failed, retry):
    page = browser.new_page(locale=lang)
    page.route("**/*.md", lambda route: route.abort())
    page.goto(f"{service.base}/docs/guides/?guide=console")
    page.get_by_role("alert").filter(has_text=failed).wait_for()
    page.unroute_all()
    page.get_by_role("link", name=retry).click()
    page.locator("main h1").wait_for()


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_guide_fits_on_a_phone(browser, service, lang):
    page = browser.new_page(locale=lang, viewport={"width": 375, "height": 800})
    page.goto(f"{service.base}/docs/guides/")
    page.locator("nav a[aria-current]").wait_for()
    links = page.locator("nav a[href*='guide=']").evaluate_all("(links) => links.map((link) => link.href)")
    assert len(links) > 10
    for link in links:
        page.goto(link)
        page.locator("main h1").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 375, link


@pytest.mark.parametrize("path", ["/console/", "/viewer/", "/docs/guides/", "/docs/"])
def test_all_pages_have_the_same_typeface(browser, service, path):
    page = browser.new_page(locale="en")
    page.goto(service.base + path)
    page.locator("h1").first.wait_for()
    until(page, "[...document.fonts].some(({ family, status }) => family.includes('Figtree') && status === 'loaded')")
    assert page.locator("h1").first.evaluate("(heading) => getComputedStyle(heading).fontFamily").strip('"').startswith("Figtree")


def test_sign_in_stays_open_and_gives_reasons(browser, guarded):
    page = browser.new_page(locale="en")
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{guarded.base}/console/#/activity")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    for _ in range(2):
        page.keyboard.press("Escape")
        # The browser closes the dialog a moment later, and the page reopens it.
        time.sleep(0.3)
    assert dialog.is_visible(), "there is nothing to see without a token"
    assert page.locator("main > *").count() == 0
    assert page.evaluate("document.activeElement.name") == "token"
    command = dialog.locator("code").inner_text().split()
    made = subprocess.run([BINARY, *command[command.index("token"):], "--data-dir", guarded.folder], check=True, capture_output=True, text=True).stdout.strip()
    guarded.cheer(token=made)
    dialog.get_by_role("button", name="Copy").wait_for()
    for token, reason in [("schön", "Invalid token"), ("wrong", "Invalid, expired or revoked token")]:
        page.get_by_label("Access token").fill(token)
        page.get_by_role("button", name="Sign in").click()
        dialog.get_by_text(reason).wait_for()
    assert sockets == [], "the socket opens after the sign-in"
    page.get_by_label("Access token").fill(guarded.token("read"))
    page.get_by_role("button", name="Sign in").click()
    dialog.wait_for(state="detached")
    page.locator(".state.connected").wait_for()
    # The scope is too small to send a test alert.
    page.get_by_role("link", name="Alerts").click()
    page.get_by_role("button", name="Create overlay").click()
    page.get_by_role("button", name="Use another token").first.click()
    dialog.get_by_text("scope “write”").wait_for()
    page.get_by_label("Access token").fill(guarded.token("write"))
    page.get_by_role("button", name="Sign in").click()
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Create overlay").click()
    page.locator(".scene iframe").wait_for()


def test_the_activity_is_never_emptied_and_keeps_its_position(browser, service):
    for number in range(60):
        service.cheer("Ann", 1_000 + number)
    page = opened(browser, service)
    page.locator(".row").nth(49).wait_for()
    page.mouse.wheel(0, 1_500)
    until(page, "scrollY > 1_000")
    page.evaluate("window.fewest = Infinity; setInterval(() => fewest = Math.min(fewest, document.querySelectorAll('.row').length), 10)")
    seen = page.locator(".row .kind").nth(30).inner_text()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda amount: service.cheer("Bea", amount), range(1, 2_101)))
    page.get_by_role("button", name="↑ 2,100 new").wait_for()
    assert page.evaluate("scrollY") > 1_000, "the list keeps its position"
    assert page.locator(".row", has_text=seen).count() == 1
    assert page.evaluate("document.querySelectorAll('.row').length") < 1_000, "rows far from the viewport are not rendered"
    page.get_by_role("button", name="↑ 2,100 new").click()
    until(page, "scrollY === 0")
    page.locator(".row", has_text="Bea").first.wait_for()
    assert page.evaluate("fewest") >= 30
    # The oldest rows are released and can be loaded again.
    service.cheer("Cleo", 5)
    page.locator(".row", has_text="Cleo").wait_for()
    page.watch.check(service)


def test_viewers_are_found_by_the_beginning_of_their_names(browser, service):
    for name in ("Quinn", "quinnXd", "Ann"):
        service.cheer(name)
    page = opened(browser, service, "viewers")
    page.get_by_role("link", name="Ann").wait_for()
    page.get_by_label("Name starts with").fill("QUI")
    page.get_by_role("link", name="Ann").wait_for(state="detached")
    # The list is briefly empty while the new one is loaded.
    page.get_by_role("link", name="quinnXd").wait_for()
    assert page.locator("tbody a").all_inner_texts() == ["Quinn", "quinnXd"]
    assert page.get_by_label("Name starts with").input_value() == "QUI"
    page.get_by_label("Name starts with").fill("zz")
    page.get_by_text("No viewer's name starts with “zz”.").wait_for()
    page.get_by_role("button", name="Reset the filters").click()
    page.get_by_role("link", name="Ann").wait_for()


def test_the_activity_orders_by_time_and_shows_edits(browser, service):
    service.cheer("Ann", 11)
    page = opened(browser, service)
    page.locator(".row").wait_for()
    service.cheer("Old", 12, occurred_at="2020-01-01T00:00:00Z")
    event = service.cheer("New", 13)
    page.locator(".row", has_text="Old").wait_for()
    page.locator(".row", has_text="New").wait_for()
    assert [name.split()[0] for name in page.locator(".row .name").all_inner_texts()] == ["New", "Ann", "Old"]
    service.send("PATCH", f"/events/{event['event_id']}", {"message": "edited"})
    page.locator(".row", has_text="edited").wait_for()


def test_the_address_restores_filters_and_each_view_begins_at_its_top(browser, channel):
    page = opened(browser, channel)
    for kind in ("Subs", "Gifts", "Bits", "Redemptions", "Follows"):
        page.get_by_role("button", name=kind, exact=True).click()
    page.wait_for_url("**/#/activity?kinds=raid")
    page.locator(".row.raid").first.wait_for()
    assert page.locator(".row:not(.raid)").count() == 0
    page.mouse.wheel(0, 2_000)
    page.get_by_role("link", name="Viewers").click()
    page.get_by_label("Name starts with").wait_for()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.get_by_role("button", name="Raids", pressed=True).wait_for()
    page.get_by_role("button", name="Subs", pressed=False).wait_for()
    page.goto("about:blank")
    page.goto(f"{channel.base}/console/#/data")
    page.get_by_label("Resource").select_option("users")
    first = channel.send("GET", "/users?limit=1")[0]["name"][0]
    page.locator("input[name=name_prefix]").fill(first)
    page.get_by_role("button", name="Search", exact=True).click()
    until(page, "location.hash.includes('name_prefix')")
    url = page.url
    page.goto("about:blank")
    page.goto(url)
    page.locator("table.records").wait_for()
    assert page.locator("input[name=name_prefix]").input_value() == first
    # The less common filters are visible if the address has one of them.
    assert not page.locator("input[name=platform_id]").is_visible()
    page.goto(f"{channel.base}/console/#/data?resource=users&query=platform_id%3D1")
    page.locator("input[name=platform_id]").wait_for()
    page.get_by_text("More filters").click()
    page.locator("input[name=platform_id]").wait_for(state="hidden")
    page.goto(f"{channel.base}/console/#/analytics?days=90")
    page.get_by_role("button", name="90 days", pressed=True).wait_for()


@pytest.mark.parametrize("view", ["__proto__", "constructor", "toString/1", "nothing?y=3", "viewers/abc"])
def test_an_address_without_a_view_is_not_found(browser, channel, view):
    page = opened(browser, channel, view)
    page.get_by_role("heading", name="Not found").wait_for()
    until(page, "document.title.startsWith('Not found')")
    assert page.locator("nav a[aria-current]").count() == 0
    assert page.evaluate("location.hash") == f"#/{view}"
    # The notices do not wait for rows forever.
    page.locator(".notice-bars").wait_for(state="attached")
    accessible(page)
    page.locator("main").get_by_role("link", name="Overview").click()
    page.get_by_role("heading", name="Overview").wait_for()


@pytest.mark.parametrize("resource", ["__proto__", "constructor", "nothing"])
def test_data_of_an_unknown_resource_are_a_problem(browser, channel, resource):
    page = opened(browser, channel, f"data?resource={resource}")
    page.get_by_role("alert").wait_for()
    page.get_by_label("Resource").select_option("users")
    page.locator("table.records tbody tr").first.wait_for()


def test_the_address_restores_the_scroll_position(browser, service):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda amount: service.cheer("Ann", amount), range(1, 201)))
    page = opened(browser, service)
    page.locator(".row .actions").first.wait_for(state="attached")
    # Beyond the list's first page.
    until(page, "(scrollTo(0, document.documentElement.scrollHeight), document.documentElement.scrollHeight > 8_000)")
    page.evaluate("scrollTo(0, 6_000)")
    until(page, "location.hash.endsWith('?y=6000')")
    page.reload()
    until(page, "scrollY === 6_000")
    page.get_by_role("link", name="Viewers").click()
    page.get_by_label("Name starts with").wait_for()
    until(page, "scrollY === 0 && !location.hash.includes('y=')")
    page.go_back()
    until(page, "scrollY === 6_000")
    # From here on, the reader scrolls.
    page.mouse.wheel(0, -1_000)
    until(page, "scrollY < 5_500 && location.hash.endsWith(`?y=${Math.round(scrollY)}`)")


def test_long_and_right_to_left_texts_are_readable(browser, service):
    service.cheer("N" * 300, 11, message="long " * 300)
    service.cheer("שלום", 12, message="שלום עולם")
    page = opened(browser, service)
    row = page.locator(".row", has_text="cheered 11 bits")
    row.wait_for()
    clipped = row.bounding_box()["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert clipped < 260, "a long name has one line, and a long text five"
    row.get_by_role("button", name="Show all").click()
    row.get_by_role("button", name="Show less").wait_for()
    assert row.bounding_box()["height"] > clipped
    assert page.evaluate("getComputedStyle(document.querySelector('.row .words')).direction") == "rtl"
    accessible(page)


def test_a_text_is_clipped_where_it_takes_many_lines(browser, service):
    service.cheer("Ann", 987_654_321, message="hello " * 40)
    page = opened(browser, service, viewport={"width": 1440, "height": 900})
    words = page.locator(".row .words", has_text="hello")
    words.wait_for()
    more = page.get_by_role("button", name="Show all")
    assert words.evaluate("(words) => words.scrollHeight === words.clientHeight") and more.count() == 0
    page.set_viewport_size({"width": 390, "height": 800})
    more.wait_for()
    page.set_viewport_size({"width": 1440, "height": 900})
    more.wait_for(state="detached")
    page.set_viewport_size({"width": 390, "height": 800})
    more.click()
    page.get_by_role("button", name="Show less").wait_for()


def test_the_paused_counter_counts_what_the_filter_shows(browser, service):
    page = opened(browser, service)
    page.get_by_role("button", name="Bits", exact=True).click()
    page.get_by_role("button", name="Freeze the list").click()
    service.cheer("Ann", 11)
    raid = {"user": {"platform_id": "2", "name": "Levi"}, "user_name": "Levi", "occurred_at": "2026-11-20T12:00:00Z"}
    service.send("POST", "/events", {**raid, "event_type": "raid", "viewer_count": 3})
    page.get_by_role("button", name="Unfreeze · 1 new").wait_for()


def test_the_first_page_is_read_once(browser, channel):
    page = browser.new_page(locale="en")
    lists = []
    page.on("request", lambda request: lists.append(request.url) if "/events?" in request.url else None)
    page.goto(f"{channel.base}/console/#/activity?kinds=raid")
    page.locator(".row").nth(9).wait_for()
    time.sleep(0.5)
    assert [url for url in lists if "cursor" not in url] == [f"{channel.base}/events?event_type=raid&limit=20"], lists
