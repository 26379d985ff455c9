//! The result of parsing a notification: an event with its user, its identity and the types that report the same event.

use serde_json::{Value as Json, json};
use time::Duration;

use super::read::{self, count, label, prose};
use crate::request::Draft;
use crate::resources::events::{
    AMOUNT, CHEER_TYPE, DETAILS, EVENT_TYPE, EVENTS, MAX_DETAILS_BYTES, MESSAGE, OCCURRED_AT, REFERENCE, SOURCE,
    SUBSCRIBED_LENGTH, TIER, USER_NAME, VIEWER_COUNT,
};
use crate::resources::users::{self, USERS};
use crate::schema::Timestamp;
use crate::table::DedupKey;

/// The platform identifier of all anonymous users. An identifier of Twitch is never a word.
const ANONYMOUS: &str = "anonymous";
/// The name of the subscription type of chat messages, which is part of their identity.
pub const CHAT_MESSAGE: &str = "channel.chat.message";
/// The name of the subscription type of chat notices, which is part of their identity.
pub const CHAT_NOTICE: &str = "channel.chat.notification";
/// The time within which two messages report the same beginning of a subscription. Twitch's retries end sooner.
const ONE_BEGINNING: Duration = Duration::days(1);

/// The content of a notification.
#[derive(Debug)]
pub enum Parsed {
    /// Nothing to store.
    Nothing,
    /// The current name of a user.
    Name(Person),
    /// An event.
    Event(ParsedEvent),
    /// A removal of chat messages.
    Removal(Removal),
}

/// The chat messages that a moderator removes.
#[derive(Debug)]
pub enum Removal {
    /// The message with this identifier.
    Message(String),
    /// All messages of the viewer with this identifier of Twitch's.
    Viewer(String),
    /// All messages.
    All,
}

/// An event as one notification reports it.
#[derive(Debug)]
pub struct ParsedEvent {
    draft: Draft,
    person: Person,
    /// The types that report the same event in more detail. The event is skipped if one of them is subscribed to.
    pub unless: &'static [&'static str],
    known_as: Option<NaturalKey>,
}

/// An identity that the event has in every message that reports it.
#[derive(Debug)]
enum NaturalKey {
    /// A permanent identity.
    As(String),
    /// The beginning of a subscription. The identity expires when another subscription may begin.
    Beginning(String),
}

/// The user that an event is about.
#[derive(Debug)]
pub struct Person {
    /// Twitch's identifier.
    pub platform_id: String,
    /// The display name.
    pub name: String,
}

