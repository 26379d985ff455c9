//! Client for Twitch's EventSub subscription API.
//!
//! <https://dev.twitch.tv/docs/api/reference/#create-eventsub-subscription>

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Error;
use crate::desired::DesiredSubscription;

/// Maximum number of attempts per call, if it is rate-limited, fails or gets lost.
const ATTEMPTS: u32 = 5;
/// Maximum wait between two attempts.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// Page limit, beyond the maximum number of subscriptions per client.
const MAX_PAGES: usize = 1_000;

/// Credentials of an application.
pub struct Credentials {
    /// Public client ID.
    pub client_id: String,
    /// Client secret.
    pub client_secret: String,
}

/// An API client with an app access token.
pub struct Helix {
    base: String,
    token_url: String,
    credentials: Credentials,
    token: Mutex<String>,
    client: Client,
}

/// A subscription at Twitch.
#[derive(Clone, Debug, Deserialize)]
pub struct Subscription {
    /// Subscription ID.
    pub id: String,
    /// `enabled`, or the reason why it is not.
    pub status: String,
    /// Type, such as `channel.cheer`.
    #[serde(rename = "type")]
    pub name: String,
    /// Version of the type.
    #[serde(default)]
    pub version: String,
    /// Condition, with the accounts that it is for.
    #[serde(default)]
    pub condition: Map<String, Value>,
    /// Destination of the notifications.
    #[serde(default)]
    pub transport: Transport,
}

/// Destination of notifications.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Transport {
    /// URL of a webhook.
    #[serde(default)]
    pub callback: Option<String>,
}

/// Result of creating a subscription.
#[derive(Debug, PartialEq, Eq)]
pub enum CreateResult {
    /// Twitch is verifying the callback.
    Pending,
    /// The application lacks a required scope. Contains Twitch's message.
    NotGranted(String),
    /// Twitch rejected the subscription. Contains its status and message.
    Refused(String),
}

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    data: Option<Vec<Subscription>>,
    #[serde(default)]
    pagination: Option<Map<String, Value>>,
}

impl Helix {
    /// Creates a client and requests an app access token.
    ///
    /// # Errors
    /// If Twitch cannot be reached or does not accept the credentials.
    pub async fn authorize(base: &str, token_url: &str, credentials: Credentials) -> Result<Self, Error> {
        let client = Client::builder().timeout(Duration::from_secs(30)).build()?;
        let (base, token_url) = (base.trim_end_matches('/').to_owned(), token_url.to_owned());
        let helix = Self { base, token_url, credentials, token: Mutex::default(), client };
        helix.renew_token().await?;
        Ok(helix)
    }

    /// Requests a new app access token.
    ///
    /// <https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/#client-credentials-grant-flow>
    async fn renew_token(&self) -> Result<(), Error> {
        let Credentials { client_id, client_secret } = &self.credentials;
        let form =
            [("client_id", client_id.as_str()), ("client_secret", client_secret), ("grant_type", "client_credentials")];
        let response = self.send(|| self.client.post(&self.token_url).form(&form)).await?;
        match response.status() {
            StatusCode::BAD_REQUEST => return Err(failed("Twitch does not accept TWITCH_CLIENT_ID", response).await),
            StatusCode::FORBIDDEN => {
                let why =
                    "TWITCH_CLIENT_SECRET is not the client secret of TWITCH_CLIENT_ID (it differs from TWITCH_SECRET)";
                return Err(failed(why, response).await);
            }
            status if !status.is_success() => return Err(failed("Twitch did not issue a token", response).await),
            _ => {}
        }
        let response: Value = response.json().await?;
        let token = response["access_token"].as_str().ok_or("Twitch's response has no access_token.")?.to_owned();
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
        Ok(())
    }

    /// Lists all subscriptions of the application.
    ///
    /// # Errors
    /// If Twitch cannot be reached or rejects the request.
    pub async fn list(&self) -> Result<Vec<Subscription>, Error> {
        let (mut subscriptions, mut cursors) = (Vec::new(), Vec::new());
        while cursors.len() < MAX_PAGES {
            let query: Vec<_> = cursors.last().iter().map(|after: &&String| ("after", after.as_str())).collect();
            let response = self.call(Method::GET, &query, None).await?;
            if !response.status().is_success() {
                return Err(failed("Twitch did not list the subscriptions", response).await);
            }
            let page: Page = response.json().await?;
            for subscription in page.data.unwrap_or_default() {
                if !subscriptions.iter().any(|listed: &Subscription| listed.id == subscription.id) {
                    subscriptions.push(subscription);
                }
            }
            let cursor = page.pagination.as_ref().and_then(|pagination| pagination.get("cursor")?.as_str());
            match cursor.filter(|cursor| !cursor.is_empty()).map(str::to_owned) {
                Some(cursor) if cursors.contains(&cursor) => {
                    // A repeated cursor would loop forever.
                    eprintln!(
                        "Twitch's list of subscriptions repeats itself and may be incomplete. Run this command again later."
                    );
                    break;
                }
                Some(cursor) => cursors.push(cursor),
                None => break,
            }
        }
        Ok(subscriptions)
    }

