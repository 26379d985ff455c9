"""The selected states of the pages, and the studio that takes the same picture of each at any time.

A picture depends only on the code: the records are those of channel.py, `Date` stands still at their `NOW`,
`Math.random` is seeded for whatever is drawn, timers of two seconds or more never end, and animations stop at a fixed
time.
"""

import io
import json
import time
from dataclasses import dataclass, field

import channel
from channel import Channel
from conftest import OPTIONS, ROOT, Service
from PIL import Image

THEMES = ("light", "dark")
DESKTOP, TALL, PHONE = (1280, 900), (1280, 1400), (375, 780)
STAGE = {"width": 1280, "height": 720}
# A sheet's row of three stages, at half their size, and the pixels between them.
COLUMNS = 3
GAP = 8
SHEET_SCALE = 0.5
# The stream's picture behind the overlay, which is transparent.
BACKGROUNDS = {
    "light": [(244, 247, 255, 255), (255, 233, 220, 255), (223, 243, 230, 255)],
    "dark": [(38, 50, 74, 255), (61, 42, 77, 255), (31, 61, 58, 255)],
}
# Seconds. Nothing takes this long unless the machine is very busy.
TIMEOUT = 60
# The time at which an alert's animations stop, in milliseconds: it is in place, and confetti is flying.
MOMENT = 1_700
# A raid's crowd is on its way, the ticker fills its line, and pets have arrived.
LATER = 15_000
LONG_TIMER = 2_000

STILL = f"""
    const begin = {int(channel.NOW.timestamp() * 1_000)};
    const RealDate = Date;
    globalThis.Date = class extends RealDate {{
        constructor(...parts) {{ parts.length > 0 ? super(...parts) : super(begin); }}
        static now() {{ return begin; }}
    }};
    let state = 36;
    const next = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
    // Others, such as delays, ask at any time, and must not take a number of the drawings.
    Math.random = () => (/(effects|pets|walker)[.]js/.test(new Error().stack) ? next() : 0.5);
    const start = setTimeout;
    globalThis.setTimeout = (run, wait, ...more) => (wait >= {LONG_TIMER} ? 0 : start(run, wait, ...more));
"""
# The responses that depend on the service's clock: statistics without an end, tokens, and the connection to Twitch.
# Pets are answered one after another, which keeps their order. ANSWERS and AWAY are set before.
ANSWERED = f"""
    const request = fetch;
    let last = Promise.resolve();
    const later = (...parts) => (last = last.then(() => request(...parts), () => request(...parts)));
    globalThis.fetch = async (input, options) => {{
        const url = new URL(input.url ?? input, location.href);
        const isGet = (options?.method ?? input.method ?? 'GET') === 'GET';
        if (AWAY && url.pathname === AWAY) throw new TypeError('away');
        if (isGet && ANSWERS[url.pathname]) return new Response(JSON.stringify(ANSWERS[url.pathname]), {{headers: {{'content-type': 'application/json'}}}});
        if (url.pathname.endsWith('/specimen')) return later(input, options);
        if (!url.pathname.endsWith('/statistics')) return request(input, options);
        if (!url.searchParams.has('to')) url.searchParams.set('to', '{channel.text(channel.NOW)}');
        const response = await request(url, options);
        const headers = new Headers(response.headers);
        headers.set('as-of', '{channel.text(channel.NOW)}');
        return new Response(response.body, {{status: response.status, headers}});
    }};
"""
# The overlay's own animations stop as soon as they start.
STOPPED = """
    const stop = (animation) => {
        animation.pause();
        animation.currentTime = Math.min(MOMENT, animation.effect.getComputedTiming().endTime);
        return animation;
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...parts) { return stop(animate.apply(this, parts)); };
    globalThis.stopAll = () => document.getAnimations().forEach(stop);
    addEventListener('animationstart', stopAll, true);
"""
# Machines have different typefaces for code.
ONE_TYPEFACE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('code, kbd, pre, samp, textarea { font-family: Figtree, sans-serif }');
    document.adoptedStyleSheets = [sheet];
}"""
# How long nothing may change or load before a picture counts, in seconds.
REST = 0.25
# Something is loading: a skeleton, the typeface, an image.
LOADING = """
    document.querySelector('body:not(:has(dialog[open])) .skeleton') !== null || document.fonts.status !== 'loaded'
        || [...document.images].some((image) => !image.complete)
