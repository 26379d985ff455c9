"""Tests of the alert editor: the preview's pixels, test alerts, the overlay's URL, variations and custom pictures."""

import io
import re
import time

import pytest
from PIL import Image

from conftest import png
from playwright.sync_api import expect
from test_console import opened, signed_in, until


def pixel(locator, x, y):
    """Returns the red, green and blue of an element's screenshot, at a place from 0 to 1."""
    with Image.open(io.BytesIO(locator.screenshot())) as image:
        return image.convert("RGB").getpixel((int(x * image.width), int(y * image.height)))


def eventually(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def settings(service, token=None):
    return service.send("GET", "/overlays", token=token)[0]["settings"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_preview_shows_the_alert_on_the_chosen_background(browser, service, theme):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {"duration": 60}})
    page = opened(browser, service, "alerts?kind=cheer", color_scheme=theme)
    frame = page.frame_locator(".scene iframe")
    frame.locator(".headline", has_text="Ann cheered 100 bits!").wait_for()
    scene = page.locator(".scene")
    assert max(pixel(scene, 0.1, 0.9)) < 100
    page.get_by_label("Bright").check()
    assert min(pixel(scene, 0.1, 0.9)) > 180
    # A change plays the alert again.
    page.get_by_label("Test amount").press("ArrowRight")
    frame.locator(".headline", has_text="Ann cheered 1,000 bits!").wait_for()
    # A text is shown while it is typed, and saved after a pause.
    page.get_by_label("Text", exact=True).press_sequentially("{name} throws {amount}")
    frame.locator(".headline", has_text="Ann throws 1,000").wait_for()
    eventually(lambda: settings(service) == {"duration": 60, "alerts": {"cheer": {"text": "{name} throws {amount}"}}})
    # The color depends on the bits until one is chosen, and then the gem has it, too.
    color, automatic = page.get_by_label("Color", exact=True), page.locator(".color small", has_text="Automatic")
    automatic.wait_for()
    page.get_by_label("Test amount").press("ArrowRight")
    many = color.input_value()
    page.get_by_label("Test amount").press("ArrowLeft")
    eventually(lambda: color.input_value() != many)
    color.fill("#22cc44")
    frame.locator('.emblem .gem path[fill="#22cc44"]').wait_for()
    page.get_by_role("button", name="Reset", exact=True).click()
    automatic.wait_for()
    assert color.evaluate("node => node === document.activeElement")
    frame.locator('.emblem .gem path[fill="#22cc44"]').wait_for(state="detached")
    page.get_by_label("Text", exact=True).fill("{name} throws {amount}\nfor {reason}{reason}")
    page.keyboard.press("Tab")
    eventually(lambda: settings(service)["alerts"]["cheer"]["text"] == "{name} throws {amount} for {reason}{reason}")
    page.get_by_text("This alert has no value for {reason}, which is left out.").wait_for()
    # The amount of a sub is its months.
    page.get_by_role("button", name=re.compile("^Subs")).click()
    page.get_by_label("Text", exact=True).fill("{name}: {amount}")
    page.keyboard.press("Tab")
    frame.get_by_text("Ann: 3").wait_for()
    assert page.get_by_text("This alert has no value").count() == 0
    # A letter's test alert has a seal and stamps.
    page.get_by_role("button", name=re.compile("^Letters")).click()
    frame.locator(".sheet .wax.on").wait_for()
    assert frame.locator(".picture .stamp.on").count() == 3
    page.get_by_role("button", name="Send test: Letters").click()
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()
    # Pets walk in the widget's preview although nobody has any.
    page.get_by_role("tab", name="Widgets").click()
    page.get_by_role("button", name="Pets", exact=True).click()
    page.frame_locator(".widgets iframe").locator(".walker").nth(4).wait_for()
    # The settings of the overlay have its name, and a button for another one.
    page.get_by_role("tab", name="This overlay").click()
    page.get_by_role("button", name="New overlay").click()
    page.get_by_role("combobox", name="Overlay").wait_for()
    page.get_by_label("Name", exact=True).fill("Clips")
    page.keyboard.press("Tab")
    page.get_by_role("combobox", name="Overlay").get_by_text("Clips").wait_for(state="attached")
    assert [overlay["name"] for overlay in service.send("GET", "/overlays?order=asc")] == ["Stream", "Clips"]
    page.watch.check(service)


