//! The connection to Twitch: describes the webhook of the deployed service.
//!
//! The local process answers these routes itself, because it holds the connection.

use super::Group;

/// Group of connections.
pub static GROUP: Group = Group { routes: &["/connections/twitch"], reads: &["webhooks"], ..Group::new("connections") };
