//! Maps each subscription type to events. To add a type, add an entry here and a sample in
//! `tests/samples/twitch.jsonl`, with the expected event in `tests/end_to_end/twitch/webhook.rs`. `docs/twitch.md`
//! lists the sentences.

use serde_json::Value as Json;

use super::parsed_event::{ActorFields, BROADCASTER, CHATTER, Parsed, ParsedEvent, USER};
use super::read::{count, id, money, said, text, tier, words};
use super::{Cheers, Settings, notices};

/// A subscription type, and the conversion of its notifications to events.
pub struct Mapping {
    /// Twitch's name of the type.
    pub name: &'static str,
    /// The version to subscribe to. Notifications of every version are accepted.
    pub version: &'static str,
    /// The fields of the subscription's condition, each with the account whose identifier it contains.
    pub condition: &'static [(&'static str, Who)],
    /// The required scopes, each with the account that must grant it.
    pub scopes: &'static [(&'static str, Who)],
    /// Returns true if the settings select this type. They choose between types that report the same events.
    pub is_enabled: fn(Settings) -> bool,
    /// True if a subscription to this type makes the service skip the same events from other types.
    pub decides: bool,
    /// The field that names the channel, in the event or else in the subscription's condition. `None` if the events are
    /// only about a user.
    pub channel: Option<&'static str>,
    /// Parses an event of the type.
    pub parse: fn(&Json) -> Parsed,
    /// The JSON pointer of the time at which an event happened.
    pub time: Option<&'static str>,
}

/// The account whose identifier a condition contains, or that grants a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The broadcaster of the channel.
    Broadcaster,
    /// The account that reads the chat and the followers: a bot, a moderator or the broadcaster.
    Reader,
}

use Who::{Broadcaster, Reader};

/// The fields of the channel that the viewers come from.
const RAIDER: ActorFields =
    ActorFields("from_broadcaster_user_id", "from_broadcaster_user_name", "from_broadcaster_user_login");
/// The fields of the channel that the viewers go to.
const RAIDED: ActorFields =
    ActorFields("to_broadcaster_user_id", "to_broadcaster_user_name", "to_broadcaster_user_login");
const OURS: Option<&str> = Some("broadcaster_user_id");
const CHAT: &[(&str, Who)] = &[("user:read:chat", Reader), ("user:bot", Reader), ("channel:bot", Broadcaster)];
const CHAT_CONDITION: &[(&str, Who)] = &[("broadcaster_user_id", Broadcaster), ("user_id", Reader)];
const REDEMPTIONS: &[(&str, Who)] = &[("channel:read:redemptions", Broadcaster)];
const SUBSCRIPTIONS: &[(&str, Who)] = &[("channel:read:subscriptions", Broadcaster)];

/// The defaults of a mapping.
const BASE: Mapping = Mapping {
    name: "",
    version: "1",
    condition: &[("broadcaster_user_id", Broadcaster)],
    scopes: &[],
    is_enabled: |_| true,
    decides: false,
    channel: OURS,
    parse: |_| Parsed::Nothing,
    time: None,
};

