"""Tests of a viewer's page, with a token that belongs to the viewer."""

import re

import pytest
from conftest import Watch, accessible, document


@pytest.fixture
def fan(guarded, browser):
    """A viewer with a pet, points, an item and a letter, and the link to the page. Returns a function that opens it."""
    admin = guarded.token("import")
    send = lambda method, path, body=None: guarded.send(method, path, body, admin)
    user = guarded.cheer("Ann", 500, admin, document=document())["user_id"]
    guarded.cheer("Ann", 10, admin, document={**document(()), "seal": 27})
    other = guarded.cheer("Bea", 100, admin)["user_id"]
    send("POST", f"/users/{user}/specimen", {})
    send("POST", f"/users/{user}/inventory", {"name": "golden key", "quantity": 123_456_789})
    for amount, reason in [(300, "Trivia night"), (-50, "lost a bet")]:
        send("POST", f"/users/{user}/transactions", {"amount": amount, "description": reason})
    token = send("POST", "/tokens", {"name": "Ann", "user_id": user})["token"]
    contexts = []

    def visit(fragment=f"user={user}&token={token}", **options):
        # Colours are checked after animations end, so they are disabled.
        contexts.append(browser.new_context(viewport={"width": 375, "height": 800}, reduced_motion="reduce", **options))
        page = contexts[-1].new_page()
        page.watch = Watch(page, [token])
        page.paths = []
        page.on("request", lambda request: page.paths.append(re.sub(r"^[^/]*//[^/]*|[?#].*$", "", request.url)))
        page.goto(f"{guarded.base}/viewer/#{fragment}")
        return page

    visit.send, visit.user, visit.other, visit.token = send, user, other, token
    yield visit
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme, lang", [("light", "en-US"), ("dark", "de-DE")])
def test_page_shows_what_belongs_to_the_viewer_and_asks_for_nothing_else(guarded, fan, artifacts, scheme, lang):
    fan.send("POST", "/products", {"name": "Song", "price": 9_007_199_254_740_991})
    page = fan(color_scheme=scheme, locale=lang)
    page.locator(".letter .stamp").nth(2).wait_for()
    page.locator(".product").wait_for()
    assert page.locator(".balance strong").text_content() == "250"
    assert page.locator(".habitat svg").count() == 1
    assert page.locator(".items svg.thing").count() == page.locator(".product svg.thing").count() == 1
    assert "golden key" in page.locator(".items li").text_content() and "123" in page.locator(".items .count").text_content()
    tile, count = [page.locator(selector).bounding_box() for selector in (".items li", ".items .count")]
    assert tile["x"] <= count["x"] and count["x"] + count["width"] <= tile["x"] + tile["width"], "it does not reach over the next item"
    price = page.locator(".price strong")
    assert price.evaluate("node => node.getClientRects().length") == 1, "a price is not broken between its digits"
    product, price, name = [one.bounding_box() for one in (page.locator(".product"), price, page.locator(".product h3"))]
    assert price["x"] + price["width"] <= product["x"] + product["width"] and name["width"] > 60
    slider = page.locator(".curve input")
    assert "lost a bet" in slider.get_attribute("aria-valuetext")
    slider.press("ArrowLeft")
    assert re.search("300.*Trivia night", slider.get_attribute("aria-valuetext"))
    page.locator("link[href$='typeface.css']").wait_for(state="attached")
    page.screenshot(path=artifacts / f"viewer-{scheme}.png", full_page=True)
    accessible(page)
    page.locator(".letter").click()
    page.locator(".open-letter .stamp").nth(2).wait_for()
    accessible(page)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    # Filters find the ten seals. A letter with another number takes a search.
    page.locator(".letters + .next").press("Enter")
    page.locator(".letters + .next").wait_for(state="detached")
    assert page.evaluate("document.activeElement.querySelectorAll('.letter').length") == 2
    page.locator(".letter").nth(1).click()
    page.locator(".open-letter .seal:not(:has(text))").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator(".open-letter .seal text", has_text="27").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    own = f"/users/{fan.user}"
    files = re.compile(r"/(viewer|shared|console|images|event-capture-images)/")
    assert {path for path in page.paths if not files.match(path) and not path.startswith(own)} == {"/products"}
    page.watch.check(guarded)


@pytest.mark.parametrize(("locale", "message"), [("en", "The page could not be loaded."), ("de", "Die Seite konnte nicht geladen werden.")])
def test_a_page_that_cannot_start_says_so(guarded, browser, locale, message):
    page = browser.new_page(locale=locale)
    page.route("**/i18n/*.json", lambda route: route.fulfill(status=500, json={"title": "wrong"}))
    page.goto(f"{guarded.base}/viewer/")
    page.get_by_role("alert").get_by_text(message).wait_for()


