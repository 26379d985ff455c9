"""Tests of the store, the rules, the causes of transactions, and alerts on purchases. A small model of the contract's
routes answers in place of the service."""

import datetime
import json
import re
import urllib.parse

import pytest
from conftest import LOOKS, Watch, accessible

PRODUCT = {"description": None, "stock": None, "max_per_user": None, "cooldown": None, "user_cooldown": None, "question": None, "item_name": None, "automatic": False, "enabled": True}
RULE = {"enabled": True, "event_type": None, "source": None, "reference": None, "amount": 0, "per_unit": 0, "every": None}


def ago(seconds=0):
    return (datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


class Feed:
    """Answers `/feed` in place of the service. Without a socket, pages poll it."""

    def __init__(self, page):
        self.entries = []
        page.route("**/health", lambda route: route.fulfill(json={"status": "ok", "socket": None}))
        page.route(re.compile(r"/feed(\?.*)?$"), self.answer)

    def answer(self, route):
        after = urllib.parse.parse_qs(urllib.parse.urlsplit(route.request.url).query).get("after")
        entries = self.entries[int(after[0]) :] if after else []
        headers = {"feed-head": str(len(self.entries)), "content-type": "application/cloudevents-batch+json"}
        route.fulfill(headers=headers, body=json.dumps(entries))

    def append(self, kind, subject, data):
        number = str(len(self.entries) + 1).zfill(16)
        self.entries.append({"specversion": "1.0", "id": number, "sequence": number, "source": "/feed", "type": kind, "subject": subject, "time": ago(), "data": data})


class Economy:
    """Rules, products and purchases, to the extent that the pages use them."""

    def __init__(self, page, feed):
        self.feed = feed
        self.records = {"rules": [], "products": [], "purchases": []}
        self.sent, self.failure = [], None
        page.route(re.compile(r"/(rules|products|purchases)(/\d+)?(\?.*)?$"), self.answer)
        page.route(re.compile(r"/users/\d+/purchases"), self.answer)

    def add(self, resource, **record):
        id_name = f"{resource.rstrip('s')}_id"
        number = len(self.records[resource]) + 1
        defaults = {"rules": RULE, "products": PRODUCT, "purchases": {}}[resource]
        self.records[resource].append({id_name: number, **defaults, **record, "created_at": record.get("created_at", ago())})
        return self.records[resource][-1]

    def buy(self, name="Ann", product="Hat", price=400, quantity=1, answer=None, status="pending", user_id=5, seconds=0):
        user = {"user_id": user_id, "platform_id": f"id-{name}", "name": name}
        purchase = self.add("purchases", user_id=user_id, user=user, product_id=1, quantity=quantity, price=price, name=product, answer=answer, status=status, transaction_id=9, refund_id=None, item_id=None, closed_at=None, created_at=ago(seconds))
        self.feed.append("purchase.created", f"purchases/{purchase['purchase_id']}", dict(purchase))
        return purchase

    def answer(self, route):
        request = route.request
        url = urllib.parse.urlsplit(request.url)
        *_, resource, number = url.path.split("/") if url.path[-1].isdigit() else [*url.path.split("/"), None]
        query = dict(urllib.parse.parse_qsl(url.query))
        if self.failure:
            status, problem = self.failure
            return route.fulfill(status=status, content_type="application/problem+json", body=json.dumps({"status": status, "title": problem["detail"], **problem}))
        body = json.loads(request.post_data or "null")
        if request.method != "GET":
            self.sent.append((request.method, url.path, body))
        records = self.records[resource]
        if number is None and request.method == "GET":
            found = [one for one in records if query.get("status") in (None, one.get("status"))]
            return route.fulfill(json=found if query.get("order") == "asc" else found[::-1])
        if number is None:
            return route.fulfill(status=201, json=self.add(resource, **body))
        record = next(one for one in records if one[f"{resource.rstrip('s')}_id"] == int(number))
        if request.method == "DELETE":
            records.remove(record)
        if request.method == "PATCH":
            if resource == "purchases" and record["status"] in ("refunded", body["status"]):
                problem = {"code": "purchase_closed", "status": 409, "title": "Closed", "detail": "The purchase is closed. Load it again."}
                return route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))
            record.update(body)
            if resource == "purchases":
                record["closed_at"] = ago()
                self.feed.append("purchase.updated", f"purchases/{number}", dict(record))
        return route.fulfill(json=record)


