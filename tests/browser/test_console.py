"""Tests of the console in a real browser: every view, both themes, two widths, only the keyboard, and no token in any URL."""

import calendar
import subprocess
import time
import urllib.error
from pathlib import Path

import pytest
from conftest import BINARY, Service, Watch, accessible, document

VIEWS = ["wall", "viewers", "search", "plots", "tools"]


@pytest.fixture(scope="module")
def channel(tmp_path_factory):
    """A service with demo data."""
    service = Service(tmp_path_factory.mktemp("channel") / "data")
    subprocess.run([BINARY, "demo", "--url", service.base, "--events", "400", "--viewers", "20"], check=True)
    yield service
    service.stop()


def opened(browser, service, view="wall", **options):
    options = {"viewport": {"width": 1200, "height": 800}, "locale": "en", **options}
    page = browser.new_page(**options)
    page.watch = Watch(page)
    page.goto(f"{service.base}/console/#/{view}")
    page.locator("main h1").wait_for()
    page.locator(".state.live").wait_for()
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("view", VIEWS)
def test_each_view_in_each_theme_and_width(browser, channel, artifacts, view, theme, width):
    page = opened(browser, channel, view, color_scheme=theme, viewport={"width": width, "height": 800})
    if view == "search":
        page.get_by_role("button", name="Search", exact=True).click()
        page.locator("table.records tbody tr").nth(5).wait_for()
    if view == "plots":
        page.locator(".uplot").nth(2).wait_for()
    if view in ("wall", "viewers"):
        page.locator("main a").nth(5).wait_for()
    time.sleep(0.3)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the page"
    page.screenshot(path=artifacts / f"{view}-{theme}-{width}.png")
    page.watch.check(channel)
    page.close()


def test_what_happens_appears_on_the_wall_and_can_be_paused_filtered_and_replayed(browser, service):
    page = opened(browser, service)
    service.cheer("Ann", 11, message="<i>one</i>", document=document())
    row = page.locator(".row", has_text="cheered 11 bits")
    row.wait_for()
    assert row.locator(".words").inner_text() == "<i>one</i>"
    row.locator(".picture").wait_for()
    page.get_by_role("button", name="Pause").click()
    service.cheer("Bea", 12)
    page.get_by_role("button", name="Resume · 1 new").click()
    page.locator(".row", has_text="cheered 12 bits").wait_for()
    page.get_by_role("button", name="Raids").click()
    page.locator(".row").first.wait_for(state="detached")
    page.get_by_role("button", name="Bits", exact=True).click()
    page.get_by_role("button", name="Replay: Ann cheered 11 bits").click()
    page.get_by_role("button", name="Replay: Ann cheered 11 bits").get_by_text("✓").wait_for()
    head = service.send("GET", "/feed?after=5")
    assert [entry["type"] for entry in head] == ["alert.replayed"], head
    event = service.send("GET", "/events?amount=&limit=1".replace("amount=&", ""))[0]
    service.send("DELETE", f"/events/{event['event_id']}")
    page.locator(".row", has_text="cheered 12 bits").wait_for(state="detached")
    page.watch.check(service)


def test_the_past_is_read_page_by_page(browser, channel):
    page = opened(browser, channel)
    page.locator(".row").nth(49).wait_for()
    for last in (49, 99, 149):
        assert page.locator(".row").count() == last + 1
        page.locator(".row").nth(last).scroll_into_view_if_needed()
        page.locator(".row").nth(last + 50).wait_for()


def test_a_stamp_that_comes_later_is_put_on_the_wall(browser, service):
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
    accessible(page)
    page.get_by_label("Amount").fill("250")
    page.get_by_label("Reason").fill("welcome")
    page.get_by_role("button", name="Adjust balance").click()
    page.locator(".big", has_text="250").wait_for()
    page.locator("td", has_text="welcome").wait_for()
    page.get_by_label("Item").fill("straw hat")
    page.get_by_label("Quantity").fill("2")
    page.get_by_role("button", name="Give item").click()
    page.get_by_text("2 × straw hat").wait_for()
    page.get_by_role("button", name="Mark as used: straw hat").click()
    page.get_by_text("2 × straw hat").wait_for(state="detached")
    page.get_by_role("button", name="Remove pet").click()
    page.get_by_role("button", name="Remove pet").click()
    page.get_by_role("button", name="Give pet").wait_for()
    shown = service.send("GET", home)
    assert (shown["wallet"], shown["specimen"], shown["inventory"]) == (250, None, [])
    page.watch.check(service)


def test_what_is_refused_is_said_with_all_its_reasons(browser, service):
    page = opened(browser, service, "search")
    page.get_by_label("Resource").select_option("stamps")
    page.get_by_label("stamp_id").fill("0")
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator(".error code", has_text="stamp_id").wait_for()


def test_the_keyboard_is_enough(browser, channel):
    page = opened(browser, channel)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Search").wait_for()
    # The view has the focus, and its first field is next.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    for _ in range(40):
        if page.evaluate("document.activeElement.textContent") == "Search" and page.evaluate("document.activeElement.tagName") == "BUTTON":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("table.records tbody tr").nth(5).wait_for()


