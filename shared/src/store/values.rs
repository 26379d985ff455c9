//! Notes: what is known of something outside, a few words each under one key.

use std::collections::BTreeMap;

use super::Store;
use crate::error::Result;
use crate::plan::{CommitError, Condition, WriteSet};
use crate::schema::Stored;

/// What a note must be for another to take its place.
#[derive(Clone, Copy, Debug)]
pub enum Precondition<'a> {
    /// Whatever it is.
    Any,
    /// There is none.
    Missing,
    /// It has this text.
    Is(&'a str),
}

impl Store {
    /// The notes under a key, by name.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn get_values(&self, pk: &str) -> Result<BTreeMap<String, String>> {
        let item = self.get_item(pk).await?.unwrap_or_default();
        Ok(item.into_iter().filter_map(|(name, put_if)| Some((name, put_if.into_text()?))).collect())
    }

    /// Writes a note; nothing happens where the one before is not as it must be.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn put_if(&self, pk: &str, name: &str, before: Precondition<'_>, text: &str) -> Result<()> {
        let stored = |text: &str| Stored::Text(text.to_owned());
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(pk.to_owned());
        write.put_attribute(name, Some(stored(text)));
        match before {
            Precondition::Any => {}
            Precondition::Missing => drop(write.when(Condition::Is(name.to_owned(), None))),
            Precondition::Is(text) => drop(write.when(Condition::Is(name.to_owned(), Some(stored(text))))),
        }
        match self.commit(&write_set).await {
            Ok(()) | Err(CommitError::Again) => Ok(()),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}
