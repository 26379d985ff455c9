//! Exclusions: a record of one resource excludes its unique value from another, as an opt-out does with a viewer.
//!
//! The reservation of the value decides. Every creation of a record with the value is conditional on it, and every record
//! that a body embeds is found by it. So no request checks first and writes later, and no request reads more.

use std::time::Instant;

use super::Execution;
use super::anonymize::plan;
use crate::error::Error;
use crate::schema::{Depth, Record};
use crate::store::Consistency;
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone, WriteSet, reservation};

impl Execution {
    /// Add the exclusions of new records to their write set. A record that has an excluded value is anonymized by it. The
    /// tombstone has the rest of the work.
    pub(super) async fn exclude(&self, records: &[Record], write_set: &mut WriteSet) -> Result<Tombstone, CommitError> {
        let (mut tombstone, started) = (Tombstone::default(), Instant::now());
        for record in records {
            let Some(excluded) = record.key.resource.excludes else { continue };
            let unique = record.key.resource.unique.ok_or_else(Error::fault)?;
            let value = record.get(unique.attribute).ok_or_else(Error::fault)?;
            plan::check_value(
                excluded,
                value,
                self.store.channel().get().as_deref(),
                &format!("/{}", unique.attribute.name),
            )?;
            let record_with_value = self.store.reserved(excluded, &reservation(excluded, value)).await?;
            if let Some(anonymized) = &record_with_value {
                let read_set = ReadSet::one(anonymized.key, true);
                let snapshot: Snapshot = self.store.load(&read_set, Consistency::Strong).await?;
                let snapshot = self
                    .load_to_render(std::slice::from_ref(anonymized), snapshot, Depth::Embedded, Consistency::Strong)
                    .await?;
                let change = plan::redact(anonymized, &snapshot, self.now)?;
                write_set.writes.extend(change.write_set.writes);
                tombstone = self.redaction_of(anonymized.key, started);
            }
            write_set.exclude(excluded, record, value, record_with_value.map(|record| record.key));
        }
        Ok(tombstone)
    }
}
