//! Removes chat messages that a moderator has removed, because a text that is no longer in the chat must not stay in
//! the history either. A removal may arrive before its message, so it leaves a mark.

use std::collections::BTreeSet;
use std::time::Instant;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use time::Duration;

use super::message::Message;
use super::parsed_event::{CHAT_MESSAGE, CHAT_NOTICE, ChatRemoval, ParsedEvent, dedup_key};
use super::{read, shares};
use crate::error::Result;
use crate::operations::Execution;
use crate::resources::events::{EVENTS, MESSAGE, USER_ID};
use crate::resources::users::{PLATFORM_ID, USERS};
use crate::schema::{Record, Timestamp, Value, digest};
use crate::table::{ClearedPeriod, CompletedRecords, DedupKey, Tombstone};

/// Time that a request spends on a removal, because Twitch expects a response within some seconds. The upkeep removes
/// the rest.
const MAX_REMOVAL_TIME: std::time::Duration = std::time::Duration::from_secs(3);
/// Sources of events with a text that the chat shows, after `twitch/`.
const SOURCES_WITH_CHAT_TEXT: [&str; 9] = [
    "channel.chat.message",
    "channel.cheer",
    "channel.bits.use",
    "channel.subscription.message",
    "channel.chat.notification/sub",
    "channel.chat.notification/resub",
    "channel.chat.notification/announcement",
    "channel.chat.notification/watch_streak",
    "channel.chat.notification/bits_badge_tier",
];
/// Maximum time between a chat message with bits and the cheer that another type reports.
const MAX_CHEER_DELAY: Duration = Duration::minutes(1);
/// Maximum age of the messages that are removed while no stream runs.
const MAX_AGE_WITHOUT_STREAM: Duration = Duration::hours(24);

/// Remove chat messages that were sent before a time. Of the messages of a viewer, and of all messages, only those of
/// the current stream are removed.
pub async fn remove(execution: &Execution, removal: &ChatRemoval, time: Timestamp) -> Result<()> {
    let author = match removal {
        ChatRemoval::Message(id) => return remove_message(execution, id, time).await,
        ChatRemoval::Viewer(platform_id) => Some(platform_id.clone()),
        ChatRemoval::All => None,
    };
    let period = ClearedPeriod { since: stream_start(execution, time).await?, until: time };
    // Both filters are exclusive.
    let after = encode(&period.since);
    let before = encode(&time.successor().unwrap_or(time));
    let list = |source: &&str| {
        let source = encode(&format!("twitch/{source}"));
        format!("/{}?source={source}&occurred_after={after}&occurred_before={before}", EVENTS.name)
    };
    let withdrawn = SOURCES_WITH_CHAT_TEXT.iter().map(list).collect();
    // A subscription that was shared later is older than its text.
    let oldest = encode(&period.since.shifted(-shares::MAX_DELAY).unwrap_or(period.since));
    let source = encode(&shares::SUBSCRIBE);
    let list = format!("/{}?source={source}&occurred_after={oldest}&occurred_before={before}", EVENTS.name);
    let completed = Some(CompletedRecords { list, period });
    let tombstone = Tombstone { withdrawn, completed, author, ..Tombstone::default() };
    execution.withdraw_all(tombstone, period, Instant::now() + MAX_REMOVAL_TIME).await
}

/// Compute the digest of a text by which a removal may find it: that of a cheer, whose notification does not name the chat
/// message. `None` for other sources.
pub fn text_of_cheer(source: &str, text: Option<&str>) -> Option<String> {
    let is_cheer = ["twitch/channel.cheer", "twitch/channel.bits.use"].contains(&source);
    text.filter(|_| is_cheer).map(|text| digest(read::long_text(text)))
}

/// Tell if the events of a source have a text that the chat shows, and that a clear removes.
pub fn has_chat_text(source: &str) -> bool {
    source.strip_prefix("twitch/").is_some_and(|source| SOURCES_WITH_CHAT_TEXT.contains(&source))
}

async fn remove_message(execution: &Execution, id: &str, time: Timestamp) -> Result<()> {
    // The message of a notice has an event of its own.
    execution.withdraw(&EVENTS, dedup_key(&format!("{CHAT_NOTICE} {id}"), time)).await?;
    match execution.withdraw(&EVENTS, chat_message_key(id, time)).await? {
        Some(counterpart) => remove_counterpart(execution, &counterpart).await,
        None => Ok(()),
    }
}

