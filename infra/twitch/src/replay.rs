//! Replays recorded notifications with Twitch's signature, for tests, demos and importing recordings.
//!
//! A message keeps its recorded identifier, so the service does not store it twice. If it has none, the digest of its
//! body is used. The timestamp is the current time, since the service rejects messages older than ten minutes. Events
//! that do not include a time are therefore stored with the current time.

use std::io::Write;
use std::path::Path;

use capture_core::schema::Timestamp;
use capture_core::schema::digest;
use capture_core::webhooks::twitch::REPLAY;
use capture_core::webhooks::twitch::signature::sign;
use reqwest::{Client, Response, StatusCode};
use serde_json::Value;

use crate::Error;
use crate::connect::unreachable;

/// Sends every line of a file. Returns true if the service accepted all of them.
///
/// # Errors
/// If the file cannot be read or the service cannot be reached.
pub async fn run(file: &Path, url: &str, secret: &str, out: &mut impl Write) -> Result<bool, Error> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("Cannot read {}: {error}", file.display()))?;
    let client = Client::new();
    let to = format!("{}/webhooks/twitch", url.trim_end_matches('/'));
    let (mut accepted, mut refused) = (0, 0);
    for (position, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let recorded: Value =
            serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", file.display(), position + 1))?;
        let status = send(&client, &to, secret, &recorded).await.map_err(|error| unreachable(url, error))?;
        if status.is_success() {
            accepted += 1;
        } else {
            refused += 1;
            writeln!(out, "line {}: {status}", position + 1)?;
        }
    }
    writeln!(out, "{accepted} accepted, {refused} rejected")?;
    Ok(refused == 0)
}

/// A message in Twitch's format.
pub struct Message<'a> {
    /// Unique identifier of the message.
    pub id: &'a str,
    /// Type of the message, such as `notification`.
    pub kind: &'a str,
    /// JSON body.
    pub body: String,
    /// Whether the message is a recording, which does not mark its type as subscribed.
    pub is_replay: bool,
}

impl Message<'_> {
    /// Signs the message with the current time and sends it.
    ///
    /// # Errors
    /// If the service cannot be reached.
    pub async fn send(self, client: &Client, to: &str, secret: &str) -> Result<Response, Error> {
        let timestamp = Timestamp::now().to_string();
        let request = client
            .post(to)
            .header("Content-Type", "application/json")
            .header("Twitch-Eventsub-Message-Id", self.id)
            .header("Twitch-Eventsub-Message-Retry", "0")
            .header("Twitch-Eventsub-Message-Type", self.kind)
            .header("Twitch-Eventsub-Message-Timestamp", &timestamp)
            .header("Twitch-Eventsub-Message-Signature", sign(secret, self.id, &timestamp, self.body.as_bytes()));
        let request = if self.is_replay { request.header(REPLAY, "true") } else { request };
        Ok(request.body(self.body).send().await?)
    }
}

async fn send(client: &Client, to: &str, secret: &str, recorded: &Value) -> Result<StatusCode, Error> {
    let (headers, body) = match (recorded["headers"].as_object(), recorded.get("body")) {
        (Some(headers), Some(body)) => (Some(headers), body),
        _ => (None, recorded),
    };
    // Send a body that was recorded as text unchanged.
    let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
    let header = |name: &str| {
        let mut found = headers.into_iter().flatten().filter(|(header, _)| header.eq_ignore_ascii_case(name));
        found.next().and_then(|(_, value)| value.as_str())
    };
    let id = header("Twitch-Eventsub-Message-Id").map_or_else(|| digest(&body), str::to_owned);
    let kind = header("Twitch-Eventsub-Message-Type").unwrap_or("notification");
    Ok(Message { id: &id, kind, body, is_replay: true }.send(client, to, secret).await?.status())
}