def test_it_speaks_german_and_remembers_theme_and_language(browser, service):
    context = browser.new_context(locale="en")
    page = context.new_page()
    page.goto(f"{service.base}/console/")
    page.get_by_label("Language").select_option("de")
    page.get_by_role("heading", name="Aktivitäten").wait_for()
    accessible(page)
    page.get_by_label("Design").select_option("dark")
    page.reload()
    page.get_by_role("heading", name="Aktivitäten").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.lang") == "de"


def test_a_token_is_asked_for_and_is_in_no_address(browser, guarded):
    token = guarded.token("write")
    page = browser.new_page(locale="en")
    watch = Watch(page, [token])
    page.goto(f"{guarded.base}/console/")
    page.get_by_role("textbox", name="Access token").fill(token)
    accessible(page)
    page.get_by_role("button", name="Sign in").click()
    page.locator(".state.live").wait_for()
    guarded.cheer(token=token)
    page.locator(".row").wait_for()
    assert token not in page.url
    assert page.evaluate("localStorage.length") <= 1 and token not in page.evaluate("JSON.stringify(localStorage)")
    page.reload()
    page.locator(".row").wait_for()
    watch.check(guarded)


def test_a_test_alert_reaches_the_overlay(browser, service):
    overlay = browser.new_page(locale="en")
    with overlay.expect_response(lambda answer: answer.url.split("?")[0].endswith("/feed")):
        overlay.goto(f"{service.base}/overlay/#duration=3")
    page = opened(browser, service, "tools")
    page.get_by_role("button", name="Raids").click()
    page.get_by_role("button", name="Send test").click()
    overlay.locator(".alert", has_text="Ann is raiding with 42 viewers!").wait_for()
    page.watch.check(service)


def test_the_pages_are_small_and_from_here_alone(browser, service):
    import gzip

    sizes = {}
    page = browser.new_page()
    watch = Watch(page)
    page.on("response", lambda answer: sizes.__setitem__(answer.url, len(gzip.compress(answer.body()))) if "/console/" in answer.url else None)
    page.goto(f"{service.base}/console/")
    page.locator(".state.live").wait_for()
    assert sum(sizes.values()) < 150_000, sizes
    watch.check(service)


def test_the_pictures_of_the_readme(browser, channel, artifacts):
    """Makes the pictures in `docs/pictures`, which are copied by hand."""
    page = opened(browser, channel, viewport={"width": 1100, "height": 720})
    letters = [event for event in channel.send("GET", "/events?limit=400") if event["document"] and event.get("message")]
    assert letters, "the demo has letters"
    replayed = letters[0]
    overlay = browser.new_page(viewport={"width": 900, "height": 506}, locale="en")
    with overlay.expect_response(lambda answer: answer.url.split("?")[0].endswith("/feed")):
        overlay.goto(f"{channel.base}/overlay/#duration=4")
    time.sleep(0.5)
    channel.send("POST", "/alerts", {"event_id": replayed["event_id"]})
    overlay.locator(".stamp.on").nth(len(replayed["document"]["stamps"]) - 1).wait_for()
    time.sleep(0.7)
    overlay.screenshot(path=artifacts / "readme-overlay.png")
    channel.send("POST", "/events", {"event_type": "raid", "viewer_count": 57, "user_name": "Kira_ttv", "occurred_at": "2026-11-21T20:00:00Z", "user": {"platform_id": "kira", "name": "Kira_ttv"}})
    page.evaluate(
        """(id) => {
            const found = [...document.querySelectorAll('.row')].find((row) => row.querySelector('.picture'));
            (found ?? document.querySelector('.row')).scrollIntoView({block: 'center'});
        }""",
        replayed["event_id"],
    )
    time.sleep(0.5)
    page.screenshot(path=artifacts / "readme-console.png")


def test_a_token_for_an_overlay_is_made_and_revoked(browser, guarded):
    token = guarded.token("write")
    page = browser.new_page(locale="en")
    page.goto(f"{guarded.base}/console/#/tools")
    page.get_by_role("textbox", name="Access token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Token name").fill("OBS")
    page.get_by_role("button", name="Create overlay token").click()
    made = page.locator("section", has_text="Copy it now").locator("code").inner_text()
    assert guarded.send("GET", "/feed", token=made) == []
    page.get_by_role("button", name="Revoke: OBS", exact=True).click()
    page.get_by_role("button", name="Confirm: revoke OBS").click()
    page.get_by_role("cell", name="OBS", exact=True).wait_for(state="detached")


def test_plots_show_the_days_of_the_services_time_zone(browser, tmp_path):
    service = Service(tmp_path / "data", "--time-zone", "Pacific/Auckland")
    # The 20th of November in Auckland, and the 19th everywhere else.
    yesterday = time.strftime("%Y-%m-%dT12:30:00Z", time.gmtime(time.time() - 86_400))
    service.cheer("Ann", 111, occurred_at=yesterday)
    service.cheer("Bea", 222, occurred_at=yesterday, source="bot/quiz")
    for _ in range(120):
        try:
            if len(service.send("GET", "/leaderboards/bits")) == 2:
                break
        except urllib.error.HTTPError as error:
            # The first statistics are being computed.
            assert error.code == 503
        time.sleep(1)
    page = opened(browser, service, "plots", timezone_id="America/New_York")
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
    page.watch.check(service)
    page.close()
    service.stop()
