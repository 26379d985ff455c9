//! The subscription types, and the events that their notifications become. Twitch adds types often and changes each of
//! them separately, so each type has its own entry. CONTRIBUTING.md lists the other places of a new type.

use serde_json::{Value as Json, json};

use super::notices::{gifts, subscription};
use super::parsed_event::{CHAT_MESSAGE, CHAT_NOTICE, ChatRemoval, DedupId, Gift, NotificationContent, ParsedEvent};
use super::read::{
    Words, count_or_zero, cumulative_total, id, known_tier, non_empty_text, optional_count, phrase, pick, time_text,
    without_control_frame,
};
use super::user::{BROADCASTER, FROM_BROADCASTER, TO_BROADCASTER, USER, UserFields};
use super::{Cheers, Settings, channel, chat, notices, redemptions};

/// A subscription type.
pub struct Mapping {
    /// Twitch's name of the type.
    pub name: &'static str,
    /// Version to subscribe to. Notifications of every version are accepted.
    pub version: &'static str,
    /// Fields of the subscription's condition, each with the account that it identifies.
    pub condition: &'static [(&'static str, Actor)],
    /// Required scopes, each with the account that must grant it.
    pub scopes: &'static [(&'static str, Actor)],
    /// Whether the settings select this type. They choose between types that report the same events.
    pub is_enabled: fn(Settings) -> bool,
    /// Whether events of other types name this type in `superseded_by`.
    pub supersedes: bool,
    /// Fields that name the channel, in the event or else in the subscription's condition. `None` if the events are
    /// only about a user.
    pub channel: Option<UserFields>,
    /// JSON pointer to the time when an event happened. `None` if only its message has a time.
    pub occurred_at: Option<&'static str>,
    /// Content of its notifications.
    pub parser: Parser,
}

/// An account that a condition identifies or that grants a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Broadcaster of the channel.
    Broadcaster,
    /// Account that reads the chat and the followers: a bot, a moderator or the broadcaster.
    Reader,
}

/// Content of the notifications of a type.
pub enum Parser {
    /// An event per notification.
    Event(fn(&Json) -> ParsedEvent),
    /// An event, or nothing to store.
    EventIfAny(fn(&Json) -> Option<ParsedEvent>),
    /// Chat messages that a moderator removes.
    Removal(fn(&Json) -> Option<ChatRemoval>),
    /// Current name of a user.
    UserName,
}

impl Mapping {
    /// Parses the event of a notification.
    pub fn parse(&self, event: &Json) -> NotificationContent {
        match self.parser {
            Parser::Event(parse) => NotificationContent::Event(Box::new(parse(event))),
            Parser::EventIfAny(parse) => {
                parse(event).map_or(NotificationContent::Nothing, |parsed| NotificationContent::Event(Box::new(parsed)))
            }
            Parser::Removal(parse) => parse(event).map_or(NotificationContent::Nothing, NotificationContent::Removal),
            Parser::UserName if USER.is_named(event) => NotificationContent::Name(USER.of(event)),
            Parser::UserName => NotificationContent::Nothing,
        }
    }

    /// Returns the source of the events of this type. No other client can store an event with such a source.
    pub fn source(&self, event: &Json) -> String {
        match non_empty_text(event, "/notice_type") {
            Some(notice_type) if self.name == CHAT_NOTICE => format!("twitch/{}/{notice_type}", self.name),
            _ => format!("twitch/{}", self.name),
        }
    }
}

use Actor::{Broadcaster, Reader};
use Parser::{Event, EventIfAny, UserName};

/// Condition of the types that Twitch reports to a moderator.
const MODERATOR_CONDITION: &[(&str, Actor)] = &[("broadcaster_user_id", Broadcaster), ("moderator_user_id", Reader)];

/// Defaults of all types.
const BASE: Mapping = Mapping {
    name: "",
    version: "1",
    condition: &[("broadcaster_user_id", Broadcaster)],
    scopes: &[],
    is_enabled: |_| true,
    supersedes: false,
    channel: Some(BROADCASTER),
    occurred_at: None,
    parser: Parser::EventIfAny(|_| None),
};
const CHAT: Mapping = Mapping {
    condition: &[("broadcaster_user_id", Broadcaster), ("user_id", Reader)],
    scopes: &[("user:read:chat", Reader), ("user:bot", Reader), ("channel:bot", Broadcaster)],
    ..BASE
};
const MODERATION: Mapping = Mapping { is_enabled: |settings| settings.chat, ..CHAT };
const SUBSCRIPTION: Mapping =
    Mapping { scopes: &[("channel:read:subscriptions", Broadcaster)], supersedes: true, ..BASE };
