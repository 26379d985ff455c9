//! A message from Twitch, verified and parsed. Anyone can call the webhook, so the receiver only gets such messages.

use http::HeaderMap;
use serde_json::Value as Json;
use time::Duration;

use super::secrets::Secrets;
use super::{REPLAY, read, signature};
use crate::error::{Error, Result};
use crate::schema::Timestamp;
use crate::store::Store;

/// Maximum age of a message. An older message may be a recording and is refused.
const MAX_AGE: Duration = Duration::minutes(10);
/// Maximum time by which Twitch's clock may be ahead of the local clock.
const MAX_CLOCK_SKEW: Duration = Duration::minutes(1);

const MESSAGE_ID: &str = "twitch-eventsub-message-id";
const MESSAGE_TYPE: &str = "twitch-eventsub-message-type";
const MESSAGE_TIMESTAMP: &str = "twitch-eventsub-message-timestamp";
const MESSAGE_SIGNATURE: &str = "twitch-eventsub-message-signature";

/// A message with a valid signature.
pub struct Message<'a> {
    pub id: &'a str,
    pub kind: &'a str,
    /// Whether the message was recorded and is sent again.
    pub is_replay: bool,
    pub time: Timestamp,
    pub body: Json,
}

impl<'a> Message<'a> {
    /// Reads a message that the local process received over its WebSocket and signed with its own secret. It may be
    /// old, as the process may have waited for the store. `None` if the message is not signed with this secret.
    pub fn from_socket(secret: &str, headers: &'a HeaderMap, body: &[u8]) -> Option<serde_json::Result<Self>> {
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let (id, kind, timestamp) = (header(MESSAGE_ID)?, header(MESSAGE_TYPE)?, header(MESSAGE_TIMESTAMP)?);
        if !signature::verify(secret, id, timestamp, body, header(MESSAGE_SIGNATURE)?) {
            return None;
        }
        let time = read::time(timestamp).unwrap_or_else(Timestamp::now);
        Some(read::json(body).map(|body| Self { id, kind, is_replay: false, time, body }))
    }

    /// Verifies the signature and the timestamp. The inner result is an error if the body cannot be parsed. Such a
    /// message is still from Twitch.
    ///
    /// # Errors
    /// 403 without a valid and recent signature; 503 without a secret to verify it.
    pub async fn verify(
        secrets: &Secrets,
        store: &Store,
        now: Timestamp,
        headers: &'a HeaderMap,
        body: &[u8],
    ) -> Result<serde_json::Result<Self>> {
        let header =
            |name| headers.get(name).and_then(|value| value.to_str().ok()).ok_or_else(Error::invalid_signature);
        let (id, kind) = (header(MESSAGE_ID)?, header(MESSAGE_TYPE)?);
        let (timestamp, signature) = (header(MESSAGE_TIMESTAMP)?, header(MESSAGE_SIGNATURE)?);
        let time = read::time(timestamp).ok_or_else(Error::invalid_signature)?;
        let has_signed = |secret: &String| signature::verify(secret, id, timestamp, body, signature);
        if !secrets.cached(store, now).await.iter().any(has_signed) {
            let secrets = secrets.reloaded(store, now).await;
            if secrets.is_empty() {
                // Without a secret, the signature cannot be verified. Twitch sends the message again.
                return Err(Error::unavailable());
            }
            if !secrets.iter().any(has_signed) {
                return Err(Error::invalid_signature());
            }
        }
        check_time(time, now)?;
        let content_type = header("content-type").unwrap_or_default();
        if !content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            tracing::warn!(
                "a Twitch message does not have the content type application/json; reading it as JSON anyway"
            );
        }
        Ok(read::json(body).map(|body| Self { id, kind, is_replay: headers.contains_key(REPLAY), time, body }))
    }

    /// Returns the type of the subscription.
    pub fn subscription_type(&self) -> String {
        read::text(&self.body, "/subscription/type")
    }

    pub fn subscription_id(&self) -> String {
        read::text(&self.body, "/subscription/id")
    }

    pub fn event(&self) -> &Json {
        &self.body["event"]
    }

    pub fn condition(&self) -> &Json {
        &self.body["subscription"]["condition"]
    }

    /// Returns the time when the event happened, or else the time of the message.
    pub fn occurred_at(&self, pointer: Option<&str>) -> Timestamp {
        let time = pointer.and_then(|pointer| read::non_empty_text(self.event(), pointer));
        time.and_then(|time| read::time(&time)).unwrap_or(self.time)
    }
}

/// Refuses a message that may be a recording, or that is from the future.
fn check_time(time: Timestamp, now: Timestamp) -> Result<()> {
    if now.checked_add(MAX_CLOCK_SKEW) < Some(time) {
        tracing::error!(
            slow_clocks = 1,
            "refused a Twitch message with a timestamp in the future: the local clock is slow"
        );
        return Err(Error::invalid_signature());
    }
    if Some(time) < now.checked_add(-MAX_AGE) {
        tracing::warn!("refused a Twitch message that is too old: it was recorded, or the local clock is fast");
        return Err(Error::invalid_signature());
    }
    Ok(())
}
