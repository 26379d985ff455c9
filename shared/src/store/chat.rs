//! The port for answers in the channel's chat. Only a service on one machine has an adapter.

use crate::schema::Timestamp;

/// A language of the service's own sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    German,
}

impl Language {
    /// Returns the language's tag (RFC 5646).
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

/// An answer to a chat message: one line of at most 500 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Platform's identifier of the message.
    pub message_id: String,
    /// Platform's time of the message.
    pub sent_at: Timestamp,
    pub text: String,
}

/// Sends answers to the chat.
pub trait Chat: Send + Sync + std::fmt::Debug {
    /// Returns the language of the service's own sentences.
    fn language(&self) -> Language;

    /// Returns the time since which messages are answered. An earlier process may have answered older ones.
    fn answers_since(&self) -> Timestamp;

    /// Returns the platform's identifier of the account that answers. `None` if no account is logged in.
    fn account(&self) -> Option<String>;

    /// Queues an answer. Does not wait for the platform.
    fn answer(&self, answer: Answer);
}