@pytest.fixture
def visited(browser, service):
    """Opens a view of a service with an economy. `prepare` fills it first."""
    contexts = []

    def visit(view, prepare=lambda economy: None, path="console/#/", **options):
        context = browser.new_context(**{"locale": "en", "viewport": {"width": 1200, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.watch = Watch(page)
        economy = Economy(page, Feed(page))
        prepare(economy)
        with page.expect_response(re.compile(r"/feed$")):
            page.goto(f"{service.base}/{path}{view}")
        if path.startswith("console"):
            page.locator(".state.connected").wait_for(state="attached")
        return page, economy

    yield visit
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()


def test_purchases_are_fulfilled_and_refunded_as_they_arrive(visited, service):
    page, economy = visited("store", lambda economy: economy.buy("Ann", answer="<b>red</b>", seconds=120))
    waiting = lambda count: page.get_by_role("link", name=f"Store {count}", exact=True).wait_for()
    first = page.locator(".purchases li", has_text="Ann")
    first.get_by_text("400 points").wait_for()
    waiting(1)
    assert first.locator(".words").inner_text() == "<b>red</b>"
    economy.buy("Bea", "Song", 50, quantity=2)
    second = page.locator(".purchases li", has_text="Bea")
    second.get_by_text("2 × Song").wait_for()
    assert [name.strip() for name in page.locator(".purchases .name").all_inner_texts()] == ["Ann", "Bea"], "the oldest is first"
    waiting(2)
    page.get_by_role("button", name="Done: Ann, Hat").click()
    first.wait_for(state="detached")
    waiting(1)
    # The second click of a double click.
    page.get_by_role("button", name="Done: Bea, 2 × Song").dispatch_event("click", {"detail": 2})
    refund = page.get_by_role("button", name="Refund: Bea, 2 × Song")
    before = second.bounding_box()
    refund.click()
    # It says what is refunded.
    page.get_by_role("dialog").get_by_text("Refund: Bea, 2 × Song").wait_for()
    page.get_by_role("button", name="Refund 50 points").wait_for()
    # The confirmation does not move anything. Escape closes it, and the focus returns.
    assert second.bounding_box() == before
    page.keyboard.press("Escape")
    page.locator(".asking").wait_for(state="detached")
    assert refund.evaluate("node => node === document.activeElement")
    refund.click()
    page.get_by_role("button", name="Refund 50 points").click()
    second.wait_for(state="detached")
    page.get_by_text("Refunded: Bea, 2 × Song, 50 points").wait_for()
    assert economy.sent == [("PATCH", "/purchases/1", {"status": "fulfilled"}), ("PATCH", "/purchases/2", {"status": "refunded"})]
    page.get_by_text("No purchases are waiting.").wait_for()
    page.get_by_role("link", name="Store", exact=True).wait_for()
    # Another page fulfils a purchase.
    other = economy.buy("Cleo")
    page.locator(".purchases li", has_text="Cleo").wait_for()
    economy.feed.append("purchase.updated", f"purchases/{other['purchase_id']}", {**other, "status": "fulfilled"})
    page.locator(".purchases li", has_text="Cleo").wait_for(state="detached")
    page.watch.check(service)


@pytest.mark.parametrize("width", [375, 1024])
def test_a_purchase_that_is_not_answered_says_so(visited, width):
    page, economy = visited("store", lambda economy: [economy.buy("Ann", seconds=60), economy.buy("Bea")])
    page.set_viewport_size({"width": width, "height": 800})
    row = page.locator(".purchases li", has_text="Ann")
    before = row.locator(".buttons").bounding_box()["width"]
    held = []
    page.route("**/purchases/*", lambda route: held.append(route) if route.request.method == "PATCH" else route.fallback())
    row.get_by_role("button", name="Done").click()
    row.get_by_text("No answer from the service yet. Still trying.").wait_for()
    assert row.locator(".buttons").bounding_box()["width"] == before
    held[0].fallback()
    row.wait_for(state="detached")
    assert economy.sent == [("PATCH", "/purchases/1", {"status": "fulfilled"})]


def test_the_store_is_used_by_keyboard(visited):
    page, economy = visited("store", lambda economy: [economy.buy("Ann", seconds=60), economy.buy("Bea")])
    focused = lambda text: page.locator(":focus", has_text=text).wait_for()
    page.get_by_role("button", name="Done: Ann, Hat").focus()
    page.keyboard.press("Tab")
    focused("Refund")
    # The confirmation has the focus, on the button that changes nothing.
    page.keyboard.press("Enter")
    focused("Cancel")
    page.keyboard.press("Enter")
    focused("Refund")
    page.keyboard.press("Enter")
    focused("Cancel")
    page.keyboard.press("Shift+Tab")
    focused("Refund 400 points")
    page.keyboard.press("Enter")
    page.locator(".purchases li", has_text="Ann").wait_for(state="detached")
    # The next purchase has the focus, and after the last one, the button below the empty queue.
    page.locator("li:focus", has_text="Bea").wait_for()
    page.get_by_role("button", name="Done: Bea, Hat").press("Enter")
    page.get_by_text("No purchases are waiting.").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Show products"
    page.get_by_role("tab", name="Queue").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="New product").wait_for()
    focused("Products")
    assert "tab=products" in page.url
    assert [body["status"] for _, _, body in economy.sent] == ["refunded", "fulfilled"]


def test_all_purchases_are_filtered_by_their_status(visited):
    def prepare(economy):
        economy.buy("Ann")
        economy.buy("Bea", status="fulfilled")

    page, _ = visited("store?tab=history", prepare)
    rows = page.locator(".purchases li")
    rows.nth(1).wait_for()
    page.get_by_label("Status").select_option("Done")
    rows.nth(1).wait_for(state="detached")
    rows.filter(has_text="Bea").wait_for()
    page.get_by_label("Status").select_option("Refunded")
    page.get_by_text("No purchases with this status.").wait_for()
    page.get_by_label("Status").select_option("All")
    rows.nth(1).wait_for()


def test_a_purchase_that_somebody_else_has_closed_is_shown_as_it_is(visited):
    page, economy = visited("store?tab=history", lambda economy: economy.buy("Ann"))
    page.get_by_role("button", name="Done: Ann, Hat").wait_for()
    # The change's feed entry has not arrived yet.
    economy.records["purchases"][0]["status"] = "refunded"
    page.get_by_role("button", name="Done: Ann, Hat").click()
    page.get_by_text("Somebody else has closed this purchase.").wait_for()
    page.locator(".purchases .badge", has_text="Refunded").wait_for()
    assert page.get_by_role("button", name="Refund: Ann, Hat").count() == 0


def test_a_purchase_without_its_drawing_can_be_closed(visited):
    page, _economy = visited("settings", lambda economy: economy.buy("Ann"))
    page.route("**/thing*.js", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "thing" in request.url):
        page.evaluate("location.hash = '#/store'")
    page.get_by_role("button", name="Done: Ann, Hat").click()
    page.locator(".closed", has_text="Done: Ann, Hat").wait_for()
    assert page.locator(".problem").count() == 0


def test_a_product_is_created_changed_and_deleted(visited, service, artifacts):
    page, economy = visited("store")
    page.get_by_role("button", name="Show products").click()
    page.get_by_role("button", name="New product").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Hat")
    dialog.get_by_label("Price in points").fill("400")
    # Escape keeps the input, but Cancel does not.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New product").click()
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="New product").click()
    assert dialog.get_by_label("Name").input_value() == ""
    dialog.get_by_label("Name").fill("Hat")
    dialog.get_by_label("Price in points").fill("400")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New product").click()
    assert dialog.get_by_label("Name").input_value() == "Hat"
    dialog.get_by_label("Stock").fill("3")
    dialog.get_by_label("Limit per viewer").fill("1")
    dialog.get_by_label("Cooldown per viewer (seconds)").fill("300")
    dialog.get_by_label("Question to the buyer").fill("Which colour?")
    dialog.get_by_text("400 points · at most 1 per viewer · cooldown of 5 minutes per viewer · asks “Which colour?”").wait_for()
    accessible(page)
    page.screenshot(path=artifacts / "store-product.png")
    dialog.get_by_role("button", name="Save").click()
    product = page.locator(".product", has_text="Hat")
    product.get_by_text("400 points").wait_for()
    created = {**PRODUCT, "name": "Hat", "price": 400, "stock": 3, "max_per_user": 1, "user_cooldown": 300, "question": "Which colour?"}
    assert economy.sent == [("POST", "/products", created)]
    # A purchase changes the stock. An edit of other fields does not send it.
    page.get_by_role("button", name="Edit: Hat").click()
    economy.records["products"][0]["stock"] = 0
    economy.buy("Ann")
    dialog.get_by_label("Price in points").fill("450")
    dialog.get_by_role("button", name="Save").click()
    product.get_by_text("Sold out").wait_for()
    assert economy.sent[1] == ("PATCH", "/products/1", {"price": 450})
    product.get_by_label("Stock").fill("20")
    page.keyboard.press("Tab")
    product.get_by_text("Sold out").wait_for(state="detached")
    product.get_by_text("Saved.").wait_for()
    # Text that is not a number does not count as empty, which would mean unlimited.
    product.get_by_label("Stock").press("Control+a")
    page.keyboard.type("1e")
    page.keyboard.press("Tab")
    product.get_by_role("alert").wait_for()
    product.get_by_label("Stock").fill("-3")
    page.keyboard.press("Tab")
    product.get_by_role("alert").filter(has_text="0").wait_for()
    assert product.get_by_text("Saved.").count() == 0
    product.get_by_label("Stock").fill("")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Delete: Hat").click()
    page.get_by_role("button", name="Delete this product").click()
    page.get_by_text("No products yet.").wait_for()
    assert economy.sent[2:] == [("PATCH", "/products/1", {"stock": 20}), ("PATCH", "/products/1", {"stock": None}), ("DELETE", "/products/1", None)]
    page.watch.check(service)


def test_a_refused_product_keeps_its_form_and_a_failure_is_not_an_empty_store(visited):
    page, economy = visited("store?tab=products&open=new")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Hat")
    economy.failure = (409, {"code": "duplicate_name", "detail": "Another product has this name. Choose another one."})
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_text("There is already one with this name.").wait_for()
    assert dialog.get_by_label("Name").input_value() == "Hat"
    # A reason that is at its field is not repeated.
    duplicate = [{"pointer": "/name", "code": "duplicate", "detail": "Another product has this name."}]
    economy.failure = (409, {"code": "duplicate_name", "detail": "Another product has this name.", "errors": duplicate})
    dialog.get_by_role("button", name="Save").click()
    dialog.locator(".field", has_text="Name").get_by_text("There is already one with this name. Choose another name.").wait_for()
    assert dialog.locator(".problem").count() == 0 and dialog.get_by_role("alert").count() == 1
    errors = [{"pointer": "/stock", "code": "out_of_range", "detail": "x"}, {"pointer": "/odd", "code": "odd", "detail": "Leave it out."}]
    economy.failure = (422, {"code": "invalid_body", "detail": "The body is not valid.", "errors": errors})
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_role("alert").get_by_text("Stock:", exact=True).wait_for()
    stock = dialog.get_by_label("Stock")
    assert stock.evaluate("(field) => field === document.activeElement && field.getAttribute('aria-invalid')") == "true"
    stock.fill("3")
    assert stock.get_attribute("aria-invalid") is None
    economy.failure = (422, {"code": "invalid_body", "detail": "The body is not valid.", "errors": errors})
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_role("alert").get_by_text("Stock:", exact=True).wait_for()
    assert dialog.get_by_role("alert").locator("li").all_inner_texts()[1] == "odd Leave it out."
    economy.failure = (503, {"code": "store_unavailable", "detail": "Retry later."})
    page.reload()
    page.get_by_text("The service can't answer right now.").wait_for()
    assert page.get_by_text("No products yet.").count() == 0
    economy.failure = None
    page.get_by_text("No products yet.").wait_for()
    page.get_by_role("dialog").get_by_label("Name").wait_for()


def test_a_rule_is_created_with_a_sentence_changed_and_deleted(visited, service, artifacts):
    page, economy = visited("rules")
    page.get_by_text("No rules yet.").wait_for()
    page.get_by_role("button", name="New rule").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Chatters earn 10 points per message. Each viewer is paid at most once in 5 minutes.").wait_for()
    dialog.get_by_label("Pays for").select_option("cheer")
    dialog.get_by_label("Name").fill("Bits")
    page.mouse.click(5, 5)
    assert dialog.is_visible(), "a click beside the dialog does not discard what was typed"
    dialog.get_by_label("Points", exact=True).fill("0")
    dialog.get_by_label("Points per bit").fill("2")
    dialog.get_by_text("Cheerers earn 2 points per bit.").wait_for()
    assert dialog.get_by_label("How often").is_disabled(), "the units of a window cannot be paid"
    accessible(page)
    page.screenshot(path=artifacts / "rules-form.png")
    dialog.get_by_role("button", name="Save").click()
    row = page.locator(".rules li", has_text="Bits")
    row.get_by_text("Cheerers earn 2 points per bit.").wait_for()
    assert economy.sent == [("POST", "/rules", {**RULE, "name": "Bits", "event_type": "cheer", "per_unit": 2})]
    page.get_by_role("switch", name="Enabled: Bits").click()
    row.get_by_text("Off").wait_for()
    page.get_by_role("button", name="Edit: Bits").click()
    assert "open=1" in page.url
    dialog.get_by_label("Points", exact=True).fill("50")
    dialog.get_by_role("button", name="Save").click()
    row.get_by_text("Cheerers earn 50 points per cheer, and 2 points per bit.").wait_for()
    page.get_by_role("button", name="Delete: Bits").click()
    page.get_by_role("button", name="Delete this rule").click()
    page.get_by_text("No rules yet.").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "New rule"
    assert economy.sent[1:] == [("PATCH", "/rules/1", {"enabled": False}), ("PATCH", "/rules/1", {"amount": 50}), ("DELETE", "/rules/1", None)]
    # A rule without a name has that of its cause.
    page.get_by_role("button", name="New rule").click()
    dialog.get_by_role("button", name="Save").click()
    page.locator(".rules li", has_text="Chatting").wait_for()
    assert economy.sent[4][2]["name"] == "Chatting"
    # Another one for the same would pay as well.
    page.get_by_role("button", name="New rule").click()
    dialog.get_by_text("“Chatting” already pays for this.").wait_for()
    dialog.get_by_label("Pays for").select_option("cheer")
    dialog.get_by_text("already pays").wait_for(state="detached")
    page.watch.check(service)


def test_a_button_that_waits_shows_it_keeps_the_focus_and_sends_once(visited):
    page, economy = visited("rules?open=new")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Bits")
    sent = []
    page.route("**/rules", lambda route: sent.append(route) if route.request.method == "POST" else route.fallback())
    save = dialog.get_by_role("button", name="Save")
    save.press("Enter")
    dialog.locator("button[aria-busy]").wait_for()
    save.press("Enter")
    dialog.get_by_label("Name").press("Enter")
    assert save.is_disabled() and len(sent) == 1
    save.focus()
    sent[0].fulfill(status=409, json={"code": "duplicate_name", "status": 409, "title": "x", "detail": "x"})
    dialog.get_by_role("alert").wait_for()
    assert save.evaluate("node => node === document.activeElement") and save.is_enabled()


def test_a_switch_shows_the_new_state_while_it_is_saved(visited):
    page, economy = visited("rules", lambda economy: [economy.add("rules", name=name, event_type="cheer", amount=1) for name in "ab"])
    sent = []
    page.route("**/rules/*", lambda route: sent.append(route))
    switch = lambda name: page.get_by_role("switch", name=f"Enabled: {name}")
    switch("a").click()
    switch("b").click()
    for name in "ab":
        page.locator(".rules li.off", has=switch(name)).get_by_text("Off", exact=True).wait_for()
        assert not switch(name).is_checked() and switch(name).get_attribute("aria-busy") == "true"
    while len(sent) < 2:
        page.wait_for_timeout(20)
    sent[0].fulfill(status=409, json={"code": "conflict", "status": 409, "title": "x", "detail": "x"})
    page.locator(".rules li", has=switch("a")).get_by_text("On", exact=True).wait_for()
    assert switch("a").is_checked() and switch("a").get_attribute("aria-busy") is None
    page.wait_for_timeout(300)
    assert not switch("b").is_checked() and switch("b").get_attribute("aria-busy") == "true"
    sent[1].fallback()
    page.locator(".rules li.off", has=switch("b")).wait_for()
    page.locator("[aria-busy]").wait_for(state="detached")
    assert not switch("b").is_checked()


def test_a_failed_change_is_reported_until_another_one_succeeds(visited):
    page, economy = visited("rules", lambda economy: [economy.add("rules", name=name, event_type="cheer", amount=1) for name in "ab"])
    page.route("**/rules/1", lambda route: route.fulfill(status=409, json={"code": "conflict", "status": 409, "title": "x", "detail": "x"}))
    page.get_by_role("switch", name="Enabled: a").click()
    page.locator(".rules li").get_by_role("alert").wait_for()
    page.get_by_role("switch", name="Enabled: b").click()
    page.get_by_role("alert").wait_for(state="detached")


def test_each_rule_has_a_sentence_in_both_languages(visited):
    def prepare(economy):
        economy.add("rules", name="a", source="twitch/channel.chat.message", amount=1, every=86_400)
        economy.add("rules", name="b", event_type="raid", per_unit=5)
        economy.add("rules", name="c", event_type="subscriber", amount=500)
        economy.add("rules", name="d", source="bot/quiz", reference="round 1", amount=1_000)

    english = [
        "Chatters earn 1 point per message. Each viewer is paid at most once in 1 day.",
        "Raiders earn 5 points per viewer.",
        "Subscribers earn 500 points.",
        "Each event pays 1,000 points. Only events from bot/quiz count. Only events with the reference round 1 count.",
    ]
    german = [
        "Wer chattet, bekommt 1 Punkt pro Nachricht. Jede Person bekommt höchstens einmal in 1 Tag Punkte.",
        "Wer raidet, bekommt 5 Punkte pro Zuschauer.",
        "Wer abonniert, bekommt 500 Punkte.",
        "Jedes Ereignis bringt 1.000 Punkte. Nur Ereignisse aus bot/quiz zählen. Nur Ereignisse mit der Referenz round 1 zählen.",
    ]
    for locale, sentences in (("en", english), ("de", german)):
        page, _ = visited("rules", prepare, locale=locale)
        page.locator(".rules li").nth(3).wait_for()
        assert page.locator(".rules .sentence").all_inner_texts() == sentences


def test_twenty_rules_are_the_maximum_and_an_unknown_one_is_named(visited):
    page, _ = visited("rules?open=77", lambda economy: [economy.add("rules", name=f"r{number}", event_type="cheer", amount=1) for number in range(20)])
    page.get_by_text("These are 20 rules, the maximum.").wait_for()
    assert page.get_by_role("button", name="New rule").is_disabled()
    page.get_by_text("Rule 77 no longer exists.").wait_for()


def test_a_viewer_shows_purchases_and_why_each_transaction_happened(visited, service):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})["user_id"]
    causes = [("rules/3", "events/77"), ("purchases/12", None), ("transfers/7", None), (None, None)]
    transactions = [{"transaction_id": number, "user_id": user, "amount": 5, "description": "x", "reference": reference, "cause": cause, "created_at": ago()} for number, (cause, reference) in enumerate(causes, 1)]
    page, economy = visited(f"viewers/{user}?tab=wallet", lambda economy: economy.buy("Ann", user_id=user))
    page.route("**/transactions?limit=20", lambda route: route.fulfill(json=transactions))
    page.reload()
    page.get_by_role("cell", name="Rule: x · Event").wait_for()
    page.get_by_role("cell", name="Refund: x").wait_for()
    links = page.locator("td a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert links == ["#/rules?open=3", "#/data?resource=events&open=77", "#/data?resource=purchases&open=12", "#/data?resource=transactions&query=cause%3Dtransfers%252F7"]
    page.get_by_role("tab", name="Purchases").click()
    page.get_by_role("button", name="Done: Ann, Hat").click()
    page.locator(".purchases .badge", has_text="Done").wait_for()
    economy.buy("Bea", user_id=user + 1)
    economy.buy("Ann", "Song", user_id=user)
    page.locator(".purchases li", has_text="Song").wait_for()
    assert page.locator(".purchases li").count() == 2, "only the viewer's own purchases"
    page.watch.check(service)


def test_the_overlay_shows_purchases_if_they_are_enabled(visited, service):
    settings = {"duration": 2, "alerts": {"purchase": {"enabled": True, "minimum": 100}}}
    overlay = service.send("POST", "/overlays", {"name": "Stream", "settings": settings})["overlay_id"]
    page, economy = visited(f"overlay={overlay}", path="overlay/#")
    refunded = economy.buy("Zoe")
    economy.feed.append("purchase.updated", "purchases/1", {**refunded, "status": "refunded"})
    economy.buy("Cleo", price=99)
    economy.buy("Ann", answer="a <b>red</b> one")
    economy.buy("Bea", "Song", quantity=2)
    economy.feed.append("alert.tested", "alerts/5", {"purchase": {"name": "Cap", "price": 400, "quantity": 1, "user_name": "Dan", "answer": None}})
    economy.feed.append("alert.tested", "alerts/6", {"name": "Bow", "price": 400, "quantity": 1, "user_name": "Eve", "answer": None})
    for headline, words in [("Ann bought Hat", "a <b>red</b> one"), ("Bea bought 2 × Song", ""), ("Dan bought Cap for 400 points!", ""), ("Eve bought Bow for 400 points!", "")]:
        shown = page.locator(".alert.purchase", has=page.locator(".headline", has_text=headline))
        shown.wait_for()
        assert shown.locator(".words").inner_text() == words
        shown.wait_for(state="detached")
    page.watch.check(service)


def test_purchases_are_no_alerts_by_default_and_have_a_test(visited, service):
    service.send("POST", "/overlays", {"name": "Stream", "settings": {}})
    sent = []
    page, _ = visited("alerts?kind=purchase")
    page.route("**/alerts", lambda route: (sent.append(route.request.post_data_json), route.fulfill(status=202, json={})))
    card = page.get_by_role("region", name="Purchases")
    assert not page.get_by_role("checkbox", name="Show alerts: Purchases").is_checked()
    page.get_by_role("checkbox", name="Show alerts: Purchases").check()
    page.get_by_text("Saved.").wait_for()
    assert card.get_by_label("Text", exact=True).get_attribute("placeholder") == "{name} bought {title} for {price} points!"
    card.get_by_label("Minimum points").fill("500")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Send test: Purchases").click()
    page.get_by_text("Sent to the overlays.").wait_for()
    assert sent == [{"test": {"purchase": {"user_name": "Ann", "name": "Hat", "price": 500, "quantity": 1, "answer": None}}}]
    assert service.send("GET", "/overlays")[0]["settings"]["alerts"]["purchase"]["enabled"] is True


@pytest.mark.parametrize("width, language, theme", LOOKS)
def test_each_view_is_accessible(visited, service, artifacts, width, language, theme):
    def prepare(economy):
        economy.add("products", name="Hat", price=400, stock=0, description="A hat for your pet, in the colour of your choice.", max_per_user=1, item_name="Hat")
        economy.add("products", name="Song request", price=50, question="Which song?", cooldown=300)
        economy.add("products", name="Hydrate", price=10, automatic=True, enabled=False)
        economy.add("rules", name="Chatting", source="twitch/channel.chat.message", amount=10, every=300)
        economy.add("rules", name="Bits", event_type="cheer", per_unit=2, enabled=False)
        economy.buy("Ann", answer="red, please", seconds=300)
        economy.buy("N" * 300, "Song request", 50, quantity=2, answer="long " * 60)
        economy.buy("Bea", status="refunded")

    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})["user_id"]
    page, economy = visited("store", prepare, color_scheme=theme, locale=language, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    full = {
        "store": ".purchases li",
        "store?tab=products": ".product",
        "store?tab=history": ".purchases li.refunded",
        "store?tab=products&open=1": "dialog input",
        "rules": ".rules li",
        "rules?open=new": "dialog .sentence",
        f"viewers/{user}?tab=purchases": ".purchases li, .empty",
    }
    empty = {"store": ".empty", "store?tab=products": ".empty button", "rules": ".empty button"}
    for state, views in (("full", full), ("empty", empty)):
        if state == "empty":
            economy.records = {"rules": [], "products": [], "purchases": []}
        for view, content in views.items():
            page.goto("about:blank")
            page.goto(f"{service.base}/console/#/{view}")
            page.locator(content).first.wait_for()
            accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view}: nothing is wider than the page"
            assert page.locator("main .main").count() <= 1 or "open" in view, "one primary button"
            if (width, language) in ((375, "de"), (1280, "en")):
                name = re.sub(r"\W+", "-", view)
                page.screenshot(path=artifacts / f"economy-{state}-{name}-{theme}-{width}.png")
    page.watch.check(service)
