//! Which of the types that tell the same are subscribed to, as far as Twitch has told us: by its challenges, by what it
//! sends, and by its revocations. What several types tell is taken from one of them, and that must be one that comes.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use time::Duration;

use crate::error::Result;
use crate::schema::Timestamp;
use crate::store::{Precondition, Store};

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
        store.put_if(NOTES, &attribute(name), Precondition::Any, id).await
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
        let attribute = attribute(name);
        let known = store.get_values(NOTES).await?.remove(&attribute);
        match known.as_deref() {
            // What comes late tells nothing of what is to come.
            Some(known) if known == ended(id) => return Ok(()),
            Some(known) if is_ended(known) => store.put_if(NOTES, &attribute, Precondition::Is(known), id).await?,
            Some(_) => {}
            None => store.put_if(NOTES, &attribute, Precondition::Missing, id).await?,
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, now);
        Ok(())
    }

    /// Notes that a subscription has ended. Where the type has another by now, that one goes on.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn end(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|noted, _| *noted != name);
        let attribute = attribute(name);
        store.put_if(NOTES, &attribute, Precondition::Is(id), &ended(id)).await?;
        store.put_if(NOTES, &attribute, Precondition::Missing, &ended(id)).await
    }

    /// Sets the marks of types to what there is at Twitch: the identifier of a subscription, or none. Returns the marks
    /// before, by type: those that count.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn replace(
        &self,
        store: &Store,
        types: impl Iterator<Item = (&'static str, Option<String>)>,
    ) -> Result<BTreeMap<&'static str, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let known = store.get_values(NOTES).await?;
        let mut before = BTreeMap::new();
        for (name, id) in types {
            let attribute = attribute(name);
            let known = known.get(&attribute).filter(|text| !is_ended(text));
            before.extend(known.map(|id| (name, id.clone())));
            match (known, id) {
                (Some(known), Some(id)) if *known == id => {}
                (_, Some(id)) => store.put_if(NOTES, &attribute, Precondition::Any, &id).await?,
                // Unless a challenge comes in between.
                (Some(known), None) => store.put_if(NOTES, &attribute, Precondition::Is(known), &ended(known)).await?,
                (None, None) => {}
            }
        }
        Ok(before)
    }

    /// Whether one of these types is subscribed to.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn have_one_of(&self, store: &Store, names: &[&str]) -> Result<bool> {
        if names.is_empty() {
            return Ok(false);
        }
        let known = store.get_values(NOTES).await?;
        Ok(names.iter().filter_map(|name| known.get(&attribute(name))).any(|text| !is_ended(text)))
    }
}

/// The note of a subscription that has ended.
fn ended(id: &str) -> String {
    format!("ended {id}")
}

fn is_ended(text: &str) -> bool {
    text.starts_with("ended ")
}

/// The attribute of a type's note: placeholders in the table's language have no dots.
fn attribute(name: &str) -> String {
    name.replace('.', "_")
}
