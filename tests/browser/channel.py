"""A channel with fixed identifiers, times and drawings, for reproducible pictures. `NOW` is its time."""

import base64
import datetime
import io
import random
import time
from concurrent.futures import ThreadPoolExecutor

from PIL import Image, ImageDraw

NOW = datetime.datetime(2026, 3, 14, 20, 14, 7, tzinfo=datetime.UTC)
BEGIN = NOW - datetime.timedelta(hours=2, minutes=14, seconds=7)
DAYS = 60
BROADCASTER = 100
NAMES = (
    "QuinnXd Bruno_plays Mila Big_Gifter OlgaInTheRain Tess Levi Ada99 Hugo_ttv Yuki Rosa GretaTheBold Nico42 Elif Finn_plays Ines "
    "Wim Sami_ttv Cleo Dario99 Kira PabloXd Vera Uwe42 Jonas Zoë Søren_ttv Amélie Mateo Freya Tomasz Ida_reads Óscar Petra Noah Lena"
).split()
CHAT = ["hello everyone", "that was close", "one more round?", "good evening from Oslo", "what a save", "this song again", "gg", "tea time"]
CHAT_SOURCE = "twitch/channel.chat.message"
NOTICE = "twitch/channel.chat.notification"
REDEMPTION = "twitch/channel.channel_points_custom_reward_redemption.add"
OVERLAY = 7_001
LETTER = 5_001
LETTERS = 8
FIRST_EVENT = 10_001
PRODUCTS = [
    {"name": "Golden acorn", "description": "An acorn for your inventory", "price": 120, "stock": 31, "max_per_user": 3, "item_name": "golden acorn", "automatic": True},
    {"name": "Highlight my message", "price": 60, "question": "Which message?", "user_cooldown": 300},
    {"name": "Change the light", "description": "The lamp behind me, for ten minutes", "price": 40, "question": "Which color?", "cooldown": 30},
    {"name": "Play a round with me", "description": "In the next stream", "price": 2_000, "stock": 2},
    {"name": "Winter scarf", "price": 150, "item_name": "winter scarf", "enabled": False},
]
COMMANDS = [
    {"name": "!points", "action": "balance", "answer": None, "user_cooldown": 30},
    {"name": "!buy", "action": "buy", "answer": "Thanks for shopping, {user}!", "user_cooldown": None},
]
RULES = [
    {"name": "Watching and chatting", "source": CHAT_SOURCE, "amount": 10, "every": 300},
    {"name": "Cheering", "event_type": "cheer", "per_unit": 2},
    {"name": "Subscribing", "event_type": "subscriber", "amount": 500},
    {"name": "Raiding", "event_type": "raid", "per_unit": 5, "enabled": False},
]
SETTINGS = {
    "lang": "en",
    "goal": {"of": "subs", "target": 25, "title": "New camera"},
    "leaderboard": {"board": "bits", "period": "stream", "limit": 5},
    "alerts": {
        "cheer": {"variations": [{"minimum": 1_000, "sound": "fanfare"}, {"minimum": 10_000, "theme": "paper"}]},
        "gift": {"duration": 8},
        "follow": {"enabled": True, "sound": "none"},
    },
}


def text(time):
    return time.isoformat().replace("+00:00", "Z")


def ago(**durations):
    return NOW - datetime.timedelta(**durations)


def cheer(amount, message=""):
    return {"event_type": "cheer", "amount": amount, "message": message, "source": "twitch/channel.cheer"}


def sub(tier, months, message=None, **details):
    notice = "resub" if months > 1 else "sub"
    return {"event_type": "subscriber", "tier": tier, "subscribed_length": months, "message": message, "source": f"{NOTICE}/{notice}", "details": details or None}


# The streams' titles and categories.
TITLES = [("Just one more level", "Celeste"), ("Painting what you describe", "Art"), ("Coffee and your questions", "Just Chatting")]


def plain(source, message, **details):
    return {"event_type": "plain", "message": message, "source": source, "details": details or None}


def redemption(title, cost, words=""):
    return plain(REDEMPTION, f"{title} ({cost} points){words and ': '}{words}", title=title, cost=cost)


