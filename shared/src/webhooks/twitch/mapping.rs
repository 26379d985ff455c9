//! What each type of subscription becomes. Adding one is one entry here, and a sample in `tests/samples/twitch.jsonl`
//! with what is expected of it in `tests/end_to_end/twitch.rs`.

use serde_json::Value as Json;

use super::{Cheers, Taken};
use crate::request::Draft;
use crate::resources::events::{AMOUNT, CHEER_TYPE, MESSAGE, SUBSCRIBED_LENGTH, TIER, VIEWER_COUNT};
use crate::schema::scalar::{MAX_LABEL_CHARS, MAX_PROSE_BYTES};
use crate::schema::{Attr, MAX_INTEGER, scalar};

/// A type of subscription, and what its notifications become.
pub struct Mapping {
    /// Twitch's name of it.
    pub name: &'static str,
    /// The version that is subscribed to. Notifications of any are taken.
    pub version: &'static str,
    /// The subscription's condition: its fields, and whose identifier each is given.
    pub condition: &'static [(&'static str, Who)],
    /// What the broadcaster must have granted.
    pub scopes: &'static [&'static str],
    /// Whether it is taken at all, where several types tell the same.
    pub taken: fn(Taken) -> bool,
    /// The field in which an event, or else its subscription's condition, names the channel that it is about; none, for
    /// what is about a user alone.
    pub channel: Option<&'static str>,
    /// Whether an event comes in another way, too, or is another channel's.
    pub told_elsewhere: fn(&Json, &str, Taken) -> bool,
    /// Who it is about.
    pub person: Whose,
    /// What is stored of it.
    pub becomes: Becomes,
    /// Where an event says when it happened.
    pub time: Option<&'static str>,
    /// Where a message has an identifier of the event, which stays the same under another message identifier.
    pub natural_id: Option<&'static str>,
}

/// Whose identifier it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The broadcaster's, whose channel it is.
    Broadcaster,
    /// Theirs who read the chat and the followers: a bot's or a moderator's, or the broadcaster's.
    Reader,
}

/// What is stored of a notification.
pub enum Becomes {
    /// An event of this type, with these fields.
    Event {
        /// `plain`, `subscriber`, `cheer` or `raid`.
        event_type: &'static str,
        /// Adds the fields of its type. What Twitch leaves out, or sends as null, becomes the least that the field takes.
        fields: fn(&Json, &Person, Draft) -> Draft,
    },
    /// The user's name, if there is the user.
    UserName,
}

/// The names of the fields that tell who it is: of the identifier, the display name and the login.
pub struct Whose(&'static str, &'static str, &'static str);

/// Who an event is about.
pub struct Person {
    /// Twitch's identifier.
    pub platform_id: String,
    /// The display name.
    pub name: String,
}

const USER: Whose = Whose("user_id", "user_name", "user_login");
const CHATTER: Whose = Whose("chatter_user_id", "chatter_user_name", "chatter_user_login");
const RAIDER: Whose = Whose("from_broadcaster_user_id", "from_broadcaster_user_name", "from_broadcaster_user_login");
const OURS: Option<&str> = Some("broadcaster_user_id");

/// Stands for everybody who did not want to be named. No identifier of Twitch's is a word.
const ANONYMOUS: &str = "anonymous";

/// What most mappings have in common.
const BASE: Mapping = Mapping {
    name: "",
    version: "1",
    condition: &[("broadcaster_user_id", Who::Broadcaster)],
    scopes: &[],
    taken: |_| true,
    channel: OURS,
    told_elsewhere: |_, _, _| false,
    person: USER,
    becomes: Becomes::UserName,
    time: None,
    natural_id: None,
};

/// All types that are taken.
pub static MAPPINGS: [Mapping; 10] = [
    Mapping {
        name: "channel.subscribe",
        scopes: &["channel:read:subscriptions"],
        becomes: Becomes::Event {
            event_type: "subscriber",
            fields: |event, _, draft| draft.with(&TIER, tier(event, "/tier")).with(&SUBSCRIBED_LENGTH, 1),
        },
        ..BASE
    },
    Mapping {
        name: "channel.subscription.message",
        scopes: &["channel:read:subscriptions"],
        becomes: Becomes::Event {
            event_type: "subscriber",
            fields: |event, _, draft| {
                let months = count(event, "/cumulative_months");
                let draft = draft.with(&TIER, tier(event, "/tier")).with(&SUBSCRIBED_LENGTH, months);
                said(draft, event, "/message/text")
            },
        },
        ..BASE
    },
    Mapping {
        name: "channel.subscription.gift",
        scopes: &["channel:read:subscriptions"],
        becomes: Becomes::Event {
            event_type: "plain",
            fields: |event, giver, draft| draft.with(&MESSAGE, &gift(event, giver)),
        },
        ..BASE
    },
    Mapping {
        name: "channel.cheer",
        scopes: &["bits:read"],
        taken: |taken| taken.cheers == Cheers::Cheer,
        becomes: Becomes::Event {
            event_type: "cheer",
            fields: |event, _, draft| said(draft.with(&AMOUNT, count(event, "/bits")), event, "/message"),
        },
        ..BASE
    },
    Mapping {
        name: "channel.bits.use",
        scopes: &["bits:read"],
        taken: |taken| taken.cheers == Cheers::Bits,
        becomes: Becomes::Event {
            event_type: "cheer",
            fields: |event, _, draft| {
                let draft = said(draft.with(&AMOUNT, count(event, "/bits")), event, "/message/text");
                with_text(draft, &CHEER_TYPE, text(event, "/type").map(label))
            },
        },
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("to_broadcaster_user_id", Who::Broadcaster)],
        channel: Some("to_broadcaster_user_id"),
        person: RAIDER,
        becomes: Becomes::Event {
            event_type: "raid",
            fields: |event, _, draft| draft.with(&VIEWER_COUNT, count(event, "/viewers")),
        },
        ..BASE
    },
    Mapping {
        name: "channel.chat.message",
        condition: &[("broadcaster_user_id", Who::Broadcaster), ("user_id", Who::Reader)],
        scopes: &["user:read:chat", "user:bot", "channel:bot"],
        taken: |taken| taken.chat,
        told_elsewhere: |event, channel, taken| {
            let source = id(&event["source_broadcaster_user_id"]);
            let cheer = event["cheer"].is_object() && taken.cheers != Cheers::None;
            cheer || source.is_some_and(|source| source != channel)
        },
        person: CHATTER,
        becomes: Becomes::Event {
            event_type: "plain",
            fields: |event, _, draft| draft.with(&MESSAGE, first(event, &["/message/text"])),
        },
        natural_id: Some("/event/message_id"),
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.add",
        scopes: &["channel:read:redemptions"],
        becomes: Becomes::Event {
            event_type: "plain",
            fields: |event, _, draft| draft.with(&MESSAGE, first(event, &["/user_input", "/reward/title"])),
        },
        time: Some("/redeemed_at"),
        natural_id: Some("/event/id"),
        ..BASE
    },
    Mapping {
        name: "channel.follow",
        version: "2",
        condition: &[("broadcaster_user_id", Who::Broadcaster), ("moderator_user_id", Who::Reader)],
        scopes: &["moderator:read:followers"],
        becomes: Becomes::Event {
            event_type: "plain",
            fields: |_, person, draft| draft.with(&MESSAGE, &format!("{} followed the channel.", person.name)),
        },
        time: Some("/followed_at"),
        ..BASE
    },
    Mapping { name: "user.update", condition: &[("user_id", Who::Broadcaster)], channel: None, ..BASE },
];

