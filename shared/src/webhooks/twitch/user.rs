//! The user that an event is about. Twitch names users in fields with various prefixes, and leaves out anonymous users.

use std::fmt;

use serde_json::{Value as Json, json};

use super::read::{self, non_empty_text, short_text};
use crate::request::Draft;
use crate::resources::users::{ANONYMOUS, NAME, PLATFORM_ID, USERS};

/// A user as named by Twitch. Displayed as the name.
#[derive(Debug)]
pub struct TwitchUser {
    /// Twitch's identifier, or `anonymous`.
    pub platform_id: String,
    /// Display name, or else the login, or else the identifier.
    pub name: String,
    /// Whether Twitch sent the display name. If so, it replaces the stored name.
    pub is_named: bool,
}

/// Fields that identify a user, by the prefix of their names.
#[derive(Clone, Copy, Debug)]
pub struct UserFields(&'static str);

/// Viewer.
pub const USER: UserFields = UserFields("");
/// Author of a chat message.
pub const CHATTER: UserFields = UserFields("chatter_");
/// Broadcaster of the configured channel.
pub const BROADCASTER: UserFields = UserFields("broadcaster_");
/// Broadcaster of the channel that viewers arrive from.
pub const FROM_BROADCASTER: UserFields = UserFields("from_broadcaster_");
/// Broadcaster of the channel that viewers go to.
pub const TO_BROADCASTER: UserFields = UserFields("to_broadcaster_");
/// Viewer who receives a gift.
pub const RECIPIENT: UserFields = UserFields("recipient_");
/// Viewer who gave an earlier gift.
pub const GIFTER: UserFields = UserFields("gifter_");

impl UserFields {
    /// Returns true if an event contains the display name.
    pub fn is_named(self, event: &Json) -> bool {
        self.text(event, "user_name").is_some()
    }

    /// Returns the identifier of the user.
    pub fn id(self, event: &Json) -> Option<String> {
        read::id(&event[format!("{}user_id", self.0)])
    }

    /// Returns the user that an event names. Without an identifier, this is the anonymous user, never the broadcaster.
    pub fn of(self, event: &Json) -> TwitchUser {
        let is_anonymous = event["is_anonymous"] == true || event["chatter_is_anonymous"] == true;
        match self.id(event) {
            Some(id) if !is_anonymous => {
                let (display_name, login) = (self.text(event, "user_name"), self.text(event, "user_login"));
                let is_named = display_name.is_some();
                let name = display_name.or(login).unwrap_or_else(|| id.clone());
                TwitchUser { platform_id: short_text(&id).to_owned(), name: short_text(&name).to_owned(), is_named }
            }
            _ => TwitchUser { platform_id: ANONYMOUS.to_owned(), name: "Anonymous".to_owned(), is_named: true },
        }
    }

    fn text(self, event: &Json, field: &str) -> Option<String> {
        non_empty_text(event, &format!("/{}{field}", self.0)).filter(|text| !text.trim().is_empty())
    }
}

impl TwitchUser {
    /// Renders the user for the details of an event. `None` for an anonymous user.
    pub fn to_json(&self) -> Option<Json> {
        (self.platform_id != ANONYMOUS).then(|| json!({"user_id": self.platform_id, "user_name": self.name}))
    }

    /// Creates the draft of the user.
    pub fn draft(&self) -> Draft {
        let draft = Draft::new(&USERS).with(&PLATFORM_ID, &self.platform_id);
        if self.is_named { draft.with(&NAME, &self.name) } else { draft.with_initial(&NAME, &self.name) }
    }
}

impl fmt::Display for TwitchUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
