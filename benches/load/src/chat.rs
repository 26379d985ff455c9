//! Plays a large channel's chat as signed notifications to the local stack's webhook, at a constant rate.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::PATH;
use capture_core::webhooks::twitch::signature::sign;
use reqwest::{Client, Response};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::{Error, Process};

const VIEWERS: usize = 20_000;
const SECRET: &str = "secret-of-the-measurement";
const BROADCASTER: &str = "1337";
/// The interval between samples of the backlogs.
const SAMPLE: Duration = Duration::from_secs(10);

/// The results of the requests so far.
#[derive(Default)]
struct Seen {
    /// The times from when a message is due to its response.
    latencies: Vec<Duration>,
    write_units: f64,
    read_units: f64,
    failed: usize,
}

/// Plays the chat, waits until the feed and the statistics include all of it, and prints the figures.
pub(crate) async fn play(binary: &Path, minutes: u32, rate: u32) -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(binary);
    command.args(["--port", "0", "--twitch-secret", SECRET, "--twitch-broadcaster-id", BROADCASTER, "--data-dir"]);
    let mut child = command.arg(folder.path()).stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let _process = Process(child);
    let base: Arc<str> = line.trim().strip_prefix("listening on ").ok_or("no address")?.into();
    let (client, seen) = (Client::new(), Arc::new(Mutex::new(Seen::default())));

    // Each message is sent when it is due, whether or not earlier ones have a response.
    let started = Instant::now();
    let count = u64::from(minutes) * 60 * u64::from(rate);
    let mut ticks = interval(Duration::from_secs(1) / rate);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let (mut sampled, mut feed_behind, mut statistics_behind) = (Instant::now(), 0, Duration::ZERO);
    let mut pending = tokio::task::JoinSet::new();
    for _ in 0..count {
        let due = ticks.tick().await.into_std();
        let (sender, to, shared) = (client.clone(), Arc::clone(&base), Arc::clone(&seen));
        pending.spawn(async move {
            let answered = send(&sender, &to).await;
            let mut seen = shared.lock().unwrap_or_else(PoisonError::into_inner);
            match answered {
                Ok(response) if response.status().is_success() => {
                    seen.latencies.push(due.elapsed());
                    seen.write_units += cost(&response, "write-units=");
                    seen.read_units += cost(&response, "read-units=");
                }
                _ => seen.failed += 1,
            }
        });
        while pending.try_join_next().is_some() {}
        if sampled.elapsed() > SAMPLE {
            sampled = Instant::now();
            let stored = seen.lock().unwrap_or_else(PoisonError::into_inner).latencies.len();
            feed_behind = feed_behind.max(stored.saturating_sub(head(&client, &base).await?));
            statistics_behind = statistics_behind.max(behind(&client, &base).await?);
        }
    }
    while pending.join_next().await.is_some() {}
    let took = started.elapsed();

    let stored = seen.lock().unwrap_or_else(PoisonError::into_inner).latencies.len();
    let ended = Instant::now();
    while head(&client, &base).await? < stored {
        sleep(Duration::from_millis(100)).await;
    }
    let feed_after = ended.elapsed();
    while behind(&client, &base).await? > ended.elapsed() {
        sleep(Duration::from_secs(1)).await;
    }
    let statistics_after = ended.elapsed();

    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.latencies.sort_unstable();
    let percentile = |part: usize| seen.latencies.get(stored * part / 100).copied().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let (events, bytes) = (stored.max(1) as f64, size(folder.path())? as f64);
    println!("| Measurement | Result |\n| --- | --- |");
    println!("| messages stored, and failed | {stored} and {} in {:.0} s |", seen.failed, took.as_secs_f64());
    println!("| messages per second | {:.0} |", events / took.as_secs_f64());
    println!("| response, median and p99 | {:.1?} and {:.1?} |", percentile(50), percentile(99));
    println!("| write units per message | {:.2} |", seen.write_units / events);
    println!("| read units per message | {:.2} |", seen.read_units / events);
    println!("| feed: most entries behind, and time to the last one | {feed_behind}, {feed_after:.1?} |");
    println!(
        "| statistics: longest behind, and time to the last message | {statistics_behind:.0?}, {statistics_after:.0?} |"
    );
    println!("| bytes on the disk per message | {:.0} |", bytes / events);
    Ok(())
}

/// Sends one chat message.
async fn send(client: &Client, base: &str) -> Result<Response, Error> {
    let (viewer, id) = (fastrand::usize(..VIEWERS), format!("{:032x}", fastrand::u128(..)));
    let name = format!("Viewer{viewer}");
    let event = json!({
        "broadcaster_user_id": BROADCASTER, "broadcaster_user_login": "channel", "broadcaster_user_name": "Channel",
        "chatter_user_id": format!("{}", 10_000 + viewer), "chatter_user_login": name.to_lowercase(),
        "chatter_user_name": name, "message_id": id, "message_type": "text", "color": "#1E90FF", "badges": [],
        "message": {
            "text": "that was a good jump, do it again",
            "fragments": [{"type": "text", "text": "that was a good jump, do it again"}],
        },
    });
    let subscription = json!({"id": "measured", "type": "channel.chat.message", "version": "1", "status": "enabled"});
    let body = json!({"subscription": subscription, "event": event}).to_string();
    let now = Timestamp::now().to_string();
    let signature = sign(SECRET, &id, &now, body.as_bytes());
    let request = client
        .post(format!("{base}{PATH}"))
        .header("content-type", "application/json")
        .header("twitch-eventsub-message-id", &id)
        .header("twitch-eventsub-message-type", "notification")
        .header("twitch-eventsub-message-timestamp", &now)
        .header("twitch-eventsub-message-signature", signature);
    Ok(request.body(body).send().await?)
}

/// Returns a part of a response's cost.
fn cost(response: &Response, part: &str) -> f64 {
    let cost = response.headers().get("store-cost").and_then(|cost| cost.to_str().ok()).unwrap_or_default();
    let found = cost.split(", ").find_map(|one| one.strip_prefix(part)?.parse().ok());
    found.unwrap_or_default()
}

/// Returns the number of the feed's last entry.
async fn head(client: &Client, base: &str) -> Result<usize, Error> {
    let response = client.get(format!("{base}/feed?limit=1")).send().await?;
    let head = response.headers().get("feed-head").and_then(|head| head.to_str().ok()).unwrap_or_default();
    Ok(head.trim_start_matches('0').parse().unwrap_or_default())
}

/// Returns the age of the statistics.
async fn behind(client: &Client, base: &str) -> Result<Duration, Error> {
    let response = client
        .get(format!("{base}/statistics?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&by=month"))
        .send()
        .await?;
    let as_of = response.headers().get("as-of").and_then(|time| Timestamp::parse(time.to_str().ok()?));
    let age = as_of.map_or(0, |as_of| Timestamp::now().unix_seconds() - as_of.unix_seconds());
    Ok(Duration::from_secs(age.try_into().unwrap_or_default()))
}

/// Returns the total size of a folder's files, in bytes.
fn size(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() { size(&entry.path())? } else { about.len() };
    }
    Ok(bytes)
}
