//! The required subscriptions, derived from the mapping that the service itself uses.

use event_capture::webhooks::twitch::Settings;
use event_capture::webhooks::twitch::mapping::{Actor, MAPPINGS};
use serde_json::{Map, Value};

/// Accounts of a channel.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// Broadcaster.
    pub broadcaster: &'a str,
    /// Account that reads the chat and the followers.
    pub reader: &'a str,
}

/// A required subscription.
#[derive(Debug)]
pub struct DesiredSubscription {
    /// Type, such as `channel.cheer`.
    pub name: &'static str,
    /// Version of the type.
    pub version: &'static str,
    /// Condition: the accounts that the subscription is for.
    pub condition: Map<String, Value>,
    /// Required scopes, each with the account that must grant it.
    pub scopes: &'static [(&'static str, Actor)],
    /// URL that receives the notifications.
    pub callback: String,
}

impl DesiredSubscription {
    /// Get the name for display. It includes the direction, because one type exists in two directions.
    pub fn label(&self) -> String {
        let outgoing = self.condition.keys().any(|field| field.starts_with("from_"));
        format!("{}{}", self.name, if outgoing { " (outgoing)" } else { "" })
    }
}

impl Channel<'_> {
    /// Get the identifier of the broadcaster or of the reader, which may be the same.
    pub fn account(&self, actor: Actor) -> &str {
        match actor {
            Actor::Broadcaster => self.broadcaster,
            Actor::Reader => self.reader,
        }
    }
}

/// Get all subscriptions that the service processes with these settings.
pub fn desired(channel: Channel<'_>, settings: Settings, callback: &str) -> Vec<DesiredSubscription> {
    let condition = |fields: &[(&str, Actor)]| {
        fields.iter().map(|(field, of)| ((*field).to_owned(), channel.account(*of).into())).collect()
    };
    let mappings = MAPPINGS.iter().filter(|mapping| (mapping.is_enabled)(settings));
    mappings
        .map(|mapping| DesiredSubscription {
            name: mapping.name,
            version: mapping.version,
            condition: condition(mapping.condition),
            scopes: mapping.scopes,
            callback: callback.to_owned(),
        })
        .collect()
}
