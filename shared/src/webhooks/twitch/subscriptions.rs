//! Marks of the subscription types that are active at Twitch, derived from challenges, notifications and revocations.
//!
//! Several types report the same events. The service stores such an event from one type, which must be an active one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use time::Duration;

use crate::error::Result;
use crate::schema::Timestamp;
use crate::store::{Precondition, Store};

/// The key of the item that stores the mark of each type: the identifier of its subscription.
const NOTES: &str = "webhooks/twitch";
/// How long a process relies on a mark that it has seen.
const COUNTED_ON: Duration = Duration::minutes(10);

/// The marks of subscribed types. Caches when this process last saw each mark.
#[derive(Default)]
pub struct Subscriptions(Mutex<HashMap<&'static str, Timestamp>>);

impl Subscriptions {
    /// Marks a type as subscribed after a challenge. Replaces the mark of an earlier subscription.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn begin(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        store.put_if(NOTES, &attribute(name), Precondition::Any, id).await
    }

    /// Marks a type as subscribed after a notification. Keeps the mark of an active subscription.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn seen(&self, store: &Store, name: &'static str, id: &str, now: Timestamp) -> Result<()> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        if noted.is_some_and(|noted| Some(now) < noted.shifted(COUNTED_ON)) {
            return Ok(());
        }
        let attribute = attribute(name);
        let known = store.get_values(NOTES).await?.remove(&attribute);
        match known.as_deref() {
            // A late notification of an ended subscription does not mark the type again.
            Some(known) if known == ended(id) => return Ok(()),
            Some(known) if is_ended(known) => store.put_if(NOTES, &attribute, Precondition::Is(known), id).await?,
            Some(_) => {}
            None => store.put_if(NOTES, &attribute, Precondition::Missing, id).await?,
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, now);
        Ok(())
    }

    /// Marks a subscription as ended. If the type has a newer subscription, the mark does not change.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn end(&self, store: &Store, name: &str, id: &str) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|noted, _| *noted != name);
        let attribute = attribute(name);
        store.put_if(NOTES, &attribute, Precondition::Is(id), &ended(id)).await?;
        store.put_if(NOTES, &attribute, Precondition::Missing, &ended(id)).await
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
                // Conditional, because a challenge may set a newer mark in between.
                (Some(known), None) => store.put_if(NOTES, &attribute, Precondition::Is(known), &ended(known)).await?,
                (None, None) => {}
            }
        }
        Ok(before)
    }

    /// True if at least one of these types is marked as subscribed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn have_one_of(&self, store: &Store, names: &[&str]) -> Result<bool> {
        if names.is_empty() {
            return Ok(false);
        }
        let known = store.get_values(NOTES).await?;
        Ok(names.iter().filter_map(|name| known.get(&attribute(name))).any(|text| !is_ended(text)))
    }
}

/// Returns the mark of a subscription that has ended.
fn ended(id: &str) -> String {
    format!("ended {id}")
}

fn is_ended(text: &str) -> bool {
    text.starts_with("ended ")
}

/// Returns the attribute that stores a type's mark. Placeholders in DynamoDB expressions cannot contain dots.
fn attribute(name: &str) -> String {
    name.replace('.', "_")
}
