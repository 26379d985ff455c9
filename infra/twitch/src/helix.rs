//! Twitch's API, as far as subscriptions need it: <https://dev.twitch.tv/docs/api/reference/#create-eventsub-subscription>.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::{Client, Method, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Error;
use crate::wanted::Wanted;

/// How often a call that Twitch has no room for is repeated.
const ATTEMPTS: u32 = 5;
/// The longest wait for room.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// As whom Twitch is asked: an application, not a user.
pub struct Credentials {
    /// Its public name.
    pub client_id: String,
    /// Its password.
    pub client_secret: String,
}

/// A client with an app access token.
pub struct Helix {
    base: String,
    client_id: String,
    token: String,
    client: Client,
}

/// A subscription as Twitch has it.
#[derive(Clone, Debug, Deserialize)]
pub struct Subscription {
    /// Twitch's identifier.
    pub id: String,
    /// `enabled`, or why not.
    pub status: String,
    /// Such as `channel.cheer`.
    #[serde(rename = "type")]
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// What it is about.
    #[serde(default)]
    pub condition: Map<String, Value>,
    /// Where its notifications go.
    #[serde(default)]
    pub transport: Transport,
}

/// Where notifications go.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Transport {
    /// The URL of a webhook.
    #[serde(default)]
    pub callback: Option<String>,
}

/// What came of asking for a subscription.
#[derive(Debug, PartialEq, Eq)]
pub enum Created {
    /// Twitch calls the callback now to see whether it is ours.
    Pending,
    /// It is there already.
    Exists,
    /// The broadcaster has not granted what it needs to this application.
    NotGranted(String),
}

#[derive(Deserialize)]
struct Page {
    data: Vec<Subscription>,
    #[serde(default)]
    pagination: Map<String, Value>,
}

impl Helix {
    /// Gets an app access token.
    ///
    /// # Errors
    /// When Twitch does not know the application.
    pub async fn authorize(base: &str, token_url: &str, credentials: Credentials) -> Result<Self, Error> {
        let client = Client::builder().timeout(Duration::from_secs(30)).build()?;
        let Credentials { client_id, client_secret } = credentials;
        let form = json!({"client_id": client_id, "client_secret": client_secret, "grant_type": "client_credentials"});
        let answer = client.post(token_url).json(&form).send().await?;
        if !answer.status().is_success() {
            let why = "Twitch gives no token: are TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET those of one application?";
            return Err(failed(why, answer).await);
        }
        let answer: Value = answer.json().await?;
        let token = answer["access_token"].as_str().ok_or("Twitch's answer has no access_token")?.to_owned();
        Ok(Self { base: base.trim_end_matches('/').to_owned(), client_id, token, client })
    }

    /// All subscriptions of the application.
    ///
    /// # Errors
    /// When Twitch cannot be reached, or refuses.
    pub async fn list(&self) -> Result<Vec<Subscription>, Error> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let query: Vec<_> = after.iter().map(|after: &String| ("after", after.as_str())).collect();
            let answer = self.call(Method::GET, &query, None).await?;
            if !answer.status().is_success() {
                return Err(failed("Twitch does not list the subscriptions", answer).await);
            }
            let page: Page = answer.json().await?;
            all.extend(page.data);
            after = page.pagination.get("cursor").and_then(Value::as_str).map(str::to_owned);
            if after.as_ref().is_none_or(String::is_empty) {
                return Ok(all);
            }
        }
    }

    /// Asks for a subscription.
    ///
    /// # Errors
    /// When Twitch cannot be reached, or refuses for another reason than a scope that is missing.
    pub async fn create(&self, wanted: &Wanted, secret: &str) -> Result<Created, Error> {
        let body = json!({
            "type": wanted.name,
            "version": wanted.version,
            "condition": wanted.condition,
            "transport": {"method": "webhook", "callback": wanted.callback, "secret": secret},
        });
        let answer = self.call(Method::POST, &[], Some(&body)).await?;
        match answer.status() {
            StatusCode::ACCEPTED => Ok(Created::Pending),
            StatusCode::CONFLICT => Ok(Created::Exists),
            StatusCode::FORBIDDEN => Ok(Created::NotGranted(message(answer).await)),
            _ => Err(failed(&format!("Twitch does not take {}", wanted.name), answer).await),
        }
    }

    /// Deletes a subscription. Answers whether there was one.
    ///
    /// # Errors
    /// When Twitch cannot be reached, or refuses.
    pub async fn delete(&self, id: &str) -> Result<bool, Error> {
        let answer = self.call(Method::DELETE, &[("id", id)], None).await?;
        match answer.status() {
            StatusCode::NO_CONTENT => Ok(true),
            StatusCode::NOT_FOUND => Ok(false),
            _ => Err(failed("Twitch does not delete the subscription", answer).await),
        }
    }

    /// Calls, and again when Twitch has no room, after the time that it names.
    async fn call(&self, method: Method, query: &[(&str, &str)], body: Option<&Value>) -> Result<Response, Error> {
        let url = format!("{}/eventsub/subscriptions", self.base);
        let mut attempt = 0;
        loop {
            let request = self.client.request(method.clone(), &url).query(query).bearer_auth(&self.token);
            let request = request.header("Client-Id", &self.client_id);
            let request = if let Some(body) = body { request.json(body) } else { request };
            let answer = request.send().await?;
            attempt += 1;
            // For more than three identical subscriptions it is 429, too, and then no waiting helps.
            if answer.status() != StatusCode::TOO_MANY_REQUESTS || attempt == ATTEMPTS {
                return Ok(answer);
            }
            tokio::time::sleep(wait(&answer)).await;
        }
    }
}

/// The time until there is room again: `Ratelimit-Reset` is in seconds since 1970.
fn wait(answer: &Response) -> Duration {
    let reset = answer.headers().get("ratelimit-reset").and_then(|reset| reset.to_str().ok()?.parse().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let left = reset.map(|reset| Duration::from_secs(reset).saturating_sub(now));
    left.unwrap_or(Duration::from_secs(1)).clamp(Duration::from_millis(100), LONGEST_WAIT)
}

async fn message(answer: Response) -> String {
    let body: Value = answer.json().await.unwrap_or_default();
    body["message"].as_str().unwrap_or("no reason given").to_owned()
}

async fn failed(what: &str, answer: Response) -> Error {
    let status = answer.status();
    format!("{what}: {status}, {}", message(answer).await).into()
}
