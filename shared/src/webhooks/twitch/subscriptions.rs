//! Marks of the subscription types that are active at Twitch, derived from challenges, notifications and revocations.
//! Several types report the same events. The service stores such an event from one type, which must be active.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::Duration;

use crate::error::Result;
use crate::schema::Timestamp;
use crate::store::{Expected, Store};

/// Item with the mark of each type: the identifier of its subscription.
const MARKS: &str = "webhooks/twitch";
/// How long a process relies on a mark that it has seen. A read per notification would double its cost.
const MAX_CACHE_AGE: Duration = Duration::minutes(10);

/// Marks of subscribed types. Caches when this process last saw each mark.
#[derive(Default)]
pub struct Subscriptions(Mutex<HashMap<&'static str, Timestamp>>);

impl Subscriptions {
    fn seen_at(&self) -> MutexGuard<'_, HashMap<&'static str, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a type as subscribed after a challenge. Replaces the mark of an earlier subscription.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn mark_challenged(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        store.put_if(MARKS, &attribute(name), Expected::Any, id).await
    }

    /// Marks a type as subscribed after a notification. Keeps the mark of an active subscription.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn mark_notified(&self, store: &Store, name: &'static str, id: &str, now: Timestamp) -> Result<()> {
        let seen_at = self.seen_at().get(name).copied();
        if seen_at.is_some_and(|seen_at| Some(now) < seen_at.checked_add(MAX_CACHE_AGE)) {
            return Ok(());
        }
        let attribute = attribute(name);
        let mark = store.get_values(MARKS).await?.remove(&attribute);
        match mark.as_deref() {
            // A late notification of an ended subscription does not mark the type again.
            Some(mark) if mark == ended(id) => return Ok(()),
            Some(mark) if is_ended(mark) => store.put_if(MARKS, &attribute, Expected::Is(mark), id).await?,
            Some(_) => {}
            None => store.put_if(MARKS, &attribute, Expected::Missing, id).await?,
        }
        self.seen_at().insert(name, now);
        Ok(())
    }

    /// Marks a subscription as ended. If the type has a newer subscription, the mark does not change.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn mark_ended(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        self.seen_at().remove(name);
        let attribute = attribute(name);
        store.put_if(MARKS, &attribute, Expected::Is(id), &ended(id)).await?;
        store.put_if(MARKS, &attribute, Expected::Missing, &ended(id)).await
    }

    /// Replaces the marks with the current subscriptions at Twitch: the identifier for each type, or `None`. Returns
    /// the previous marks of active subscriptions by type.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn replace(
        &self,
        store: &Store,
        types: impl Iterator<Item = (&'static str, Option<String>)>,
    ) -> Result<BTreeMap<&'static str, String>> {
        self.seen_at().clear();
        let mut marks = store.get_values(MARKS).await?;
        marks.retain(|_, mark| !is_ended(mark));
        let mut previous = BTreeMap::new();
        for (name, id) in types {
            let attribute = attribute(name);
            let mark = marks.remove(&attribute);
            match (&mark, id) {
                (Some(mark), Some(id)) if *mark == id => {}
                (_, Some(id)) => store.put_if(MARKS, &attribute, Expected::Any, &id).await?,
                // A challenge may set a newer mark in between.
                (Some(mark), None) => store.put_if(MARKS, &attribute, Expected::Is(mark), &ended(mark)).await?,
                (None, None) => {}
            }
            previous.extend(mark.map(|mark| (name, mark)));
        }
        Ok(previous)
    }

    /// Returns the number of types that are marked as subscribed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn count(&self, store: &Store) -> Result<usize> {
        Ok(store.get_values(MARKS).await?.values().filter(|mark| !is_ended(mark)).count())
    }

    /// Returns true if at least one of these types is marked as subscribed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn has_any(&self, store: &Store, names: &[&str]) -> Result<bool> {
        if names.is_empty() {
            return Ok(false);
        }
        let marks = store.get_values(MARKS).await?;
        Ok(names.iter().filter_map(|name| marks.get(&attribute(name))).any(|mark| !is_ended(mark)))
    }
}

/// Returns the mark of a subscription that has ended.
fn ended(id: &str) -> String {
    format!("ended {id}")
}

fn is_ended(mark: &str) -> bool {
    mark.starts_with("ended ")
}

/// Returns the attribute that stores a type's mark. Placeholders in DynamoDB expressions cannot contain dots.
fn attribute(name: &str) -> String {
    name.replace('.', "_")
}