/// Skip an event that another type reports. Stores the counterpart of a chat message with bits, because a moderator may
/// remove the message later, and the other type does not contain its identifier.
pub async fn skip(execution: &Execution, parsed: &ParsedEvent, message: &Message<'_>) -> Result<()> {
    let is_chat_cheer = message.subscription_type() == CHAT_MESSAGE && message.event()["cheer"].is_object();
    let id = read::non_empty_text(message.event(), "/message_id").filter(|_| is_chat_cheer);
    let Some(id) = id else { return Ok(()) };
    let viewer = BTreeSet::from([parsed.user.platform_id.clone()]);
    if !execution.store.excluded(&USERS, viewer).await?.is_empty() {
        // The cheer is stored without its text, and nothing about the viewer is.
        return Ok(());
    }
    let text = digest(read::long_text(parsed.message.as_deref().unwrap_or_default()));
    let counterpart = json!([parsed.user.platform_id, text, message.time.to_string()]).to_string();
    if execution.skip(&EVENTS, chat_message_key(&id, message.time), &counterpart).await? {
        remove_counterpart(execution, &counterpart).await?;
    }
    Ok(())
}

/// Remove the text of the counterpart of a chat message with bits: the cheer with the same text, of the same viewer, at
/// about the same time.
async fn remove_counterpart(execution: &Execution, counterpart: &str) -> Result<()> {
    let Ok((viewer, text, time)) = serde_json::from_str::<(String, String, String)>(counterpart) else { return Ok(()) };
    let Some(time) = Timestamp::parse(&time) else { return Ok(()) };
    let [since, until] = [-MAX_CHEER_DELAY, MAX_CHEER_DELAY].map(|by| time.shifted(by).unwrap_or(time));
    // The cheer may come later.
    execution.withdraw_text(&viewer, &text, ClearedPeriod { since, until }).await?;
    let Some(user) = find_user(execution, &viewer).await? else { return Ok(()) };
    let [after, before] = [since, until].map(|time| encode(&time));
    let (events, user_id, id) = (EVENTS.name, USER_ID.name, user.key.id);
    let list =
        format!("/{events}?{user_id}={id}&event_type=cheer&occurred_after={after}&occurred_before={before}&limit=100");
    let cheers = execution.first_of(&list).await?;
    let has_text = |cheer: &&Record| cheer.value(MESSAGE.name).and_then(Value::digest).as_ref() == Some(&text);
    for cheer in cheers.iter().filter(has_text) {
        execution.withdraw_stored(cheer.key, None).await?;
    }
    Ok(())
}

async fn find_user(execution: &Execution, platform_id: &str) -> Result<Option<Record>> {
    let list = format!("/{}?{}={}", USERS.name, PLATFORM_ID.name, encode(&platform_id));
    Ok(execution.first_of(&list).await?.pop())
}

/// Find the time just before the current stream began, or else a day ago.
async fn stream_start(execution: &Execution, now: Timestamp) -> Result<Timestamp> {
    let before = encode(&now.successor().unwrap_or(now));
    let newest = |state: &str| {
        let source = encode(&format!("twitch/stream.{state}"));
        let list = format!("/{}?limit=1&source={source}&occurred_before={before}", EVENTS.name);
        async move { execution.first_of(&list).await }
    };
    let (online, offline) = tokio::try_join!(newest("online"), newest("offline"))?;
    let [online, offline] = [online, offline].map(|events| events.first().map(Record::primary_time));
    let start = online.filter(|online| offline.is_none_or(|offline| offline < *online));
    let start = start.and_then(Timestamp::predecessor).or_else(|| now.shifted(-MAX_AGE_WITHOUT_STREAM));
    Ok(start.unwrap_or(now))
}

fn chat_message_key(id: &str, as_of: Timestamp) -> DedupKey {
    dedup_key(&format!("{CHAT_MESSAGE} {id}"), as_of)
}

fn encode(value: &impl ToString) -> String {
    utf8_percent_encode(&value.to_string(), NON_ALPHANUMERIC).to_string()
}