/// All subscription types that the service processes.
pub static MAPPINGS: [Mapping; 21] = [
    Mapping {
        name: "channel.subscribe",
        scopes: SUBSCRIPTIONS,
        decides: true,
        parse: |event| {
            let (person, tier) = (USER.of(event), tier(event, "/tier"));
            if event["is_gift"] == true {
                let message = format!("{} received a subscription of tier {tier} as a gift.", person.name);
                let parsed = ParsedEvent::subscriber(person, tier, 1).saying(Some(&message));
                return Parsed::Event(parsed.unless_reported_by(&["channel.chat.notification"]));
            }
            Parsed::Event(ParsedEvent::subscriber(person, tier, 1).beginning())
        },
        ..BASE
    },
    Mapping {
        name: "channel.subscription.message",
        scopes: SUBSCRIPTIONS,
        decides: true,
        parse: |event| {
            let months = count(event, "/cumulative_months").max(1);
            let parsed = ParsedEvent::subscriber(USER.of(event), tier(event, "/tier"), months);
            let parsed = parsed.saying(said(event, "/message/text"));
            Parsed::Event(if months == 1 { parsed.beginning() } else { parsed.resubscription(months) })
        },
        ..BASE
    },
    Mapping {
        name: "channel.subscription.gift",
        scopes: SUBSCRIPTIONS,
        decides: true,
        parse: |event| {
            let (giver, total) = (USER.of(event), count(event, "/total"));
            let message = notices::gave(&giver.name, total, tier(event, "/tier"));
            let parsed = ParsedEvent::plain(giver, &format!("{message}."));
            // Only the notice of several gifts contains the identifier that connects them.
            Parsed::Event(if total > 1 { parsed.unless_reported_by(&["channel.chat.notification"]) } else { parsed })
        },
        ..BASE
    },
    Mapping {
        name: "channel.cheer",
        scopes: &[("bits:read", Broadcaster)],
        is_enabled: |settings| matches!(settings.cheers, Cheers::Cheer | Cheers::Subscribed),
        decides: true,
        parse: |event| {
            let parsed = ParsedEvent::cheer(USER.of(event), event, "/bits").saying(text(event, "/message"));
            Parsed::Event(parsed.unless_reported_by(&["channel.bits.use"]))
        },
        ..BASE
    },
    Mapping {
        name: "channel.bits.use",
        scopes: &[("bits:read", Broadcaster)],
        is_enabled: |settings| matches!(settings.cheers, Cheers::Bits | Cheers::Subscribed),
        decides: true,
        parse: |event| {
            let parsed = ParsedEvent::cheer(USER.of(event), event, "/bits").saying(text(event, "/message/text"));
            let power_up = said(event, "/power_up/type").or_else(|| said(event, "/custom_power_up/title"));
            Parsed::Event(parsed.of_type(power_up.or_else(|| said(event, "/type"))))
        },
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("to_broadcaster_user_id", Broadcaster)],
        decides: true,
        channel: Some("to_broadcaster_user_id"),
        parse: |event| Parsed::Event(ParsedEvent::raid(RAIDER.of(event), event, "/viewers")),
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("from_broadcaster_user_id", Broadcaster)],
        channel: Some("from_broadcaster_user_id"),
        parse: |event| {
            let (ours, raided, viewers) = (RAIDER.of(event), RAIDED.of(event), count(event, "/viewers"));
            let message = format!("{} raided {} with {viewers} viewers.", ours.name, raided.name);
            Parsed::Event(ParsedEvent::plain(ours, &message))
        },
        ..BASE
    },
    Mapping {
        name: "channel.chat.message",
        condition: CHAT_CONDITION,
        scopes: CHAT,
        is_enabled: |settings| settings.chat,
        parse: |event| {
            if notices::is_anothers(event) {
                return Parsed::Nothing;
            }
            let kind = text(event, "/message_type").unwrap_or_default();
            let (person, message) = (CHATTER.of(event), text(event, "/message/text").unwrap_or_default());
            let parsed = if event["cheer"].is_object() {
                let cheer = ParsedEvent::cheer(person, event, "/cheer/bits").saying(Some(message));
                cheer.unless_reported_by(&["channel.bits.use", "channel.cheer"])
            } else {
                let plain = ParsedEvent::plain(person, message);
                if kind.starts_with("power_ups_") {
                    plain.unless_reported_by(&["channel.bits.use"])
                } else if said(event, "/channel_points_custom_reward_id").is_some() {
                    plain.unless_reported_by(&["channel.channel_points_custom_reward_redemption.add"])
                } else if ["channel_points_highlighted", "channel_points_sub_only"].contains(&kind) {
                    plain.unless_reported_by(&["channel.channel_points_automatic_reward_redemption.add"])
                } else {
                    plain
                }
            };
            Parsed::Event(parsed.known_as("channel.chat.message", said(event, "/message_id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.chat.notification",
        condition: CHAT_CONDITION,
        scopes: CHAT,
        decides: true,
        parse: notices::parse,
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.add",
        scopes: REDEMPTIONS,
        decides: true,
        parse: |event| {
            let title = text(event, "/reward/title").unwrap_or_default();
            let message = match said(event, "/user_input") {
                Some(input) => format!("{title} ({} points): {input}", count(event, "/reward/cost")),
                None => title.to_owned(),
            };
            let parsed = ParsedEvent::plain(USER.of(event), &message);
            Parsed::Event(parsed.known_as("channel.channel_points_custom_reward_redemption.add", said(event, "/id")))
        },
        time: Some("/redeemed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.update",
        scopes: REDEMPTIONS,
        parse: |event| {
            // The other outcome is the expected one, and not an event.
            if text(event, "/status") != Some("canceled") {
                return Parsed::Nothing;
            }
            let (title, cost) = (text(event, "/reward/title").unwrap_or_default(), count(event, "/reward/cost"));
            let parsed = ParsedEvent::plain(USER.of(event), &format!("{title} ({cost} points) was refunded."));
            Parsed::Event(parsed.known_as("refund", said(event, "/id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_automatic_reward_redemption.add",
        version: "2",
        scopes: REDEMPTIONS,
        decides: true,
        parse: |event| {
            let points = ["/reward/channel_points", "/reward/cost"].map(|position| count(event, position));
            let reward = format!("{} ({} points)", words(event, "/reward/type"), points[0].max(points[1]));
            let parsed = ParsedEvent::plain(USER.of(event), &notices::sentence(&reward, said(event, "/message/text")));
            Parsed::Event(parsed.known_as("automatic redemption", said(event, "/id")))
        },
        time: Some("/redeemed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.follow",
        version: "2",
        condition: &[("broadcaster_user_id", Broadcaster), ("moderator_user_id", Reader)],
        scopes: &[("moderator:read:followers", Reader)],
        parse: |event| {
            let person = USER.of(event);
            let message = format!("{} followed the channel.", person.name);
            let key = said(event, "/followed_at").map(|time| format!("{} {time}", person.platform_id));
            Parsed::Event(ParsedEvent::plain(person, &message).known_as("follow", key.as_deref()))
        },
        time: Some("/followed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.charity_campaign.donate",
        scopes: &[("channel:read:charity", Broadcaster)],
        decides: true,
        parse: |event| {
            let (giver, charity) = (USER.of(event), text(event, "/charity_name").unwrap_or_default());
            let message = notices::donated(&giver.name, &money(&event["amount"]), charity);
            Parsed::Event(ParsedEvent::plain(giver, &message).known_as("donation", said(event, "/id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.hype_train.begin",
        version: "2",
        scopes: &[("channel:read:hype_train", Broadcaster)],
        parse: |event| {
            let kind = said(event, "/type").filter(|kind| *kind != "regular").map(|kind| kind.replace('_', " "));
            let message = kind.map_or("A hype train began.".to_owned(), |kind| format!("A {kind} hype train began."));
            Parsed::Event(
                ParsedEvent::plain(BROADCASTER.of(event), &message).known_as("hype train begun", said(event, "/id")),
            )
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "channel.hype_train.end",
        version: "2",
        scopes: &[("channel:read:hype_train", Broadcaster)],
        parse: |event| {
            let (level, total) = (count(event, "/level"), count(event, "/total"));
            let message = format!("A hype train ended at level {level} with {total} points.");
            Parsed::Event(
                ParsedEvent::plain(BROADCASTER.of(event), &message).known_as("hype train ended", said(event, "/id")),
            )
        },
        time: Some("/ended_at"),
        ..BASE
    },
    Mapping {
        name: "channel.goal.begin",
        scopes: &[("channel:read:goals", Broadcaster)],
        parse: |event| {
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), &goal("began", event));
            Parsed::Event(parsed.known_as("goal begun", said(event, "/id")))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "channel.goal.end",
        scopes: &[("channel:read:goals", Broadcaster)],
        parse: |event| {
            let verb = if event["is_achieved"] == true { "was achieved" } else { "ended" };
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), &goal(verb, event));
            Parsed::Event(parsed.known_as("goal ended", said(event, "/id")))
        },
        time: Some("/ended_at"),
        ..BASE
    },
    Mapping {
        name: "stream.online",
        parse: |event| {
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), "The stream began.");
            Parsed::Event(parsed.known_as("stream", said(event, "/id")))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "stream.offline",
        parse: |event| {
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), "The stream ended.");
            Parsed::Event(parsed.known_as("stream offline", said(event, "/id")))
        },
        ..BASE
    },
    Mapping {
        name: "user.update",
        condition: &[("user_id", Broadcaster)],
        channel: None,
        parse: |event| if USER.is_named(event) { Parsed::Name(USER.of(event)) } else { Parsed::Nothing },
        ..BASE
    },
];

/// Returns the mapping of a type. If a type has several, `channel` selects one by the field that names the channel.
pub fn of(name: &str, channel: impl Fn(&'static str) -> bool) -> Option<&'static Mapping> {
    let mut of_type = MAPPINGS.iter().filter(|mapping| mapping.name == name);
    let first = of_type.clone().next();
    of_type.find(|mapping| mapping.channel.is_none_or(&channel)).or(first)
}

fn goal(verb: &str, event: &Json) -> String {
    let (current, target) = (count(event, "/current_amount"), count(event, "/target_amount"));
    let goal = format!("A goal {verb} ({}): {current} of {target}", words(event, "/type"));
    notices::sentence(&goal, said(event, "/description"))
}

/// Returns the channel that a field of the event, or else of the subscription's condition, names.
pub fn channel_of(event: &Json, condition: &Json, field: &str) -> Option<String> {
    id(&event[field]).or_else(|| id(&condition[field]))
}
