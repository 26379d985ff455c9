//! Named values about external systems: a few short texts under one key.

use std::collections::BTreeMap;

use super::Store;
use crate::error::Result;
use crate::schema::Stored;
use crate::table::{CommitError, Condition, WriteSet};

/// The condition under which a value is replaced.
#[derive(Clone, Copy, Debug)]
pub enum Precondition<'a> {
    /// Always.
    Any,
    /// The value does not exist.
    Missing,
    /// The value is this text.
    Is(&'a str),
}

impl Store {
    /// Returns the values under a key, by name.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn get_values(&self, pk: &str) -> Result<BTreeMap<String, String>> {
        let item = self.get_item(pk).await?.unwrap_or_default();
        Ok(item.into_iter().filter_map(|(name, value)| Some((name, value.into_text()?))).collect())
    }

    /// Writes a value if the precondition holds. Otherwise does nothing and returns no error.
    ///
    /// # Errors
    /// Only if the store fails.
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
