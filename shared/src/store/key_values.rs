//! Short texts about external systems, by name. Texts that are read together share a key.

use std::collections::BTreeMap;

use super::Store;
use crate::error::Result;
use crate::schema::StoredValue;
use crate::table::{CommitError, Condition, WriteSet};

/// The text that a new text may replace.
#[derive(Clone, Copy, Debug)]
pub enum Expected<'a> {
    /// Any text, or none.
    Any,
    /// No text.
    Missing,
    /// This text.
    Is(&'a str),
}

impl Store {
    /// Reads the texts under a key, by name.
    pub async fn get_values(&self, pk: &str) -> Result<BTreeMap<String, String>> {
        let item = self.get_item(pk).await?.unwrap_or_default();
        Ok(item.into_iter().filter_map(|(name, value)| Some((name, value.into_text()?))).collect())
    }

    /// Writes a text if the stored text is as expected. Otherwise, does nothing.
    pub async fn put_if(&self, pk: &str, name: &str, expected: Expected<'_>, text: &str) -> Result<()> {
        let stored = |text: &str| Some(StoredValue::Text(text.to_owned()));
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(pk.to_owned()).put_attribute(name, stored(text));
        match expected {
            Expected::Any => {}
            Expected::Missing => drop(write.require(Condition::Is(name.to_owned(), None))),
            Expected::Is(text) => drop(write.require(Condition::Is(name.to_owned(), stored(text)))),
        }
        match self.commit(&write_set).await {
            Ok(()) | Err(CommitError::Outdated) => Ok(()),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}
