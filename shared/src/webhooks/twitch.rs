//! Twitch EventSub over a webhook: verifies and handles the messages that Twitch sends.
//!
//! <https://dev.twitch.tv/docs/eventsub/handling-webhook-events/>. The payloads change without notice, so unknown
//! fields and values are ignored. A signed message is never refused for its content: Twitch ends a subscription after
//! too many refusals.
//!
//! A notification passes `receiver` → `message` (verified) → `mapping` (its type) → `parsed_event` (the event as
//! values) → the pipeline of the API. The mapping does no I/O, so it can be fuzzed without a store.

mod channel;
mod chat;
#[cfg(feature = "service")]
pub mod connection;
pub mod mapping;
#[cfg(feature = "service")]
mod message;
#[cfg(feature = "service")]
mod names;
mod notices;
mod parsed_event;
mod privacy;
pub mod read;
#[cfg(feature = "service")]
mod receiver;
mod redemptions;
#[cfg(feature = "service")]
mod removal;
#[cfg(feature = "service")]
mod secrets;
#[cfg(feature = "service")]
mod shares;
pub mod signature;
#[cfg(feature = "service")]
mod streams;
#[cfg(feature = "service")]
mod subscriptions;
mod user;

#[cfg(feature = "service")]
pub use receiver::Twitch;
// Only for tests.
#[doc(hidden)]
pub use privacy::{without_user, without_users};
#[cfg(feature = "service")]
#[doc(hidden)]
pub use secrets::{CachedSecrets, MAX_CACHE_AGE, MIN_RELOAD_INTERVAL, parse_secrets};

/// Path of the callback that Twitch calls.
pub const PATH: &str = "/webhooks/twitch";
/// Variable with the secret that the local process uses to sign what it receives from Twitch over its WebSocket.
pub const SOCKET_SECRET: &str = "TWITCH_SOCKET_SECRET";
/// Header of a recorded message that is sent again. Such a message does not prove a current subscription.
pub const REPLAY: &str = "event-capture-replay";
/// Type of a message that lists the current subscriptions at Twitch. Only the `twitch` command sends it.
pub const SUBSCRIPTIONS: &str = "event_capture_subscriptions";

/// Selection among the subscription types that report the same events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Types that cheers are processed from.
    pub cheers: Cheers,
    /// Whether `channel.chat.message` is processed.
    pub chat: bool,
}

/// Subscription types that cheers are processed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cheers {
    /// Every type with a subscription.
    Subscribed,
    /// Only `channel.cheer`: cheers in the chat.
    Cheer,
    /// Only `channel.bits.use`: cheers in the chat and power-ups.
    Bits,
    /// Neither type.
    None,
}

impl Cheers {
    /// Parses the name of a variant: `subscribed`, `cheer`, `bits` or `none`.
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
