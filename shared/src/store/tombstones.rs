//! Pending deletions.

use super::{Call, Refusal, Store, back_off, in_parallel};
use crate::error::{Error, Result};
use crate::schema::Timestamp;
use crate::table::{
    CommitError, Condition, IMPORTED, Item, TOMBSTONES, Tombstone, TombstoneItem, WriteKind, WriteSet, from_document,
};

/// Time after a deletion during which an index may still lack some of its records. It is longer than any request runs.
/// A user's tombstone stays until a pass after this time finds no records.
const INDEX_LAG: time::Duration = time::Duration::seconds(30);
/// DynamoDB's limit for one batch.
const BATCH: usize = 25;
const BATCH_ATTEMPTS: u32 = 10;

/// A tombstone in the table.
#[derive(Clone, Debug)]
pub struct PendingDeletion {
    /// Partition key of the tombstone.
    pub pk: String,
    /// Time at which the tombstone was written.
    pub since: Timestamp,
    /// Items and images to delete.
    pub tombstone: Tombstone,
}

impl PendingDeletion {
    /// Returns true if every index lists all records that the deletion has to find.
    pub fn is_settled(&self, now: Timestamp) -> bool {
        let Tombstone { parent, withdrawn, redacted, stored_at, .. } = &self.tombstone;
        let is_listed = parent.is_some() || redacted.is_some() || withdrawn.is_some();
        let settled = stored_at.unwrap_or(self.since).checked_add(INDEX_LAG);
        !is_listed || settled.is_some_and(|settled| settled.has_passed(now, INDEX_LAG))
    }

    fn load(pk: String, item: &Item) -> Option<Self> {
        let item: TombstoneItem = from_document(item)?;
        Some(Self { pk, since: item.time, tombstone: item.tombstone()? })
    }
}

impl Store {
    /// Reads the deletion with this tombstone. `None` if it is complete.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn pending_deletion(&self, pk: &str) -> Result<Option<PendingDeletion>> {
        Ok(self.get_item(pk).await?.and_then(|item| PendingDeletion::load(pk.to_owned(), &item)))
    }

    /// Reads every tombstone in the table.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn pending_deletions(&self) -> Result<Vec<PendingDeletion>> {
        let items = self.items_by_time(TOMBSTONES, usize::MAX).await?;
        Ok(items.into_iter().filter_map(|(pk, item)| PendingDeletion::load(pk, &item)).collect())
    }

    /// Deletes the items and images of a tombstone, but not the tombstone itself. Every part may be repeated.
    ///
    /// # Errors
    /// Only if a store fails. The call can be repeated.
    pub async fn delete_named(&self, pending: &PendingDeletion) -> Result<()> {
        let Tombstone { items, images, .. } = &pending.tombstone;
        let items = items.iter().map(|pk| self.delete_unless_imported_since(pk, pending.since));
        tokio::try_join!(in_parallel(items), self.delete_images(images))?;
        Ok(())
    }

    /// Deletes an item, unless it is a record that has since been imported under the same key.
    async fn delete_unless_imported_since(&self, pk: &str, since: Timestamp) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(pk.to_owned());
        write.kind = WriteKind::Delete;
        write.require(Condition::UnsetOrBefore(IMPORTED, since.unix_millis()));
        match self.commit(&write_set).await {
            Ok(()) | Err(CommitError::Outdated) => Ok(()),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }

    /// Deletes the tombstone itself. Everything it names must be deleted first.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn delete_tombstone(&self, pending: &PendingDeletion) -> Result<()> {
        self.delete_all(std::slice::from_ref(&pending.pk)).await
    }

    /// Deletes items by partition key. Items that do not exist are skipped.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn delete_all(&self, pks: &[String]) -> Result<()> {
        in_parallel(pks.chunks(BATCH).map(|batch| self.delete_batch(batch))).await?;
        Ok(())
    }

    async fn delete_batch(&self, pks: &[String]) -> Result<()> {
        let mut left = self.send(Call::Delete { pks }).await.map_err(Refusal::into_error)?.unprocessed;
        for attempt in 1..BATCH_ATTEMPTS {
            if left.is_empty() {
                return Ok(());
            }
            back_off(attempt).await;
            left = self.send(Call::Delete { pks: &left }).await.map_err(Refusal::into_error)?.unprocessed;
        }
        if left.is_empty() { Ok(()) } else { Err(Error::unavailable()) }
    }
}
