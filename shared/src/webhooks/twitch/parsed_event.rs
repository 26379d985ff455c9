//! The content of a notification, as plain values. A mapping only fills them in, because the limits of fields and the
//! keys of deduplication are the same for all types.

use std::fmt;

use serde_json::{Map, Value as Json};
use time::Duration;

use super::read::{long_text, non_empty_text, short_text};
use super::user::{BROADCASTER, TwitchUser};
use crate::request::Draft;
use crate::resources::events::{
    AMOUNT, CHEER_TYPE, DETAILS, EVENT_TYPE, EVENTS, MAX_DETAILS_BYTES, MESSAGE, OCCURRED_AT, REFERENCE, SOURCE,
    SUBSCRIBED_LENGTH, TIER, USER_NAME, VIEWER_COUNT,
};
use crate::schema::scalar::Scalar;
use crate::schema::{Attr, Timestamp};
use crate::table::DedupKey;

/// The subscription type of chat messages, which is part of their identity.
pub const CHAT_MESSAGE: &str = "channel.chat.message";
/// The subscription type of chat notices, which is part of their identity.
pub const CHAT_NOTICE: &str = "channel.chat.notification";
/// The maximum time between two messages about the same first subscription. Twitch's retries end sooner.
const MAX_SHARE_DELAY: Duration = Duration::days(1);

/// The content of a notification.
#[derive(Debug)]
pub enum Parsed {
    /// Nothing to store.
    Nothing,
    /// The current name of a user.
    Name(TwitchUser),
    /// An event to store.
    Event(ParsedEvent),
    /// Chat messages that a moderator removes.
    Removal(Removal),
}

/// The chat messages that a moderator removes.
#[derive(Debug)]
pub enum Removal {
    /// The message with this identifier.
    Message(String),
    /// All messages of the viewer with this platform identifier.
    Viewer(String),
    /// All messages.
    All,
}

/// An event as one notification reports it.
#[derive(Debug)]
pub struct ParsedEvent {
    /// The type, with the fields that only this type has.
    pub kind: Kind,
    /// The user that the event is about.
    pub user: TwitchUser,
    /// The viewer's text, or a sentence for what no field can hold.
    pub message: Option<String>,
    /// The thing at Twitch that the event belongs to, such as a reward.
    pub reference: Option<String>,
    /// An object with the facts that no other field can hold. Nulls and empty lists are left out.
    pub details: Json,
    /// The identity that the event has in every message that reports it. `None` if only the message has one.
    pub dedup_id: Option<DedupId>,
    /// The types that report the same event in more detail. The event is skipped if one of them is subscribed to.
    pub superseded_by: &'static [&'static str],
}

/// The type of an event. The fields have the names of those of an event.
#[derive(Debug)]
pub enum Kind {
    Plain,
    Subscriber { tier: i64, subscribed_length: i64 },
    Cheer { amount: i64, cheer_type: Option<String> },
    Raid { viewer_count: i64 },
}

/// An identity that an event has in every message that reports it.
#[derive(Debug)]
pub enum DedupId {
    /// A permanent identity.
    Permanent(String),
    /// An identity that expires after [`MAX_SHARE_DELAY`], because the same may then happen again.
    Expiring(String),
}

impl DedupId {
    /// Name the event by the identifier at a JSON pointer. `None` if it is missing.
    pub fn at(prefix: &str, event: &Json, pointer: &str) -> Option<Self> {
        non_empty_text(event, pointer).map(|id| Self::Permanent(format!("{prefix} {id}")))
    }

    /// Name the event by its user and what happens only once to one, such as a follow at a time.
    pub fn of_user(prefix: &str, user: &TwitchUser, occurrence: impl fmt::Display) -> Self {
        Self::Permanent(format!("{prefix} {} {occurrence}", user.platform_id))
    }

    /// Name the first subscription of a user at a tier. Several types of message report it, and a viewer may subscribe
    /// again after a pause.
    pub fn first_subscription(user: &TwitchUser, tier: i64) -> Self {
        Self::Expiring(format!("first subscription {} {tier}", user.platform_id))
    }

    /// Name the subscription of a user after this number of months. Several types of message report it.
    pub fn resubscription(user: &TwitchUser, months: i64) -> Self {
        Self::of_user("resubscription", user, months)
    }
}

