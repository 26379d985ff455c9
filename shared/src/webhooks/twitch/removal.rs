//! Removes chat messages that a moderator has removed. A text that is no longer in the chat must not stay in the
//! history either. A removal may arrive before its message, so it leaves a mark.

use std::collections::BTreeSet;
use std::time::Instant;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use time::Duration;

use super::message::Message;
use super::parsed_event::{CHAT_MESSAGE, CHAT_NOTICE, ChatRemoval, ParsedEvent, dedup_key};
use super::{read, shares, streams};
use crate::error::Result;
use crate::operations::Execution;
use crate::resources::events::{EVENT_TYPE, EVENTS, MESSAGE, USER_ID};
use crate::resources::users::{PLATFORM_ID, USERS};
use crate::schema::{Record, Timestamp, Value, digest};
use crate::table::{ClearedPeriod, CompletedRecords, DedupKey, Tombstone};

/// Time that a request spends on a removal. Twitch expects a response within a few seconds. The upkeep removes the
/// rest.
const MAX_REMOVAL_TIME: std::time::Duration = std::time::Duration::from_secs(3);
/// Sources of events that are found by their text. They do not name the chat message that shows it.
const SOURCES_FOUND_BY_TEXT: [&str; 6] = [
    "twitch/channel.cheer",
    "twitch/channel.bits.use",
    "twitch/channel.custom_power_up_redemption.add",
    "twitch/channel.subscription.message",
    "twitch/channel.chat.notification/sub",
    "twitch/channel.chat.notification/resub",
];
/// Maximum time between two reports of the same text.
const MAX_REPORT_DELAY: Duration = Duration::minutes(1);

/// Removes chat messages that were sent before a time. If all messages or all messages of a viewer are removed, only
/// those of the current stream are affected.
pub async fn remove(execution: &Execution, removal: &ChatRemoval, time: Timestamp) -> Result<()> {
    let author = match removal {
        ChatRemoval::Message(id) => return remove_message(execution, id, time).await,
        ChatRemoval::Viewer(platform_id) => Some(platform_id.clone()),
        ChatRemoval::All => None,
    };
    let period = ClearedPeriod { since: streams::current_start(execution, time).await?, until: time };
    // Both filters are exclusive.
    let after = encode(&period.since);
    let before = encode(&time.successor().unwrap_or(time));
    let withdrawn = Some(format!("/{}?occurred_after={after}&occurred_before={before}", EVENTS.name));
    // A subscription that was shared later is older than its text.
    let oldest = encode(&period.since.checked_add(-shares::MAX_DELAY).unwrap_or(period.since));
    let source = encode(&shares::SUBSCRIBE);
    let list = format!("/{}?source={source}&occurred_after={oldest}&occurred_before={before}", EVENTS.name);
    let completed = Some(CompletedRecords { list, period });
    let tombstone = Tombstone { withdrawn, completed, author, ..Tombstone::default() };
    execution.withdraw_all(tombstone, period, Instant::now() + MAX_REMOVAL_TIME).await
}

/// Returns the digest by which a removal finds the text of an event. `None` for an event that names its chat message.
pub fn text_digest(source: &str, text: Option<&str>) -> Option<String> {
    SOURCES_FOUND_BY_TEXT.contains(&source).then(|| digest(read::long_text(text.unwrap_or_default())))
}

async fn remove_message(execution: &Execution, id: &str, time: Timestamp) -> Result<()> {
    // The message of a notice has the same identifier as the notice.
    for kind in [CHAT_NOTICE, CHAT_MESSAGE] {
        if let Some(counterpart) = execution.withdraw(&EVENTS, message_key(kind, id, time)).await? {
            redact_counterpart(execution, &counterpart).await?;
        }
    }
    Ok(())
}

