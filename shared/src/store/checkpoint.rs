//! Checkpoints: the progress of jobs that several runs of the upkeep share.
//!
//! A run takes the lease, works, and saves its progress. Every write requires the version that was read, so a run that
//! outlives its lease cannot overwrite the progress of its successor.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Store;
use crate::error::Result;
use crate::schema::Timestamp;
use crate::table::{CommitError, Condition, WriteKind, WriteSet, from_document, number, to_document};

const VERSION: &str = "version";

/// Progress of a job.
pub trait Progress: Serialize + DeserializeOwned {
    /// Partition key of the checkpoint.
    const KEY: &'static str;
}

/// Stored progress of a job, with the lease of the current run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint<P> {
    #[serde(flatten)]
    pub progress: P,
    /// Number of writes so far.
    version: u64,
    /// Time until which no other run starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leased_until: Option<Timestamp>,
}

impl<P> Checkpoint<P> {
    /// Creates a checkpoint that is not stored yet.
    pub fn new(progress: P) -> Self {
        Self { progress, version: 0, leased_until: None }
    }
}

impl Store {
    /// Reads a checkpoint. `None` if the job has never run.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn checkpoint<P: Progress>(&self) -> Result<Option<Checkpoint<P>>> {
        Ok(self.get_item(P::KEY).await?.and_then(|item| from_document(&item)))
    }

    /// Saves a checkpoint. Returns false if another process has changed it since it was read.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn save<P: Progress>(&self, checkpoint: &mut Checkpoint<P>) -> Result<bool> {
        let version = Some(checkpoint.version).filter(|version| *version > 0);
        checkpoint.version += 1;
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(P::KEY.to_owned());
        write.kind = WriteKind::Put;
        write.set = to_document(checkpoint)?;
        write.require(Condition::Is(VERSION.to_owned(), version.map(number)));
        match self.commit(&write_set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Outdated) => Ok(false),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}
