"""Tests of the letters: the gallery with its filters, and a letter's page with its stamps and seal."""

import struct
from pathlib import Path

from conftest import accessible, document, png
from test_console import until


def test_letters_are_filtered_and_new_ones_appear(visited, service, artifacts):
    service.send("POST", "/documents", {**document(()), "metadata": "alert"})
    service.cheer("Ann", document={**document(("heart",)), "seal": 3})
    service.cheer("Bea", document={**document(("star",)), "seal": 27})
    page = visited("letters")
    card = page.locator(".letter-card")
    card.filter(has_text="Ann").locator(".picture").wait_for()
    card.filter(has_text="Bea").locator(".picture").wait_for()
    assert card.count() == 2, "an alert's picture is not a letter"
    card.locator(".seal text").wait_for()
    assert card.locator(".seal text").all_text_contents() == ["27"]
    service.cheer("Cleo", document={**document(("heart",)), "seal": 3})
    card.filter(has_text="Cleo").wait_for()
    accessible(page)
    page.screenshot(path=artifacts / "letters.png")
    for select, expected in [
        (lambda: page.get_by_role("button", name="Seal 3: Paw").click(), ["Ann", "Cleo"]),
        (lambda: page.get_by_role("button", name="Seal 3: Paw").click(), ["Ann", "Bea", "Cleo"]),
        (lambda: page.get_by_label("Stamp").select_option("star"), ["Bea"]),
        (lambda: page.get_by_label("To").fill("2020-01-01"), []),
    ]:
        select()
        page.keyboard.press("Tab")
        for name in ("Ann", "Bea", "Cleo"):
            card.filter(has_text=name).wait_for(state="visible" if name in expected else "detached")
    page.get_by_text("No letters match these filters.").wait_for()
    assert "stamp=star" in page.url and "to=2020-01-01" in page.url
    # An open letter links to the others with the same filters.
    page.goto(f"{service.base}/console/#/letters?seal=3")
    card.filter(has_text="Cleo").click()
    page.get_by_role("heading", name="Letter from Cleo").wait_for()
    page.get_by_role("link", name="Older letter (→)").wait_for()
    assert page.get_by_role("link", name="Newer letter").count() == 0
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Letter from Ann").wait_for()
    page.get_by_role("link", name="Newer letter (←)").click()
    page.get_by_role("heading", name="Letter from Cleo").wait_for()
    page.get_by_role("link", name="← Letters").click()
    page.get_by_role("button", name="Seal 3: Paw", pressed=True).wait_for()
    page.watch.check(service)


def test_a_letter_is_stamped_sealed_replaced_downloaded_and_replayed(visited, service, artifacts):
    sent = service.cheer("Ann", message="for you", document=document(("heart",)))
    event, letter = sent["event_id"], sent["document_id"]
    shown = lambda: service.send("GET", f"/documents/{letter}")
    page = visited(f"letters/{letter}")
    page.get_by_role("heading", name="Letter from Ann").wait_for()
    page.get_by_text("for you").wait_for()
    stamp = page.get_by_role("button", name="Stamp 1 of 1: Heart")
    middle = lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def saved(change):
        with page.expect_response(lambda response: response.request.method == "PATCH" and response.ok):
            change()

    def drag(start, end):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=4)
        page.mouse.up()

    stage = page.locator(".stage").bounding_box()
    scale = stage["width"] / 320
    at = lambda x, y: (stage["x"] + x * scale, stage["y"] + y * scale)
    saved(lambda: drag(at(80, 90), at(160, 100)))
    place = shown()["stamps"][0]
    assert (place["pos_x"], place["pos_y"]) == (160, 100)
    # The handle rotates a stamp: pointing right is a quarter turn.
    saved(lambda: drag(middle(page.locator(".handle").bounding_box()), at(220, 100)))
    assert abs(shown()["stamps"][0]["rotation"] - 1.5708) < 0.01
    stamp.focus()
    saved(lambda: page.keyboard.press("ArrowLeft"))
    assert shown()["stamps"][0]["pos_x"] == 156
    accessible(page)
    page.screenshot(path=artifacts / "letter.png")
    # Clicking adds a stamp near the middle, dragging where it is dropped. Keys move the stamp immediately.
    page.get_by_role("button", name="Add stamp: Star").click()
    page.locator(".stamp:focus").and_(page.get_by_role("button", name="Stamp 2 of 2: Star")).wait_for()
    saved(lambda: page.keyboard.press("ArrowLeft"))
    drag(middle(page.get_by_role("button", name="Add stamp: Paw").bounding_box()), at(40, 40))
    page.get_by_role("button", name="Stamp 3 of 3: Paw").wait_for()
    assert [(one["stamp_type"], one["pos_x"], one["pos_y"]) for one in shown()["stamps"][1:]] == [("star", 168, 112), ("paw", 40, 40)]
    page.get_by_role("button", name="Remove stamp").click()
    page.get_by_role("button", name="Stamp 2 of 2: Star").wait_for()
    # Another client adds a stamp.
    service.send("POST", f"/documents/{letter}/stamps", {"stamp_type": "odd", "pos_x": 1, "pos_y": 1, "rotation": 0})
    page.get_by_role("button", name="Stamp 3 of 3: odd").wait_for()
    saved(lambda: page.get_by_role("button", name="Seal 4: Crown").click())
    assert shown()["seal"] == 4
    no_picture = {"name": "a.png", "mimeType": "image/png", "buffer": b"a text"}
    page.get_by_label("Replace picture").last.set_input_files(no_picture)
    page.get_by_text("Choose a picture: a PNG, JPEG, GIF or WebP file.").wait_for()
    assert page.get_by_role("button", name="Replace this picture").count() == 0
    picture = png(200, 100, lambda x, y: (10, 200, 10))
    page.get_by_label("Replace picture").last.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": picture})
    page.get_by_role("button", name="Replace this picture").click()
    until(page, "document.querySelector('.stage')?.getAttribute('viewBox') === '0 0 200 100'")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download picture").click()
    content = Path(download.value.path()).read_bytes()
    assert struct.unpack(">II", content[16:24]) == (200, 100)
    with page.expect_response("**/alerts") as replayed:
        page.get_by_role("button", name="Replay on stream").click()
    assert replayed.value.status == 202 and replayed.value.request.post_data_json == {"event_id": event}
    page.get_by_text("Sent, but there is no overlay yet.").wait_for()
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    page.get_by_role("button", name="Replay on stream").click()
    page.get_by_text("Sent, but no overlay is open, so nobody sees it.").wait_for()
    # Stamps keep their places on a picture of a different size.
    assert [(one["pos_x"], one["pos_y"]) for one in shown()["stamps"][:2]] == [(98, 50), (105, 56)]
    # Another page deletes the letter.
    service.send("DELETE", f"/documents/{letter}")
    page.get_by_text("This doesn't exist, or was deleted.").wait_for()
    assert page.locator(".stage").count() == 0
    page.watch.check(service)
