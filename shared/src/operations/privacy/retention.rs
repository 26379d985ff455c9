//! Retention: removes the texts of chat messages some days after they were sent.
//!
//! A lease allows one run at a time. A run processes a limited number of records, and stores its progress.

use std::time::{Duration, Instant};

use super::plan::redact_where;
use crate::error::Result;
use crate::operations::Execution;
use crate::resources::EVENTS;
use crate::resources::events::{CHAT_MESSAGE_SOURCE, EVENT_TYPE, SOURCE};
use crate::schema::{Record, Redaction, Timestamp};
use crate::store::{Checkpoint, IndexCursor, RetentionProgress, in_parallel};
use crate::table::{CommitError, IndexQuery, Range, Snapshot};

/// Maximum number of texts to remove in a run. The limit leaves capacity for requests.
const MAX_RECORDS: usize = 1_000;
/// Maximum number of records to read in a run.
const MAX_READ: usize = 20_000;
const PAGE: usize = 500;
/// Number of records to write in parallel, followed by a pause.
const PARALLEL: usize = 8;
const PAUSE: Duration = Duration::from_millis(10);
/// Maximum time of a run. Other work of the upkeep follows.
const MAX_TIME: Duration = Duration::from_secs(30);
/// Duration of a run's lease, unless it ends earlier.
const LEASE: time::Duration = time::Duration::seconds(60);
/// Time after which the index contains every imported record.
const INDEX_LAG: time::Duration = time::Duration::seconds(30);
/// Delay after which an operator has to investigate.
const BEHIND: time::Duration = time::Duration::hours(24);

/// Returns true if the event is a chat message with a text, which expires.
pub fn has_expiring_text(event: &Record) -> bool {
    is_chat_message(event) && event.redacted(Redaction::is_text) != *event
}

fn is_chat_message(event: &Record) -> bool {
    event.get(&EVENT_TYPE) == Some("plain") && event.get(&SOURCE) == Some(CHAT_MESSAGE_SOURCE)
}

impl Execution {
    /// Removes the texts of chat messages that are older than the retention period. Returns their number.
    ///
    /// # Errors
    /// If the store fails. The next run continues.
    pub async fn apply_retention(&self, deadline: Instant) -> Result<usize> {
        let days = self.store.chat_retention().map(|days| time::Duration::days(days.into()));
        let Some(until) = days.and_then(|days| self.now.checked_add(-days)) else { return Ok(0) };
        let stored = self.store.checkpoint().await?;
        let mut checkpoint = stored.unwrap_or_else(|| Checkpoint::new(RetentionProgress::new(self.now)));
        if checkpoint.progress.caught_up_at.checked_add(BEHIND) < Some(self.now) {
            // A metric filter counts this line.
            tracing::error!(retention_behind = 1, "the retention of chat messages is behind");
        }
        if checkpoint.leased_until > Some(self.now) {
            return Ok(0);
        }
        checkpoint.leased_until = self.now.checked_add(LEASE);
        if !self.store.save(&mut checkpoint).await? {
            return Ok(0);
        }
        let deadline = deadline.min(Instant::now() + MAX_TIME);
        let progress = &mut checkpoint.progress;
        let (expired, reached) = self.expire(progress.start(), until, deadline).await?;
        progress.done_to = reached;
        if reached == until {
            progress.caught_up_at = self.now;
        }
        // The index may not contain a recently imported record yet.
        if reached == until
            && progress.lowered_at.and_then(|at| at.checked_add(INDEX_LAG)).is_none_or(|at| at < self.now)
        {
            (progress.lowered_to, progress.lowered_at) = (None, None);
        }
        checkpoint.leased_until = None;
        // If a record was imported during this run, the next run starts from the same time, after this lease expires.
        self.store.save(&mut checkpoint).await?;
        Ok(expired)
    }

    /// Removes the texts of the messages between two times. Returns their number, and the time up to which all are
    /// done.
    async fn expire(&self, from: Timestamp, until: Timestamp, deadline: Instant) -> Result<(usize, Timestamp)> {
        let query = IndexQuery::by_time(&EVENTS, Range { from: Some(from), to: until.predecessor() });
        let mut cursor = IndexCursor::new(query, self.store.shards());
        let (mut expired, mut read, mut reached) = (0, 0, from);
        loop {
            let page = cursor.next(&self.store, PAGE).await?;
            if page.is_empty() {
                return Ok((expired, until));
            }
            read += page.len();
            let due: Vec<_> = page.iter().filter(|record| has_expiring_text(record)).collect();
            for part in due.chunks(PARALLEL) {
                if Instant::now() > deadline || expired >= MAX_RECORDS {
                    return Ok((expired, reached));
                }
                let expire = async |record: &&Record| {
                    let write = async |record: Record| self.expire_one(&record).await;
                    self.write_current(record.key, Some((*record).clone()), write).await
                };
                in_parallel(part.iter().map(expire)).await?;
                expired += part.len();
                reached = part.last().map_or(reached, |record| record.primary_time());
                tokio::time::sleep(PAUSE).await;
            }
            reached = page.last().map_or(reached, Record::primary_time);
            if read >= MAX_READ {
                return Ok((expired, reached));
            }
        }
    }

    async fn expire_one(&self, record: &Record) -> Result<(), CommitError> {
        if !is_chat_message(record) {
            return Ok(());
        }
        let mut change = redact_where(record, &Snapshot::default(), self.now, Redaction::is_text)?;
        if change.write_set.writes.is_empty() {
            return Ok(());
        }
        change.write_set.mark_expired(record.key);
        self.store.commit(&change.write_set).await
    }
}
