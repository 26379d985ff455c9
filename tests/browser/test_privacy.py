"""Tests of anonymizing and opting out in the console."""

import re

import pytest
from conftest import accessible

# The channel of a service that is not connected, as played by the demo.
CHANNEL = "1337"


def test_a_long_name_fits_in_a_dialog(visited, service):
    event = service.cheer("Wolfeschlegelsteinhausenbergerdorff_the_Third")
    page = visited(f"viewers/{event['user_id']}?tab=privacy")
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_role("button", name="Anonymize").click()
    dialog = page.get_by_role("dialog")
    title, close = dialog.get_by_role("heading").first.bounding_box(), dialog.get_by_role("button", name="Close").bounding_box()
    assert title["x"] + title["width"] <= close["x"] and close["y"] < title["y"] + title["height"]
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("action", ["Anonymize", "Opt out"])
def test_a_viewer_is_anonymized_after_a_question_that_says_what_is_lost(visited, service, action, artifacts):
    event = service.cheer("Ann", message="secret words")
    page = visited(f"viewers/{event['user_id']}?tab=privacy")
    page.get_by_role("button", name=action).click()
    dialog = page.get_by_role("dialog", name=f"{action} Ann")
    for text in ("Message texts and details of events", "Points and their history", "What is deleted does not come back."):
        dialog.get_by_text(text).wait_for()
    accessible(page)
    page.screenshot(path=artifacts / f"privacy-{action}.png")
    dialog.get_by_role("button", name="Cancel").click()
    assert service.send("GET", f"/users/{event['user_id']}")["name"] == "Ann"
    page.get_by_role("button", name=action).click()
    dialog.get_by_role("button", name="Anonymize this viewer" if action == "Anonymize" else "Opt this viewer out").click()
    page.get_by_role("heading", name="Deleted viewer Anonymized").wait_for()
    page.get_by_text("Name, texts, letters and answers of this viewer are deleted.").wait_for()
    assert page.get_by_role("button", name=re.compile("Anonymize|Opt out")).count() == 0
    assert service.send("GET", f"/events/{event['event_id']}")["message"] is None
    opted_out = [record["platform_id"] for record in service.send("GET", "/opt-outs")]
    assert opted_out == ([] if action == "Anonymize" else ["id-Ann"])
    accessible(page)
    page.watch.check(service)


def test_the_channel_itself_is_refused_in_plain_words(visited, service):
    channel = service.send("POST", "/users", {"platform_id": CHANNEL, "name": "Chan"})
    page = visited(f"viewers/{channel['user_id']}?tab=privacy")
    page.get_by_role("button", name="Anonymize").click()
    dialog = page.get_by_role("dialog", name="Anonymize Chan")
    dialog.get_by_role("button", name="Anonymize this viewer").click()
    dialog.get_by_text("The channel itself").wait_for()


@pytest.mark.parametrize("locale", ["en", "de"])
def test_opt_outs_are_listed_added_and_removed_in_the_settings(visited, service, locale, artifacts):
    english = locale == "en"
    page = visited("settings?tab=privacy", locale=locale, viewport={"width": 1200 if english else 375, "height": 800})
    card = page.get_by_role("tabpanel", name="Privacy" if english else "Datenschutz", exact=True)
    card.get_by_text("Nobody has opted out." if english else "Niemand hat widersprochen.").wait_for()
    guide = card.get_by_role("link").get_attribute("href")
    assert guide == f"{service.base}/docs/guides/?guide=privacy"
    # Nobody who is stored has this name.
    card.get_by_role("textbox").fill("Cleopatra")
    card.get_by_role("button", name="Add opt-out" if english else "Widerspruch eintragen").click()
    card.get_by_role("alert").get_by_text("No viewer has this name" if english else "Unter diesem Namen").wait_for()
    assert page.get_by_role("dialog").count() == 0
    service.send("POST", "/users", {"platform_id": "4242", "name": "Cleo"})
    for viewer in ("cleo", " 4242 "):
        card.get_by_role("textbox").fill(viewer)
        card.get_by_role("button", name="Add opt-out" if english else "Widerspruch eintragen").click()
        page.get_by_role("dialog").locator(".danger").click()
        card.get_by_role("listitem").get_by_text("4242").wait_for()
    page.get_by_text("already opted out" if english else "schon ein Widerspruch eingetragen").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    assert [record["platform_id"] for record in service.send("GET", "/opt-outs")] == ["4242"]
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the page"
    card.screenshot(path=artifacts / f"privacy-settings-{locale}.png")
    card.get_by_role("button", name="Remove the opt-out of 4242" if english else "Widerspruch von 4242 entfernen").click()
    card.get_by_role("button", name="Store this viewer again" if english else "Speichern wieder erlauben").click()
    card.get_by_role("listitem").wait_for(state="detached")
    assert service.send("GET", "/opt-outs") == []
    page.watch.check(service)