@pytest.mark.parametrize("width, height", [(768, 1024), (1024, 768)])
def test_the_preview_stays_in_sight_on_a_tablet(browser, service, width, height):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts", viewport={"width": width, "height": height}, has_touch=True)
    page.locator(".scene iframe").wait_for()
    page.get_by_role("button", name="Custom picture").evaluate("node => node.scrollIntoView({ block: 'end' })")
    assert page.evaluate("scrollY") > 200
    scene = page.locator(".scene").bounding_box()
    assert scene["y"] >= 0 and scene["y"] + scene["height"] <= height, scene
    page.watch.check(service)


def test_a_test_of_a_disabled_alert_offers_to_turn_it_on(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=redemption")
    page.get_by_role("button", name="Send test: Redemptions").click()
    page.get_by_text("Redemptions are off, so no overlay shows it.").wait_for()
    page.get_by_role("button", name="Turn it on").click()
    page.get_by_text("Saved.").wait_for()
    assert settings(service)["alerts"]["redemption"]["enabled"] is True
    # The message does not stay next to a value that is rejected.
    page.get_by_label("Seconds visible").fill("99")
    page.get_by_label("Seconds visible").press("Tab")
    page.get_by_role("alert").filter(has_text="60").wait_for()
    assert page.get_by_text("Saved.").count() == 0
    page.get_by_role("button", name="Send test: Redemptions").click()
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()
    service.fed(0, "overlay.updated", "alert.tested")
    page.watch.check(service)


def test_a_test_without_a_response_says_so(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=cheer")
    held = []
    page.route("**/alerts", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    test = page.get_by_role("button", name="Send test: Bits")
    test.click()
    page.get_by_text("No answer from the service yet. Still trying.").wait_for()
    # It is sent only once.
    test.dispatch_event("click")
    held[0].fallback()
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()
    assert len(held) == 1 and page.get_by_text("Still trying").count() == 0


def test_the_result_of_a_test_is_not_shown_at_another_alert(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=cheer")
    held = []
    page.route("**/alerts", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    page.get_by_role("button", name="Send test: Bits").click()
    page.locator(".alert-list button", has_text="Raids").click()
    raids = page.get_by_role("button", name="Send test: Raids")
    expect(raids).not_to_have_attribute("aria-busy", "true")
    eventually(lambda: page.wait_for_timeout(10) or len(held) == 1)
    with page.expect_response("**/connections/overlays"):
        held[0].fallback()
    page.wait_for_timeout(300)
    assert page.get_by_text("Sent, but").count() == 0
    raids.click()
    eventually(lambda: page.wait_for_timeout(10) or len(held) == 2)
    held[1].fallback()
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()


def test_a_text_is_saved_if_the_page_is_left_while_it_is_typed(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=cheer")
    text = page.get_by_label("Text", exact=True).first
    text.fill("{name} hello")
    page.reload()
    eventually(lambda: settings(service).get("alerts", {}).get("cheer") == {"text": "{name} hello"})


def test_a_text_that_could_not_be_saved_is_saved_later(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=cheer")
    page.route("**/overlays/*", lambda route: route.abort() if route.request.method == "PATCH" else route.fallback())
    text = page.get_by_label("Text", exact=True).first
    text.fill("{name} hello")
    text.blur()
    page.get_by_role("alert").first.wait_for()
    page.get_by_role("link", name="Viewers").click()
    page.get_by_role("heading", name="Viewers").wait_for()
    page.unroute_all()
    page.get_by_role("link", name="Alerts").click()
    page.get_by_text("Saved.").wait_for()
    assert settings(service)["alerts"]["cheer"]["text"] == "{name} hello"


def test_a_text_that_was_typed_during_an_outage_is_saved_after_it(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=cheer")
    page.locator(".notice-bars").wait_for(state="attached")
    port = service.base.rsplit(":", 1)[1]
    service.stop()
    text = page.get_by_label("Text", exact=True).first
    text.fill("{name} again")
    text.blur()
    page.get_by_role("alert").filter(has_text="Can't reach the service").wait_for()
    service.start(port)
    page.get_by_text("Saved.").wait_for(timeout=60_000)
    assert settings(service)["alerts"]["cheer"]["text"] == "{name} again" and page.locator(".problem").count() == 0


def test_a_preview_that_could_not_be_loaded_is_loaded_after_the_outage(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts")
    page.frame_locator(".scene iframe").locator("#stage").wait_for()
    page.get_by_role("link", name="Rules").click()
    page.locator(".notice-bars").wait_for(state="attached")
    port = service.base.rsplit(":", 1)[1]
    service.stop()
    page.locator(".notice-bar.offline").wait_for()
    page.get_by_role("link", name="Alerts").click()
    assert page.get_by_role("button", name="▶ Play").is_disabled() and page.locator(".scene iframe").count() == 0
    service.start(port)
    page.frame_locator(".scene iframe").locator("#stage").wait_for(timeout=60_000)


def test_the_selected_alert_stays_marked_below_the_pointer(browser, service):
    service.send("POST", "/overlays", {"name": "Main", "settings": {}})
    page = opened(browser, service, "alerts")
    row = page.locator(".alert-list button", has_text="Raids")
    row.click()
    below = row.evaluate("(button) => button.matches(':hover') && getComputedStyle(button).backgroundColor")
    page.mouse.move(0, 0)
    assert below == row.evaluate("(button) => getComputedStyle(button).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_a_test_shows_what_was_typed_before(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=cheer")
    page.get_by_label("Text", exact=True).fill("{name} throws {amount}")
    page.get_by_role("button", name="Send test: Bits").click()
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()
    service.fed(0, "overlay.updated", "alert.tested")
    page.watch.check(service)


def test_variations_places_and_pictures_are_saved(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page = opened(browser, service, "alerts?kind=raid")
    page.get_by_role("button", name="Add variation").click()
    card = page.get_by_role("region", name="Raids from 420")
    card.wait_for()
    until(page, "document.activeElement.type === 'number' && document.activeElement.value === '420'")
    card.get_by_label("Minimum viewers").fill("500")
    card.get_by_label("Text").click()
    card = page.get_by_role("region", name="Raids from 500")
    card.get_by_label("Sound").select_option("drop")
    card.get_by_role("button", name=re.compile("^Send test")).click()
    preview = page.frame_locator(".scene iframe")
    preview.locator(".headline", has_text="raiding with 500 viewers").wait_for()
    # The slider has a step for the variation and shows which one is playing.
    assert page.locator(".played strong").inner_text() == "Raids from 500"
    page.get_by_label("Test amount").press("ArrowLeft")
    until(page, "document.querySelector('.played strong').textContent === 'Raids'")
    page.get_by_label("Test amount").press("ArrowRight")
    page.locator(".variation.played").wait_for()
    text = page.locator(".alert-properties").get_by_label("Text", exact=True)
    text.click()
    assert text.input_value() == "{name} is raiding with {amount} viewers!", "the default can be edited"
    page.locator(".alert-properties").get_by_role("button", name="{amount} viewers").click()
    page.get_by_text("Saved.").wait_for()
    assert settings(service)["alerts"]["raid"]["text"] == "{name} is raiding with {amount} viewers! {amount}"
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()
    page.get_by_role("radio", name="Top", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    until(page, "document.activeElement.ariaLabel === 'Left'")
    # A new picture replaces the old one, which is deleted.
    picture = page.get_by_role("region", name="Raids", exact=True).locator(".own-picture")
    source, is_ready = "''", "!document.querySelector('.own-picture [role=status]').textContent"
    for shade in (0, 200):
        image = {"name": "a.png", "mimeType": "image/png", "buffer": png(4, 4, lambda x, y: (shade, 0, 0))}
        picture.locator("input").set_input_files(image)
        until(page, f"(document.querySelector('.own-picture img')?.src ?? '') !== {source} && {is_ready}")
        source = repr(picture.locator("img").get_attribute("src"))
    [document] = service.send("GET", "/documents")
    saved = settings(service)
    assert document["metadata"] == "alert" and document["document_data"] == saved["alerts"]["raid"]["picture"]["url"]
    assert saved["alerts"]["raid"]["picture"]["document_id"] == document["document_id"]
    assert saved["alerts"]["raid"]["variations"] == [{"minimum": 500, "sound": "drop"}]
    assert saved["position"] == "left"
    # A variation has a separate picture, which is removed with it.
    card.locator(".own-picture input").set_input_files(image)
    card.locator(".own-picture img").wait_for()
    card.get_by_role("button", name=re.compile("^Send test")).click()
    preview.locator(f".alert .own[src='{card.locator('.own-picture img').get_attribute('src')}']").wait_for()
    card.get_by_role("button", name="Remove variation").click()
    card.get_by_role("button", name="Remove this variation").click()
    card.wait_for(state="detached")
    page.get_by_text("Saved.").wait_for()
    assert settings(service)["alerts"]["raid"]["variations"] == []
    eventually(lambda: len(service.send("GET", "/documents")) == 1)
    picture.get_by_role("button", name="Remove picture").click()
    page.locator(".own-picture img").wait_for(state="detached")
    page.watch.check(service)


def test_alerts_are_placed_anywhere_and_snap_to_guides(browser, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {"position": "left", "duration": 60}})
    page = opened(browser, service, "alerts?kind=cheer")
    stage = page.frame_locator(".scene iframe").locator("#stage")
    stage.locator(".alert").wait_for()
    assert stage.get_attribute("data-position") == "left"
    box = page.locator(".places").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + box["height"] / 2 + 5, steps=3)
    page.locator(".guide.y.at-50.on").wait_for()
    page.mouse.up()
    page.frame_locator(".scene iframe").locator("#stage[data-position=free]").wait_for()
    handle = page.get_by_role("button", name=re.compile("^Move the alerts"))
    handle.press("Shift+ArrowDown")
    handle.press("ArrowUp")
    page.get_by_text("Saved.").wait_for()
    place = settings(service)["place"]
    assert 0 < place["x"] < 50 and place["y"] == 59
    # The alert has moved and was not replayed.
    alert = stage.locator(".alert")
    assert alert.count() == 1 and alert.bounding_box()["y"] > box["y"] + box["height"] / 3
    page.get_by_role("radio", name="Bottom right").click()
    page.frame_locator(".scene iframe").locator("#stage[data-position=bottom-right]").wait_for()
    page.watch.check(service)


def test_copy_creates_a_token_after_a_question(browser, guarded):
    token = guarded.token("write")
    guarded.send("POST", "/overlays", {"name": "Stream", "settings": {}}, token)
    page = signed_in(browser, guarded, token, "alerts")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = page.get_by_role("region", name="Overlay URLs")
    page.get_by_role("tab", name="Overlay URLs").click()
    card.wait_for()
    # Without a token, nothing can be dragged.
    assert card.locator("[draggable]").count() == 0
    card.get_by_role("button", name="Copy URL: Alerts", exact=True).click()
    assert guarded.send("GET", "/tokens", token=token) != []
    card.get_by_role("button", name="Create token and copy").click()
    card.get_by_text("Created the token “Stream” and copied the URL with it.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    overlay = browser.new_page()
    overlay.goto(f"{copied}&debug=1")
    overlay.get_by_text("Connected").wait_for()
    assert copied == card.locator(".address").inner_text()
    # OBS takes a source's name and size from the dragged content.
    dragged = card.locator("a", has=page.get_by_text("Goal", exact=True)).evaluate("""(tile) => {
        const dataTransfer = new DataTransfer();
        tile.dispatchEvent(new DragEvent('dragstart', {dataTransfer}));
        return dataTransfer.getData('text/uri-list');
    }""")
    assert dragged == copied.replace("/overlay/", "/overlay/goal/?layer-name=Goal&layer-width=700&layer-height=200")
