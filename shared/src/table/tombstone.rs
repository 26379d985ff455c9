//! Tombstones: records of pending deletions. The transaction that starts a deletion stores its tombstone, which is
//! removed when everything that it names is deleted. If a function stops in between, the upkeep function continues.

use serde::{Deserialize, Serialize};

use super::item::{GENERATION, PARENT_GENERATION};
use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Id, Key, Record, Timestamp, sortable};

/// Value of `resource` for tombstones in the index `by_time`.
pub const TOMBSTONES: &str = "tombstones";

/// Work that remains: items and images to delete, and records to withdraw or redact.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tombstone {
    /// Partition keys of items that are no longer referenced.
    #[serde(default)]
    pub items: Vec<String>,
    /// Names of images.
    #[serde(default)]
    pub images: Vec<String>,
    /// Partition key of a deleted record. Its children, which an index lists, must also be deleted.
    #[serde(default)]
    pub parent: Option<String>,
    /// Generation of that record. Children of other generations stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// Path and query of a list. Its records with a chat text are to be withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
    /// Other records, to be withdrawn if a later report completed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<CompletedRecords>,
    /// Unique value of a parent. If set, only records of this parent are withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Time when the tombstone was stored. It may be later than the time of its request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_at: Option<Timestamp>,
    /// Parent with children to redact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedParent>,
}

/// A period with withdrawn reports: after one time, and until another, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClearedPeriod {
    /// Exclusive start of the period.
    pub since: Timestamp,
    pub until: Timestamp,
}

impl ClearedPeriod {
    /// Returns true if a time is in the period.
    pub fn contains(&self, time: Timestamp) -> bool {
        self.since < time && time <= self.until
    }
}

/// Records that were completed in a period.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompletedRecords {
    /// Path and query of a list that contains them.
    pub list: String,
    /// Period of the completion.
    pub period: ClearedPeriod,
}

/// An anonymized parent with children to redact.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RedactedParent {
    /// Partition key of the parent.
    pub parent: String,
    /// Latest creation time of the children to redact. The parent accepts new records, and later children stay.
    #[serde(with = "sortable")]
    pub until: Timestamp,
}

/// A deleted parent with children to delete.
#[derive(Clone, Copy, Debug)]
pub struct DeletedParent {
    /// Key of the parent.
    pub key: Key,
    generation: Option<i64>,
}

impl DeletedParent {
    /// Returns true if a record is a child of the deleted parent, not of a parent that was stored under its key since.
    pub fn has(&self, record: &Record) -> bool {
        record.parent() == Some(self.key) && record.integer(PARENT_GENERATION) == self.generation
    }
}

impl Tombstone {
    /// Sets the deleted record as the parent of children that an index lists.
    pub(crate) fn set_parent(&mut self, parent: &Record) {
        (self.parent, self.generation) = (Some(parent.key.to_string()), parent.integer(GENERATION));
    }

    /// Returns the deleted parent with children that an index lists.
    pub fn deleted_parent(&self) -> Option<DeletedParent> {
        let key = self.parent.as_deref().and_then(resources::parse_key)?;
        Some(DeletedParent { key, generation: self.generation })
    }

    /// Returns true if nothing remains to be deleted.
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
    /// Time when it was written.
    #[serde(with = "sortable")]
    pub time: Timestamp,
    /// Tombstone in JSON.
    left: String,
}

impl TombstoneItem {
    /// Creates the item of a tombstone.
    ///
    /// # Errors
    /// 500 if the tombstone cannot be written as JSON, which does not happen.
    pub(crate) fn new(tombstone: &Tombstone, id: Id, time: Timestamp) -> Result<Self> {
        let left = serde_json::to_string(tombstone).map_err(|_| Error::fault())?;
        Ok(Self { resource: TOMBSTONES.to_owned(), id: id.number(), time, left })
    }

    /// Returns the tombstone. `None` if it cannot be parsed.
    pub fn tombstone(&self) -> Option<Tombstone> {
        serde_json::from_str(&self.left).ok()
    }
}
