//! Progress of the retention: the time up to which records have lost their text.

use serde::{Deserialize, Serialize};

use super::Store;
use super::checkpoint::Progress;
use crate::error::{Error, Result};
use crate::schema::Timestamp;

/// Attempts to lower the progress while other processes change it.
const ATTEMPTS: u32 = 20;

/// Progress of the retention.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RetentionProgress {
    /// Time up to which all records are done.
    pub done_to: Timestamp,
    /// Time of the earliest record imported since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowered_to: Option<Timestamp>,
    /// Time of the last such import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowered_at: Option<Timestamp>,
    /// Time at which the retention last caught up.
    pub caught_up_at: Timestamp,
}

impl RetentionProgress {
    /// Creates the progress of a retention that starts now.
    pub fn new(now: Timestamp) -> Self {
        Self { done_to: Timestamp::first(), lowered_to: None, lowered_at: None, caught_up_at: now }
    }

    /// Returns the time of the first record to look at.
    pub fn start(&self) -> Timestamp {
        self.lowered_to.map_or(self.done_to, |lowered| lowered.min(self.done_to))
    }
}

impl Progress for RetentionProgress {
    const KEY: &'static str = "checkpoints/retention";
}

impl Store {
    /// Moves the retention back to the time of an imported record, if it has already passed that time.
    pub async fn rewind_retention(&self, to: Timestamp, now: Timestamp) -> Result<()> {
        for _ in 0..ATTEMPTS {
            // A retention that has never run starts with the first record.
            let Some(mut checkpoint) = self.checkpoint::<RetentionProgress>().await? else { return Ok(()) };
            let progress = &mut checkpoint.progress;
            progress.lowered_to = Some(progress.lowered_to.map_or(to, |lowered| lowered.min(to)));
            progress.lowered_at = Some(now);
            if self.save(&mut checkpoint).await? {
                return Ok(());
            }
        }
        Err(Error::unavailable())
    }
}
