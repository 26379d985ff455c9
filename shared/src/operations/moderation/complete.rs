//! Completion of a stored record by a later report of the same occurrence that cannot identify the record.

use crate::error::Result;
use crate::operations::Execution;
use crate::operations::driver::retry_conflicts;
use crate::request::Draft;
use crate::schema::{Record, StoredValue};
use crate::table::{COMPLETED_AT, Condition, DedupKey, MESSAGES, StoredReport, WriteSet};

impl Execution {
    /// Fills fields of the newest matching record of a list from a report, unless another report has completed the
    /// record. A report that is stored as a separate record, under `dedup_key`, completes nothing. Returns true if the
    /// report completes a record, now or earlier.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn complete_newest(
        &self,
        list: &str,
        matches: impl Fn(&Record) -> bool,
        draft: &Draft,
        fields: &[&'static str],
        dedup_key: &DedupKey,
    ) -> Result<bool> {
        let own = dedup_key.key(draft.resource);
        if self.store.find_existing(own).await?.is_some_and(|existing| existing.source == dedup_key.source) {
            return Ok(false);
        }
        let Some(newest) = self.first_of(list).await?.into_iter().find(matches) else { return Ok(false) };
        let draft = &*self.without_withdrawn(draft, dedup_key).await?;
        retry_conflicts(|| async {
            let Some(existing) = self.store.find_existing(newest.key).await? else { return Ok(false) };
            let StoredReport { record: Some(before), messages, is_redacted: false, .. } = &existing else {
                return Ok(false);
            };
            let earlier: Vec<_> = messages.iter().flat_map(|messages| messages.split(' ')).collect();
            if earlier.contains(&dedup_key.source.as_str()) {
                return Ok(true);
            }
            // The first message is that of the report that created the record.
            if earlier.len() > 1 {
                return Ok(false);
            }
            let mut after = before.clone();
            for field in fields {
                if let Some(Some(value)) = draft.values.get(field) {
                    after.put(field, Some(value.clone()));
                }
            }
            let completed = format!("{} {}", earlier.join(" "), dedup_key.source);
            let mut write_set = WriteSet::default();
            let write = write_set.update(before, &after);
            for field in fields {
                write.require_unchanged(before, field);
            }
            write.put_attribute(MESSAGES, Some(StoredValue::Text(completed.trim_start().to_owned())));
            write.put_attribute(COMPLETED_AT, Some(StoredValue::Text(dedup_key.as_of.to_string())));
            write.require(Condition::Is(MESSAGES.to_owned(), messages.clone().map(StoredValue::Text)));
            self.store.commit(&write_set).await.map(|()| true)
        })
        .await
    }
}