    /// Creates a subscription with a callback.
    ///
    /// # Errors
    /// If Twitch cannot be reached or fails.
    pub async fn create(
        &self,
        desired: &DesiredSubscription,
        callback: &str,
        secret: &str,
    ) -> Result<CreateResult, Error> {
        let body = json!({
            "type": desired.name,
            "version": desired.version,
            "condition": desired.condition,
            "transport": {"method": "webhook", "callback": callback, "secret": secret},
        });
        let response = self.call(Method::POST, &[], Some(&body)).await?;
        match response.status() {
            StatusCode::ACCEPTED => Ok(CreateResult::Pending),
            StatusCode::FORBIDDEN => Ok(CreateResult::NotGranted(message(response).await)),
            status if status.is_client_error() && status != StatusCode::UNAUTHORIZED => {
                Ok(CreateResult::Refused(format!("{status}, {}", message(response).await)))
            }
            _ => Err(failed(&format!("Twitch did not create {}", desired.name), response).await),
        }
    }

    /// Deletes a subscription. Returns false if it does not exist.
    ///
    /// # Errors
    /// If Twitch cannot be reached or rejects the request.
    pub async fn delete(&self, id: &str) -> Result<bool, Error> {
        let response = self.call(Method::DELETE, &[("id", id)], None).await?;
        match response.status() {
            StatusCode::NO_CONTENT => Ok(true),
            StatusCode::NOT_FOUND => Ok(false),
            _ => Err(failed("Twitch did not delete the subscription", response).await),
        }
    }

    /// Calls Twitch. If the token has expired, renews it and retries.
    async fn call(&self, method: Method, query: &[(&str, &str)], body: Option<&Value>) -> Result<Response, Error> {
        let url = format!("{}/eventsub/subscriptions", self.base);
        let request = || {
            let token = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let request = self.client.request(method.clone(), &url).query(query).bearer_auth(token);
            let request = request.header("Client-Id", &self.credentials.client_id);
            if let Some(body) = body { request.json(body) } else { request }
        };
        let response = self.send(request).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        self.renew_token().await?;
        self.send(request).await
    }

    /// Sends a request. Retries if it is rate-limited, or if Twitch fails or cannot be reached.
    async fn send(&self, request: impl Fn() -> RequestBuilder) -> Result<Response, Error> {
        let mut attempt = 0;
        loop {
            let response = request().send().await;
            attempt += 1;
            let is_retryable = response.as_ref().map_or(true, |response| {
                // Twitch also returns 429 for more than three identical subscriptions, where waiting does not help.
                response.status() == StatusCode::TOO_MANY_REQUESTS || response.status().is_server_error()
            });
            if !is_retryable || attempt == ATTEMPTS {
                return Ok(response?);
            }
            tokio::time::sleep(wait(response.ok().as_ref(), attempt)).await;
        }
    }
}

/// Returns the time until the rate limit is reset, from the Unix time in `Ratelimit-Reset`. Without this header, the
/// wait doubles with each attempt.
fn wait(response: Option<&Response>, attempt: u32) -> Duration {
    let reset = response.and_then(|response| response.headers().get("ratelimit-reset")?.to_str().ok()?.parse().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let remaining = reset.map(|reset| Duration::from_secs(reset).saturating_sub(now));
    remaining.unwrap_or(Duration::from_millis(100) * 2u32.pow(attempt)).clamp(Duration::from_millis(100), MAX_WAIT)
}

async fn message(response: Response) -> String {
    let body: Value = response.json().await.unwrap_or_default();
    body["message"].as_str().unwrap_or("no reason given").to_owned()
}

async fn failed(what: &str, response: Response) -> Error {
    let status = response.status();
    format!("{what}: {status}, {}", message(response).await).into()
}
