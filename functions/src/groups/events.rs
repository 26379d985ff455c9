//! Events of the channel, and the webhook that Twitch reports them to.
//!
//! The webhook belongs here because its messages become events. This is the only function that may read Twitch's
//! secret.

use capture_core::resources::EVENTS;

use super::Group;

/// Group of events.
pub static GROUP: Group = Group {
    routes: &["/events", "/events/{proxy+}", "/webhooks/twitch"],
    // The active subscriptions of Twitch.
    writes: &["webhooks"],
    images: true,
    ..Group::of(&EVENTS)
};
