//! The `demo --live` command: plays a stream as signed notifications to Twitch's webhook. The service handles them like
//! those from Twitch.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::signature::sign;
use capture_core::webhooks::twitch::{PATH, REPLAY};
use fastrand::Rng;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};
use transfer::progress;

use super::channel::ApiClient;
use crate::Error;

/// File of the data folder with the webhook's secret, if the service generated it.
pub(crate) const SECRET_FILE: &str = "twitch-secret";
/// Broadcaster of the demo, and of a service that was started without one.
pub(crate) const BROADCASTER: &str = "1337";
/// Length of the script in seconds. `--duration` stretches or shortens it.
const SCRIPT_SECONDS: f64 = 300.0;
/// Seconds between two chat messages.
const CHAT_INTERVAL: f64 = 1.5;
/// Number of notifications sent concurrently. Those of a community gift are sent together.
const CONCURRENCY: usize = 8;

/// Chat messages.
pub(super) const CHAT: [&str; 12] = [
    "what a run!",
    "hello from the train",
    "that jump was clean",
    "good luck with the boss",
    "first time here, love it",
    "the cat is back",
    "how did you do that?",
    "gg",
    "this song again, yes",
    "take a break, drink some water",
    "for the new microphone",
    "see you tomorrow",
];

/// A viewer: Twitch's identifier and the name.
type Viewer = (String, String);

/// A notification: its time in the script in seconds, its type and version, and the event.
struct Notification {
    at: f64,
    name: String,
    version: String,
    event: Value,
}

/// Sender of the notifications.
pub(super) struct Webhook {
    /// Secret that signs the notifications.
    pub secret: String,
    /// Twitch's identifier of the broadcaster.
    pub broadcaster: String,
}

impl Webhook {
    /// Finds the webhook of a service on this machine. `secret` takes precedence over the secret in the data folder.
    pub(super) fn find(secret: Option<String>, broadcaster: Option<String>, folder: &Path) -> Result<Self, Error> {
        let stored = || std::fs::read_to_string(folder.join(SECRET_FILE)).ok();
        let secret = secret.or_else(stored).ok_or_else(|| {
            let folder = folder.display();
            format!(
                "No secret for the webhook in {folder}. Set --data-dir to the folder of the service, or TWITCH_SECRET."
            )
        })?;
        Ok(Self { secret, broadcaster: broadcaster.unwrap_or_else(|| BROADCASTER.to_owned()) })
    }

    /// Plays the stream in a number of seconds.
    pub(super) async fn play(
        &self,
        channel: &ApiClient,
        viewers: &[Viewer],
        seconds: f64,
        mut rng: Rng,
    ) -> Result<(), Error> {
        let script = script(viewers, &mut rng)?;
        let bar = progress::bar(script.len() as u64, "{pos} of {len}  {eta} left")?;
        bar.set_message("stream");
        let begin = Instant::now();
        let sending = stream::iter(script).map(|notification| {
            let due = begin + Duration::from_secs_f64(notification.at * seconds / SCRIPT_SECONDS);
            async move {
                sleep_until(due).await;
                self.send(channel, notification).await
            }
        });
        sending
            .buffered(CONCURRENCY)
            .try_for_each(|()| {
                bar.inc(1);
                async { Ok(()) }
            })
            .await?;
        bar.finish_and_clear();
        Ok(())
    }

    async fn send(
        &self,
        channel: &ApiClient,
        Notification { name, version, mut event, .. }: Notification,
    ) -> Result<(), Error> {
        let now = Timestamp::now().to_string();
        let id = format!("{:032x}", fastrand::u128(..));
        for field in ["broadcaster_user_id", "to_broadcaster_user_id"] {
            if event.get(field).is_some_and(Value::is_null) {
                event[field] = self.broadcaster.clone().into();
            }
        }
        for field in ["followed_at", "redeemed_at", "started_at", "ended_at"] {
            if event.get(field).is_some_and(Value::is_null) {
                event[field] = now.clone().into();
            }
        }
        let subscription = json!({"id": "demo", "type": name, "version": version, "status": "enabled"});
        let body = json!({"subscription": subscription, "event": event}).to_string();
        let signature = sign(&self.secret, &id, &now, body.as_bytes());
        let headers = [
            ("content-type", "application/json"),
            ("twitch-eventsub-message-id", id.as_str()),
            ("twitch-eventsub-message-type", "notification"),
            ("twitch-eventsub-message-timestamp", now.as_str()),
            ("twitch-eventsub-message-signature", signature.as_str()),
            // The demo subscribes to nothing.
            (REPLAY, "true"),
        ];
        let (status, response) = channel.send("POST", PATH, &headers, body).await?;
        if status == http::StatusCode::FORBIDDEN {
            return Err(
                "The service refused the signature. Set TWITCH_SECRET and TWITCH_BROADCASTER_ID as for the service."
                    .into(),
            );
        }
        if !status.is_success() {
            return Err(format!("POST {PATH} failed: {status} {response}").into());
        }
        Ok(())
    }
}