const BITS: Mapping = Mapping { scopes: &[("bits:read", Broadcaster)], ..BASE };
const REDEMPTION: Mapping = Mapping { scopes: &[("channel:read:redemptions", Broadcaster)], ..BASE };
const HYPE_TRAIN: Mapping = Mapping { version: "2", scopes: &[("channel:read:hype_train", Broadcaster)], ..BASE };
const GOAL: Mapping = Mapping { scopes: &[("channel:read:goals", Broadcaster)], ..BASE };

/// All subscription types that the service processes.
pub static MAPPINGS: &[Mapping] = &[
    Mapping {
        name: "channel.subscribe",
        parser: Event(|event| {
            let (user, tier, months) = (USER.of(event), known_tier(event, "/tier"), Some(1));
            if event["is_gift"] != true {
                let dedup_id = DedupId::shared_subscription(&user, tier, months);
                return ParsedEvent { dedup_id, ..ParsedEvent::subscriber(user, tier, months) };
            }
            ParsedEvent {
                message: Some(format!("{user} received a gifted {}.", subscription(tier))),
                details: json!({"is_gift": true}),
                // The notice names the giver.
                superseded_by: &[CHAT_NOTICE],
                ..ParsedEvent::subscriber(user, tier, months)
            }
        }),
        ..SUBSCRIPTION
    },
    Mapping {
        name: "channel.subscription.message",
        parser: Event(|event| {
            let (user, tier) = (USER.of(event), known_tier(event, "/tier"));
            let months = optional_count(event, "/cumulative_months");
            let words = Words::of(&event["message"]);
            ParsedEvent {
                message: words.non_empty(),
                details: json!({
                    "cumulative_months": event["cumulative_months"], "streak_months": event["streak_months"],
                    "duration_months": event["duration_months"],
                }),
                // The first share may arrive without a number.
                dedup_id: DedupId::shared_subscription(&user, tier, months.or(Some(1))),
                ..ParsedEvent::subscriber(user, tier, months)
            }
            .with_text_details(words)
        }),
        ..SUBSCRIPTION
    },
    Mapping {
        name: "channel.subscription.gift",
        parser: Event(|event| {
            let (giver, total, tier) = (USER.of(event), optional_count(event, "/total"), known_tier(event, "/tier"));
            ParsedEvent {
                details: json!({
                    "total": total, "tier": tier, "cumulative_total": cumulative_total(event),
                    "is_anonymous": event["is_anonymous"], "giver": giver.to_json(),
                }),
                gift: Gift::ByUser,
                // Only the notice of several gifts contains the identifier that connects them.
                superseded_by: if total > Some(1) { &[CHAT_NOTICE] } else { &[] },
                ..ParsedEvent::plain(gifts(&giver, total, tier), giver)
            }
        }),
        ..SUBSCRIPTION
    },
    Mapping {
        name: "channel.cheer",
        is_enabled: |settings| matches!(settings.cheers, Cheers::Cheer | Cheers::Subscribed),
        supersedes: true,
        parser: Event(|event| {
            let words = Words::of(&json!({"text": event["message"]}));
            ParsedEvent {
                message: words.text.clone(),
                details: json!({"is_anonymous": event["is_anonymous"]}),
                superseded_by: &["channel.bits.use"],
                ..ParsedEvent::cheer(USER.of(event), count_or_zero(event, "/bits"), None)
            }
            .with_text_details(words)
        }),
        ..BITS
    },
    Mapping {
        name: "channel.bits.use",
        is_enabled: |settings| matches!(settings.cheers, Cheers::Bits | Cheers::Subscribed),
        supersedes: true,
        parser: Event(|event| {
            let types = ["/power_up/type", "/custom_power_up/title", "/type"];
            let cheer_type = types.iter().find_map(|pointer| non_empty_text(event, pointer));
            let words = Words::of(&event["message"]);
            ParsedEvent {
                message: words.text.clone(),
                reference: non_empty_text(event, "/custom_power_up/reward_id"),
                details: json!({"type": event["type"], "power_up": event["power_up"]}),
                ..ParsedEvent::cheer(USER.of(event), count_or_zero(event, "/bits"), cheer_type.as_deref())
            }
            .with_text_details(words)
        }),
        ..BITS
    },
    Mapping {
        name: "channel.custom_power_up_redemption.add",
        occurred_at: Some("/redeemed_at"),
        parser: Event(|event| {
            let power_up = &event["custom_power_up"];
            let (bits, title) = (count_or_zero(power_up, "/bits"), non_empty_text(power_up, "/title"));
            ParsedEvent {
                message: non_empty_text(event, "/user_input").map(|input| without_control_frame(&input).to_owned()),
                reference: non_empty_text(power_up, "/id"),
                details: json!({"type": "custom_power_up", "status": event["status"]}),
                dedup_id: DedupId::at("power-up redemption", event, "/id"),
                superseded_by: &["channel.bits.use"],
                ..ParsedEvent::cheer(USER.of(event), bits, title.as_deref())
            }
        }),
        ..BITS
    },
    Mapping {
        name: "channel.raid",
        condition: &[("to_broadcaster_user_id", Broadcaster)],
        supersedes: true,
        channel: Some(TO_BROADCASTER),
        parser: Event(|event| ParsedEvent::raid(FROM_BROADCASTER.of(event), count_or_zero(event, "/viewers"))),
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("from_broadcaster_user_id", Broadcaster)],
        channel: Some(FROM_BROADCASTER),
        parser: Event(|event| {
            let (broadcaster, raided) = (FROM_BROADCASTER.of(event), TO_BROADCASTER.of(event));
            let viewers = optional_count(event, "/viewers");
            let with = phrase(viewers, |viewers| format!(" with {viewers} viewers"));
            let message = format!("{broadcaster} raided {raided}{with}.");
            let details = json!({"viewer_count": viewers, "to": raided.to_json()});
            ParsedEvent { details, ..ParsedEvent::plain(message, broadcaster) }
        }),
        ..BASE
    },
    Mapping { name: CHAT_MESSAGE, is_enabled: |settings| settings.chat, parser: EventIfAny(chat::parse), ..CHAT },
    Mapping { name: CHAT_NOTICE, supersedes: true, parser: EventIfAny(notices::parse), ..CHAT },
    Mapping {
        name: "channel.chat.message_delete",
        parser: Parser::Removal(|event| non_empty_text(event, "/message_id").map(ChatRemoval::Message)),
        ..MODERATION
    },
    Mapping {
        name: "channel.chat.clear_user_messages",
        parser: Parser::Removal(|event| id(&event["target_user_id"]).map(ChatRemoval::Viewer)),
        ..MODERATION
    },
    Mapping { name: "channel.chat.clear", parser: Parser::Removal(|_| Some(ChatRemoval::All)), ..MODERATION },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.add",
        supersedes: true,
        occurred_at: Some("/redeemed_at"),
        parser: Event(redemptions::custom),
        ..REDEMPTION
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.update",
        parser: EventIfAny(redemptions::refund),
        ..REDEMPTION
    },
    Mapping {
        name: "channel.channel_points_automatic_reward_redemption.add",
        version: "2",
        supersedes: true,
        occurred_at: Some("/redeemed_at"),
        parser: Event(redemptions::automatic),
        ..REDEMPTION
    },
    Mapping {
        name: "channel.follow",
        version: "2",
        condition: MODERATOR_CONDITION,
        scopes: &[("moderator:read:followers", Reader)],
        occurred_at: Some("/followed_at"),
        parser: Event(|event| {
            let (user, time) = (USER.of(event), time_text(event, "/followed_at"));
            let dedup_id = time.map(|time| DedupId::of_user("follow", &user, time));
            ParsedEvent { dedup_id, ..ParsedEvent::plain(format!("{user} followed the channel."), user) }
        }),
        ..BASE
    },
    Mapping {
        name: "channel.shoutout.receive",
        condition: MODERATOR_CONDITION,
        scopes: &[("moderator:read:shoutouts", Reader)],
        occurred_at: Some("/started_at"),
        parser: Event(|event| {
            let (user, time) = (FROM_BROADCASTER.of(event), time_text(event, "/started_at"));
            ParsedEvent {
                details: pick(event, &["/viewer_count"]),
                dedup_id: time.map(|time| DedupId::of_user("shoutout", &user, time)),
                ..ParsedEvent::plain(format!("{user} gave the channel a shoutout."), user)
            }
        }),
        ..BASE
    },
    Mapping {
        name: "channel.charity_campaign.donate",
        scopes: &[("channel:read:charity", Broadcaster)],
        supersedes: true,
        parser: Event(|event| ParsedEvent {
            reference: non_empty_text(event, "/campaign_id"),
            dedup_id: DedupId::at("donation", event, "/id"),
            ..notices::donation(USER.of(event), event)
        }),
        ..BASE
    },
    Mapping {
        name: "channel.hype_train.begin",
        occurred_at: Some("/started_at"),
        parser: Event(channel::hype_train_begin),
        ..HYPE_TRAIN
    },
    Mapping {
        name: "channel.hype_train.end",
        occurred_at: Some("/ended_at"),
        parser: Event(channel::hype_train_end),
        ..HYPE_TRAIN
    },
    Mapping {
        name: "channel.goal.begin",
        occurred_at: Some("/started_at"),
        parser: Event(|event| channel::goal("goal begun", "A goal began", event)),
        ..GOAL
    },
    Mapping { name: "channel.goal.end", occurred_at: Some("/ended_at"), parser: Event(channel::goal_end), ..GOAL },
    Mapping { name: "stream.online", occurred_at: Some("/started_at"), parser: Event(channel::stream_begin), ..BASE },
    Mapping {
        name: "stream.offline",
        parser: Event(|event| ParsedEvent::of_channel("stream offline", "The stream ended.", event)),
        ..BASE
    },
    Mapping {
        name: "channel.poll.end",
        scopes: &[("channel:read:polls", Broadcaster)],
        occurred_at: Some("/ended_at"),
        parser: Event(channel::poll_end),
        ..BASE
    },
    Mapping {
        name: "channel.prediction.end",
        scopes: &[("channel:read:predictions", Broadcaster)],
        occurred_at: Some("/ended_at"),
        parser: Event(channel::prediction_end),
        ..BASE
    },
    Mapping {
        name: "channel.update",
        version: "2",
        parser: Event(|event| {
            let (title, category) = (non_empty_text(event, "/title"), non_empty_text(event, "/category_name"));
            let message = match (title, category) {
                (Some(title), Some(category)) => {
                    format!("The stream is now called “{title}”, in the category {category}.")
                }
                (Some(title), None) => format!("The stream is now called “{title}”."),
                (None, Some(category)) => format!("The stream is now in the category {category}."),
                (None, None) => "The stream has changed.".to_owned(),
            };
            let details = pick(event, &["/title", "/language", "/category_id", "/category_name"]);
            ParsedEvent { details, ..ParsedEvent::plain(message, BROADCASTER.of(event)) }
        }),
        ..BASE
    },
    Mapping {
        name: "channel.ad_break.begin",
        scopes: &[("channel:read:ads", Broadcaster)],
        occurred_at: Some("/started_at"),
        parser: Event(|event| {
            let duration = optional_count(event, "/duration_seconds");
            let duration = phrase(duration, |seconds| format!(" of {seconds} seconds"));
            let message = format!("An ad break{duration} began.");
            ParsedEvent {
                details: pick(event, &["/duration_seconds", "/is_automatic"]),
                dedup_id: time_text(event, "/started_at").map(|time| DedupId::Permanent(format!("ad break {time}"))),
                ..ParsedEvent::plain(message, BROADCASTER.of(event))
            }
        }),
        ..BASE
    },
    Mapping { name: "user.update", condition: &[("user_id", Broadcaster)], channel: None, parser: UserName, ..BASE },
];

/// Returns the mapping of a type. If it has several, `names_channel` selects one by the fields that name the channel.
pub fn find(name: &str, names_channel: impl Fn(UserFields) -> bool) -> Option<&'static Mapping> {
    let mut of_type = MAPPINGS.iter().filter(|mapping| mapping.name == name);
    let first = of_type.clone().next();
    of_type.find(|mapping| mapping.channel.is_none_or(&names_channel)).or(first)
}
