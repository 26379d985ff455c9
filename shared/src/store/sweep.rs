//! Progress of the image sweep.

use serde::{Deserialize, Serialize};

use super::Store;
use super::checkpoint::{Checkpoint, Progress};
use crate::error::{Error, Result};
use crate::schema::{Timestamp, sortable};

/// Attempts to replace the progress while a sweep changes it.
const ATTEMPTS: u32 = 20;

/// Progress of the image sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SweepProgress {
    /// Time before which all uploads have been checked.
    #[serde(rename = "time", with = "sortable")]
    pub swept_to: Timestamp,
    /// Remainder of an interrupted sweep.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<SweepCursor>,
}

/// Remainder of an interrupted sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SweepCursor {
    /// End of the sweep: it checks uploads before this time.
    pub until: Timestamp,
    /// Last image name that was checked.
    #[serde(rename = "after")]
    pub last_checked: String,
}

impl SweepProgress {
    /// Creates the progress of a sweep that has checked all uploads before a time.
    pub fn to(swept_to: Timestamp) -> Self {
        Self { swept_to, cursor: None }
    }
}

impl Progress for SweepProgress {
    const KEY: &'static str = "checkpoints/images";
}

impl Store {
    /// Replaces the progress of the image sweep, also while a sweep runs: all uploads before a time count as checked.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn reset_sweep(&self, swept_to: Timestamp) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let progress = SweepProgress::to(swept_to);
            let mut checkpoint = self.checkpoint().await?.unwrap_or_else(|| Checkpoint::new(progress.clone()));
            (checkpoint.progress, checkpoint.leased_until) = (progress, None);
            if self.save(&mut checkpoint).await? {
                return Ok(());
            }
        }
        Err(Error::unavailable())
    }
}
