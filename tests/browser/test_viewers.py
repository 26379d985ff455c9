"""Tests of the list of viewers and a viewer's page: the pet, the items, the balance and the link."""

import re
from concurrent.futures import ThreadPoolExecutor

from conftest import accessible
from test_console import until


def test_back_returns_to_the_link_that_was_followed(visited, service):
    for name in ("Ann", "Bea", "Cleo"):
        service.send("POST", "/users", {"platform_id": name, "name": name})
    page = visited("viewers")
    page.get_by_role("link", name="Bea").press("Enter")
    page.get_by_role("heading", name="Bea").wait_for()
    page.go_back()
    until(page, "document.activeElement.textContent.trim() === 'Bea'")
    # The link above a viewer leads back, too.
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Bea").wait_for()
    page.locator(".back a").press("Enter")
    until(page, "document.activeElement.textContent.trim() === 'Bea'")
    # The navigation leads to the start of the list.
    page.get_by_role("link", name="Ann").click()
    page.get_by_role("heading", name="Ann").wait_for()
    page.get_by_role("navigation").first.get_by_role("link", name="Viewers").press("Enter")
    page.get_by_role("link", name="Ann").wait_for()
    assert page.evaluate("document.activeElement.id") == "main"


def test_back_restores_the_exact_position(visited, service):
    with ThreadPoolExecutor(8) as pool:
        names = [f"Viewer {number}" for number in range(60)]
        users = list(pool.map(lambda name: service.send("POST", "/users", {"platform_id": name, "name": name}), names))
    ranks = [{"rank": rank, "value": 100 - rank, "user": user} for rank, user in enumerate(users, 1)]
    page = visited("viewers")
    page.route("**/leaderboards/*", lambda route: route.fulfill(json=ranks))
    page.goto(f"{service.base}/console/#/viewers?sort=balance")
    page.get_by_text("60 viewers with points").wait_for()
    until(page, "(scrollTo(0, document.documentElement.scrollHeight), document.querySelectorAll('tbody tr').length === 60)")
    page.evaluate("scrollTo(0, 700)")
    until(page, "location.hash.endsWith('y=700')")
    # Meanwhile, the note below the list is not above it.
    page.evaluate("""() => {
        new MutationObserver(() => {
            if (document.querySelector('#main > .quiet')) window.isMisplaced = true;
        }).observe(document.body, { childList: true, subtree: true });
    }""")
    page.get_by_role("link", name="Viewer 20", exact=True).click()
    page.get_by_role("heading", name="Viewer 20").wait_for()
    page.go_back()
    page.get_by_role("button", name="List all by name").wait_for()
    page.wait_for_timeout(600)
    assert page.evaluate("[scrollY, window.isMisplaced]") == [700, None]