def test_buying_pays_once_and_says_why_it_is_refused(fan):
    product = {"name": "Song", "price": 100, "stock": 2, "question": "Which one?", "item_name": "ticket"}
    song = fan.send("POST", "/products", product)["product_id"]
    page = fan(locale="en-US")
    page.get_by_role("button", name="Buy: Song").click()
    # The page does not learn about the changes below.
    products = re.compile(r"/products\?")
    page.route(products, lambda route: route.abort())
    page.get_by_label("Which one?").fill("Yellow")
    buy = page.get_by_role("button", name="Buy for")
    wallet = lambda: fan.send("GET", f"/users/{fan.user}")["wallet"]
    change = lambda **changes: fan.send("PATCH", f"/products/{song}", changes)
    pay = lambda amount: fan.send("POST", f"/users/{fan.user}/transactions", {"amount": amount, "description": "test"})

    def refused(words):
        buy.click()
        page.get_by_role("alert").filter(has_text=words).wait_for()

    change(stock=0)
    refused("Sold out")
    change(stock=2, enabled=False)
    refused("not for sale")
    change(enabled=True, price=120)
    refused("price has changed")
    page.unroute(products)
    page.get_by_role("button", name="Buy for 120 points").wait_for()
    pay(-200)
    refused("enough points")
    pay(200)
    # The response to the first attempt is lost.
    page.route("**/purchases", lambda route: (route.fetch(), route.abort()), times=1)
    buy.click()
    page.get_by_text("You bought Song.").wait_for()
    accessible(page)
    page.get_by_role("button", name="Great").click()
    page.locator(".balance strong", has_text="130").wait_for()
    page.locator(".purchases li", has_text="Song").wait_for()
    page.locator(".items li", has_text="ticket").wait_for()
    assert wallet() == 130
    change(max_per_user=1)
    page.get_by_role("button", name="Buy: Song").click()
    page.get_by_label("Which one?").fill("Blue")
    refused("as many of these")
    assert wallet() == 130
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    # The limit is the lowest of the stock, the maximum per viewer, and the number that the points pay for.
    fan.send("POST", "/products", {"name": "Cookie", "price": 40, "max_per_user": 5})
    page.reload()
    page.get_by_role("button", name="Buy: Cookie").click()
    page.get_by_role("button", name="One more").click()
    page.get_by_role("button", name="Buy for 80 points").wait_for()
    # A higher number stays in the field, and the browser rejects it.
    page.get_by_label("Quantity").fill("9")
    buy.click()
    page.locator("input:focus:out-of-range").wait_for()
    page.get_by_role("button", name="Buy for 80 points").wait_for()
    page.get_by_label("Quantity").fill("3")
    page.get_by_role("button", name="Buy for 120 points").wait_for()
    page.get_by_role("button", name="One more", disabled=True).wait_for()
    accessible(page)
    buy.click()
    page.get_by_text("You bought 3 × Cookie.").wait_for()
    assert wallet() == 10


def test_buying_leaves_the_focus_where_it_goes_on_and_waits_for_the_cooldown(fan):
    fan.send("POST", "/products", {"name": "Light", "price": 10, "user_cooldown": 600, "question": "Which colour?"})
    fan.send("POST", "/products", {"name": "Horn", "price": 20, "cooldown": 600, "automatic": True})
    fan.send("POST", "/products", {"name": "Cookie", "price": 30, "item_name": "crumb"})
    page = fan(locale="en-US")
    focused = lambda: page.evaluate("document.activeElement.name || document.activeElement.id || document.activeElement.textContent.trim()")

    def bought(name, first, heading):
        page.get_by_role("button", name=f"Buy: {name}").press("Enter")
        dialog = page.get_by_role("dialog")
        dialog.wait_for()
        assert focused() == first
        if first == "answer":
            page.keyboard.press("Enter")
            dialog.get_by_role("alert").get_by_text("Type an answer.").wait_for()
            assert focused() == first
            colours = "node => [getComputedStyle(node).borderTopColor, getComputedStyle(node.nextElementSibling).color]"
            assert len(set(dialog.get_by_role("textbox", name="Which colour?", exact=True).evaluate(colours))) == 1
            page.keyboard.type("blue")
            dialog.get_by_text("Type an answer.").wait_for(state="detached")
        assert dialog.get_by_label("Quantity").count() == (first == "quantity")
        page.keyboard.press("Enter")
        dialog.get_by_role("heading", name=heading).wait_for()
        assert focused() == "Great"
        accessible(page)
        page.keyboard.press("Enter")
        dialog.wait_for(state="detached")
        assert focused() == "Buy"

    bought("Light", "answer", "Bought")
    page.locator(".purchases li", has_text="Light").get_by_text("blue").wait_for()
    bought("Horn", "Buy for 20 points", "It's yours!")
    bought("Cookie", "quantity", "It's yours!")
    for name in ("Light", "Horn"):
        page.locator(".product", has_text=name).get_by_text("again in 10 minutes").wait_for()
        page.get_by_role("button", name=f"Buy: {name}", disabled=True).press("Enter")
    assert page.locator("dialog").count() == 0
    page.get_by_role("button", name="Buy: Cookie", disabled=False).wait_for()
    accessible(page)
    page.reload()
    page.get_by_role("button", name="Buy: Light", disabled=True).wait_for()
    # The page does not know about other viewers' purchases, so the service rejects it. Then the page knows.
    bell = fan.send("POST", "/products", {"name": "Bell", "price": 0, "cooldown": 600})
    fan.send("POST", f"/users/{fan.other}/purchases", {"product_id": bell["product_id"]})
    page.reload()
    page.get_by_role("button", name="Buy: Bell").click()
    page.get_by_role("button", name="Buy for 0 points").click()
    page.get_by_role("alert").filter(has_text="you can buy this again in").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Buy: Bell", disabled=True).wait_for()


