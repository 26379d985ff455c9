//! What the service knows of a subscription type: what it needs at Twitch, and what its notifications report. These are
//! values and not code, because the `twitch` command reads them to subscribe to exactly the types that the service
//! processes.

use serde_json::Value as Json;

use super::Settings;
use super::parsed_event::{CHAT_NOTICE, Parsed, ParsedEvent, Removal};
use super::read::non_empty_text;
use super::user::{BROADCASTER, USER, UserFields};

/// A subscription type.
pub struct Mapping {
    /// Twitch's name of the type.
    pub name: &'static str,
    /// The version to subscribe to. Notifications of every version are accepted.
    pub version: &'static str,
    /// The fields of the subscription's condition, each with the account whose identifier it contains.
    pub condition: &'static [(&'static str, Actor)],
    /// The required scopes, each with the account that must grant it.
    pub scopes: &'static [(&'static str, Actor)],
    /// True if the settings select this type. They choose between types that report the same events.
    pub is_enabled: fn(Settings) -> bool,
    /// True if events of other types name this one in [`ParsedEvent::superseded_by`].
    pub supersedes: bool,
    /// The fields that name the channel, in the event or else in the subscription's condition. `None` if the events are
    /// only about a user.
    pub channel: Option<UserFields>,
    /// JSON pointer of the time at which an event happened. `None` if only its message has a time.
    pub occurred_at: Option<&'static str>,
    /// The content of a notification.
    pub reports: Report,
}

/// An account whose identifier a condition contains, or that grants a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The broadcaster of the channel.
    Broadcaster,
    /// The account that reads the chat and the followers: a bot, a moderator or the broadcaster.
    Reader,
}

/// What the notifications of a type report.
pub enum Report {
    /// An event each.
    Event(fn(&Json) -> ParsedEvent),
    /// An event, or nothing that the service stores.
    EventIfAny(fn(&Json) -> Option<ParsedEvent>),
    /// The chat messages that a moderator removes.
    Removal(fn(&Json) -> Option<Removal>),
    /// The current name of a user.
    UserName,
}

impl Mapping {
    /// Parse the event of a notification.
    pub fn parse(&self, event: &Json) -> Parsed {
        match self.reports {
            Report::Event(parse) => Parsed::Event(parse(event)),
            Report::EventIfAny(parse) => parse(event).map_or(Parsed::Nothing, Parsed::Event),
            Report::Removal(parse) => parse(event).map_or(Parsed::Nothing, Parsed::Removal),
            Report::UserName if USER.is_named(event) => Parsed::Name(USER.of(event)),
            Report::UserName => Parsed::Nothing,
        }
    }

    /// Name the source of the events of this type. No other client can store an event with such a source.
    pub fn source(&self, event: &Json) -> String {
        match non_empty_text(event, "/notice_type") {
            Some(notice_type) if self.name == CHAT_NOTICE => format!("twitch/{}/{notice_type}", self.name),
            _ => format!("twitch/{}", self.name),
        }
    }
}

use Actor::{Broadcaster, Reader};

/// The condition of types that Twitch reports to a moderator.
pub const MODERATOR_CONDITION: &[(&str, Actor)] =
    &[("broadcaster_user_id", Broadcaster), ("moderator_user_id", Reader)];

/// Defaults of all types.
pub const BASE: Mapping = Mapping {
    name: "",
    version: "1",
    condition: &[("broadcaster_user_id", Broadcaster)],
    scopes: &[],
    is_enabled: |_| true,
    supersedes: false,
    channel: Some(BROADCASTER),
    occurred_at: None,
    reports: Report::EventIfAny(|_| None),
};