/// The mapping of a type.
pub fn of(name: &str) -> Option<&'static Mapping> {
    MAPPINGS.iter().find(|mapping| mapping.name == name)
}

fn gift(event: &Json, giver: &Person) -> String {
    let (total, tier) = (count(event, "/total"), tier(event, "/tier"));
    let subscriptions = if total == 1 { "subscription" } else { "subscriptions" };
    format!("{} gave {total} {subscriptions} of tier {tier}.", giver.name)
}

fn text<'a>(event: &'a Json, place: &str) -> Option<&'a str> {
    event.pointer(place)?.as_str()
}

/// An identifier, which is a text that is not empty; should it ever be a number, that will do.
pub fn id(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        Json::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

fn count(event: &Json, place: &str) -> i64 {
    let number = event.pointer(place).and_then(|value| value.as_i64().or_else(|| value.as_str()?.parse().ok()));
    number.unwrap_or_default().clamp(0, MAX_INTEGER)
}

/// As much of a text as a field takes: the rest of an event is worth more than the rest of its text.
fn cut(text: &str, fits: impl Fn(usize, usize) -> bool) -> &str {
    let ends =
        text.char_indices().enumerate().map(|(place, (start, character))| (place + 1, start + character.len_utf8()));
    let end = ends.take_while(|(characters, bytes)| fits(*characters, *bytes)).last();
    &text[..end.map_or(0, |(_, bytes)| bytes)]
}

fn prose(text: &str) -> &str {
    cut(text, |_, bytes| bytes <= MAX_PROSE_BYTES)
}

fn label(text: &str) -> &str {
    cut(text, |characters, _| characters <= MAX_LABEL_CHARS)
}

fn tier(event: &Json, place: &str) -> i64 {
    let thousands = text(event, place).and_then(|tier| tier.parse::<i64>().ok()).map(|tier| tier / 1_000);
    thousands.filter(|tier| (1..=MAX_INTEGER).contains(tier)).unwrap_or(1)
}

/// The first text that is not empty, or the empty one.
fn first<'a>(event: &'a Json, places: &[&str]) -> &'a str {
    let mut texts = places.iter().filter_map(|place| text(event, place));
    texts.find(|text| !text.is_empty()).map(prose).unwrap_or_default()
}

/// The draft with what was said, if anything was.
fn said(draft: Draft, event: &Json, place: &str) -> Draft {
    with_text(draft, &MESSAGE, text(event, place).map(prose))
}

fn with_text<S>(draft: Draft, attribute: &Attr<S>, text: Option<&str>) -> Draft
where
    S: for<'a> scalar::Scalar<View<'a> = &'a str>,
{
    match text {
        Some(text) => draft.with(attribute, text),
        None => draft,
    }
}

impl Whose {
    /// Whether an event has the display name.
    pub fn is_named(&self, event: &Json) -> bool {
        event[self.1].as_str().is_some_and(|name| !name.is_empty())
    }

    /// Who an event is about. Nobody is made up for who is not named: least of all the broadcaster.
    pub fn of(&self, event: &Json) -> Person {
        let named = |field: &str| event[field].as_str().filter(|text| !text.is_empty());
        match id(&event[self.0]) {
            Some(id) if event["is_anonymous"] != true => {
                let name = named(self.1).or_else(|| named(self.2)).unwrap_or(&id);
                Person { name: label(name).to_owned(), platform_id: id }
            }
            _ => Person { platform_id: ANONYMOUS.to_owned(), name: "Anonymous".to_owned() },
        }
    }
}