def test_the_store_knows_how_many_a_viewer_may_still_buy(fan):
    fan.send("POST", "/products", {"name": "Acorn", "price": 10, "max_per_user": 3, "item_name": "acorn"})
    page = fan(locale="en-US")
    product = page.locator(".product", has_text="Acorn")
    product.get_by_text("up to 3 per viewer").wait_for()
    for max_quantity, fact in [(3, "1 more for you"), (1, "You have as many as one viewer may buy.")]:
        page.get_by_role("button", name="Buy: Acorn").click()
        quantity = page.get_by_label("Quantity")
        assert quantity.count() == (max_quantity > 1)
        if max_quantity > 1:
            assert quantity.get_attribute("max") == str(max_quantity)
            quantity.fill("2")
        page.locator("dialog .main").click()
        page.get_by_role("button", name="Great").click()
        product.get_by_text(fact).wait_for()
    page.get_by_role("button", name="Buy: Acorn", disabled=True).wait_for()
    accessible(page)


def test_the_receipt_stays_modal_while_the_list_of_purchases_grows(fan):
    product = fan.send("POST", "/products", {"name": "Sticker", "price": 1, "automatic": True, "max_per_user": 8})
    page = fan(locale="en-US")
    for _ in range(7):
        page.get_by_role("button", name="Buy: Sticker").click()
        page.locator("dialog .main").click()
        page.get_by_role("dialog").get_by_role("heading", name="It's yours!").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.querySelector('dialog').matches(':modal')")
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
    # A refund frees the limit, even on a page that is already open.
    page.get_by_role("button", name="Buy: Sticker").click()
    page.locator("dialog .main").click()
    page.get_by_role("button", name="Great").click()
    page.get_by_text("You have as many as one viewer may buy.").wait_for()
    purchase = fan.send("GET", f"/purchases?product_id={product['product_id']}&limit=1")[0]["purchase_id"]
    fan.send("PATCH", f"/purchases/{purchase}", {"status": "refunded"})
    page.get_by_role("button", name="Buy: Sticker", disabled=False).wait_for()


def test_link_that_does_not_work_says_so(fan):
    page = fan("", locale="en-US")
    page.get_by_text("The streamer makes a link to it for you").wait_for()
    assert page.locator("footer").count() == 0, "a warning about a link would be about none"
    accessible(page)
    for fragment, words in [
        ("user=", "Something is missing"),
        (f"user={fan.user}&token=wrong", "has expired"),
        (f"user={fan.other}&token={fan.token}", "no longer shows anything"),
    ]:
        page.evaluate("fragment => { location.hash = fragment; }", fragment)
        page.get_by_role("alert").filter(has_text=words).wait_for()
    assert page.locator(".stage").count() == 0


def test_a_lost_network_is_reported_at_once(fan):
    page = fan(locale="en-US")
    page.locator(".stage h1").wait_for()
    page.context.set_offline(True)
    # The next reload would report it seconds later.
    page.get_by_text("Can't reach the service").first.wait_for(timeout=5_000)


def test_a_purchase_during_an_outage_says_so_at_once(fan):
    fan.send("POST", "/products", {"name": "Sticker", "price": 1})
    page = fan(locale="en-US")
    page.get_by_role("button", name="Buy: Sticker").click()
    page.context.set_offline(True)
    page.get_by_role("dialog").get_by_text("Can't reach the service").wait_for(timeout=5_000)


def test_a_link_that_has_ended_sells_nothing(fan):
    fan.send("POST", "/products", {"name": "Sticker", "price": 1})
    page = fan(locale="en-US")
    page.get_by_role("button", name="Buy: Sticker").wait_for()
    fan.send("DELETE", f"/users/{fan.user}")
    page.get_by_role("alert").filter(has_text=re.compile("no longer shows|has expired")).wait_for()
    # The store may report the end before the page does.
    page.get_by_role("button", name="Buy: Sticker").wait_for(state="detached")
