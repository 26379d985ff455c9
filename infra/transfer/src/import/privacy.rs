//! Records of viewers who have opted out or were anonymized, which an import skips or finds redacted.

use std::sync::PoisonError;

use capture_core::resources::EVENTS;
use capture_core::resources::events::{CHAT_MESSAGE_SOURCE, EVENT_TYPE, SOURCE};
use capture_core::schema::{BelongsTo, Field, ParentData, Redaction, Resource};
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::Method;

use super::{Counts, Failure, Import};
use crate::Error;
use crate::archive::{LocatedRecord, Records};
use crate::record::{Record, has_redacted_value, is_anonymized};

impl Import<'_> {
    /// Marks the documents of events that are skipped, or redacted in the service, as left out. Runs before the
    /// documents are stored.
    pub(super) async fn skip_documents(&self, resource: &'static Resource) -> Result<(), Error> {
        let Some((relation, slot)) = deleting_relation(resource) else { return Ok(()) };
        let parents = stream::iter(Records::open(self.folder, relation.parent)?);
        let checks = parents.map(|parent| async move {
            let parent = parent?;
            if let Some(child) = parent.record.id(slot)
                && self.rejects_child(relation.parent, &parent, slot).await?
            {
                self.skip(resource, child);
            }
            Ok::<_, Error>(())
        });
        checks.buffer_unordered(self.api.concurrency).try_collect::<Vec<_>>().await?;
        Ok(())
    }

    async fn rejects_child(
        &self,
        resource: &'static Resource,
        parent: &LocatedRecord,
        slot: &str,
    ) -> Result<bool, Error> {
        let Some(relation) = &resource.belongs_to else { return Ok(false) };
        let Some(owner) = parent.record.id(relation.foreign_key.name) else { return Ok(false) };
        if self.has_skipped(relation.parent, owner) {
            return Ok(true);
        }
        let owner = self.matched.get(&owner).copied().unwrap_or(owner);
        if !self.anonymized.lock().unwrap_or_else(PoisonError::into_inner).contains(&owner) {
            return Ok(false);
        }
        let response = self.api.get(&format!("{}/{}", resource.name, parent.id)).await?;
        let stored: Option<Record> =
            serde_json::from_slice(&response.body).ok().filter(|_| response.status.is_success());
        Ok(stored.is_some_and(|stored| stored.id(slot).is_none()))
    }

    /// Returns true if a record or its parent is left out, and counts the record as skipped.
    pub(super) fn is_skipped(&self, resource: &'static Resource, located: &LocatedRecord) -> bool {
        let parent = resource.belongs_to.as_ref().and_then(|relation| {
            let parent = located.record.id(relation.foreign_key.name)?;
            self.has_skipped(relation.parent, parent).then_some(())
        });
        if parent.is_none() && !self.has_skipped(resource, located.id) {
            return false;
        }
        self.skip(resource, located.id);
        Counts::add(&self.counts.skipped);
        true
    }

    pub(super) fn skip(&self, resource: &'static Resource, id: u64) {
        self.skipped.lock().unwrap_or_else(PoisonError::into_inner).insert((resource.name, id));
    }

    fn has_skipped(&self, resource: &'static Resource, id: u64) -> bool {
        self.skipped.lock().unwrap_or_else(PoisonError::into_inner).contains(&(resource.name, id))
    }

    /// Checks whether the record with an identifier is anonymized in the service.
    pub(super) async fn has_anonymized(&self, resource: &'static Resource, id: u64) -> Result<bool, Error> {
        let response = self.api.get(&format!("{}/{id}", resource.name)).await?;
        let stored: Option<Record> = serde_json::from_slice(&response.body).ok();
        Ok(response.status.is_success() && stored.is_some_and(|stored| is_anonymized(resource, id, &stored)))
    }

    /// Remembers a stored record if it is anonymized.
    pub(super) fn note_anonymized(&self, resource: &'static Resource, stored: &Record) {
        let Some(id) = stored.id(resource.id.name).filter(|id| is_anonymized(resource, *id, stored)) else { return };
        self.anonymized.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
    }

    /// Anonymizes a record that is anonymized in an incremental archive.
    pub(super) async fn anonymize(&self, path: &str, located: LocatedRecord) -> Result<Option<Failure>, Error> {
        let response = self.api.json(Method::POST, &format!("{path}/anonymize"), "{}").await?;
        if response.status.is_success() {
            Counts::add(&self.counts.changed);
            return Ok(None);
        }
        Ok(Some(Failure { located, problem: response.explanation(), is_absent: false, is_conflict: false }))
    }
}

