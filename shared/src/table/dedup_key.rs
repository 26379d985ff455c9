//! Deduplication of records that another service reports, such as Twitch.

use time::Duration;

use super::write::Condition;
use super::write_set::WriteSet;
use crate::request::Draft;
use crate::schema::{Id, Key, Record, Resource, Stored, Timestamp, digest};

/// The attribute with the digests of the messages that filled the fields of a record.
pub const MESSAGES: &str = "messages";

/// The identity of an occurrence in another service. The identifier of its record is a hash of this key, so a repeated
/// report finds the record of the first one.
#[derive(Clone, Debug)]
pub struct DedupKey {
    /// The digest of the text that identifies the occurrence.
    pub source: String,
    /// The number of collisions so far: other records had the identifiers of the earlier attempts.
    pub attempt: u64,
    /// The time as of which the report is valid.
    pub as_of: Timestamp,
    /// The digest of a second source. It identifies the occurrence if the record with the first source is older or
    /// younger than this duration.
    otherwise: Option<(Duration, String)>,
    /// The digest of the message, if several messages report the occurrence.
    pub(crate) message: Option<String>,
}

/// The record that an identifier already belongs to.
#[derive(Clone, Debug)]
pub struct Existing {
    /// The source of its [`DedupKey`]. Empty if no other service reported the record.
    pub source: String,
    /// The record. None if it was withdrawn, and only a mark is left.
    pub record: Option<Record>,
    /// The digests of the messages that filled its fields, separated by spaces, if several may report it.
    pub messages: Option<String>,
}

impl DedupKey {
    /// Creates the key for a source, with the first attempt.
    pub fn new(source: &str, as_of: Timestamp) -> Self {
        Self { source: digest(source), attempt: 0, as_of, otherwise: None, message: None }
    }

    /// Adds a second source, for a source that the other service reuses after some time. The second source then
    /// identifies the occurrence.
    #[must_use]
    pub fn or_after(mut self, some_time: Duration, source: &str) -> Self {
        self.otherwise = Some((some_time, digest(source)));
        self
    }

    /// Adds the message, for an occurrence that several messages report. Each message has fields that the others lack.
    #[must_use]
    pub fn completed_by(mut self, message: &str) -> Self {
        self.message = Some(digest(message));
        self
    }

    /// Returns the key of the record, if it is of this resource.
    pub fn key(&self, resource: &'static Resource) -> Option<Key> {
        self.id().map(|id| Key::new(resource, id))
    }

    /// Returns the identifier of the record: 53 bits of a hash of the source and the attempt.
    pub(crate) fn id(&self) -> Option<Id> {
        let hash = digest(&format!("{} {}", self.source, self.attempt));
        Id::new(u64::from_str_radix(&hash[..16], 16).ok()? >> 11)
    }

    /// Returns true if the existing record is of the same occurrence. Otherwise moves on to the next identifier.
    pub fn is_or_moves_on(&mut self, met: &Existing) -> bool {
        if met.source != self.source {
            self.attempt += 1;
            return false;
        }
        let Some((some_time, _)) = self.otherwise else { return true };
        let time = met.record.as_ref().map_or(self.as_of, Record::primary_time);
        let same = time.shifted(-some_time) <= Some(self.as_of) && Some(self.as_of) <= time.shifted(some_time);
        if !same && let Some((_, source)) = self.otherwise.take() {
            (self.source, self.attempt) = (source, 0);
        }
        same
    }
}

/// Plans to fill the empty fields of a record from another message about the same occurrence. A message adds its fields
/// once: if it is delivered again, a field that was cleared in the meantime stays empty.
pub fn complete(met: &Existing, draft: &Draft, once: &DedupKey, write_set: &mut WriteSet) {
    let Some(before) = &met.record else { return };
    let known = met.messages.as_deref().unwrap_or_default();
    let Some(message) = once.message.as_deref().filter(|message| !known.split(' ').any(|known| known == *message))
    else {
        return;
    };
    let (mut after, mut added) = (before.clone(), Vec::new());
    let missing =
        before.key.resource.fields.iter().filter(|field| field.changeable && before.value(field.name).is_none());
    for field in missing {
        if let Some(Some(value)) = draft.values.get(field.name) {
            after.put(field.name, Some(value.clone()));
            added.push(field.name);
        }
    }
    if !added.is_empty() {
        let write = write_set.update(before, &after);
        for name in added {
            write.when_as_in(before, name);
        }
        write.put_attribute(MESSAGES, Some(Stored::Text(format!("{known} {message}").trim_start().to_owned())));
        write.when(Condition::Is(MESSAGES.to_owned(), met.messages.clone().map(Stored::Text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{EVENTS, events};

    #[test]
    fn identifiers_are_deterministic_per_source() {
        let now = Timestamp::now();
        let ids = |source: &str| {
            (0..3).map(|attempt| DedupKey { attempt, ..DedupKey::new(source, now) }.id()).collect::<Vec<_>>()
        };
        assert_eq!(ids("twitch message 1"), ids("twitch message 1"));
        assert!(ids("twitch message 1").iter().all(Option::is_some));
        assert!(ids("twitch message 1").iter().all(|id| !ids("twitch message 2").contains(id)));
        assert_ne!(ids("x")[0], ids("x")[1]);
    }

    fn met(source: &str, time: Timestamp) -> Existing {
        let mut record = Record::new(Key::new(&EVENTS, Id::new(5).expect("an identifier")));
        record.set(&events::OCCURRED_AT, time);
        Existing { source: source.to_owned(), record: Some(record), messages: None }
    }

    #[test]
    fn collisions_and_expired_windows_yield_another_identifier() {
        let now = Timestamp::now();
        let mut once = DedupKey::new("a", now);
        assert!(!once.is_or_moves_on(&met("", now)) && once.attempt == 1);
        assert!(once.is_or_moves_on(&met(&once.source.clone(), now)));
        let mut begun = DedupKey::new("a", now).or_after(Duration::days(1), "b");
        let source = begun.source.clone();
        let ago = |days: i64| now.shifted(Duration::days(-days)).expect("a time");
        assert!(begun.is_or_moves_on(&met(&source, now)));
        assert!(!begun.is_or_moves_on(&met(&source, ago(2))));
        assert_eq!(begun.source, DedupKey::new("b", now).source);
        let again = begun.source.clone();
        assert!(begun.is_or_moves_on(&met(&again, ago(2))), "a message is itself at any time");
    }

    #[test]
    fn second_message_fills_missing_fields_once() {
        let now = Timestamp::now();
        let mut known = met("", now);
        known.record.as_mut().expect("a record").set(&events::TIER, 2);
        let draft = Draft::new(&EVENTS).with(&events::TIER, 3).with(&events::MESSAGE, "hello");
        let other = DedupKey::new("a", now).completed_by("two");
        let written = |known: &Existing| {
            let mut write_set = WriteSet::default();
            complete(known, &draft, &other, &mut write_set);
            write_set.writes.into_values().next().map(|write| write.set)
        };
        let set = written(&known).expect("a write");
        assert_eq!(set.keys().collect::<Vec<_>>(), ["message", MESSAGES]);
        known.messages = set.get(MESSAGES).and_then(Stored::text).map(str::to_owned);
        assert!(written(&known).is_none(), "the text was cleared since, and the message comes again");
        known.messages = None;
        known.record.as_mut().expect("a record").set(&events::MESSAGE, "hi");
        assert!(written(&known).is_none(), "nothing is missing");
    }
}
