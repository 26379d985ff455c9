//! Twitch EventSub over a webhook: verifies and handles the messages that Twitch sends.
//!
//! <https://dev.twitch.tv/docs/eventsub/handling-webhook-events/>. The payloads change without notice, so unknown
//! fields and values are ignored. A signed message is never refused for its content, because Twitch ends a subscription
//! after too many refusals.
//!
//! The mapping of a notification to an event does no I/O. The receiver does.

pub mod mapping;
mod notices;
mod parsed_event;
pub mod read;
#[cfg(feature = "service")]
mod receiver;
#[cfg(feature = "service")]
mod secrets;
pub mod signature;
#[cfg(feature = "service")]
mod subscriptions;

#[cfg(feature = "service")]
pub use receiver::{PATH, REPLAY, SUBSCRIPTIONS, Twitch};

/// Selects which subscription types are processed among those that report the same events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The subscription types that cheers are taken from.
    pub cheers: Cheers,
    /// True if `channel.chat.message` is processed.
    pub chat: bool,
}

/// The subscription types that cheers are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cheers {
    /// Every type that is subscribed to.
    Subscribed,
    /// Only `channel.cheer`: cheers in the chat.
    Cheer,
    /// Only `channel.bits.use`: cheers in the chat and power-ups.
    Bits,
    /// Neither type.
    None,
}

impl Cheers {
    /// Returns the variant with this name: `subscribed`, `cheer`, `bits` or `none`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "subscribed" => Some(Self::Subscribed),
            "cheer" => Some(Self::Cheer),
            "bits" => Some(Self::Bits),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}