def gift(giver, total):
    details = {"giver": {"user_id": "1", "user_name": giver}, "tier": 1, "total": total}
    return {**plain(f"{NOTICE}/community_sub_gift", f"{giver} gifted {total} subs."), "details": details, "reference": f"gift-{giver}-{total}"}


def received(giver, name, total):
    details = {"giver": {"user_id": "1", "user_name": giver}, "tier": 1, "recipient": {"user_id": "2", "user_name": name}}
    return {**sub(1, 1), "source": f"{NOTICE}/sub_gift", "details": details, "reference": f"gift-{giver}-{total}"}


def stream():
    """Yields the minutes since the stream started, the name and the fields of its events, apart from the chat."""
    yield 2, "Tess", plain("twitch/channel.follow", "Tess followed the channel.")
    yield 5, "Mila", sub(1, 14, "fourteen months, and not bored once")
    yield 9, "Nico42", cheer(100, "Cheer100 good luck today")
    yield 14, "Levi", {"event_type": "raid", "viewer_count": 42, "source": "twitch/channel.raid"}
    yield 15, "Wim", plain("twitch/channel.follow", "Wim followed the channel.")
    yield 22, "Rosa", sub(1, 1, None, is_prime=True)
    yield 31, "Hugo_ttv", cheer(1_500, "for the jump at the bridge Cheer1500")
    yield 38, "Yuki", redemption("Hydrate", 100)
    yield 47, "Elif", sub(2, 6, "hello from the train")
    yield 58, "Kira", plain("twitch/channel.follow", "Kira followed the channel.")
    yield 66, "Ada99", cheer(250, "Cheer250")
    yield 73, "GretaTheBold", sub(1, 3)
    yield 81, "Big_Gifter", gift("Big_Gifter", 5)
    for name in ("Vera", "Uwe42", "Jonas", "Zoë", "Freya"):
        yield 81, name, received("Big_Gifter", name, 5)
    yield 92, "Ines", redemption("Pick the next song", 800, "something slow, please")
    yield 101, "Finn_plays", cheer(25, "Cheer25 nice")
    yield 109, "Sami_ttv", plain("twitch/channel.follow", "Sami_ttv followed the channel.")
    yield 117, "OlgaInTheRain", sub(3, 26, "two years, where did they go?")
    yield 122, "Cleo", {"event_type": "raid", "viewer_count": 118, "source": "twitch/channel.raid"}
    yield 126, "Dario99", cheer(500, "Cheer500 that was worth it")
    yield 129, "Bruno_plays", cheer(5_000, "what a run! Cheer5000")
    yield 132, "QuinnXd", sub(3, 17, "wow!")


# The stream's last event, after those of the letters and the start.
NEWEST = FIRST_EVENT + LETTERS + len(list(stream()))


