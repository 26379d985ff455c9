//! The sequencer: appends the changes of the table's stream to the feed, and marks the statistics that they affect.
//!
//! The stream delivers each change at least once, and the changes of one item in order. It cannot be the feed itself:
//! it has several shards without a common order, and keeps its records for a day. Lambda retries a failed batch as a
//! whole. The template configures a tumbling window, without which a batch lacks the identifier of its shard.
//!
//! <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html>

use super::stream::{Batch, EventName, ItemRecord};
use crate::error::Result;
use crate::feed::entries::{ChangeKind, Entry, RecordChange, coalesce_updates, is_visible_change};
use crate::operations::Execution;
use crate::operations::has_expiring_text;
use crate::resources;
use crate::schema::Timestamp;
use crate::statistics::{self, HEARTBEAT};
use crate::store::Store;
use crate::table::{EXPIRED, Item, from_item, is_withdrawn};

/// Appends the changes of a batch to the feed, and marks the statistics that they affect.
///
/// # Errors
/// If the store fails. The whole batch then has to be delivered again.
pub async fn run(store: &Store, Batch { records, shard }: &Batch, now: Timestamp) -> Result<()> {
    let changes = coalesce_updates(records.iter().filter_map(|record| record.change(now)).collect());
    if !changes.is_empty() {
        if shard.is_none() {
            tracing::warn!("a batch has no shard: if it is delivered again, its changes are appended twice");
        }
        let execution = Execution::in_background(store, now);
        let head = execution.append(shard.as_deref(), &changes).await?;
        tracing::info!(changes = changes.len(), head, "appended");
    }
    mark_statistics(&store.for_request(), records, now).await?;
    rewind_retention(&store.for_request(), records, now).await
}

/// Marks the segments of the statistics that the changes affect, then confirms the heartbeats of the batch: all changes
/// before them are marked.
async fn mark_statistics(store: &Store, records: &[ItemRecord], now: Timestamp) -> Result<()> {
    let Some(counted) = &resources::counted_resource().statistics else { return Ok(()) };
    let changes: Vec<_> = records.iter().map(|record| record.counted_change(now)).collect();
    store.mark_stale(statistics::changed_segments(counted, &changes), statistics::SegmentWork::Count).await?;
    let heartbeats: Vec<_> = records.iter().filter_map(ItemRecord::heartbeat).collect();
    store.receive_heartbeats(&heartbeats).await
}

/// Returns true if a change removed the texts of a record because of their age.
fn has_expired(before: &Item, after: &Item) -> bool {
    after.contains_key(EXPIRED) && !before.contains_key(EXPIRED)
}

/// Moves the retention back to older records that were imported or got a text again.
async fn rewind_retention(store: &Store, records: &[ItemRecord], now: Timestamp) -> Result<()> {
    let days = store.chat_retention().map(|days| time::Duration::days(days.into()));
    let Some(until) = days.and_then(|days| now.checked_add(-days)) else { return Ok(()) };
    let stored = records.iter().filter_map(|record| record.after.as_ref());
    let stored = stored.filter_map(|item| from_item(|name| item.get(name).cloned()));
    let due = stored.filter(|record| record.primary_time() < until && has_expiring_text(record));
    match due.map(|record| record.primary_time()).min() {
        Some(earliest) => store.rewind_retention(earliest, now).await,
        None => Ok(()),
    }
}

impl ItemRecord {
    /// Returns the number and the time of a heartbeat.
    fn heartbeat(&self) -> Option<(&str, &str)> {
        Some((self.pk.strip_prefix(HEARTBEAT)?, self.after.as_ref()?.get("time")?.text()?))
    }

    /// Returns the change for the statistics.
    fn counted_change(&self, now: Timestamp) -> statistics::ItemChange<'_> {
        statistics::ItemChange {
            before: self.before.as_ref(),
            after: self.after.as_ref(),
            time: self.time.unwrap_or(now),
        }
    }

    /// Returns the change for the feed, if the feed reports it.
    fn change(&self, now: Timestamp) -> Option<RecordChange> {
        let is_mark = |item: &Option<Item>| item.as_ref().is_some_and(is_withdrawn);
        let kind = match self.event {
            EventName::Insert if is_mark(&self.after) => return None,
            // An import of old events should not trigger alerts.
            EventName::Insert if self.is_import() => return None,
            EventName::Insert => ChangeKind::Created,
            EventName::Modify if is_mark(&self.after) => (!is_mark(&self.before)).then_some(ChangeKind::Deleted)?,
            EventName::Modify if has_expired(self.before.as_ref()?, self.after.as_ref()?) => return None,
            EventName::Modify => {
                let is_visible = is_visible_change(self.before.as_ref()?, self.after.as_ref()?);
                is_visible.then_some(ChangeKind::Updated)?
            }
            EventName::Remove if is_mark(&self.before) => return None,
            EventName::Remove => ChangeKind::Deleted,
        };
        let entry = Entry::of(&self.pk, kind, self.time.unwrap_or(now))?;
        Some(RecordChange { sequence_number: self.sequence_number.clone(), entry })
    }
}
