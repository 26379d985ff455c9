//! Connections to Twitch and of overlays: describes the deployed service's webhook, and lists the listening overlays.
//!
//! The local process holds the connection to Twitch and serves these routes itself.

use super::Group;

/// Group of connections.
pub static GROUP: Group = Group {
    routes: &["/connections/overlays", "/connections/twitch"],
    reads: &["commands", "overlays", "sockets", "webhooks"],
    ..Group::new("connections")
};