/// Returns true if redacting a parent deletes its children in this resource.
pub(super) fn is_deleted_by_redaction(resource: &'static Resource) -> bool {
    deleting_relation(resource).is_some()
}

/// Returns the relation where redacting the parent deletes the child, and the parent's field that refers to the child.
fn deleting_relation(resource: &'static Resource) -> Option<(&'static BelongsTo, &'static str)> {
    let relation = resource.belongs_to.as_ref()?;
    let ParentData::One { slot, .. } = relation.parent_data else { return None };
    let is_deleted = |field: &Field| field.name == slot && field.redaction == Some(Redaction::Delete);
    relation.parent.fields.iter().any(is_deleted).then_some((relation, slot))
}

/// Returns true if a stored record differs from the archived one only by what redaction removes.
pub(super) fn differs_by_redaction(resource: &'static Resource, archived: &Record, stored: &Record) -> bool {
    // A text that was added later is missing as well, without redaction.
    if !may_be_redacted(resource, stored) {
        return false;
    }
    let differing = archived.differing(stored, resource);
    !differing.is_empty() && differing.iter().all(|field| has_redacted_value(resource, field, stored))
}

/// Returns true if the service may have redacted a record: it or its parent is anonymized, or its retention is limited.
fn may_be_redacted(resource: &'static Resource, stored: &Record) -> bool {
    let is_anonymous = |resource: &Resource, record: &Record| {
        record.id(resource.id.name).is_some_and(|id| is_anonymized(resource, id, record))
    };
    let parent = resource.belongs_to.as_ref().and_then(|relation| {
        let parent: Record = stored.parsed(relation.embedded.as_ref()?.field)?;
        Some(is_anonymous(relation.parent, &parent))
    });
    let has_retention = resource == &EVENTS
        && stored.text(EVENT_TYPE.name).as_deref() == Some("plain")
        && stored.text(SOURCE.name).as_deref() == Some(CHAT_MESSAGE_SOURCE);
    is_anonymous(resource, stored) || parent == Some(true) || has_retention
}

#[cfg(test)]
mod tests {
    use capture_core::resources;

    use super::*;

    #[test]
    fn redacted_values_are_recognized() {
        let record = |json: &str| Record::parse(json).expect("a record");
        let stored =
            record(r#"{"event_id":7,"event_type":"plain","user_name":"Deleted viewer","message":"","details":null}"#);
        for name in ["user_name", "message", "details", "document_id"] {
            let field = resources::EVENTS.field(name).expect("a field");
            assert!(has_redacted_value(&resources::EVENTS, field, &stored), "{name}");
        }
        let other = record(r#"{"event_id":7,"event_type":"plain","user_name":"Ann","message":"hi","details":{}}"#);
        for name in ["user_name", "message", "details", "occurred_at"] {
            let field = resources::EVENTS.field(name).expect("a field");
            assert!(!has_redacted_value(&resources::EVENTS, field, &other), "{name}");
        }
        assert!(is_anonymized(&resources::USERS, 5, &record(r#"{"user_id":5,"platform_id":"anonymized/5"}"#)));
        assert!(!is_anonymized(&resources::USERS, 5, &record(r#"{"user_id":5,"platform_id":"anonymized/6"}"#)));
    }
}