impl ParsedEvent {
    fn new(kind: Kind, user: TwitchUser) -> Self {
        let (message, reference, details, dedup_id) = (None, None, Json::Null, None);
        Self { kind, user, message, reference, details, dedup_id, superseded_by: &[] }
    }

    /// Create a plain event.
    pub fn plain(user: TwitchUser) -> Self {
        Self::new(Kind::Plain, user)
    }

    /// Create a subscription event.
    pub fn subscriber(user: TwitchUser, tier: i64, months: i64) -> Self {
        Self::new(Kind::Subscriber { tier, subscribed_length: months }, user)
    }

    /// Create a cheer.
    pub fn cheer(user: TwitchUser, bits: i64, cheer_type: Option<String>) -> Self {
        Self::new(Kind::Cheer { amount: bits, cheer_type }, user)
    }

    /// Create a raid.
    pub fn raid(user: TwitchUser, viewers: i64) -> Self {
        Self::new(Kind::Raid { viewer_count: viewers }, user)
    }

    /// Create the plain event of something of the channel's that has an identifier, such as a stream or a poll.
    pub fn of_channel(id_prefix: &str, message: &str, event: &Json) -> Self {
        Self {
            message: Some(message.to_owned()),
            reference: non_empty_text(event, "/id"),
            dedup_id: DedupId::at(id_prefix, event, "/id"),
            ..Self::plain(BROADCASTER.of(event))
        }
    }

    /// The message as the event stores it. An event with a truncated text is better than no event.
    pub fn stored_message(&self) -> Option<&str> {
        self.message.as_deref().map(long_text)
    }

    /// Create the draft to store.
    pub fn draft(&self, source: &str, occurred_at: Timestamp) -> Draft {
        let draft = Draft::new(&EVENTS).with(&OCCURRED_AT, occurred_at).with(&SOURCE, short_text(source));
        let draft = draft.with(&USER_NAME, &self.user.name).with_part("user", self.user.draft());
        let draft = match &self.kind {
            Kind::Plain => draft.with(&EVENT_TYPE, "plain"),
            Kind::Subscriber { tier, subscribed_length } => {
                draft.with(&EVENT_TYPE, "subscriber").with(&TIER, *tier).with(&SUBSCRIBED_LENGTH, *subscribed_length)
            }
            Kind::Cheer { amount, cheer_type } => {
                let draft = draft.with(&EVENT_TYPE, "cheer").with(&AMOUNT, *amount);
                with_text(draft, &CHEER_TYPE, cheer_type.as_deref().map(short_text))
            }
            Kind::Raid { viewer_count } => draft.with(&EVENT_TYPE, "raid").with(&VIEWER_COUNT, *viewer_count),
        };
        let draft = with_text(draft, &MESSAGE, self.stored_message());
        let draft = with_text(draft, &REFERENCE, self.reference.as_deref().map(short_text));
        with_text(draft, &DETAILS, self.stored_details().as_deref())
    }

    /// Write the details as JSON. Leaves out the emotes if the object would be too large.
    fn stored_details(&self) -> Option<String> {
        let mut members: Map<_, _> = self.details.as_object()?.clone();
        members.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
        if Json::Object(members.clone()).to_string().len() > MAX_DETAILS_BYTES {
            members.shift_remove("emotes");
        }
        let is_empty = members.is_empty();
        let json = Json::Object(members).to_string();
        (!is_empty && json.len() <= MAX_DETAILS_BYTES).then_some(json)
    }

    /// Create the key by which the event is stored once, however many messages report it.
    pub fn dedup_key(&self, message_id: &str, message_time: Timestamp) -> DedupKey {
        let message = format!("twitch message {message_id}");
        match &self.dedup_id {
            None => DedupKey::new(&message, message_time),
            Some(DedupId::Permanent(id)) => dedup_key(id, message_time),
            Some(DedupId::Expiring(id)) => {
                dedup_key(id, message_time).or_after(MAX_SHARE_DELAY, &message).completed_by(&message)
            }
        }
    }
}

/// Create the key of an event with a permanent identity.
pub fn dedup_key(id: &str, as_of: Timestamp) -> DedupKey {
    DedupKey::new(&format!("twitch {id}"), as_of)
}

/// Set a field, if there is a text for it.
fn with_text<'a, S: Scalar<View<'a> = &'a str>>(draft: Draft, field: &Attr<S>, text: Option<&'a str>) -> Draft {
    match text {
        Some(text) => draft.with(field, text),
        None => draft,
    }
}
