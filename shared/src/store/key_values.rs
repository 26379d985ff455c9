//! Short texts about external systems, by name. Texts that are read together share a key.

use std::collections::BTreeMap;

use super::Store;
use crate::error::Result;
use crate::schema::StoredValue;
use crate::table::{CommitError, Condition, WriteSet};

/// A condition for replacing a text.
#[derive(Clone, Copy, Debug)]
pub enum Precondition<'a> {
    /// Always holds.
    Any,
    /// No text has the name yet.
    Missing,
    /// The stored text equals this text.
    Is(&'a str),
}

impl Store {
    /// Reads the texts under a key, by name.
    pub async fn get_values(&self, pk: &str) -> Result<BTreeMap<String, String>> {
        let item = self.get_item(pk).await?.unwrap_or_default();
        Ok(item.into_iter().filter_map(|(name, value)| Some((name, value.into_text()?))).collect())
    }

    /// Writes a text if the precondition holds. Otherwise do nothing.
    pub async fn put_if(&self, pk: &str, name: &str, precondition: Precondition<'_>, text: &str) -> Result<()> {
        let stored = |text: &str| Some(StoredValue::Text(text.to_owned()));
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(pk.to_owned()).put_attribute(name, stored(text));
        match precondition {
            Precondition::Any => {}
            Precondition::Missing => drop(write.require(Condition::Is(name.to_owned(), None))),
            Precondition::Is(text) => drop(write.require(Condition::Is(name.to_owned(), stored(text)))),
        }
        match self.commit(&write_set).await {
            Ok(()) | Err(CommitError::Outdated) => Ok(()),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}
