//! The content of a notification, as plain values. A mapping only fills them in. The limits of fields and the keys of
//! deduplication are the same for all types.

use std::fmt;

use serde_json::{Map, Value as Json};
use time::Duration;

use super::read::{Words, long_text, non_empty_text, phrase, short_text, time_text};
use super::user::{BROADCASTER, TwitchUser};
use crate::request::Draft;
use crate::resources::events::{
    ABOUT_TEXT, AMOUNT, CHAT_COMMAND, CHEER_TYPE, DETAILS, EVENT_TYPE, EVENTS, MAX_DETAILS_BYTES, MESSAGE, OCCURRED_AT,
    REFERENCE, SOURCE, SUBSCRIBED_LENGTH, TIER, USER_NAME, VIEWER_COUNT,
};
use crate::schema::scalar::Scalar;
use crate::schema::{Attr, Timestamp};
use crate::table::DedupKey;

/// Subscription type of chat messages, which is part of their identity.
pub const CHAT_MESSAGE: &str = "channel.chat.message";
/// Subscription type of chat notices, which is part of their identity.
pub const CHAT_NOTICE: &str = "channel.chat.notification";
/// Maximum time between two messages about the same first subscription. Twitch's retries end sooner.
const MAX_SHARE_DELAY: Duration = Duration::days(1);

/// Content of a notification.
#[derive(Debug)]
pub enum NotificationContent {
    /// Nothing to store.
    Nothing,
    /// Current name of a user.
    Name(TwitchUser),
    /// An event to store.
    Event(Box<ParsedEvent>),
    /// Chat messages that a moderator removes.
    Removal(ChatRemoval),
}

/// Chat messages that a moderator removes.
#[derive(Debug)]
pub enum ChatRemoval {
    /// Message with this identifier.
    Message(String),
    /// All messages of the viewer with this platform identifier.
    Viewer(String),
    /// All messages.
    All,
}

/// An event as one notification reports it.
#[derive(Debug)]
pub struct ParsedEvent {
    /// A draft with the type and the fields that only this type has.
    pub base_draft: Draft,
    /// User that the event is about.
    pub user: TwitchUser,
    /// Text of the viewer, or a sentence for a fact that no other field can hold.
    pub message: Option<String>,
    /// Object at Twitch that the event belongs to, such as a reward.
    pub reference: Option<String>,
    /// Facts that no other field can hold. Nulls and empty lists are left out.
    pub details: Json,
    /// Identity in every message that reports the event. `None` if only the message has an identity.
    pub dedup_id: Option<DedupId>,
    /// Part of the event to store if its user or its giver has opted out.
    pub gift: Gift,
    /// First word and identifier of a chat message that may be a command.
    pub chat_command: Option<String>,
    /// Types that report the same event in more detail. The event is skipped if one of them is subscribed to.
    pub superseded_by: &'static [&'static str],
}

/// A gift to the channel or to viewers. It counts even if its giver has opted out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gift {
    /// The event is not a gift.
    None,
    /// The user of the event gives.
    ByUser,
    /// The user of the event receives.
    ToUser,
}

/// An identity that an event has in every message that reports it.
#[derive(Debug)]
pub enum DedupId {
    /// A permanent identity.
    Permanent(String),
    /// An identity that expires after `MAX_SHARE_DELAY`. The same can then happen again.
    Expiring(String),
    /// A permanent identity of a subscription that its user shares. It may complete an earlier event.
    Share(String),
}

impl DedupId {
    /// Identifies the event by the identifier at a JSON pointer. `None` if it is missing.
    pub fn at(prefix: &str, event: &Json, pointer: &str) -> Option<Self> {
        non_empty_text(event, pointer).map(|id| Self::Permanent(format!("{prefix} {id}")))
    }

    /// Identifies the event by its user and an occurrence that is unique to the user, such as a follow at a time.
    pub fn of_user(prefix: &str, user: &TwitchUser, occurrence: impl fmt::Display) -> Self {
        Self::Permanent(format!("{prefix} {} {occurrence}", user.platform_id))
    }

    /// Identifies the first subscription of a user at a tier. Several types of message report it, and a viewer may
    /// subscribe again after a pause.
    pub fn first_subscription(user: &TwitchUser, tier: i64) -> Self {
        Self::Expiring(format!("first subscription {} {tier}", user.platform_id))
    }

    /// Identifies a subscription that its user shares after this number of months. Several types of message report it.
    /// A user can share two tiers in one month. `None` if a part is missing.
    pub fn shared_subscription(user: &TwitchUser, tier: Option<i64>, months: Option<i64>) -> Option<Self> {
        match (tier?, months?) {
            (tier, 0 | 1) => Some(Self::first_subscription(user, tier)),
            (tier, months) => Some(Self::Share(format!("resubscription {} {tier} {months}", user.platform_id))),
        }
    }
}

impl ParsedEvent {
    fn new(event_type: &str, user: TwitchUser) -> Self {
        let base_draft = Draft::new(&EVENTS).with(&EVENT_TYPE, event_type);
        let (message, reference, details, dedup_id) = (None, None, Json::Null, None);
        let (chat_command, gift) = (None, Gift::None);
        Self { base_draft, user, message, reference, details, dedup_id, gift, chat_command, superseded_by: &[] }
    }

    /// Creates a plain event.
    pub fn plain(message: String, user: TwitchUser) -> Self {
        Self { message: Some(message), ..Self::new("plain", user) }
    }

