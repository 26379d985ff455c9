//! Appends changes from the table's stream to the feed.

use super::entries::RecordChange;
use super::head::{self, MAX_APPENDED};
use crate::error::Result;
use crate::operations::{Backoff, Execution};

impl Execution {
    /// Appends changes from a shard of the table's stream, and returns the feed's last sequence number. Changes that
    /// were appended before are skipped.
    ///
    /// # Errors
    /// 503 if the store fails. The call can be repeated with the same changes.
    pub async fn append(&self, shard: Option<&str>, changes: &[RecordChange]) -> Result<u64> {
        let mut last = 0;
        for changes in changes.chunks(MAX_APPENDED) {
            let mut head = self.store.feed_head().await?;
            let mut attempts = Backoff::for_feed_writers(head.shard_count());
            last = loop {
                let checkpoint = match shard {
                    Some(shard) => self.store.shard_checkpoint(&head, shard).await?,
                    None => None,
                };
                let pending = head::changes_after(changes, checkpoint);
                if pending.is_empty() {
                    break head.last;
                }
                match self.store.commit(&head::append(&head, shard, &pending, self.now)?).await {
                    Ok(()) => break head.last + pending.len() as u64,
                    Err(error) => attempts.back_off(error).await?,
                }
                head = self.store.feed_head().await?;
            };
        }
        Ok(last)
    }
}
