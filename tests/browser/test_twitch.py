"""Tests of the connection to Twitch in the console. The route's responses follow the contract, without Twitch."""

import datetime
import json
import re

import pytest
from conftest import LOOKS, Service, Watch, accessible

NONE = {
    "transport": "websocket",
    "state": "none",
    "client_id": None,
    "user_code": None,
    "verification_uri": None,
    "expires_at": None,
    "channel": None,
    "missing_scopes": [],
    "subscriptions": {"enabled": 0, "failed": []},
    "connected_at": None,
    "last_message_at": None,
    "gaps": [],
    "error": None,
}
CODE = {"user_code": "KXRT-PLMQ", "verification_uri": "https://www.twitch.tv/activate?device-code=KXRT-PLMQ"}
CHANNEL = {"platform_id": "1337", "name": "Ann"}
FOLLOW = "twitch/channel.follow"


def ago(seconds):
    return (datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def connected(**more):
    subscriptions = {"enabled": 21, "failed": []}
    return {**NONE, "state": "connected", "client_id": "abc", "channel": CHANNEL, "subscriptions": subscriptions, "connected_at": ago(3_600), "last_message_at": ago(2), **more}


class Twitch:
    """Answers `/connections/twitch` in place of the service. `state` is the body of GET."""

    def __init__(self, page, **state):
        self.state, self.requests, self.failure = {**NONE, **state}, [], None
        page.route("**/connections/twitch", self.answer)

    def answer(self, route):
        request = route.request
        if self.failure:
            status, problem = self.failure
            return route.fulfill(status=status, content_type="application/problem+json", body=json.dumps(problem))
        if request.method == "POST":
            assert "idempotency-key" not in request.headers, "a stored response would contain the code"
            self.state = {**self.state, "state": "pending", **CODE, "expires_at": ago(-1_800), "error": None}
        before = self.state
        if request.method == "DELETE":
            self.state = {**NONE, "channel": before["channel"], "client_id": before["client_id"], "gaps": before["gaps"]}
        if request.method != "GET":
            self.requests.append((request.method, json.loads(request.post_data or "null")))
        status = 202 if request.method == "POST" else 200
        return route.fulfill(status=status, content_type="application/json", body=json.dumps(self.state if request.method == "POST" else before))


@pytest.fixture
def visited(browser):
    """Opens a view of a service that responds with a state of the connection."""
    contexts = []

    def visit(service, view="settings?tab=twitch", state=None, **options):
        context = browser.new_context(**{"locale": "en", "viewport": {"width": 1200, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.watch = Watch(page)
        twitch = Twitch(page, **(state or {}))
        page.goto(f"{service.base}/console/#/{view}")
        page.locator(".state.connected").wait_for(state="attached")
        return page, twitch

    yield visit
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """A service without events."""
    service = Service(tmp_path_factory.mktemp("quiet") / "data")
    yield service
    service.stop()


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A service with two events on the 20th of November, half an hour apart."""
    service = Service(tmp_path_factory.mktemp("told") / "data")
    for amount, time in ((11, "20:10:00"), (12, "20:40:00")):
        service.cheer("Ann", amount, occurred_at=f"2026-11-20T{time}Z")
    yield service
    service.stop()


def test_a_channel_is_connected_from_the_empty_overview(visited, service, artifacts):
    page, twitch = visited(service, "overview", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_text("Add alerts to OBS").wait_for()
    guide = page.get_by_role("link", name="Show me how")
    assert guide.get_attribute("href").endswith("/docs/guides/?guide=twitch#connect-on-your-machine")
    accessible(page)
    page.screenshot(path=artifacts / "twitch-begin.png")
    page.get_by_role("link", name="Register an application").wait_for()
    page.get_by_role("button", name="Copy http://localhost").click()
    page.locator(".register").get_by_text("Copied.").wait_for()
    page.get_by_label("Client ID of your Twitch application").fill("  q6batx0epp608isickayubi39itsckt ")
    page.get_by_role("button", name="Connect Twitch").click()
    page.get_by_text("KXRT-PLMQ").wait_for()
    assert page.evaluate("document.activeElement.href") == CODE["verification_uri"], "the focus follows"
    assert twitch.requests == [("POST", {"client_id": "q6batx0epp608isickayubi39itsckt"})]
    page.get_by_role("img", name="QR code").wait_for()
    assert page.get_by_role("link", name="Open Twitch").get_attribute("href") == CODE["verification_uri"]
    page.get_by_text(re.compile(r"Valid for \d+ minutes")).wait_for()
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "KXRT-PLMQ"
    page.get_by_text("Waiting for you at Twitch…").wait_for()
    accessible(page)
    page.screenshot(path=artifacts / "twitch-code.png")
    twitch.state = {**twitch.state, "state": "connecting", "user_code": None, "verification_uri": None, "expires_at": None}
    page.locator(".login-steps li[aria-current=step]", has_text="Connect").wait_for()
    twitch.state = connected()
    page.get_by_text("Connected to Ann").wait_for()
    page.get_by_text("Write something in your chat").wait_for()
    # The overview's list omits the chat, but the first message shows that the connection works.
    service.cheer("Bea", 1)
    page.locator(".row", has_text="cheered 1 bit").wait_for()
    page.watch.check(service)


def test_the_first_event_of_twitch_ends_the_login(visited, service):
    page, twitch = visited(service, state={"client_id": "abc"})
    page.get_by_role("button", name="Connect Twitch").click()
    page.get_by_text("KXRT-PLMQ").wait_for()
    assert twitch.requests == [("POST", {})], "the service has a client identifier"
    twitch.state = connected()
    page.get_by_text("Write something in your chat").wait_for()
    # Only Twitch and imports set such a source, so the page gets another event's entry with it.
    with_source = lambda text: text.replace('"source":null', '"source":"twitch/channel.chat.message"')
    page.route("**/feed?after=*", lambda route: route.fulfill(response=(response := route.fetch()), body=with_source(response.text())))
    service.cheer("Bea", 7)
    page.get_by_text("The first event is here").wait_for()
    page.locator(".row", has_text="cheered 7 bits").wait_for()
    assert page.locator(".login-steps li.done").count() == 3
    page.watch.check(service)


def test_a_login_is_cancelled_and_a_connection_ends_after_a_question(visited, quiet):
    page, twitch = visited(quiet, state={**CODE, "state": "pending", "expires_at": ago(-900)})
    page.get_by_role("button", name="Cancel login").click()
    page.get_by_label("Client ID").wait_for()
    twitch.state = connected()
    page.reload()
    page.get_by_text("21 subscriptions · connected since").wait_for()
    page.get_by_role("button", name="Disconnect").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Disconnect").click()
    assert [method for method, _ in twitch.requests] == ["DELETE"], "of the login"
    page.get_by_role("button", name="Disconnect Twitch").click()
    page.get_by_text("Not connected").wait_for()
    assert [method for method, _ in twitch.requests] == ["DELETE", "DELETE"]
    page.get_by_text("Use another client ID").click()
    page.get_by_label("Client ID").fill("z" * 30)
    page.keyboard.press("Enter")
    page.get_by_text("KXRT-PLMQ").wait_for()
    assert twitch.requests[2] == ("POST", {"client_id": "z" * 30})


def test_everything_that_is_wrong_is_shown_with_what_to_do(visited, quiet, artifacts):
    failed = [{"type": "channel.follow", "reason": "403: the moderator scope is missing"}]
    gaps = [{"from": f"2026-11-{day}T20:14:00Z", "to": f"2026-11-{day}T20:31:00Z"} for day in range(20, 10, -1)]
    state = connected(missing_scopes=["bits:read", "user:read:chat"], subscriptions={"enabled": 19, "failed": failed}, gaps=gaps, error="Twitch closed the socket (4003). The service connects again.", last_message_at=ago(95))
    page, twitch = visited(quiet, state=state, timezone_id="UTC")
    page.get_by_text("2 permissions are missing").wait_for()
    page.get_by_text("user:read:chat").wait_for()
    page.get_by_role("cell", name="403: the moderator scope is missing").wait_for()
    page.get_by_text("The connection to Twitch broke. The service connects again by itself.").wait_for()
    page.locator(".twitch .bad", has_text="Last signal from Twitch").wait_for()
    page.get_by_text("No data from Nov 20, 2026, 8:14").wait_for()
    page.get_by_text("5 more").click()
    page.get_by_text("No data from Nov 11, 2026, 8:14").wait_for()
    accessible(page)
    page.screenshot(path=artifacts / "twitch-wrong.png", full_page=True)
    twitch.state = connected(last_message_at=ago(0))
    page.locator(".twitch .quiet", has_text="Last signal from Twitch").wait_for()
    page.locator(".twitch .bad").wait_for(state="detached")
    twitch.state = connected(state="reauthorize", last_message_at=ago(900), error="The token is invalid. Log in again.")
    page.get_by_role("button", name="Log in again").click()
    page.get_by_text("KXRT-PLMQ").wait_for()
    page.watch.check(quiet)


def test_a_token_that_cannot_see_the_code_is_named(visited, quiet):
    page, _ = visited(quiet, state={"state": "pending", "expires_at": ago(-900)})
    page.get_by_text("Use a token with the scope “import”.").wait_for()
    page.get_by_role("button", name="Use another token").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Access token").wait_for()


def test_a_refused_client_identifier_and_a_failed_request_are_shown(visited, quiet):
    page, twitch = visited(quiet)
    # Input that cannot be a client ID is not sent.
    page.get_by_label("Client ID").fill("my application")
    page.get_by_role("button", name="Connect Twitch").click()
    page.get_by_text("A client ID has 30 letters and digits.").wait_for()
    assert twitch.requests == []
    page.get_by_label("Client ID").fill("w" * 30)
    detail = "Twitch does not know this client identifier. Copy it from Twitch's console."
    errors = [{"pointer": "/client_id", "code": "reference_not_found", "detail": detail}]
    twitch.failure = (422, {"code": "invalid_body", "status": 422, "title": "Invalid body", "detail": "The body is invalid.", "errors": errors})
    page.get_by_role("button", name="Connect Twitch").click()
    page.get_by_text("Twitch doesn't know this client ID.").wait_for()
    # A state that cannot be loaded is not shown as "not connected".
    twitch.failure = (503, {"code": "store_unavailable", "status": 503, "title": "Unavailable", "detail": "Retry later."})
    page.reload()
    section = page.get_by_role("region", name="Twitch")
    section.get_by_text("The service can't answer right now.").wait_for()
    assert section.get_by_text("Not connected").count() == 0
    twitch.failure = None
    page.get_by_text("Not connected").wait_for()


@pytest.mark.parametrize("state", ["none", "connected"])
def test_a_deployment_shows_its_state_without_buttons(visited, quiet, state):
    channel = {"platform_id": "1337", "name": None} if state == "connected" else None
    page, _ = visited(quiet, state={"transport": "webhook", "state": state, "channel": channel})
    section = page.get_by_role("region", name="Twitch")
    section.get_by_text("Receiving events of 1337" if state == "connected" else "Not connected").wait_for()
    assert section.get_by_role("button").count() == 0
    accessible(page)


def test_the_overview_says_when_the_last_message_came(visited, told):
    page, twitch = visited(told, "overview", state=connected(last_message_at=ago(12)))
    page.locator(".twitch-line .quiet", has_text=re.compile(r"Last signal from Twitch \d+s ago")).wait_for()
    twitch.state = connected(last_message_at=ago(75))
    page.locator(".twitch-line .bad", has_text="Last signal from Twitch").wait_for()
    twitch.state = connected(state="reauthorize")
    page.locator(".twitch-line").get_by_role("link", name="Log in again").click()
    page.get_by_role("heading", name="Settings").wait_for()


def test_gaps_are_in_the_activity_and_in_the_analytics(visited, told, artifacts):
    gaps = [{"from": "2026-11-20T20:50:00Z", "to": "2026-11-21T01:00:00Z"}, {"from": "2026-11-20T20:14:00Z", "to": "2026-11-20T20:31:00Z"}]
    page, _ = visited(told, "activity", state=connected(gaps=gaps), timezone_id="UTC", locale="de")
    page.locator(".gap").nth(1).wait_for()
    page.locator(".row .actions").first.wait_for(state="attached")
    texts = page.locator(".gap, .row .kind").all_inner_texts()
    assert texts == ["Keine Daten von 20.11.2026, 20:50 bis 21.11.2026, 01:00", "hat 12 Bits gecheert", "Keine Daten von 20:14 bis 20:31", "hat 11 Bits gecheert"]
    accessible(page)
    page.screenshot(path=artifacts / "twitch-gaps.png")
    page.goto(f"{told.base}/console/#/analytics?from=2026-11-20&to=2026-11-20")
    page.reload()
    page.get_by_role("region", name="Lücken").get_by_text("Keine Daten von 20.11.2026, 20:14 bis 20:31").wait_for()
    accessible(page)


@pytest.mark.parametrize("width, language, theme", LOOKS)
def test_each_state_is_accessible(visited, quiet, artifacts, width, language, theme):
    options = {"color_scheme": theme, "locale": language, "viewport": {"width": width, "height": 800}}
    failed = [{"type": "channel.channel_points_custom_reward_redemption.add", "reason": "403"}]
    gaps = [{"from": "2026-11-20T20:14:00Z", "to": "2026-11-20T20:31:00Z"}]
    states = {
        "none": {},
        "pending": {**CODE, "state": "pending", "expires_at": ago(-900)},
        "connected": connected(missing_scopes=["bits:read"], subscriptions={"enabled": 19, "failed": failed}, gaps=gaps),
        "reauthorize": connected(state="reauthorize", error="The token is invalid. Log in again.", last_message_at=ago(95)),
    }
    page, twitch = visited(quiet, "settings?tab=twitch", reduced_motion="reduce", **options)
    for view in ("settings?tab=twitch", "overview"):
        page.evaluate(f"location.hash = '#/{view}'")
        for name, state in states.items():
            twitch.state = {**NONE, **state}
            page.reload()
            # In the overview, a working connection's step is a single line.
            is_line = view == "overview" and name == "connected"
            content = page.locator(".twitch form" if name == "none" else f".twitch-state.{name} ~ *").first
            content.wait_for(state="attached" if is_line else "visible")
            if name == "pending":
                # A phone does not need a code to scan.
                page.locator(".qr").wait_for(state="visible" if width > 480 else "hidden")
            accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view}: nothing is wider than the page"
            assert page.locator("main .main").count() <= 1, "one primary button"
            if (width, language) in ((375, "de"), (1280, "en")):
                page.screenshot(path=artifacts / f"twitch-{view}-{name}-{theme}-{width}.png", full_page=True)
    page.watch.check(quiet)