def test_viewers_are_sorted_by_their_columns(visited, service):
    users = {name: service.send("POST", "/users", {"platform_id": name, "name": name}) for name in ("Bea", "Ann", "Cleo")}
    boards = {"bits": [("Cleo", 5_000), ("Ann", 20)], "messages": [("Ann", 9)], "wallet": [("Bea", 70), ("Cleo", -3)]}
    page = visited("viewers")

    def leaderboard(route):
        ranks = boards[re.search(r"/leaderboards/(\w+)\?limit=1000$", route.request.url)[1]]
        route.fulfill(json=[{"rank": rank, "value": value, "user": users[name]} for rank, (name, value) in enumerate(ranks, 1)])

    # The service's leaderboards are up to two minutes behind.
    page.route("**/leaderboards/*", leaderboard)
    shown = lambda names: page.locator("tbody", has_text=re.compile(".*".join(names))).wait_for()
    shown(["Cleo", "Ann", "Bea"])
    for column, names, direction in [
        ("Name", ["Ann", "Bea", "Cleo"], "ascending"),
        ("Name", ["Cleo", "Bea", "Ann"], "descending"),
        ("Bits", ["Cleo", "5,000", "Ann", "20"], "descending"),
        ("Messages", ["Ann", "9"], "descending"),
        ("Points", ["Bea", "70", "Cleo", "\N{MINUS SIGN}3"], "descending"),
    ]:
        heading = page.get_by_role("button", name=column)
        heading.press("Enter")
        page.locator(f"th[aria-sort={direction}]", has_text=column).wait_for()
        shown(names)
        assert heading.evaluate("node => node === document.activeElement")
    assert page.locator("tbody tr").count() == 2
    page.get_by_text("2 viewers with points").wait_for()
    assert page.locator("th").all_inner_texts()[4:7] == ["Months", "Sub", "Last seen"]
    accessible(page)
    # The search and the order are restored from the address.
    page.get_by_label("Name starts with").fill("cl")
    page.locator("tbody tr", has_text="Bea").wait_for(state="detached")
    page.reload()
    page.locator("tbody tr", has_text="Cleo").wait_for()
    assert page.locator("tbody tr").count() == 1 and "sort=balance" in page.url
    # A search also finds viewers whom the leaderboard omits.
    page.get_by_label("Name starts with").fill("an")
    page.locator("tbody tr", has_text="Ann").wait_for()
    page.get_by_label("Name starts with").fill("cl")
    page.locator("tbody tr", has_text="Cleo").wait_for()
    # On a phone, the list omits the headings and needs no horizontal scrolling.
    page.set_viewport_size({"width": 375, "height": 800})
    until(page, "document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth")
    page.get_by_label("Sort by").select_option("Bits")
    shown(["Cleo", "5,000"])
    accessible(page)
    # There, a row is a link, wherever it is tapped.
    page.locator("tbody tr", has_text="Cleo").click(position={"x": 300, "y": 30})
    page.get_by_role("heading", name="Cleo").wait_for()
    page.watch.check(service)


def test_failed_figures_of_viewers_are_reported_and_loaded_again(browser, service):
    service.cheer("Ann", 20)
    page = browser.new_page(locale="en")
    failure = {"code": "internal_error", "status": 400, "title": "x", "detail": "x"}
    page.route("**/specimens?*", lambda route: route.fulfill(status=400, json=failure))
    page.goto(f"{service.base}/console/#/viewers")
    page.get_by_role("alert").wait_for()
    assert page.locator(".bone").count() == 0
    page.unroute("**/specimens?*")
    page.get_by_role("button", name="Retry").click()
    page.locator("tbody time").wait_for()
    assert page.get_by_role("alert").count() == 0


def test_a_viewer_who_was_not_counted_yet_has_no_zeros(visited, service):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})["user_id"]
    page = visited("viewers?sort=name")
    page.locator("td.bits", has_text="–").wait_for()
    page.goto(f"{service.base}/console/#/viewers/{user}")
    page.locator(".viewer-figures div", has_text="Bits").get_by_text("–").wait_for()
    page.route("**/leaderboards/*", lambda route: route.fulfill(json=[], headers={"as-of": "2099-01-01T00:00:00Z"}))
    page.goto(f"{service.base}/console/#/viewers?sort=name")
    page.locator("td.bits", has_text="0").wait_for()


