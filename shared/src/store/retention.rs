//! Progress of the retention: the time up to which records have lost their text.

use serde::{Deserialize, Serialize};

use super::Store;
use crate::error::Result;
use crate::schema::{Stored, Timestamp};
use crate::table::{CommitError, Condition, WriteKind, WriteSet, from_document, to_document};

const CHECKPOINT: &str = "checkpoints/retention";
const VERSION: &str = "version";
/// Attempts to lower the progress while other processes change it.
const ATTEMPTS: u32 = 20;

/// Progress of the retention.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RetentionProgress {
    /// Number of changes so far. Each change is conditional on it.
    pub version: u64,
    /// Time up to which all records are done.
    pub done_to: Timestamp,
    /// Time of the earliest record imported since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowered_to: Option<Timestamp>,
    /// Time of the last such import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowered_at: Option<Timestamp>,
    /// Time until which no other run starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leased_until: Option<Timestamp>,
    /// Time at which the retention last caught up.
    pub caught_up_at: Timestamp,
}

impl RetentionProgress {
    /// Create the progress of a retention that starts now.
    pub fn new(now: Timestamp) -> Self {
        Self {
            version: 0,
            done_to: Timestamp::first(),
            lowered_to: None,
            lowered_at: None,
            leased_until: None,
            caught_up_at: now,
        }
    }

    /// Returns the time of the first record to look at.
    pub fn start(&self) -> Timestamp {
        self.lowered_to.map_or(self.done_to, |lowered| lowered.min(self.done_to))
    }
}

impl Store {
    /// Read the progress of the retention. `None` if it has never run.
    pub async fn retention(&self) -> Result<Option<RetentionProgress>> {
        Ok(self.get_item(CHECKPOINT).await?.and_then(|item| from_document(&item)))
    }

    /// Store the next version of the progress. Returns false if another process has changed it.
    pub async fn set_retention(&self, progress: &mut RetentionProgress) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(CHECKPOINT.to_owned());
        let before = Some(progress.version).filter(|version| *version > 0);
        write.require(Condition::Is(VERSION.to_owned(), before.map(|version| Stored::Number(version.to_string()))));
        progress.version += 1;
        write.kind = WriteKind::Put;
        write.set = to_document(progress)?;
        match self.commit(&write_set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Outdated) => Ok(false),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }

    /// Move the retention back to the time of an imported record, if it has already passed that time.
    pub async fn rewind_retention(&self, to: Timestamp, now: Timestamp) -> Result<()> {
        for _ in 0..ATTEMPTS {
            // A retention that has never run starts with the first record.
            let Some(mut progress) = self.retention().await? else { return Ok(()) };
            progress.lowered_to = Some(progress.lowered_to.map_or(to, |lowered| lowered.min(to)));
            progress.lowered_at = Some(now);
            if self.set_retention(&mut progress).await? {
                return Ok(());
            }
        }
        Err(crate::error::Error::unavailable())
    }
}
