//! The connections to Twitch and of overlays: describes the webhook of the deployed service, and lists the overlays that
//! listen.
//!
//! The local process answers these routes itself, because it holds the connection to Twitch.

use super::Group;

/// Group of connections.
pub static GROUP: Group = Group {
    routes: &["/connections/overlays", "/connections/twitch"],
    reads: &["overlays", "sockets", "webhooks"],
    ..Group::new("connections")
};
