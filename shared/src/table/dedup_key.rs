//! Deduplication of records that another service, such as Twitch, reports.
//!
//! The identifier of such a record is a hash of what identifies the occurrence. If two reports arrive at the same time,
//! the condition that the identifier is free stores only one of them, without a lock or a second item.

use time::Duration;

use super::snapshot::Snapshot;
use super::withdrawals::{covers, withdrawals_key};
use super::write::Condition;
use super::write_set::WriteSet;
use crate::request::Draft;
use crate::schema::{Field, Id, Key, Record, Resource, StoredValue, Timestamp, digest};

/// Attribute with the digests of the messages that filled fields of a record.
pub const MESSAGES: &str = "messages";

/// Attribute with the time of the last message that filled fields of a record.
pub const COMPLETED_AT: &str = "completed_at";

/// Identity of an occurrence in another service. The identifier of its record is a hash of this key, so a repeated
/// report finds the first report's record.
#[derive(Clone, Debug)]
pub struct DedupKey {
    /// Digest of the text that identifies the occurrence.
    pub source: String,
    /// Number of collisions so far. The identifiers of earlier attempts belonged to other records.
    pub attempt: u64,
    /// Time as of which the report is valid.
    pub as_of: Timestamp,
    /// Duration, and digest of a second source. The second source identifies the occurrence if the record with the
    /// first source is older or younger than the duration.
    second_source: Option<(Duration, String)>,
    /// Author and digest of the text, for withdrawals. The author is the unique value of the record's parent.
    pub(crate) author: Option<(String, Option<String>)>,
    /// Digest of the message, if several messages report the occurrence.
    pub(crate) message: Option<String>,
}

/// A record that already has the identifier.
#[derive(Clone, Debug)]
pub struct StoredReport {
    /// Source of its [`DedupKey`]. Empty if no other service reported the record.
    pub source: String,
    /// `None` if it was withdrawn and only a mark remains.
    pub record: Option<Record>,
    /// Digests of the messages that filled its fields, separated by spaces, if several may report it.
    pub messages: Option<String>,
    /// Time of the last of these messages. `None` if the first message set all fields.
    pub completed_at: Option<Timestamp>,
    /// Whether its texts were redacted.
    pub is_redacted: bool,
}

impl DedupKey {
    /// Creates the key for a source, with the first attempt.
    pub fn new(source: &str, as_of: Timestamp) -> Self {
        Self { source: digest(source), attempt: 0, as_of, second_source: None, author: None, message: None }
    }

    /// Adds a second source, for a first source that the other service reuses after the duration. The second source
    /// then identifies the occurrence.
    #[must_use]
    pub fn with_second_source(mut self, duration: Duration, source: &str) -> Self {
        self.second_source = Some((duration, digest(source)));
        self
    }

    /// Adds the message, for an occurrence that several messages report. Each message has fields that the others lack.
    #[must_use]
    pub fn with_message(mut self, message: &str) -> Self {
        self.message = Some(digest(message));
        self
    }

    /// Adds the author, for an occurrence that may be withdrawn with everything that the author sent in some period, or
    /// with everything that has this text.
    #[must_use]
    pub fn with_author(mut self, author: &str, text: Option<String>) -> Self {
        self.author = Some((author.to_owned(), text));
        self
    }

    /// Returns the key of the item with marks that may withdraw the occurrence before it is stored.
    pub fn withdrawals(&self) -> Option<String> {
        let (author, _) = self.author.as_ref()?;
        Some(withdrawals_key(Some(author)))
    }

    /// Returns true if the marks in the snapshot withdraw the occurrence.
    pub fn is_withdrawn(&self, read: &Snapshot) -> bool {
        let Some((author, text)) = &self.author else { return false };
        let marks = read.items.get(&withdrawals_key(Some(author)));
        marks.is_some_and(|marks| covers(marks, author, text.as_deref(), self.as_of))
    }

    /// Returns the key of the record in a resource.
    pub fn key(&self, resource: &'static Resource) -> Key {
        Key::new(resource, self.id())
    }

    /// Returns the identifier of the record, which derives from the source and the attempt.
    pub fn id(&self) -> Id {
        Id::derived(&format!("{} {}", self.source, self.attempt))
    }

    /// Returns true if the existing record is of the same occurrence. Otherwise, moves on to the next identifier.
    pub fn identifies_or_advances(&mut self, existing: &StoredReport) -> bool {
        if existing.source != self.source {
            self.attempt += 1;
            return false;
        }
        let Some((duration, _)) = self.second_source else { return true };
        let time = existing.record.as_ref().map_or(self.as_of, Record::primary_time);
        let is_same = time.checked_add(-duration) <= Some(self.as_of) && Some(self.as_of) <= time.checked_add(duration);
        if !is_same && let Some((_, source)) = self.second_source.take() {
            (self.source, self.attempt) = (source, 0);
        }
        is_same
    }
}

/// Plans to fill the empty fields of a record from another message about the same occurrence. Each message adds fields
/// only the first time. If it is delivered again, a field that was cleared in the meantime stays empty.
pub fn fill_missing_fields(existing: &StoredReport, draft: &Draft, dedup_key: &DedupKey, write_set: &mut WriteSet) {
    let (Some(before), Some(message), false) = (&existing.record, &dedup_key.message, existing.is_redacted) else {
        return;
    };
    let messages = existing.messages.as_deref().unwrap_or_default();
    if messages.split(' ').any(|earlier| earlier == message) {
        return;
    }
    let is_missing = |field: &&Field| field.changeable && before.value(field.name).is_none();
    let (mut after, mut added) = (before.clone(), Vec::new());
    for field in before.key.resource.fields.iter().filter(is_missing) {
        if let Some(Some(value)) = draft.values.get(field.name) {
            after.put(field.name, Some(value.clone()));
            added.push(field.name);
        }
    }
    if !added.is_empty() {
        let write = write_set.update(before, &after);
        for name in added {
            write.require_unchanged(before, name);
        }
        write.put_attribute(MESSAGES, Some(StoredValue::Text(format!("{messages} {message}").trim_start().to_owned())));
        write.put_attribute(COMPLETED_AT, Some(StoredValue::Text(dedup_key.as_of.to_string())));
        write.require(Condition::Is(MESSAGES.to_owned(), existing.messages.clone().map(StoredValue::Text)));
    }
}
