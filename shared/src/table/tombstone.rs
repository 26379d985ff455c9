//! Tombstones: records of pending deletions. The transaction that starts a deletion stores its tombstone. The tombstone
//! is removed when everything that it names is deleted. If a function stops in between, the upkeep function continues.

use serde::{Deserialize, Serialize};

use super::item::{GENERATION, PARENT_GENERATION};
use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Id, Key, Record, Timestamp, sortable};

/// Value of `resource` by which the index `by_time` lists tombstones.
pub const TOMBSTONES: &str = "tombstones";

/// Items and images that remain to be deleted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tombstone {
    /// Partition keys of items that no record refers to any longer.
    #[serde(default)]
    pub items: Vec<String>,
    /// Names of images.
    #[serde(default)]
    pub images: Vec<String>,
    /// Partition key of a deleted record whose children an index lists. They must be deleted, too.
    #[serde(default)]
    pub parent: Option<String>,
    /// Generation of that record. Children of other generations stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// Path and query of a list whose records with a chat text are to be withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
    /// Others, which are to be withdrawn if a later report has completed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<CompletedRecords>,
    /// Unique value of the only parent whose records are to be withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Time at which it was stored, which may be later than the time of its request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_at: Option<Timestamp>,
    /// Parent whose children are to be redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedParent>,
}

/// A period whose reports are withdrawn: after one time, and until another one, inclusively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClearedPeriod {
    /// End of the time before it.
    pub since: Timestamp,
    #[expect(missing_docs, reason = "the name says it")]
    pub until: Timestamp,
}

impl ClearedPeriod {
    /// Tell if a time is in the period.
    pub fn contains(&self, time: Timestamp) -> bool {
        self.since < time && time <= self.until
    }
}

/// Records that were completed in a period.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompletedRecords {
    /// Path and query of a list with them.
    pub list: String,
    /// Period of the completion.
    pub period: ClearedPeriod,
}

/// An anonymized parent whose children are redacted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RedactedParent {
    /// Partition key of the parent.
    pub parent: String,
    /// End of the time in which its children were created. Later ones stay: the parent takes new records.
    #[serde(with = "sortable")]
    pub until: Timestamp,
}

/// A deleted parent whose children are deleted, too.
#[derive(Clone, Copy, Debug)]
pub struct DeletedParent {
    /// Key of the parent.
    pub key: Key,
    generation: Option<i64>,
}

impl DeletedParent {
    /// Tell if a record is a child of the deleted parent, and not of one that was stored under its key since.
    pub fn has(&self, record: &Record) -> bool {
        record.parent() == Some(self.key) && record.integer(PARENT_GENERATION) == self.generation
    }
}

impl Tombstone {
    /// Names a deleted record as the parent of children that an index lists.
    pub(crate) fn set_parent(&mut self, parent: &Record) {
        (self.parent, self.generation) = (Some(parent.key.to_string()), parent.integer(GENERATION));
    }

    /// Get the deleted parent whose children an index lists.
    pub fn deleted_parent(&self) -> Option<DeletedParent> {
        let key = self.parent.as_deref().and_then(resources::key)?;
        Some(DeletedParent { key, generation: self.generation })
    }

    /// Tell if there is nothing to delete.
    pub fn is_empty(&self) -> bool {
        let has_children = self.parent.is_some() || self.redacted.is_some();
        self.items.is_empty() && self.images.is_empty() && !has_children && self.withdrawn.is_none()
    }
}

/// A tombstone as the table stores it.
#[derive(Debug, Serialize, Deserialize)]
pub struct TombstoneItem {
    resource: String,
    id: u64,
    /// Time at which it was written.
    #[serde(with = "sortable")]
    pub time: Timestamp,
    /// Tombstone in JSON.
    left: String,
}

impl TombstoneItem {
    /// Create the item of a tombstone.
    ///
    /// # Errors
    /// 500 if the tombstone cannot be written as JSON, which does not happen.
    pub(crate) fn new(tombstone: &Tombstone, id: Id, time: Timestamp) -> Result<Self> {
        let left = serde_json::to_string(tombstone).map_err(|_| Error::fault())?;
        Ok(Self { resource: TOMBSTONES.to_owned(), id: id.number(), time, left })
    }

    /// Get the tombstone, or `None` if it cannot be parsed.
    pub fn tombstone(&self) -> Option<Tombstone> {
        serde_json::from_str(&self.left).ok()
    }
}