def test_long_names_and_large_balances_fit_and_the_rows_share_their_requests(visited, service):
    names = ["W" * 25, "\N{HIRAGANA LETTER A}" * 25, "\N{ARABIC LETTER SAD}" * 25, "\N{CAT FACE}" * 25, *(f"Viewer{number}" for number in range(14))]
    for name in names:
        user = service.cheer(name, 25)["user_id"]
        service.send("POST", f"/users/{user}/transactions", {"amount": 999_999_999_999_999, "description": "Won"})
    page = visited("viewers?sort=name")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.reload()
    page.locator("tbody tr", has_text="just now").nth(17).wait_for()
    # Under load, they scroll into view in several groups of three requests.
    assert len([url for url in requests if re.search(r"/(events|users|specimens|leaderboards|statistics)\b", url)]) <= 40
    for width in (375, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        widths = page.locator("tbody a.name").evaluate_all("names => names.map((name) => name.offsetWidth)")
        assert min(widths) > 50, "each name is visible"
        until(page, "document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth")
        cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"
        assert page.locator("tbody td.amount:visible").evaluate_all(cut) == []
    page.get_by_title("999,999,999,999,999").first.wait_for()
    page.watch.check(service)


def test_the_page_of_a_viewer_shows_what_is_the_viewers(visited, service, artifacts):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})["user_id"]
    home = f"/users/{user}"
    born, gone = "2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z"
    service.send("POST", f"{home}/specimens", {"born_at": born, "forgotten_at": gone})
    for quantity in (1, 2):
        service.send("POST", f"{home}/inventory", {"name": "Key", "quantity": quantity})
    service.send("POST", f"{home}/inventory", {"name": "Cookie", "used_at": gone})
    changes = [(10, "Chatting", "rules/3"), (500, "Quiz", None), (-400, "Hat", "purchases/12")]
    for number, (amount, description, cause) in enumerate(changes, 1):
        time = f"2026-02-0{number}T00:00:00Z"
        record = {"user_id": user, "amount": amount, "description": description, "cause": cause, "created_at": time}
        service.send("PUT", f"/transactions/{number}", record)
    page = visited(f"viewers/{user}")
    page.locator(".chips li", has_text=re.compile(r"Key\s+×3")).wait_for()
    assert page.title() == "Ann · Viewers · Console"
    page.get_by_role("button", name="Points", exact=True).click()
    page.get_by_role("tab", name="Points", selected=True).wait_for()
    curve = page.get_by_role("slider", name="Points over time")
    assert page.locator(".balance-axis").inner_text().split("\n") == ["Feb 1, 2026", "0 to 510 points", "Feb 3, 2026"]
    page.locator(".balance-change", has_text="\N{MINUS SIGN}400 Purchase: Hat 110 points").wait_for()
    curve.press("ArrowLeft")
    page.locator(".balance-change", has_text="+500 Quiz").wait_for()
    curve.press("Home")
    page.locator(".balance-change", has_text="+10 Rule: Chatting 10 points").wait_for()
    accessible(page)
    page.screenshot(path=artifacts / "viewer-wallet.png")
    page.get_by_role("tab", name="Items").click()
    page.get_by_role("button", name="Mark as unused: Cookie").click()
    page.get_by_role("tab", name="Overview").click()
    page.locator(".chips li", has_text="Cookie").wait_for()
    page.get_by_role("button", name="Pet", exact=True).click()
    page.get_by_text("Stayed 30 days").wait_for()
    page.get_by_role("button", name="Bring back").click()
    page.get_by_text("No earlier pets").wait_for()
    page.locator(".own-pet .pet-drawing").wait_for()
    assert service.send("GET", home)["specimen"]["forgotten_at"] is None
    accessible(page)
    page.screenshot(path=artifacts / "viewer-pet.png")
    page.get_by_role("link", name="Viewers", exact=True).click()
    page.get_by_role("heading", name="Viewers").wait_for()
    assert page.title() == "Viewers · Console"
    page.watch.check(service)


def test_the_link_of_a_viewers_page_is_a_token(visited, service):
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})["user_id"]
    page = visited(f"viewers/{user}")
    page.get_by_role("button", name="Link for the viewer").click()
    dialog = page.get_by_role("dialog", name="Link for Ann")
    dialog.get_by_text("This link works on this computer only").wait_for()
    assert service.send("GET", "/tokens") == [], "a look at the dialog creates nothing"
    dialog.get_by_role("button", name="Create link").click()
    dialog.locator("button:focus", has_text="Copy").wait_for()
    address = dialog.get_by_label("Link", exact=True).input_value()
    assert re.fullmatch(rf"{service.base}/viewer/#user={user}&token=[\w-]+", address)
    assert [(one["scope"], one["user_id"]) for one in service.send("GET", "/tokens")] == [("viewer", user)]
    accessible(page)
    page.watch.check(service)
