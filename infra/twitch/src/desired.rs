//! The subscriptions that there should be, by the mapping that the service itself goes by.

use event_capture::webhooks::twitch::Settings;
use event_capture::webhooks::twitch::mapping::{MAPPINGS, Who};
use serde_json::{Map, Value};

/// Whose channel it is, and who reads it.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// The broadcaster.
    pub broadcaster: &'a str,
    /// Who reads the chat and the followers.
    pub reader: &'a str,
}

/// A subscription that there should be.
#[derive(Debug)]
pub struct DesiredSubscription {
    /// Such as `channel.cheer`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What it is about.
    pub condition: Map<String, Value>,
    /// What must have been granted, and by whom.
    pub scopes: &'static [(&'static str, Who)],
    /// Where its notifications go.
    pub callback: String,
}

impl DesiredSubscription {
    /// What a person reads: one type comes in two directions.
    pub fn label(&self) -> String {
        let outgoing = self.condition.keys().any(|field| field.starts_with("from_"));
        format!("{}{}", self.name, if outgoing { " (outgoing)" } else { "" })
    }
}

impl Channel<'_> {
    /// Whose account somebody is: the broadcaster's, or the reader's, which may be the same.
    pub fn account(&self, who: Who) -> &str {
        match who {
            Who::Broadcaster => self.broadcaster,
            Who::Reader => self.reader,
        }
    }
}

/// Everything that the service takes.
pub fn desired(channel: Channel<'_>, settings: Settings, callback: &str) -> Vec<DesiredSubscription> {
    let condition = |fields: &[(&str, Who)]| {
        fields.iter().map(|(field, of)| ((*field).to_owned(), channel.account(*of).into())).collect()
    };
    let mappings = MAPPINGS.iter().filter(|mapping| (mapping.settings)(settings));
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