/// The names of the fields that identify a user: the identifier, the display name and the login.
#[derive(Clone, Copy, Debug)]
pub struct ActorFields(pub &'static str, pub &'static str, pub &'static str);

/// The fields of the viewer.
pub const USER: ActorFields = ActorFields("user_id", "user_name", "user_login");
/// The fields of the author of a chat message.
pub const CHATTER: ActorFields = ActorFields("chatter_user_id", "chatter_user_name", "chatter_user_login");
/// The fields of the broadcaster.
pub const BROADCASTER: ActorFields =
    ActorFields("broadcaster_user_id", "broadcaster_user_name", "broadcaster_user_login");

impl ActorFields {
    /// True if an event contains the display name.
    pub fn is_named(self, event: &Json) -> bool {
        event[self.1].as_str().is_some_and(|name| !name.is_empty())
    }

    /// Returns the user that an event names. Without an identifier, this is the anonymous user, never the broadcaster.
    pub fn of(self, event: &Json) -> Person {
        let named = |field: &str| event[field].as_str().filter(|text| !text.is_empty());
        let anonymous = ["is_anonymous", "chatter_is_anonymous"].iter().any(|field| event[*field] == true);
        match read::id(&event[self.0]) {
            Some(id) if !anonymous => {
                let name = named(self.1).or_else(|| named(self.2)).unwrap_or(&id);
                Person { name: label(name).to_owned(), platform_id: label(&id).to_owned() }
            }
            _ => Person { platform_id: ANONYMOUS.to_owned(), name: "Anonymous".to_owned() },
        }
    }
}

impl Person {
    /// Returns the user as details name one. Null for an anonymous user.
    pub fn to_json(&self) -> Json {
        if self.platform_id == ANONYMOUS {
            return Json::Null;
        }
        json!({"user_id": self.platform_id, "user_name": self.name})
    }

    /// Returns the draft of the user.
    pub fn draft(&self) -> Draft {
        Draft::new(&USERS).with(&users::PLATFORM_ID, &self.platform_id).with(&users::NAME, &self.name)
    }
}

impl ParsedEvent {
    fn new(event_type: &str, person: Person) -> Self {
        let draft = Draft::new(&EVENTS).with(&EVENT_TYPE, event_type).with(&USER_NAME, &person.name);
        Self { draft, person, unless: &[], known_as: None }
    }

    /// Creates a plain event with a message.
    pub fn plain(person: Person, message: &str) -> Self {
        Self::new("plain", person).saying(Some(message))
    }

    /// Creates a subscription event.
    pub fn subscriber(person: Person, tier: i64, months: i64) -> Self {
        let mut parsed = Self::new("subscriber", person);
        parsed.draft = parsed.draft.with(&TIER, tier).with(&SUBSCRIBED_LENGTH, months);
        parsed
    }

    /// Creates a cheer. `bits` is the JSON pointer of the number of bits.
    pub fn cheer(person: Person, event: &Json, bits: &str) -> Self {
        let mut parsed = Self::new("cheer", person);
        parsed.draft = parsed.draft.with(&AMOUNT, count(event, bits));
        parsed
    }

    /// Creates a raid. `viewers` is the JSON pointer of the number of viewers.
    pub fn raid(person: Person, event: &Json, viewers: &str) -> Self {
        let mut parsed = Self::new("raid", person);
        parsed.draft = parsed.draft.with(&VIEWER_COUNT, count(event, viewers));
        parsed
    }

    /// Sets the message, if there is one.
    #[must_use]
    pub fn saying(mut self, message: Option<&str>) -> Self {
        if let Some(message) = message {
            self.draft = self.draft.with(&MESSAGE, prose(message));
        }
        self
    }

    /// Sets the type of a cheer, if there is one.
    #[must_use]
    pub fn of_type(mut self, cheer_type: Option<&str>) -> Self {
        if let Some(cheer_type) = cheer_type {
            self.draft = self.draft.with(&CHEER_TYPE, label(cheer_type));
        }
        self
    }

    /// Sets the thing at Twitch that the event belongs to, if there is one.
    #[must_use]
    pub fn referring_to(mut self, id: Option<&str>) -> Self {
        if let Some(id) = id {
            self.draft = self.draft.with(&REFERENCE, label(id));
        }
        self
    }

    /// Sets the facts that the other fields cannot hold: the members of an object that are not null. Emotes are left out
    /// if the object would be too large.
    #[must_use]
    pub fn with_details(mut self, mut details: Json) -> Self {
        if let Some(members) = details.as_object_mut() {
            members.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
            if Json::Object(members.clone()).to_string().len() > MAX_DETAILS_BYTES {
                members.shift_remove("emotes");
            }
        }
        let json = details.to_string();
        if json != "{}" && json.len() <= MAX_DETAILS_BYTES {
            self.draft = self.draft.with(&DETAILS, &json);
        }
        self
    }

    /// Sets the types that report the event in more detail. The event is skipped if one of them is subscribed to.
    #[must_use]
    pub fn unless_reported_by(mut self, types: &'static [&'static str]) -> Self {
        self.unless = types;
        self
    }

    /// Sets the identity of the event, if it has none yet. Several messages, or a recording, may report the event.
    #[must_use]
    pub fn known_as(mut self, kind: &str, id: Option<&str>) -> Self {
        let named = id.map(|id| NaturalKey::As(format!("{kind} {id}")));
        self.known_as = self.known_as.or(named);
        self
    }

    /// Marks the event as the beginning of its user's subscription of this tier. Several types of message report it.
    #[must_use]
    pub fn beginning(mut self) -> Self {
        let tier = self.draft.get(&TIER).unwrap_or_default();
        self.known_as = Some(NaturalKey::Beginning(format!("first subscription {} {tier}", self.person.platform_id)));
        self
    }

    /// Marks the event as a resubscription after this number of months. Several types of message report it.
    #[must_use]
    pub fn resubscription(self, months: i64) -> Self {
        let key = format!("{} {months}", self.person.platform_id);
        self.known_as("resubscription", Some(&key))
    }

    /// Returns the user that the event is about.
    pub fn person(&self) -> &Person {
        &self.person
    }

    /// Returns the message of the event. Empty if it has none.
    pub fn message(&self) -> &str {
        self.draft.get(&MESSAGE).unwrap_or_default()
    }

    /// Returns the deduplication key of a chat notice that has no other identity.
    pub fn notice(id: &str, time: Timestamp) -> DedupKey {
        DedupKey::new(&format!("twitch {CHAT_NOTICE} {id}"), time)
    }

    /// Returns the deduplication key of a chat message.
    pub fn chat_message(id: &str, time: Timestamp) -> DedupKey {
        DedupKey::new(&format!("twitch {CHAT_MESSAGE} {id}"), time)
    }

    /// Returns the draft to store, with its source, and its deduplication key. The event has its own time, or else that of the message.
    pub fn stored(
        self,
        source: &str,
        message_id: &str,
        own: Option<Timestamp>,
        message_time: Timestamp,
    ) -> (Draft, DedupKey) {
        let Self { draft, person, known_as, .. } = self;
        let draft = draft.with(&OCCURRED_AT, own.unwrap_or(message_time)).with(&SOURCE, label(source));
        let draft = draft.with_embedded("user", person.draft());
        let message = format!("twitch message {message_id}");
        let once = match known_as {
            None => DedupKey::new(&message, message_time),
            Some(NaturalKey::As(id)) => DedupKey::new(&format!("twitch {id}"), message_time),
            Some(NaturalKey::Beginning(id)) => DedupKey::new(&format!("twitch {id}"), message_time)
                .or_after(ONE_BEGINNING, &message)
                .completed_by(&message),
        };
        (draft, once)
    }
}
