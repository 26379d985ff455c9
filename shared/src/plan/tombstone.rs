//! Records of intended deletions: written in the unit of work that starts a deletion, gone when all that it names is
//! gone. Whatever dies in between, the upkeep carries it on.

use serde::{Deserialize, Serialize};

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
    #[serde(default)]
    pub holder: Option<String>,
}

impl Tombstone {
    /// Whether there is nothing to delete.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.images.is_empty() && self.holder.is_none()
    }
}