"""
TWITCH = {
    "transport": "websocket", "state": "connected", "client_id": "abc", "user_code": None, "verification_uri": None, "expires_at": None,
    "channel": {"platform_id": "1337", "name": "Your_Channel"}, "missing_scopes": [], "subscriptions": {"enabled": 21, "failed": []},
    "connected_at": channel.text(channel.ago(hours=3)), "last_message_at": channel.text(channel.ago(seconds=2)), "gaps": [], "error": None,
}
CODE = {
    **TWITCH, "state": "pending", "user_code": "KXRT-PLMQ", "verification_uri": "https://www.twitch.tv/activate?device-code=KXRT-PLMQ",
    "expires_at": channel.text(channel.ago(minutes=-28)), "channel": None, "connected_at": None, "last_message_at": None,
}
OPEN = [{"overlay_id": 1, "connections": 1, "in_obs": 1}]
TOKENS = [
    {"token_id": 1, "name": "OBS", "scope": "overlay", "user_id": None, "created_at": channel.text(channel.ago(days=30)), "used_at": channel.text(channel.ago(minutes=1)), "expires_at": None},
    {"token_id": 2, "name": "QuinnXd", "scope": "viewer", "user_id": 101, "created_at": channel.text(channel.ago(days=4)), "used_at": channel.text(channel.ago(days=1)), "expires_at": channel.text(channel.ago(days=-26))},
]


@dataclass(frozen=True)
class State:
    """A state of a page. `ready` has selectors that must all be visible. Then `alerts` are sent, and `last` is
    visible."""

    name: str
    address: str
    ready: tuple
    size: tuple = DESKTOP
    lang: str = "en"
    host: str = "channel"
    twitch: dict = field(default_factory=lambda: TWITCH)
    alerts: tuple = ()
    last: str = "main"
    away: str = ""


@dataclass(frozen=True)
class Sheet:
    """A picture of several stages. Each shows an alert or a widget in its upper part."""

    name: str
    height: int
    stages: tuple


@dataclass(frozen=True)
class Stage:
    address: str
    ready: str
    settings: dict | None = None
    alert: dict | None = None
    moment: int = MOMENT


CHEER = {"event_type": "cheer", "user_name": "Bruno_plays"}
GIFT = {"event_type": "plain", "message": "-", "reference": "test", "user_name": "Big_Gifter", "details": {"giver": {"user_id": "1", "user_name": "Big_Gifter"}, "tier": 1, "total": 5}}
RAID = {"event_type": "raid", "user_name": "Levi", "viewer_count": 42}
RESUB = {"event_type": "subscriber", "user_name": "QuinnXd", "tier": 3, "subscribed_length": 17, "message": "wow!"}
WAITING = ({"test": RESUB}, {"test": {**CHEER, "amount": 5_000, "message": "what a run!"}}, {"test": RAID}, {"test": {**CHEER, "amount": 100, "user_name": "Ada99"}})


def alert(theme, event, ready, moment=MOMENT):
    return Stage("/overlay/", f".alert[data-theme={theme}] {ready}", {"theme": theme, "duration": 60, "lang": "en"}, event, moment)


def widget(name, ready):
    return Stage(f"/overlay/{name}/", ready, moment=LATER)


def cheers(theme):
    words = {20: "Cheer20 hi", 1_000: "Cheer1000 for the jump at the bridge", 10_000: "Cheer10000 you have made my whole week, thank you"}
    return tuple(alert(theme, {"test": {**CHEER, "amount": amount, "message": message}}, f".headline:has-text('{amount:,}')") for amount, message in words.items())


LIVE = (".figures .change", ".live time", ".obs", ".row summary", ".state.connected")
STATES = (
    State("overview", "#/overview", (*LIVE, ".thanks li", ".top li", "text='11 / 25'"), alerts=WAITING, last=".queue li:nth-child(4)"),
    State("setup", "#/overview", (".consent .qr", ".demo", ".state.connected"), host="empty", twitch=CODE),
    State("activity", "#/activity", (".row summary", ".state.connected")),
    State("letters", "#/letters", tuple(f"li:nth-child({number}) {part}" for number in range(1, 9) for part in (".picture", ".seal path >> nth=0", ".line"))),
    State("letter", f"#/letters/{channel.LETTER + 3}", (".stage [role=button] >> nth=3", ".seals button:last-child path >> nth=0", "text='a view from my window'", ".state.connected")),
    State("viewers", "#/viewers?sort=bits", tuple(f"tbody tr:nth-child({number}) td time" for number in range(1, 21))),
    State("viewer", "#/viewers/101", (".big:not(:text-is('…')) >> nth=4", ".showcase svg >> nth=1", ".chips li", ".row .name", ".state.connected")),
    State("analytics", "#/analytics", (".uplot >> nth=3", ".top li", ".state.connected"), size=TALL),
    State("streams", "#/streams", ("tbody tr >> nth=3", "td .good, td .quiet", ".state.connected")),
    State("alerts", "#/alerts?kind=cheer", ("iframe[title=Preview] >> internal:control=enter-frame >> .alert:not(.leaving) .words", "text='Read the message aloud'", ".alert-variations button", ".state.connected"), size=TALL),
    State("store", "#/store?tab=products", ("text='Golden acorn'", ".state.connected")),
    State("rules", "#/rules", ("text='Cheering'", ".state.connected")),
    State("commands", "#/commands", ("text='Thanks for shopping, Ann!'", ".state.connected")),
    State("data", f"#/data?open={channel.NEWEST}", ("main tbody tr", ".fields-of", ".state.connected")),
    State("settings", "#/settings?tab=twitch", ("text='Disconnect'", ".state.connected")),
    State("sign-in", "#/overview", ("dialog[open] input",), host="guarded"),
    State("error", "#/activity", (".problem >> text=/in 2 s/", ".state.failing"), away="/events"),
    State("phone", "#/overview", (*LIVE[:3], ".state.connected", ".remote button"), size=PHONE),
    State("phone-settings-de", "#/settings?tab=twitch", ("text='Trennen'",), size=PHONE, lang="de"),
    State("viewer-page", "/viewer/#user=101", (".habitat svg", ".product", ".curve", ".purchases", ".letter >> nth=2", ".items li", ".letter .stamp"), size=TALL),
    Sheet("overlay-alerts", 400, (*cheers("neon"), *cheers("paper"), *cheers("minimal"))),
    Sheet("overlay-scenes", 720, (
        alert("paper", {"event_id": channel.FIRST_EVENT + 1}, ".picture .stamp.on"),
        alert("neon", {"test": RAID}, ".headline", 3_200),
        alert("neon", {"test": GIFT}, ".words:has-text('5 / 5')"),
        alert("minimal", {"test": RESUB}, ".headline"),
        widget("goal", ".figures"),
        widget("leaderboard", "li:nth-child(5)"),
        widget("recent", "li:nth-child(5)"),
        widget("ticker", "li:nth-child(5)"),
        widget("pets", ".walker >> nth=11"),
    )),
)


class Studio:
    """Takes pictures of states with one browser and a service for each kind of channel."""

    def __init__(self, chromium, folder):
        self.services = {
            "channel": Service(folder / "channel"),
            "empty": Service(folder / "empty"),
            "guarded": Service(folder / "guarded", "--require-token"),
            # The drawings' modules take random numbers by their names.
            "stage": Service(folder / "stage", "--web-sources", str(ROOT / "web")),
        }
        Channel(self.services["channel"]).fill()
        Channel(self.services["stage"]).fill_letters()
        # Addresses are visible, and the services' ports vary.
        self.contexts = {}
        names = {"channel": "127.0.0.1:3000", "empty": "localhost:3000", "guarded": "127.0.0.2:3000", "stage": "127.0.0.3:3000"}
        rules = ",".join(f"MAP {name} {self.services[host].base.removeprefix('http://')}" for host, name in names.items())
        self.bases = {host: f"http://{name}" for host, name in names.items()}
        # Machines smooth letters differently.
        steady = ["--disable-lcd-text", "--font-render-hinting=none", "--force-color-profile=srgb"]
        self.browser = chromium.launch(**{**OPTIONS, "args": [*OPTIONS["args"], *steady, f"--host-resolver-rules={rules}"]})

    def close(self):
        self.browser.close()
        for service in self.services.values():
            service.stop()

    def pictures(self, state):
        """Returns a state's picture in each theme."""
        if isinstance(state, Sheet):
            return self.sheet(state)
        return {theme: self.picture(state, theme) for theme in THEMES}

    def page(self, host, twitch=TWITCH, away="", **options):
        """Opens a page. Pages with the same options share the browser's cache."""
        key = json.dumps(options)
        if key not in self.contexts:
            self.contexts[key] = self.browser.new_context(timezone_id="UTC", **options)
            self.contexts[key].set_default_timeout(TIMEOUT * 1_000)
        page = self.contexts[key].new_page()
        answers = {} if host == "guarded" else {"/connections/twitch": twitch, "/tokens": TOKENS if host == "channel" else [], "/connections/overlays": OPEN if host == "channel" else []}
        page.add_init_script(f"const ANSWERS = {json.dumps(answers)}; const AWAY = {json.dumps(away)}; {ANSWERED} {STILL}")
        page.pending = set()
        page.on("request", lambda request: page.pending.add(request))
        page.on("requestfinished", lambda request: page.pending.discard(request))
        page.on("requestfailed", lambda request: page.pending.discard(request))
        return page

    def picture(self, state, theme):
        width, height = state.size
        options = {"viewport": {"width": width, "height": height}, "locale": state.lang, "color_scheme": theme, "reduced_motion": "reduce"}
        page = self.page(state.host, state.twitch, state.away, **options)
        path = state.address if state.address.startswith("/") else f"/console/{state.address}"
        page.goto(self.bases[state.host] + path)
        for selector in state.ready:
            page.locator(selector).first.wait_for()
        for body in state.alerts:
            self.services[state.host].send("POST", "/alerts", body)
        page.locator(state.last).first.wait_for()
        # A page that is missing parts does not load the typeface, and machines have different ones.
        page.add_style_tag(url="/shared/typeface.css")
        page.evaluate(ONE_TYPEFACE)
        page.locator("link[href$='typeface.css']").first.wait_for(state="attached")
        picture = steady_picture(page, state.ready)
        page.close()
        return picture

    def sheet(self, sheet):
        """Returns the sheet over each background. The stages themselves are transparent."""
        size = (int(STAGE["width"] * SHEET_SCALE), int(sheet.height * SHEET_SCALE))
        stages = [self.stage(stage).crop((0, 0, *size)) for stage in sheet.stages]
        return {theme: joined([Image.alpha_composite(background(colors, size), stage) for stage in stages]) for theme, colors in BACKGROUNDS.items()}

    def stage(self, stage):
        host = "stage" if stage.alert else "channel"
        service, overlay = self.services[host], channel.OVERLAY
        if stage.settings:
            overlay = service.send("POST", "/overlays", {"name": "Stream", "settings": stage.settings})["overlay_id"]
        page = self.page(host, viewport=STAGE, locale="en", device_scale_factor=SHEET_SCALE)
        page.add_init_script(f"const MOMENT = {stage.moment}; {STOPPED}")
        with page.expect_response(lambda response: response.url.split("?")[0].endswith("/feed")):
            page.goto(f"{self.bases[host]}{stage.address}#overlay={overlay}")
        if stage.alert:
            service.send("POST", "/alerts", stage.alert)
        page.locator(stage.ready).last.wait_for()
        picture = steady_picture(page, [stage.ready], is_stage=True)
        page.close()
        return picture


