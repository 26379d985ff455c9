//! Which of the types that tell the same are subscribed to, as far as Twitch has told us: by its challenges, by what it
//! sends, and by its revocations. What several types tell is taken from one of them, and that must be one that comes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use time::Duration;

use crate::error::Result;
use crate::schema::Timestamp;
use crate::store::{If, Store};

/// The item that has the identifier of each type's subscription.
const NOTES: &str = "webhooks/twitch";
/// How long a process counts on a note being there that it has seen.
const COUNTED_ON: Duration = Duration::minutes(10);

/// What this process has noted, and when.
#[derive(Default)]
pub struct Subscriptions(Mutex<HashMap<&'static str, Timestamp>>);

impl Subscriptions {
    /// Notes that a type is subscribed to, by a challenge: from now on, this is its subscription.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn begin(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        store.note(NOTES, &attribute(name), If::Any, Some(id)).await
    }

    /// Notes that a type is subscribed to, by what it tells.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn seen(&self, store: &Store, name: &'static str, id: &str, now: Timestamp) -> Result<()> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        if noted.is_some_and(|noted| Some(now) < noted.shifted(COUNTED_ON)) {
            return Ok(());
        }
        store.note(NOTES, &attribute(name), If::Missing, Some(id)).await?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, now);
        Ok(())
    }

    /// Notes that a subscription has ended. Where the type has another by now, that one goes on.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn end(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|noted, _| *noted != name);
        store.note(NOTES, &attribute(name), If::Is(id), None).await
    }

    /// Whether one of these types is subscribed to.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn have_one_of(&self, store: &Store, names: &[&str]) -> Result<bool> {
        if names.is_empty() {
            return Ok(false);
        }
        let notes = store.notes(NOTES).await?;
        Ok(names.iter().any(|name| notes.contains(&attribute(name))))
    }
}

/// The attribute of a type's note: placeholders in the table's language have no dots.
fn attribute(name: &str) -> String {
    name.replace('.', "_")
}
