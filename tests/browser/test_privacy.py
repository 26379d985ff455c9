"""Tests of anonymizing and opting out. A small model of the contract's routes answers in place of the service."""

import json
import re

import pytest
from conftest import Watch, accessible

PROBLEMS = {"reserved": 422, "duplicate_platform_id": 409}


class Privacy:
    """The routes of anonymizing and of opt-outs, as far as the pages use them."""

    def __init__(self, page, service, user):
        self.service, self.user = service, user
        self.opt_outs, self.sent, self.refusal = [], [], None
        page.route(re.compile(r"/(opt-outs(/\d+)?|users/\d+/anonymize)(\?.*)?$"), self.answer)

    def add(self, platform_id):
        number = max((one["opt_out_id"] for one in self.opt_outs), default=0) + 1
        self.opt_outs.insert(0, {"opt_out_id": number, "platform_id": platform_id, "created_at": "2026-11-20T12:00:00Z"})
        return self.opt_outs[0]

    def answer(self, route):
        method, path = route.request.method, route.request.url.removeprefix(self.service.base).split("?")[0]
        if method == "GET":
            return route.fulfill(json=self.opt_outs)
        body = json.loads(route.request.post_data or "null")
        self.sent.append((method, path, body))
        if self.refusal:
            # A rule of a body is a violation. A conflict has a code of its own.
            code, status = self.refusal, PROBLEMS[self.refusal]
            violation = {"pointer": "/platform_id", "code": code, "detail": "Refused."}
            problem = {"code": code, "errors": []} if status == 409 else {"code": "invalid_body", "errors": [violation]}
            body = json.dumps({"status": status, "title": "Refused", "detail": "Refused.", **problem})
            return route.fulfill(status=status, content_type="application/problem+json", body=body)
        if method == "DELETE":
            number = int(path.rsplit("/", 1)[1])
            self.opt_outs = [one for one in self.opt_outs if one["opt_out_id"] != number]
            return route.fulfill(json={})
        changed = {"platform_id": f"anonymized-{self.user}", "name": "Deleted viewer"}
        self.service.send("PATCH", f"/users/{self.user}", changed)
        return route.fulfill(status=201 if path == "/opt-outs" else 200, json=self.add(body["platform_id"]) if path == "/opt-outs" else {})


@pytest.fixture
def visited(browser, service):
    """Opens a view with the routes of privacy, and a viewer who is called Ann."""
    pages = []
    user = service.send("POST", "/users", {"platform_id": "1", "name": "Ann"})["user_id"]

    def anonymized(route):
        response = route.fetch()
        record = response.json()
        route.fulfill(response=response, json={**record, "platform_id": record["platform_id"].replace("anonymized-", "anonymized/")})

    def visit(view, **options):
        page = browser.new_page(**{"locale": "en", "viewport": {"width": 1200, "height": 800}, **options})
        pages.append(page)
        page.watch = Watch(page)
        page.route(f"**/users/{user}", anonymized)
        privacy = Privacy(page, service, user)
        page.goto(f"{service.base}/console/#/{view.format(user)}")
        page.locator("main h1").wait_for()
        return page, privacy

    yield visit
    for page in pages:
        page.unroute_all(behavior="ignoreErrors")
        page.close()


@pytest.mark.parametrize("action", ["Anonymize", "Opt out"])
def test_a_viewer_is_anonymized_after_a_question_that_says_what_is_lost(visited, action, artifacts):
    page, privacy = visited("viewers/{}?tab=privacy")
    page.get_by_role("button", name=action).click()
    dialog = page.get_by_role("dialog", name=f"{action} Ann")
    for text in ("Message texts and details of events", "Transactions and balance", "This cannot be undone."):
        dialog.get_by_text(text).wait_for()
    accessible(page)
    page.screenshot(path=artifacts / f"privacy-{action}.png")
    dialog.get_by_role("button", name="Cancel").click()
    assert privacy.sent == []
    page.get_by_role("button", name=action).click()
    sure = dialog.get_by_role("button", name="Anonymize this viewer" if action == "Anonymize" else "Opt this viewer out")
    for privacy.refusal, text in [("reserved", "The channel itself"), ("duplicate_platform_id", "already opted out")]:
        sure.click()
        dialog.get_by_text(text).wait_for()
    privacy.refusal = None
    sure.click()
    page.get_by_role("heading", name="Deleted viewer Anonymized").wait_for()
    page.get_by_text("Name, texts, documents and answers of this viewer are deleted.").wait_for()
    assert page.get_by_role("button", name=re.compile("Anonymize|Opt out")).count() == 0
    request = ("POST", f"/users/{privacy.user}/anonymize", {}) if action == "Anonymize" else ("POST", "/opt-outs", {"platform_id": "1"})
    assert privacy.sent == [request] * 3
    accessible(page)
    page.watch.check(privacy.service)


@pytest.mark.parametrize("locale", ["en", "de"])
def test_opt_outs_are_listed_added_and_removed_in_the_settings(visited, locale, artifacts):
    english = locale == "en"
    page, privacy = visited("settings", locale=locale, viewport={"width": 1200 if english else 375, "height": 800})
    card = page.get_by_role("region", name="Privacy" if english else "Datenschutz", exact=True)
    card.get_by_text("Nobody has opted out." if english else "Niemand hat widersprochen.").wait_for()
    guide = card.get_by_role("link").get_attribute("href")
    assert guide == f"{privacy.service.base}/docs/guides/?guide=privacy"
    card.get_by_role("textbox").fill(" 1337 ")
    card.get_by_role("button", name="Add opt-out" if english else "Widerspruch eintragen").click()
    page.get_by_role("dialog").locator(".danger").click()
    card.get_by_role("listitem").get_by_text("1337").wait_for()
    assert privacy.sent == [("POST", "/opt-outs", {"platform_id": "1337"})]
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the page"
    card.screenshot(path=artifacts / f"privacy-settings-{locale}.png")
    card.get_by_role("button", name="Remove the opt-out of 1337" if english else "Widerspruch von 1337 entfernen").click()
    card.get_by_role("button", name="Allow to store this viewer again" if english else "Speichern wieder erlauben").click()
    card.get_by_role("listitem").wait_for(state="detached")
    assert privacy.sent[1:] == [("DELETE", "/opt-outs/1", None)]
    page.watch.check(privacy.service)
