//! Client for Twitch's API with a user access token.
//!
//! <https://dev.twitch.tv/docs/api/reference/#create-eventsub-subscription>

use std::time::Duration;

use capture_core::store::Answer;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use super::identity::Token;
use crate::desired::DesiredSubscription;

/// Request timeout. A session has ten seconds to subscribe.
const TIMEOUT: Duration = Duration::from_secs(9);

/// Timeout of sending a chat message. Later answers wait for it.
const SEND_TIMEOUT: Duration = Duration::from_secs(3);

/// Result of creating a subscription.
#[derive(Debug)]
pub(super) enum SubscribeResult {
    /// The subscription exists. Contains its identifier if it is new.
    Active(Option<String>),
    /// The account lacks a permission.
    Forbidden,
    /// Retrying would not help. Contains the reason.
    Failed(&'static str),
    /// Retrying may help. Contains the reason.
    Busy(&'static str),
    /// The token is invalid.
    Unauthorized,
}

/// Result of sending a chat message.
#[derive(Debug)]
pub(super) enum SendResult {
    Sent,
    /// Twitch has not sent it or does not say so. Contains the reason.
    Dropped(&'static str),
    /// The token is invalid.
    Unauthorized,
    /// Twitch's limit of requests is reached.
    Busy,
}

/// API client.
#[derive(Debug)]
pub(super) struct Api {
    base: String,
    client: Client,
}

impl Api {
    /// Creates a client for the API at a base URL.
    pub(super) fn new(base: &str, client: Client) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), client }
    }

    /// Reads the account's display name. `None` if the request fails.
    pub(super) async fn display_name(&self, token: &Token) -> Option<String> {
        let request = self.client.get(format!("{}/users", self.base)).timeout(TIMEOUT).bearer_auth(&token.access_token);
        let response = request.header("Client-Id", &token.client_id).send().await.ok()?;
        let body: Value = response.error_for_status().ok()?.json().await.ok()?;
        body["data"][0]["display_name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
    }

    /// Answers a message in a channel's chat, as the account of the token.
    ///
    /// <https://dev.twitch.tv/docs/api/reference/#send-chat-message>
    pub(super) async fn send_message(&self, token: &Token, channel: &str, answer: &Answer) -> SendResult {
        let body = json!({
            "broadcaster_id": channel,
            "sender_id": channel,
            "message": answer.text,
            "reply_parent_message_id": answer.message_id,
        });
        let request = self.client.post(format!("{}/chat/messages", self.base)).timeout(SEND_TIMEOUT);
        let request = request.bearer_auth(&token.access_token).header("Client-Id", &token.client_id);
        let Ok(response) = request.json(&body).send().await else { return SendResult::Dropped("no response") };
        match response.status() {
            StatusCode::UNAUTHORIZED => SendResult::Unauthorized,
            StatusCode::TOO_MANY_REQUESTS => SendResult::Busy,
            StatusCode::FORBIDDEN => SendResult::Dropped("the account may not write"),
            status if status.is_success() => {
                let body: Value = response.json().await.unwrap_or_default();
                let is_sent = body["data"][0]["is_sent"] != false;
                if is_sent { SendResult::Sent } else { SendResult::Dropped("it was held back") }
            }
            status if status.is_client_error() => SendResult::Dropped("it was refused"),
            _ => SendResult::Dropped("Twitch failed"),
        }
    }

    /// Subscribes a session to a type.
    pub(super) async fn subscribe(
        &self,
        token: &Token,
        desired: &DesiredSubscription,
        session: &str,
    ) -> SubscribeResult {
        let body = json!({
            "type": desired.name,
            "version": desired.version,
            "condition": desired.condition,
            "transport": {"method": "websocket", "session_id": session},
        });
        let request = self.client.post(format!("{}/eventsub/subscriptions", self.base)).timeout(TIMEOUT);
        let request = request.bearer_auth(&token.access_token);
        let Ok(response) = request.header("Client-Id", &token.client_id).json(&body).send().await else {
            return SubscribeResult::Busy("Twitch does not respond. Trying again.");
        };
        let status = response.status();
        let body: Value = response.json().await.unwrap_or_default();
        // Only match Twitch's message, never pass it on: it may repeat parts of the request.
        let names = |word: &str| body["message"].as_str().is_some_and(|message| message.to_lowercase().contains(word));
        match status {
            // A lost attempt may have created it.
            StatusCode::CONFLICT => SubscribeResult::Active(None),
            status if status.is_success() => SubscribeResult::Active(body["data"][0]["id"].as_str().map(str::to_owned)),
            StatusCode::UNAUTHORIZED => SubscribeResult::Unauthorized,
            StatusCode::FORBIDDEN => SubscribeResult::Forbidden,
            StatusCode::TOO_MANY_REQUESTS => {
                SubscribeResult::Busy("Twitch limits the number of subscriptions. Trying again.")
            }
            StatusCode::BAD_REQUEST if names("session") => {
                SubscribeResult::Busy("The session has moved or ended. Trying again.")
            }
            StatusCode::GONE => SubscribeResult::Failed("Twitch has withdrawn this version. Update the service."),
            status if status.is_client_error() => SubscribeResult::Failed(
                "Twitch refuses it. Restart the service. If it is still refused, update the service.",
            ),
            _ => SubscribeResult::Busy("Twitch failed. Trying again."),
        }
    }
}
