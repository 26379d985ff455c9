//! A client of Twitch's API with the token of a user.
//!
//! <https://dev.twitch.tv/docs/api/reference/#create-eventsub-subscription>

use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use super::identity::Token;
use crate::desired::DesiredSubscription;

/// Time limit of a request. A session has ten seconds to subscribe.
const TIMEOUT: Duration = Duration::from_secs(9);

/// Twitch's answer to a subscription.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The subscription exists.
    Active,
    /// The account lacks a right. Contains Twitch's reason.
    Forbidden(String),
    /// Another attempt would fail, too. Contains Twitch's reason.
    Failed(String),
    /// Twitch is busy or does not respond. Contains the reason.
    Busy(String),
    /// The token is invalid.
    Unauthorized,
}

/// Client.
#[derive(Debug)]
pub(super) struct Api {
    base: String,
    client: Client,
}

impl Api {
    /// Create a client of the API at a base URL.
    pub(super) fn new(base: &str, client: Client) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), client }
    }

    /// Find the display name of the account. None if Twitch does not respond.
    pub(super) async fn display_name(&self, token: &Token) -> Option<String> {
        let request = self.client.get(format!("{}/users", self.base)).timeout(TIMEOUT).bearer_auth(&token.access_token);
        let response = request.header("Client-Id", &token.client_id).send().await.ok()?;
        let body: Value = response.error_for_status().ok()?.json().await.ok()?;
        body["data"][0]["display_name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
    }

    /// Subscribe a session to a type.
    pub(super) async fn subscribe(&self, token: &Token, desired: &DesiredSubscription, session: &str) -> Outcome {
        let body = json!({
            "type": desired.name,
            "version": desired.version,
            "condition": desired.condition,
            "transport": {"method": "websocket", "session_id": session},
        });
        let request = self.client.post(format!("{}/eventsub/subscriptions", self.base)).timeout(TIMEOUT);
        let request = request.bearer_auth(&token.access_token);
        let Ok(response) = request.header("Client-Id", &token.client_id).json(&body).send().await else {
            return Outcome::Busy("Twitch does not respond. Trying again.".to_owned());
        };
        let status = response.status();
        let body: Value = response.json().await.unwrap_or_default();
        let message = body["message"].as_str().filter(|message| !message.is_empty());
        let reason = message.map_or_else(|| format!("Twitch answered {status}."), str::to_owned);
        match status {
            // Another attempt may have created it.
            StatusCode::CONFLICT => Outcome::Active,
            status if status.is_success() => Outcome::Active,
            StatusCode::UNAUTHORIZED => Outcome::Unauthorized,
            StatusCode::FORBIDDEN => Outcome::Forbidden(reason),
            StatusCode::TOO_MANY_REQUESTS => Outcome::Busy(reason),
            status if status.is_client_error() => Outcome::Failed(reason),
            _ => Outcome::Busy(format!("Twitch answered {status}. Trying again.")),
        }
    }
}
