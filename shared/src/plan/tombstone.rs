//! Records of intended deletions: written in the unit of work that starts a deletion, gone when all that it names is
//! gone. Whatever dies in between, the upkeep carries it on.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::schema::{Id, Timestamp, sortable};

/// What the index of times lists tombstones under.
pub const TOMBSTONES: &str = "tombstones";

/// What is to be deleted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tombstone {
    /// Partition keys of items that nothing refers to any more.
    #[serde(default)]
    pub items: Vec<String>,
    /// Names of images.
    #[serde(default)]
    pub images: Vec<String>,
    /// The partition key of a record that is gone, and of whom nothing may be left.
    #[serde(default, rename = "holder")]
    pub parent: Option<String>,
}

impl Tombstone {
    /// Whether there is nothing to delete.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.images.is_empty() && self.parent.is_none()
    }
}

/// A tombstone as the table stores it.
#[derive(Debug, Serialize, Deserialize)]
pub struct TombstoneItem {
    resource: String,
    id: u64,
    /// When it was written.
    #[serde(with = "sortable")]
    pub time: Timestamp,
    /// The tombstone in JSON.
    left: String,
}

impl TombstoneItem {
    /// The item of a tombstone.
    ///
    /// # Errors
    /// Never: a tombstone is plain text.
    pub(super) fn new(tombstone: &Tombstone, id: Id, time: Timestamp) -> Result<Self> {
        let left = serde_json::to_string(tombstone).map_err(|_| Error::fault())?;
        Ok(Self { resource: TOMBSTONES.to_owned(), id: id.number(), time, left })
    }

    /// The tombstone, or `None` if it cannot be read.
    pub fn tombstone(&self) -> Option<Tombstone> {
        serde_json::from_str(&self.left).ok()
    }
}
