//! Required subscriptions, derived from the service's mapping.

use capture_core::webhooks::twitch::Settings;
use capture_core::webhooks::twitch::mapping::{Actor, MAPPINGS};
use serde_json::{Map, Value};

/// Accounts of a channel.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// User ID of the broadcaster.
    pub broadcaster: &'a str,
    /// User ID of the account that reads the chat and the followers.
    pub reader: &'a str,
}

/// A required subscription.
#[derive(Debug)]
pub struct DesiredSubscription {
    /// Type, such as `channel.cheer`.
    pub name: &'static str,
    /// Version of the type.
    pub version: &'static str,
    /// Condition, with the accounts to subscribe for.
    pub condition: Map<String, Value>,
    /// Required scopes, with the account that must grant each.
    pub scopes: &'static [(&'static str, Actor)],
    /// URL that receives the notifications.
    pub callback: String,
}

impl DesiredSubscription {
    /// Returns the display name, with the direction for types that exist in two.
    pub fn label(&self) -> String {
        let outgoing = self.condition.keys().any(|field| field.starts_with("from_"));
        format!("{}{}", self.name, if outgoing { " (outgoing)" } else { "" })
    }
}

impl Channel<'_> {
    /// Returns the user ID of an actor. The broadcaster and the reader may be the same account.
    pub fn account(&self, actor: Actor) -> &str {
        match actor {
            Actor::Broadcaster => self.broadcaster,
            Actor::Reader => self.reader,
        }
    }
}

/// Returns all subscriptions that the service handles with these settings.
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
