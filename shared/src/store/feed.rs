//! The feed's items: the head, the entries, and the marks of what is told.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::Store;
use crate::error::Result;
use crate::plan::{Change, Entry, FEED_HEAD, Refusal, advance, entry_key, last_number, mark_key, shown_by_alert};
use crate::schema::Timestamp;

impl Store {
    /// The number of the last entry; 0, where there is none.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn feed_head(&self) -> Result<u64> {
        Ok(last_number(self.get_item(FEED_HEAD).await?.as_ref()))
    }

    /// Moves the head on without entries, and returns the last number.
    ///
    /// # Errors
    /// When the store fails, or the feed moves meanwhile.
    pub async fn advance_feed(&self, by: u64) -> Result<u64> {
        let last = self.feed_head().await?;
        self.commit(&advance(last, by)?).await.map_err(Refusal::into_error)?;
        Ok(last + by)
    }

    /// The entries with these numbers, each unless it is too old.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn feed_entries(
        &self,
        numbers: RangeInclusive<u64>,
        now: Timestamp,
    ) -> Result<Vec<(u64, Option<Entry>)>> {
        let pks: Vec<_> = numbers.clone().map(entry_key).collect();
        let items = self.get_items(&pks).await?;
        let entry = |number| (number, items.get(&entry_key(number)).and_then(|item| Entry::load(item, now)));
        Ok(numbers.map(entry).collect())
    }

    /// The number of the last entry, and which of these changes have a mark.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn told(&self, changes: &[Change]) -> Result<(u64, BTreeSet<String>)> {
        let pks: BTreeSet<_> = changes.iter().map(mark_key).chain([FEED_HEAD.to_owned()]).collect();
        let mut items = self.get_items(&Vec::from_iter(pks)).await?;
        let head = items.remove(FEED_HEAD);
        Ok((last_number(head.as_ref()), items.into_keys().collect()))
    }

    /// What the alerts with these partition keys show, by key.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn shown_by_alerts(&self, pks: &[String]) -> Result<BTreeMap<String, String>> {
        let items = self.get_items(pks).await?;
        Ok(items.into_iter().filter_map(|(pk, item)| Some((pk, shown_by_alert(&item)?))).collect())
    }
}
