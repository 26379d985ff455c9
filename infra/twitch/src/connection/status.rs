//! Current status of the connection, and its description for clients.

use std::collections::BTreeMap;

use capture_core::schema::Timestamp;
use serde_json::{Value, json};

use super::identity::DeviceCode;
use super::record::{FailedSubscription, Record};

/// Phase of the connection, regardless of a pending login.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// No account is logged in.
    #[default]
    None,
    /// An account is logged in, but the socket is not connected.
    Connecting,
    /// The socket receives messages.
    Connected,
    /// Twitch rejects the token.
    Reauthorize,
}

/// A login that waits for the streamer's consent.
pub(super) struct PendingLogin {
    pub client_id: String,
    pub code: DeviceCode,
    pub expires_at: Option<Timestamp>,
}

/// Current status of the connection.
#[derive(Default)]
pub(super) struct Status {
    pub phase: Phase,
    pub login: Option<PendingLogin>,
    pub missing_scopes: Vec<String>,
    /// Whether the token allows answers in the chat. `None` until Twitch has validated it.
    pub can_answer: Option<bool>,
    /// Labels of the active subscriptions.
    pub active: Vec<String>,
    /// Failed subscriptions, by label.
    pub failed: BTreeMap<String, FailedSubscription>,
    pub connected_at: Option<Timestamp>,
    pub last_message_at: Option<Timestamp>,
    /// Last error, and what to do about it.
    pub error: Option<String>,
    /// Why the login or the state cannot be stored, and what to do about it.
    pub storage_error: Option<String>,
}

impl Status {
    /// Describes the connection. `client_id` belongs to the login, or is the default for a new login.
    pub(super) fn describe(&self, record: &Record, client_id: Option<&str>) -> Value {
        let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
        let login = self.login.as_ref();
        let state = match (login, self.phase) {
            (Some(_), _) => "pending",
            (None, Phase::None) => "none",
            (None, Phase::Connecting) => "connecting",
            (None, Phase::Connected) => "connected",
            (None, Phase::Reauthorize) => "reauthorize",
        };
        let failed = self.failed.values().map(|failed| json!({"type": failed.name, "reason": failed.reason}));
        let gaps = record.gaps.iter().map(|gap| json!({"from": gap.from.to_string(), "to": gap.to.to_string()}));
        let channel = record.channel.as_ref();
        json!({
            "transport": "websocket",
            "state": state,
            "client_id": login.map(|login| login.client_id.as_str()).or(client_id),
            "user_code": login.map(|login| &login.code.user_code),
            "verification_uri": login.map(|login| &login.code.verification_uri),
            "expires_at": login.and_then(|login| time(login.expires_at)),
            "channel": channel.map(|channel| json!({"platform_id": channel.platform_id, "name": channel.name})),
            "missing_scopes": self.missing_scopes,
            "subscriptions": {"enabled": self.active.len(), "failed": failed.collect::<Vec<_>>()},
            "connected_at": time(self.connected_at),
            "last_message_at": time(self.last_message_at),
            "gaps": gaps.collect::<Vec<_>>(),
            "error": self.storage_error.as_ref().or(self.error.as_ref()),
        })
    }
}
