//! The start and the end of streams. Twitch may report a running stream as ended, and then as online again with the
//! same identifier and start time. The last report decides, so later reports have the time of their message.

use std::collections::BTreeSet;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;
use time::Duration;

use super::channel;
use super::parsed_event::{ParsedEvent, dedup_key};
use crate::error::Result;
use crate::operations::Execution;
use crate::resources::events::{EVENTS, REFERENCE};
use crate::schema::{Record, Timestamp};
use crate::table::DedupKey;

/// Source of the start of a stream.
pub const ONLINE: &str = "twitch/stream.online";
/// Source of the end of a stream.
pub const OFFLINE: &str = "twitch/stream.offline";
/// Maximum age of the messages that are removed while no stream runs.
const MAX_AGE_WITHOUT_STREAM: Duration = Duration::hours(24);
/// Maximum number of times that a stream may return.
const MAX_RETURNS: usize = 100;

/// Returns the time just before the current stream started, or else a day ago.
pub async fn current_start(execution: &Execution, now: Timestamp) -> Result<Timestamp> {
    let (online, offline) = tokio::try_join!(newest(execution, ONLINE, now), newest(execution, OFFLINE, now))?;
    let is_running =
        |online: &Record| offline.as_ref().is_none_or(|offline| offline.primary_time() < online.primary_time());
    let start = match online.filter(is_running) {
        Some(online) => {
            // A stream that returned started with its first report.
            let stream = encode(online.get(&REFERENCE).unwrap_or_default());
            let list = format!("/{}?source={}&reference={stream}&limit={MAX_RETURNS}", EVENTS.name, encode(ONLINE));
            let reports = execution.first_of(&list).await?;
            reports.iter().map(Record::primary_time).min().unwrap_or(online.primary_time()).predecessor()
        }
        None => now.checked_add(-MAX_AGE_WITHOUT_STREAM),
    };
    Ok(start.unwrap_or(now))
}

async fn newest(execution: &Execution, source: &str, now: Timestamp) -> Result<Option<Record>> {
    let before = encode(&now.successor().unwrap_or(now).to_string());
    let list = format!("/{}?limit=1&source={}&occurred_before={before}", EVENTS.name, encode(source));
    Ok(execution.first_of(&list).await?.pop())
}

/// Returns the identity of a report that a stream is online again after it was offline. `None` for the first report of
/// the stream and its repetitions.
pub async fn return_of(execution: &Execution, parsed: &ParsedEvent, time: Timestamp) -> Result<Option<DedupKey>> {
    let (online, offline) = tokio::try_join!(newest(execution, ONLINE, time), newest(execution, OFFLINE, time))?;
    let of_stream =
        |online: &Record| parsed.reference.is_some() && online.get(&REFERENCE) == parsed.reference.as_deref();
    let Some(online) = online.filter(of_stream) else { return Ok(None) };
    if let Some(offline) = offline.filter(|offline| online.primary_time() < offline.primary_time()) {
        return Ok(Some(return_key(&online, offline.primary_time(), time)));
    }
    // The report that the stream is offline may arrive later, although it was sent before.
    execution.skip(&EVENTS, repetition_key(&online, time), &time.to_string()).await?;
    Ok(None)
}

/// Stores that a stream returned, if an online report was sent after this offline report but arrived first.
pub async fn restore(execution: &Execution, event: &Json, time: Timestamp) -> Result<()> {
    let Some(online) = newest(execution, ONLINE, time).await? else { return Ok(()) };
    let key = repetition_key(&online, time).key(&EVENTS);
    let repetition = execution.store.find_existing(key).await?.and_then(|existing| existing.messages);
    let Some(repeated_at) = repetition.as_deref().and_then(Timestamp::parse).filter(|repeated_at| time < *repeated_at)
    else {
        return Ok(());
    };
    let reference = online.get(&REFERENCE).map(str::to_owned);
    let began = ParsedEvent { reference, ..channel::stream_begin(event) };
    let key = return_key(&online, time, repeated_at);
    execution.create_once(began.draft(ONLINE, repeated_at), key, &BTreeSet::new()).await
}

/// Creates the key of a stream's return after a report that it is offline.
fn return_key(online: &Record, offline_at: Timestamp, as_of: Timestamp) -> DedupKey {
    dedup_key(&format!("stream {} after {offline_at}", online.get(&REFERENCE).unwrap_or_default()), as_of)
}

/// Creates the key for the mark of a repeated report that a stream is online.
fn repetition_key(online: &Record, as_of: Timestamp) -> DedupKey {
    let stream = online.get(&REFERENCE).unwrap_or_default();
    dedup_key(&format!("stream {stream} repeated after {}", online.primary_time()), as_of)
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