class Channel:
    """Stores the channel in a service."""

    def __init__(self, service):
        self.service, self.random = service, random.Random(36)
        self.ids = {name: 101 + index for index, name in enumerate(NAMES)}
        self.next_event = FIRST_EVENT

    def put(self, path, record):
        self.service.send("PUT", path, record)

    def put_all(self, records):
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda one: self.put(*one), records))

    def event(self, name, at, fields):
        """Returns an event's path and body."""
        user = self.ids.get(name, BROADCASTER)
        self.next_event += 1
        return f"/events/{self.next_event - 1}", {"user_id": user, "user_name": name, "occurred_at": text(at), "created_at": text(at), **fields}

    def fill(self):
        self.fill_letters()
        self.put_all([*self.possessions(), *self.present(), *self.past()])
        self.put_all(self.purchases())
        # The figures are computed at startup.
        self.service.restart()
        deadline = time.monotonic() + 60
        while not self.is_counted():
            assert time.monotonic() < deadline, "the statistics lack events"
            time.sleep(0.1)

    def fill_letters(self):
        joined = {name: ago(days=540 - 13 * index, hours=index) for index, name in enumerate(NAMES)}
        users = [(f"/users/{self.ids[name]}", {"platform_id": f"twitch-{self.ids[name]}", "name": name, "created_at": text(joined[name])}) for name in NAMES]
        channel = {"platform_id": "1337", "name": "Your_Channel", "created_at": text(ago(days=900))}
        self.put_all([*users, (f"/users/{BROADCASTER}", channel)])
        self.put_all(self.letters())
        self.put_all(self.stamps())

    def is_counted(self):
        """Returns true if the statistics have all events and the leaderboards all bits."""
        interval = f"from={text(ago(days=DAYS + 31))}&to={text(NOW)}"
        months = self.service.send("GET", f"/statistics?{interval}&by=month")
        ranks = self.service.send("GET", f"/leaderboards/bits?{interval}&limit=1000")
        count = sum(sum(month["events"].values()) for month in months)
        return count == self.next_event - FIRST_EVENT and sum(month["bits"] for month in months) == sum(rank["value"] for rank in ranks)

    def past(self):
        """The earlier streams, every third evening, growing slightly from week to week."""
        for day in range(DAYS, 0, -3):
            begin = BEGIN - datetime.timedelta(days=day)
            yield self.event("Your_Channel", begin, plain("twitch/stream.online", "The stream began."))
            title, category = TITLES[day // 3 % len(TITLES)]
            update = plain("twitch/channel.update", f"The stream is now called “{title}”, in the category {category}.", title=title, category_name=category)
            yield self.event("Your_Channel", begin + datetime.timedelta(minutes=1), update)
            yield self.event("Your_Channel", begin + datetime.timedelta(minutes=210), plain("twitch/stream.offline", "The stream ended."))
            for _ in range(10 + (DAYS - day) // 6):
                at = begin + datetime.timedelta(seconds=self.random.randrange(60, 12_000))
                yield self.event(self.active(), at, self.fields())

    def active(self):
        # A few viewers are more active than all the others.
        return NAMES[int(self.random.random() * self.random.random() * len(NAMES))]

    def fields(self):
        return self.random.choice([
            *[plain(CHAT_SOURCE, self.random.choice(CHAT))] * 9,
            *[cheer(25 * self.random.randrange(1, 24), "Cheer")] * 3,
            *[sub(self.random.choice([1, 1, 1, 2, 3]), self.random.randrange(1, 24))] * 3,
            plain("twitch/channel.follow", "followed the channel."),
            redemption("Hydrate", 100),
            {"event_type": "raid", "viewer_count": self.random.randrange(2, 90), "source": "twitch/channel.raid"},
        ])

    def present(self):
        yield self.event("Your_Channel", BEGIN, plain("twitch/stream.online", "The stream began."))
        for minute, name, fields in stream():
            yield self.event(name, BEGIN + datetime.timedelta(minutes=minute), fields)
        for index, name in enumerate(NAMES[:12]):
            yield self.event(name, ago(minutes=3 + index), plain(CHAT_SOURCE, CHAT[index % len(CHAT)]))

    def possessions(self):
        items = [("golden key", 3), ("tiny umbrella", 1), ("lucky coin", 2), ("old map", 1), ("straw hat", 1)]
        for index, name in enumerate(NAMES[:14]):
            user = self.ids[name]
            yield f"/specimens/{2_001 + index * 37}", {"owner_id": user, "born_at": text(ago(days=22 + index * 3))}
            for place, (item, quantity) in enumerate(items[: 1 + (index * 2 + 4) % 5]):
                number = 3_001 + index * 10 + place
                yield f"/inventory/{number}", {"owner_id": user, "name": item, "quantity": quantity, "created_at": text(ago(days=9, hours=place))}
            causes = [(500, "Subscribing", "rules/6003"), (120, "Trivia night", None), (-60, "Lost a bet", None), (200, "Cheering", "rules/6002"), (10, "Watching and chatting", "rules/6001")]
            for place in range(10):
                amount, description, cause = causes[(place + index) % 5]
                record = {"user_id": user, "amount": amount + index, "description": description, "cause": cause, "created_at": text(ago(days=28 - 3 * place, hours=index))}
                yield f"/transactions/{4_001 + index * 20 + place}", record
        yield "/inventory/3990", {"owner_id": 101, "name": "cookie", "created_at": text(ago(days=6)), "used_at": text(ago(days=1))}
        yield "/specimens/2990", {"owner_id": 101, "born_at": text(ago(days=90)), "forgotten_at": text(ago(days=23))}
        for index, product in enumerate(PRODUCTS):
            yield f"/products/{6_101 + index}", {**product, "created_at": text(ago(days=40 - index))}
        for index, command in enumerate(COMMANDS):
            yield f"/commands/{6_101 + index}", {**command, "enabled": True, "created_at": text(ago(days=40 - index))}
        for index, rule in enumerate(RULES):
            yield f"/rules/{6_001 + index}", {**rule, "created_at": text(ago(days=50 - index))}
        yield f"/overlays/{OVERLAY}", {"name": "Stream", "settings": SETTINGS, "created_at": text(ago(days=80))}
        for index in range(2):
            yield f"/opt-outs/{6_901 + index}", {"platform_id": f"4475{index}902", "created_at": text(ago(days=12 + index))}

    def purchases(self):
        answers = [None, "hello from the second row", "violet", None, "gg to the whole team", "green", "for my sister"]
        for index in range(12):
            product = [0, 1, 2, 3, 1, 2, 1, 0, 2, 1, 2, 0][index]
            user, number, price = 101 + index * 3 % 14, 6_201 + index, PRODUCTS[product]["price"]
            at = text(ago(minutes=4 + 13 * index))
            status = "pending" if index in (1, 2, 3, 4) else "refunded" if index == 8 else "fulfilled"
            paid = {"user_id": user, "amount": -price, "description": PRODUCTS[product]["name"], "cause": f"purchases/{number}", "created_at": at}
            self.put(f"/transactions/{4_801 + index}", paid)
            record = {"user_id": user, "product_id": 6_101 + product, "name": PRODUCTS[product]["name"], "price": price, "quantity": 1, "status": status}
            answer = answers[index % len(answers)] if "question" in PRODUCTS[product] else None
            yield f"/purchases/{number}", {**record, "answer": answer, "transaction_id": 4_801 + index, "created_at": at}

    def letters(self):
        for index in range(LETTERS):
            at = text(ago(hours=2 + 19 * index))
            body = {"document_data": base64.b64encode(landscape(index)).decode(), "seal": [4, 7, 1, 3, 0, 27, 9, 5][index], "created_at": at}
            self.put(f"/documents/{LETTER + index}", body)
            name = NAMES[index * 5 % len(NAMES) if index % 3 else 0]
            fields = cheer(300, "a view from my window") if index % 2 else plain(None, "greetings from a walk")
            path, event = self.event(name, ago(hours=2 + 19 * index), fields)
            yield path, {**event, "document_id": LETTER + index}

    def stamps(self):
        kinds = ["heart", "star", "paw", "check"]
        for index in range(LETTERS):
            for place in range(1 + index % 4):
                at = {"pos_x": 90 + 115 * place, "pos_y": 70 + 45 * ((index + place) % 3), "rotation": 0.35 * (place - 1)}
                yield f"/stamps/{8_001 + index * 10 + place}", {"document_id": LETTER + index, "stamp_type": kinds[(index + place) % 4], **at}


def landscape(number):
    """Draws a sky, a sun and hills. Returns a PNG."""
    numbers = random.Random(number)
    width, height = 480, 320
    top, bottom = [((150, 190, 240), (250, 225, 200)), ((60, 70, 120), (240, 150, 130)), ((170, 220, 230), (240, 245, 220)), ((90, 60, 110), (250, 180, 120))][number % 4]
    image = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(image)
    for y in range(height):
        draw.line([(0, y), (width, y)], tuple(a + (b - a) * y // height for a, b in zip(top, bottom)))
    x, y = numbers.randrange(80, 400), numbers.randrange(50, 120)
    draw.ellipse([x - 34, y - 34, x + 34, y + 34], (255, 240, 200))
    for layer in range(3):
        peak, level = numbers.randrange(40, 440), 150 + 55 * layer
        shade = tuple(part - 26 * layer for part in (104, 150, 122))
        draw.ellipse([peak - 420, level, peak + 420, level + 520], shade)
    file = io.BytesIO()
    image.save(file, "png")
    return file.getvalue()
