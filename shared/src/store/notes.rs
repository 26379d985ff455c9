//! Notes: what is known of something outside, a few words each under one key.

use std::collections::BTreeMap;

use super::Store;
use crate::error::Result;
use crate::plan::{Condition, Refusal, Work};
use crate::schema::Stored;

/// What a note must be for another to take its place.
#[derive(Clone, Copy, Debug)]
pub enum If<'a> {
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
    pub async fn notes(&self, pk: &str) -> Result<BTreeMap<String, String>> {
        let item = self.get_item(pk).await?.unwrap_or_default();
        Ok(item.into_iter().filter_map(|(name, note)| Some((name, note.into_text()?))).collect())
    }

    /// Writes a note; nothing happens where the one before is not as it must be.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn note(&self, pk: &str, name: &str, before: If<'_>, text: &str) -> Result<()> {
        let stored = |text: &str| Stored::Text(text.to_owned());
        let mut work = Work::default();
        let write = work.write_item(pk.to_owned());
        write.put_attribute(name, Some(stored(text)));
        match before {
            If::Any => {}
            If::Missing => drop(write.when(Condition::Is(name.to_owned(), None))),
            If::Is(text) => drop(write.when(Condition::Is(name.to_owned(), Some(stored(text))))),
        }
        match self.commit(&work).await {
            Ok(()) | Err(Refusal::Again) => Ok(()),
            Err(Refusal::Failed(error)) => Err(error),
        }
    }
}