/// Connects a chat message with the event that has its text under another identity: an event of another type for a
/// message with bits, or the subscription for its share. Returns true if a moderator has removed the message.
pub async fn link_counterpart(execution: &Execution, parsed: &ParsedEvent, message: &Message<'_>) -> Result<bool> {
    let event_type = parsed.base_draft.get(&EVENT_TYPE).unwrap_or_default();
    let kind = match (message.subscription_type().as_str(), event_type) {
        (CHAT_MESSAGE, _) if parsed.superseded_by.contains(&"channel.bits.use") => CHAT_MESSAGE,
        (CHAT_NOTICE, "subscriber") if has_words(parsed) => CHAT_NOTICE,
        _ => return Ok(false),
    };
    let Some(id) = read::non_empty_text(message.event(), "/message_id") else { return Ok(false) };
    let viewer = &parsed.user.platform_id;
    if !execution.store.excluded(&USERS, BTreeSet::from([viewer.clone()])).await?.is_empty() {
        // The event is stored without its text, and nothing is stored about the viewer.
        return Ok(false);
    }
    let event_type = if kind == CHAT_MESSAGE { "cheer" } else { event_type };
    let text = digest(read::long_text(parsed.message.as_deref().unwrap_or_default()));
    let counterpart = json!([event_type, viewer, text, message.time.to_string()]).to_string();
    let is_removed = execution.skip(&EVENTS, message_key(kind, &id, message.time), &counterpart).await?;
    if is_removed {
        redact_counterpart(execution, &counterpart).await?;
    }
    Ok(is_removed)
}

/// Removes the text of a chat message's counterpart: the event of the same type with the same text, from the same
/// viewer, at about the same time.
async fn redact_counterpart(execution: &Execution, counterpart: &str) -> Result<()> {
    let counterpart = serde_json::from_str::<(String, String, String, String)>(counterpart);
    let Ok((event_type, viewer, text, time)) = counterpart else { return Ok(()) };
    let Some(time) = Timestamp::parse(&time) else { return Ok(()) };
    let [since, until] = [-MAX_REPORT_DELAY, MAX_REPORT_DELAY].map(|by| time.checked_add(by).unwrap_or(time));
    let period = ClearedPeriod { since, until };
    // The other report may arrive later.
    execution.withdraw_text(&viewer, &text, period).await?;
    let Some(user) = find_user(execution, &viewer).await? else { return Ok(()) };
    // A subscription that was shared later is older than its text.
    let oldest =
        if event_type == "subscriber" { since.checked_add(-shares::MAX_DELAY).unwrap_or(since) } else { since };
    let [after, before] = [oldest, until].map(|time| encode(&time));
    let (events, user_id, id) = (EVENTS.name, USER_ID.name, user.key.id);
    let list = format!(
        "/{events}?{user_id}={id}&event_type={event_type}&occurred_after={after}&occurred_before={before}&limit=100"
    );
    let reported = execution.first_of(&list).await?;
    // A text may consist of only a GIF.
    let digest_of = |event: &Record| event.value(MESSAGE.name).map_or_else(|| Some(digest("")), Value::digest);
    let has_text = |event: &&Record| digest_of(event).as_ref() == Some(&text);
    for event in reported.iter().filter(has_text) {
        let is_older = event.primary_time() <= since;
        execution.withdraw_stored(event.key, is_older.then_some(period)).await?;
    }
    Ok(())
}

/// Returns true if an event has words of the viewer: a text, or a fragment such as a GIF.
fn has_words(parsed: &ParsedEvent) -> bool {
    parsed.message.is_some() || parsed.details["fragments"].as_array().is_some_and(|fragments| !fragments.is_empty())
}

async fn find_user(execution: &Execution, platform_id: &str) -> Result<Option<Record>> {
    let list = format!("/{}?{}={}", USERS.name, PLATFORM_ID.name, encode(&platform_id));
    Ok(execution.first_of(&list).await?.pop())
}

fn message_key(kind: &str, id: &str, as_of: Timestamp) -> DedupKey {
    dedup_key(&format!("{kind} {id}"), as_of)
}

fn encode(value: &impl ToString) -> String {
    utf8_percent_encode(&value.to_string(), NON_ALPHANUMERIC).to_string()
}
