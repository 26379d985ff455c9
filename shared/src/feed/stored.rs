//! Reads of the feed's items: head, pages, checkpoints and alerts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::entries::{Entry, SequenceNumber, alert_content, page_entries, page_key};
use super::head::{FEED_HEAD, Head, advance, checkpoint_key, stored_checkpoint};
use crate::error::Result;
use crate::schema::Timestamp;
use crate::store::Store;
use crate::table::CommitError;

impl Store {
    /// Reads the head of the feed.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn feed_head(&self) -> Result<Head> {
        Ok(Head::load(self.get_item(FEED_HEAD).await?.as_ref()))
    }

    /// Advances the head without adding entries, and returns the last sequence number.
    ///
    /// # Errors
    /// If the store fails, or another request moves the head at the same time.
    pub async fn advance_feed(&self, by: u64) -> Result<u64> {
        let head = self.feed_head().await?;
        self.commit(&advance(&head, by)?).await.map_err(CommitError::into_error)?;
        Ok(head.last + by)
    }

    /// Reads a shard's checkpoint, from the head or, if it has left the head, from its item.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn shard_checkpoint(&self, head: &Head, shard: &str) -> Result<Option<SequenceNumber>> {
        match head.shard_checkpoint(shard) {
            Some(checkpoint) => Ok(Some(checkpoint.clone())),
            None => Ok(self.get_item(&checkpoint_key(shard)).await?.as_ref().and_then(stored_checkpoint)),
        }
    }

    /// Reads the unexpired entries with these sequence numbers.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn feed_entries(
        &self,
        head: &Head,
        numbers: RangeInclusive<u64>,
        now: Timestamp,
    ) -> Result<BTreeMap<u64, Entry>> {
        let mut entries = head.entries(now);
        // Each full page is read once.
        let absent = numbers.clone().filter(|number| !entries.contains_key(number));
        let pages: BTreeSet<_> = absent.map(page_key).collect();
        let pages = self.get_items(&Vec::from_iter(pages)).await?;
        entries.extend(pages.values().flat_map(|page| page_entries(page, now)));
        entries.retain(|number, _| numbers.contains(number));
        Ok(entries)
    }

    /// Reads the contents of the alerts with these partition keys.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn alert_contents(&self, pks: &[String]) -> Result<BTreeMap<String, String>> {
        let items = self.get_items(pks).await?;
        Ok(items.into_iter().filter_map(|(pk, item)| Some((pk, alert_content(&item)?))).collect())
    }
}
