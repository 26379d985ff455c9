//! A client of the server that logs accounts in: device codes, tokens, and their validation.
//!
//! <https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/#device-code-grant-flow>. Twitch names the reason of a
//! refusal `message`, not `error` as OAuth does.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Time limit of a request. A POST of the service waits at most 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Time limit of the revocation of a token, which a logout waits for.
const REVOKE_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval of the polls if Twitch names none (RFC 8628, section 3.2).
const DEFAULT_INTERVAL: u64 = 5;

/// A failed request.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// Twitch refused the request. Contains its status and its reason.
    Refused(u16, String),
    /// Twitch did not respond, or failed. Contains the reason.
    Unavailable(String),
}

/// A code with which the streamer logs in on another device.
#[derive(Clone, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of RFC 8628")]
pub(super) struct DeviceCode {
    /// Secret that the polls send.
    pub device_code: String,
    /// Code that the streamer enters.
    pub user_code: String,
    /// Page on which the streamer enters it.
    pub verification_uri: String,
    /// Seconds between two polls.
    #[serde(default = "default_interval")]
    pub interval: u64,
    /// Seconds until the code expires.
    pub expires_in: u32,
}

fn default_interval() -> u64 {
    DEFAULT_INTERVAL
}

/// The token of an account, as the data folder stores it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of RFC 6749")]
pub(super) struct Token {
    pub client_id: String,
    pub access_token: String,
    /// Works once. The response has the next one.
    pub refresh_token: String,
    pub scopes: Vec<String>,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the secrets.
        f.debug_struct("Token").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// A response with a token.
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    #[serde(default)]
    refresh_token: Option<String>,
    #[serde(default)]
    scope: Value,
}

/// Account of a valid token.
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    #[serde(default)]
    pub login: String,
    pub user_id: String,
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
}

/// Client.
#[derive(Debug)]
pub(super) struct Identity {
    base: String,
    client: Client,
}

impl Identity {
    /// Create a client of the server at a base URL.
    pub(super) fn new(base: &str, client: Client) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), client }
    }

    /// Request a code.
    pub(super) async fn device_code(&self, client_id: &str, scopes: &str) -> Result<DeviceCode, Failure> {
        let form = [("client_id", client_id), ("scopes", scopes)];
        send(self.client.post(self.url("device")).form(&form)).await
    }

    /// Request the token of a code. Twitch refuses until the streamer has consented.
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

    /// Exchange a refresh token for a new token.
    pub(super) async fn refresh(&self, token: &Token) -> Result<Token, Failure> {
        let form =
            [("grant_type", "refresh_token"), ("client_id", &token.client_id), ("refresh_token", &token.refresh_token)];
        let response: TokenResponse = send(self.client.post(self.url("token")).form(&form)).await?;
        Ok(response.into_token(&token.client_id, &token.refresh_token, &token.scopes))
    }

    /// Validate a token.
    pub(super) async fn validate(&self, access_token: &str) -> Result<Account, Failure> {
        let request = self.client.get(self.url("validate"));
        send(request.header("Authorization", format!("OAuth {access_token}"))).await
    }

    /// Revoke a token. Twitch may be unreachable, and the token is forgotten all the same.
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
    /// Build the token. A response without a refresh token or scopes leaves those from before.
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

/// Send a request and parse its response.
async fn send<T: for<'de> Deserialize<'de>>(request: RequestBuilder) -> Result<T, Failure> {
    let lost = |error: reqwest::Error| Failure::Unavailable(format!("Cannot reach Twitch: {}.", describe(error)));
    let response = request.timeout(TIMEOUT).send().await.map_err(lost)?;
    let status = response.status();
    let body = response.bytes().await.map_err(lost)?;
    if status.is_success() {
        // The error may contain the text, which may contain a token.
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
        // Something between may respond without a reason, such as the login page of a hotel.
        None if status == StatusCode::UNAUTHORIZED => Err(Failure::Refused(401, "no reason given".to_owned())),
        _ => Err(Failure::Unavailable(format!("Twitch answered {status}."))),
    }
}

/// Explain why Twitch refuses a token. Its own words are only compared, because they may contain the token.
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

/// Describe an error without its URL.
fn describe(error: reqwest::Error) -> String {
    let (error, mut cause) = (error.without_url(), String::new());
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        cause = inner.to_string();
        source = inner.source();
    }
    if cause.is_empty() { error.to_string() } else { cause }
}