/// Chooses a random element.
pub(super) fn pick<'a>(texts: &[&'a str], rng: &mut Rng) -> &'a str {
    rng.choice(texts).copied().unwrap_or_default()
}

/// Script of the stream: one notification per line, with the seconds at which it is sent.
///
/// Texts may have placeholders: `{chat}` for a chat message, `{id}` for a new identifier, `{number}` for the number of
/// the repetition, and `{viewer.id}`, `.name` and `.login` for any viewer. Any other name stands for the same viewer or
/// identifier on all lines. A null field is filled in when it is sent.
const SCRIPT: &str = include_str!("stream.jsonl");

/// A line of the script.
#[derive(Deserialize)]
struct Line {
    /// Times in seconds. A line without times is chat.
    at: Vec<f64>,
    /// Number of notifications at each time.
    #[serde(default = "default_repeat")]
    repeat: usize,
    #[serde(rename = "type")]
    name: String,
    version: String,
    event: Value,
}

fn default_repeat() -> usize {
    1
}

/// Reads the script with random viewers, in chronological order.
fn script(viewers: &[Viewer], rng: &mut Rng) -> Result<Vec<Notification>, Error> {
    let (mut notifications, mut placeholders) =
        (Vec::new(), Placeholders { viewers, viewers_by_role: HashMap::new(), ids: HashMap::new() });
    for line in SCRIPT.lines() {
        let Line { at, repeat, name, version, event } = serde_json::from_str(line)?;
        let times = if at.is_empty() { chat_times(rng) } else { at };
        for (at, number) in times.into_iter().flat_map(|at| (0..repeat).map(move |number| (at, number))) {
            placeholders.viewers_by_role.remove("viewer");
            let event = placeholders.fill_in(event.clone(), number, rng);
            notifications.push(Notification { at, name: name.clone(), version: version.clone(), event });
        }
    }
    notifications.sort_by(|one, other| one.at.total_cmp(&other.at));
    Ok(notifications)
}

fn chat_times(rng: &mut Rng) -> Vec<f64> {
    let next = |at: &f64| Some(at + CHAT_INTERVAL * (0.4 + rng.f64() * 1.2)).filter(|at| *at < SCRIPT_SECONDS - 10.0);
    std::iter::successors(Some(4.0), next).collect()
}

/// Viewers and identifiers that the script names.
struct Placeholders<'a> {
    viewers: &'a [Viewer],
    viewers_by_role: HashMap<String, &'a Viewer>,
    ids: HashMap<String, String>,
}

impl Placeholders<'_> {
    /// Replaces the placeholders in all texts of a value.
    fn fill_in(&mut self, value: Value, number: usize, rng: &mut Rng) -> Value {
        match value {
            Value::String(text) => self.fill_in_text(&text, number, rng).into(),
            Value::Array(elements) => elements.into_iter().map(|element| self.fill_in(element, number, rng)).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, member)| (name, self.fill_in(member, number, rng))).collect()
            }
            value => value,
        }
    }

    fn fill_in_text(&mut self, text: &str, number: usize, rng: &mut Rng) -> String {
        let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
        let Some((placeholder, after)) = rest.split_once('}') else { return text.to_owned() };
        let value = match placeholder.split_once('.') {
            Some((role, member)) => {
                let viewers = self.viewers;
                let (id, name) =
                    self.viewers_by_role.entry(role.to_owned()).or_insert_with(|| &viewers[rng.usize(..viewers.len())]);
                match member {
                    "id" => id.clone(),
                    "login" => name.to_lowercase(),
                    _ => name.clone(),
                }
            }
            None if placeholder == "chat" => pick(&CHAT, rng).to_owned(),
            None if placeholder == "number" => number.to_string(),
            None if placeholder == "id" => format!("{:032x}", rng.u128(..)),
            None => self.ids.entry(placeholder.to_owned()).or_insert_with(|| format!("{:032x}", rng.u128(..))).clone(),
        };
        format!("{before}{value}{}", self.fill_in_text(after, number, rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_is_ordered_and_has_each_kind() {
        let viewers = [("1".to_owned(), "Ann".to_owned()), ("2".to_owned(), "Bea".to_owned())];
        let script = script(&viewers, &mut Rng::with_seed(7)).expect("a script");
        assert!(script.is_sorted_by(|one, next| one.at <= next.at));
        assert_eq!((&*script[0].name, &*script[script.len() - 1].name), ("stream.online", "stream.offline"));
        let of = |kind: &str| script.iter().filter(|one| one.event["notice_type"] == kind).count();
        assert_eq!((of("community_sub_gift"), of("sub_gift")), (1, 50));
        assert!(script.iter().all(|one| !one.event.to_string().contains("{viewer")), "placeholders are filled in");
    }
}
