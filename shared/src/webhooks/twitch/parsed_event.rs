//! What a notification tells: an event and whose it is, and what else might tell the same.

use serde_json::Value as Json;
use time::Duration;

use super::read::{self, count, label, prose};
use crate::plan::DedupKey;
use crate::request::Draft;
use crate::resources::events::{
    AMOUNT, CHEER_TYPE, EVENT_TYPE, EVENTS, MESSAGE, OCCURRED_AT, SUBSCRIBED_LENGTH, TIER, USER_NAME, VIEWER_COUNT,
};
use crate::resources::users::{self, USERS};
use crate::schema::Timestamp;

/// Stands for everybody who did not want to be named. No identifier of Twitch's is a word.
const ANONYMOUS: &str = "anonymous";
/// Within this time, two that begin one subscription tell of the same beginning: longer than Twitch goes on sending.
const ONE_BEGINNING: Duration = Duration::days(1);

/// What a notification tells.
#[derive(Debug)]
pub enum Parsed {
    /// Nothing that is stored.
    Nothing,
    /// How a user is called now.
    Name(Person),
    /// An event.
    Event(ParsedEvent),
}

/// An event, as one notification tells it.
#[derive(Debug)]
pub struct ParsedEvent {
    draft: Draft,
    person: Person,
    /// The types of subscription that tell this very event, too, and more of it: where one of them is subscribed to, this
    /// is left out.
    pub unless: &'static [&'static str],
    known_as: Option<NaturalKey>,
}

/// An identity that the event has in every message that tells it.
#[derive(Debug)]
enum NaturalKey {
    /// For good.
    As(String),
    /// Until another may begin.
    Beginning(String),
}

/// Who an event is about.
#[derive(Debug)]
pub struct Person {
    /// Twitch's identifier.
    pub platform_id: String,
    /// The display name.
    pub name: String,
}

/// The names of the fields that tell who it is: of the identifier, the display name and the login.
#[derive(Clone, Copy, Debug)]
pub struct ActorFields(pub &'static str, pub &'static str, pub &'static str);

/// The viewer.
pub const USER: ActorFields = ActorFields("user_id", "user_name", "user_login");
/// Who writes in the chat.
pub const CHATTER: ActorFields = ActorFields("chatter_user_id", "chatter_user_name", "chatter_user_login");
/// Whose channel it is.
pub const BROADCASTER: ActorFields =
    ActorFields("broadcaster_user_id", "broadcaster_user_name", "broadcaster_user_login");

impl ActorFields {
    /// Whether an event has the display name.
    pub fn is_named(self, event: &Json) -> bool {
        event[self.1].as_str().is_some_and(|name| !name.is_empty())
    }

    /// Returns the person that an event names. An event without a name has none: the broadcaster is not a substitute.
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
    /// The user with this name.
    pub fn draft(&self) -> Draft {
        Draft::new(&USERS).with(&users::PLATFORM_ID, &self.platform_id).with(&users::NAME, &self.name)
    }
}

impl ParsedEvent {
    fn new(event_type: &str, person: Person) -> Self {
        let draft = Draft::new(&EVENTS).with(&EVENT_TYPE, event_type).with(&USER_NAME, &person.name);
        Self { draft, person, unless: &[], known_as: None }
    }

    /// A plain event with this message.
    pub fn plain(person: Person, message: &str) -> Self {
        Self::new("plain", person).saying(Some(message))
    }

    /// A subscription.
    pub fn subscriber(person: Person, tier: i64, months: i64) -> Self {
        let mut parsed = Self::new("subscriber", person);
        parsed.draft = parsed.draft.with(&TIER, tier).with(&SUBSCRIBED_LENGTH, months);
        parsed
    }

    /// A cheer with the bits at this place.
    pub fn cheer(person: Person, event: &Json, bits: &str) -> Self {
        let mut parsed = Self::new("cheer", person);
        parsed.draft = parsed.draft.with(&AMOUNT, count(event, bits));
        parsed
    }

    /// A raid with the viewers at this place.
    pub fn raid(person: Person, event: &Json, viewers: &str) -> Self {
        let mut parsed = Self::new("raid", person);
        parsed.draft = parsed.draft.with(&VIEWER_COUNT, count(event, viewers));
        parsed
    }

    /// The same, with a message, if there is one.
    #[must_use]
    pub fn saying(mut self, message: Option<&str>) -> Self {
        if let Some(message) = message {
            self.draft = self.draft.with(&MESSAGE, prose(message));
        }
        self
    }

    /// The same, of a type of cheer.
    #[must_use]
    pub fn of_type(mut self, cheer_type: Option<&str>) -> Self {
        if let Some(cheer_type) = cheer_type {
            self.draft = self.draft.with(&CHEER_TYPE, label(cheer_type));
        }
        self
    }

    /// The same, unless a type that tells more of it is subscribed to.
    #[must_use]
    pub fn unless_told_by(mut self, types: &'static [&'static str]) -> Self {
        self.unless = types;
        self
    }

    /// The same, under an identity of its own, if it has none yet: it may come in several messages, and in a recording.
    #[must_use]
    pub fn known_as(mut self, kind: &str, id: Option<&str>) -> Self {
        let named = id.map(|id| NaturalKey::As(format!("{kind} {id}")));
        self.known_as = self.known_as.or(named);
        self
    }

    /// The same, as the beginning of its user's subscription of this tier, which several types of message tell.
    #[must_use]
    pub fn beginning(mut self) -> Self {
        let tier = self.draft.get(&TIER).unwrap_or_default();
        self.known_as = Some(NaturalKey::Beginning(format!("first subscription {} {tier}", self.person.platform_id)));
        self
    }

    /// The same, as what a viewer shares after so many months, which several types of message report.
    #[must_use]
    pub fn resubscription(self, months: i64) -> Self {
        let key = format!("{} {months}", self.person.platform_id);
        self.known_as("resubscription", Some(&key))
    }

    /// What is stored of it, at its own time, or else that of the message; and what makes it take effect once.
    pub fn stored(self, message_id: &str, own: Option<Timestamp>, message_time: Timestamp) -> (Draft, DedupKey) {
        let Self { draft, person, known_as, .. } = self;
        let draft = draft.with(&OCCURRED_AT, own.unwrap_or(message_time)).with_part("user", person.draft());
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
