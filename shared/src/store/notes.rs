//! Notes: what is known of something outside, a few words each under one key.

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
    /// The names under which there are notes.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn notes(&self, pk: &str) -> Result<Vec<String>> {
        Ok(self.get_item(pk).await?.unwrap_or_default().into_keys().collect())
    }

    /// Writes a note, or erases it; nothing happens where it is not as it must be.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn note(&self, pk: &str, name: &str, before: If<'_>, text: Option<&str>) -> Result<()> {
        let stored = |text: &str| Stored::Text(text.to_owned());
        let mut work = Work::default();
        let write = work.write_item(pk.to_owned());
        write.put_attribute(name, text.map(stored));
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
