//! Client for Twitch's OAuth server: device codes, tokens, and their validation.
//!
//! <https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/#device-code-grant-flow>. Twitch returns an error's
//! reason in `message`, not in `error` as in OAuth.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Request timeout. A POST to the service waits at most 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Timeout for revoking a token. A logout waits for it.
const REVOKE_TIMEOUT: Duration = Duration::from_secs(5);
/// Default poll interval, in seconds (RFC 8628, section 3.2).
const DEFAULT_INTERVAL: u64 = 5;

/// A failed request.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// Twitch rejected the request. Contains the status and the reason.
    Refused(u16, String),
    /// Twitch failed or did not respond. Contains the reason.
    Unavailable(String),
}

/// A code for logging in on another device.
#[derive(Clone, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of RFC 8628")]
pub(super) struct DeviceCode {
    /// Secret for polling.
    pub device_code: String,
    /// Code that the streamer enters.
    pub user_code: String,
    /// Page where the streamer enters the code.
    pub verification_uri: String,
    /// Seconds between polls.
    #[serde(default = "default_interval")]
    pub interval: u64,
    /// Seconds until the code expires.
    pub expires_in: u32,
}

fn default_interval() -> u64 {
    DEFAULT_INTERVAL
}

/// An account's token, as stored in the data folder.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of RFC 6749")]
pub(super) struct Token {
    pub client_id: String,
    pub access_token: String,
    /// Can be used once. The response contains the next refresh token.
    pub refresh_token: String,
    pub scopes: Vec<String>,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Do not print the secrets.
        f.debug_struct("Token").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// Response with a token.
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    #[serde(default)]
    refresh_token: Option<String>,
    #[serde(default)]
    scope: Value,
}

/// Account that a token belongs to.
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    #[serde(default)]
    pub login: String,
    pub user_id: String,
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
}

/// OAuth client.
#[derive(Debug)]
pub(super) struct Identity {
    base: String,
    client: Client,
}

impl Identity {
    /// Creates a client for the server at a base URL.
    pub(super) fn new(base: &str, client: Client) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), client }
    }

    /// Requests a device code.
    pub(super) async fn device_code(&self, client_id: &str, scopes: &str) -> Result<DeviceCode, Failure> {
        let form = [("client_id", client_id), ("scopes", scopes)];
        send(self.client.post(self.url("device")).form(&form)).await
    }

    /// Requests the token for a code. Twitch rejects this until the streamer has consented.
    pub(super) async fn token(&self, client_id: &str, scopes: &str, device_code: &str) -> Result<Token, Failure> {
        let form = [
            ("client_id", client_id),
            ("scopes", scopes),
            ("device_code", device_code),
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ];
        let response: TokenResponse = send(self.client.post(self.url("token")).form(&form)).await?;
        Ok(response.into_token(client_id, "", &[]))
    }

    /// Exchanges a refresh token for a new token.
    pub(super) async fn refresh(&self, token: &Token) -> Result<Token, Failure> {
        let form =
            [("grant_type", "refresh_token"), ("client_id", &token.client_id), ("refresh_token", &token.refresh_token)];
        let response: TokenResponse = send(self.client.post(self.url("token")).form(&form)).await?;
        Ok(response.into_token(&token.client_id, &token.refresh_token, &token.scopes))
    }

    /// Validates a token.
    pub(super) async fn validate(&self, access_token: &str) -> Result<Account, Failure> {
        let request = self.client.get(self.url("validate"));
        send(request.header("Authorization", format!("OAuth {access_token}"))).await
    }

    /// Revokes a token. A failure is only logged, since the token is deleted anyway.
    pub(super) async fn revoke(&self, token: &Token) {
        let form = [("client_id", &token.client_id), ("token", &token.access_token)];
        let request = self.client.post(self.url("revoke")).form(&form).timeout(REVOKE_TIMEOUT);
        if let Err(error) = request.send().await {
            tracing::warn!(error = %error.without_url(), "could not revoke a token at Twitch");
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}/oauth2/{path}", self.base)
    }
}

impl TokenResponse {
    /// Builds the token. The previous refresh token and scopes remain if the response has none.
    fn into_token(self, client_id: &str, refresh_token: &str, scopes: &[String]) -> Token {
        let scopes = match &self.scope {
            Value::Array(scopes) => scopes.iter().filter_map(|scope| scope.as_str().map(str::to_owned)).collect(),
            Value::String(scopes) => scopes.split_whitespace().map(str::to_owned).collect(),
            _ => scopes.to_vec(),
        };
        Token {
            client_id: client_id.to_owned(),
            access_token: self.access_token,
            refresh_token: self.refresh_token.unwrap_or_else(|| refresh_token.to_owned()),
            scopes,
        }
    }
}

/// Sends a request and parses its response.
async fn send<T: for<'de> Deserialize<'de>>(request: RequestBuilder) -> Result<T, Failure> {
    let lost = |error: reqwest::Error| Failure::Unavailable(format!("Cannot reach Twitch: {}.", describe(error)));
    let response = request.timeout(TIMEOUT).send().await.map_err(lost)?;
    let status = response.status();
    let body = response.bytes().await.map_err(lost)?;
    if status.is_success() {
        // Drop the parse error: it may quote the body, which may contain a token.
        return serde_json::from_slice(&body)
            .map_err(|_| Failure::Unavailable("Twitch sent an unexpected response.".to_owned()));
    }
    let body: Option<Value> = serde_json::from_slice(&body).ok();
    let text = |name: &str| body.as_ref()?.get(name)?.as_str().map(str::to_owned);
    let reason = text("message").or_else(|| text("error"));
    match reason {
        Some(reason) if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
            Err(Failure::Refused(status.as_u16(), reason))
        }
        // A captive portal, such as a hotel's login page, responds without a reason.
        None if status == StatusCode::UNAUTHORIZED => Err(Failure::Refused(401, "no reason given".to_owned())),
        _ => Err(Failure::Unavailable(format!("Twitch responded with {status}."))),
    }
}

/// Explains why Twitch rejects a token. Twitch's message is only matched, never shown: it may contain the token.
pub(super) fn advice(reason: &str) -> String {
    let reason = reason.to_lowercase();
    if reason.contains("client secret") {
        return "Twitch asks for a client secret. Set the type of the application to Public in Twitch's console, and log in \
                again."
            .to_owned();
    }
    let sentence = match reason.as_str() {
        reason if reason.contains("client") => "Twitch does not know the application, or has ended its access.",
        reason if reason.contains("scope") => "Twitch refuses a scope of the login.",
        _ => "Twitch no longer accepts the login: it has expired or was withdrawn.",
    };
    format!("{sentence} Log in again.")
}

/// Describes an error without its URL.
fn describe(error: reqwest::Error) -> String {
    let (error, mut cause) = (error.without_url(), String::new());
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        cause = inner.to_string();
        source = inner.source();
    }
    if cause.is_empty() { error.to_string() } else { cause }
}