def steady_picture(page, ready, is_stage=False):
    """Takes pictures until they stay the same for a while with nothing loading and everything in `ready` visible."""
    options = {"animations": "allow", "omit_background": True} if is_stage else {"animations": "disabled"}
    deadline, before, since = time.monotonic() + TIMEOUT, None, 0
    while time.monotonic() < deadline:
        if is_stage:
            page.evaluate("stopAll()")
        now = page.screenshot(**options)
        # The preview replays its alert when its settings have arrived.
        is_ready = all(page.locator(selector).first.is_visible() for selector in ready)
        if page.pending or not is_ready or page.evaluate(LOADING):
            # A picture takes time, so the next one may still lack what becomes visible meanwhile.
            before = None
        elif now != before:
            before, since = now, time.monotonic()
        elif time.monotonic() - since >= REST:
            return Image.open(io.BytesIO(now)).convert("RGBA" if is_stage else "RGB")
    raise AssertionError(f"{page.url} does not settle: {[request.url for request in page.pending]}")


def background(colors, size):
    """Returns a stream's picture: colours that blend from left to right."""
    width, steps = size[0], len(colors) - 1
    strip = Image.new("RGBA", (width, 1))
    for x in range(width):
        step, rest = divmod(x * steps, width)
        strip.putpixel((x, 0), tuple(one + (other - one) * rest // width for one, other in zip(*colors[step : step + 2])))
    return strip.resize(size)


def joined(pictures):
    """Arranges pictures of the same size in rows."""
    width, height = pictures[0].width + GAP, pictures[0].height + GAP
    sheet = Image.new("RGB", (width * COLUMNS - GAP, height * -(-len(pictures) // COLUMNS) - GAP), "gray")
    for index, picture in enumerate(pictures):
        sheet.paste(picture, (index % COLUMNS * width, index // COLUMNS * height))
    return sheet