    /// Creates a subscription event. A missing tier or number of months becomes 1.
    pub fn subscriber(user: TwitchUser, tier: Option<i64>, months: Option<i64>) -> Self {
        let parsed = Self::new("subscriber", user);
        let base_draft = parsed.base_draft.with(&TIER, tier.unwrap_or(1));
        Self { base_draft: base_draft.with(&SUBSCRIBED_LENGTH, months.unwrap_or(1).max(1)), ..parsed }
    }

    /// Creates a cheer.
    pub fn cheer(user: TwitchUser, bits: i64, cheer_type: Option<&str>) -> Self {
        let parsed = Self::new("cheer", user);
        let base_draft = parsed.base_draft.with(&AMOUNT, bits);
        let base_draft = with_text(base_draft, &CHEER_TYPE, cheer_type.map(short_text));
        Self { base_draft, gift: Gift::ByUser, ..parsed }
    }

    /// Creates a raid.
    pub fn raid(user: TwitchUser, viewers: i64) -> Self {
        let parsed = Self::new("raid", user);
        Self { base_draft: parsed.base_draft.with(&VIEWER_COUNT, viewers), ..parsed }
    }

    /// Creates the plain event of something in the channel that has an identifier, such as a stream or a poll. A new
    /// start with the same identifier is another event. A repeated report of its end is not.
    pub fn of_channel(id_prefix: &str, message: &str, event: &Json) -> Self {
        let id = non_empty_text(event, "/id");
        let begun = phrase(time_text(event, "/started_at"), |time| format!(" {time}"));
        Self {
            dedup_id: id.as_ref().map(|id| DedupId::Permanent(format!("{id_prefix} {id}{begun}"))),
            reference: id,
            ..Self::plain(message.to_owned(), BROADCASTER.of(event))
        }
    }

    /// Adds the details of the words in the event.
    #[must_use]
    pub fn with_text_details(mut self, words: Words) -> Self {
        let details = [words.is_action.into(), words.emotes, words.fragments];
        for (name, value) in ABOUT_TEXT.into_iter().zip(details) {
            self.details[name] = value;
        }
        self
    }

    /// Removes the text and the details about it. A plain event gets an empty text.
    #[must_use]
    pub fn without_text(mut self) -> Self {
        let is_plain = self.base_draft.get(&EVENT_TYPE) == Some("plain");
        self.message = is_plain.then(String::new);
        self.with_text_details(Words::default())
    }

    /// Creates the draft to store.
    pub fn draft(self, source: &str, occurred_at: Timestamp) -> Draft {
        let Self { base_draft, user, message, reference, details, chat_command, .. } = self;
        // An event with a truncated text is better than no event.
        let draft = with_text(base_draft, &MESSAGE, message.as_deref().map(long_text));
        let draft = with_text(draft, &REFERENCE, reference.as_deref().map(short_text));
        let draft = with_text(draft, &DETAILS, details_text(details).as_deref());
        let draft = with_text(draft, &CHAT_COMMAND, chat_command.as_deref().map(short_text));
        let draft = draft.with(&OCCURRED_AT, occurred_at).with(&SOURCE, short_text(source));
        draft.with(&USER_NAME, &user.name).with_embedded("user", user.draft())
    }

    /// Creates the key that stores the event only one time, however many messages report it.
    pub fn dedup_key(&self, message_id: &str, message_time: Timestamp) -> DedupKey {
        let message = format!("twitch message {message_id}");
        match &self.dedup_id {
            None => DedupKey::new(&message, message_time),
            Some(DedupId::Permanent(id) | DedupId::Share(id)) => dedup_key(id, message_time),
            Some(DedupId::Expiring(id)) => {
                dedup_key(id, message_time).with_second_source(MAX_SHARE_DELAY, &message).with_message(&message)
            }
        }
    }
}

/// Creates the key of an event with a permanent identity.
pub fn dedup_key(id: &str, as_of: Timestamp) -> DedupKey {
    DedupKey::new(&format!("twitch {id}"), as_of)
}

/// Sets a field, if there is a text for it.
fn with_text<'a, S: Scalar<View<'a> = &'a str>>(draft: Draft, field: &Attr<S>, text: Option<&'a str>) -> Draft {
    match text {
        Some(text) => draft.with(field, text),
        None => draft,
    }
}

/// Removes the members without a value, at any depth.
fn remove_nulls(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.values_mut().for_each(remove_nulls);
            members.retain(|_, value| !value.is_null());
        }
        Json::Array(elements) => {
            elements.iter_mut().for_each(remove_nulls);
            elements.retain(|value| !value.is_null() && value.as_object().is_none_or(|members| !members.is_empty()));
        }
        _ => {}
    }
}

/// Serializes the details. Leaves out the emotes, and then the fragments, if the object would be too large.
fn details_text(mut details: Json) -> Option<String> {
    let members = details.as_object_mut()?;
    members.values_mut().for_each(remove_nulls);
    members.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
    let fits = |members: &Map<_, _>| serde_json::to_string(members).is_ok_and(|text| text.len() <= MAX_DETAILS_BYTES);
    for name in ["emotes", "fragments"] {
        if !fits(members) {
            members.shift_remove(name);
        }
    }
    (!members.is_empty() && fits(members)).then(|| details.to_string())
}
