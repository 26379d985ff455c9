//! What happens elsewhere and is stored once.

use time::Duration;

use super::write_set::{Condition, WriteSet};
use crate::request::Draft;
use crate::schema::{Id, Key, Record, Resource, Stored, Timestamp, digest};

/// The attribute with the digests of the messages that a record has its fields from.
pub const MESSAGES: &str = "messages";

/// What happened elsewhere and is stored once: its identifier follows from what it is, so that it meets itself.
#[derive(Clone, Debug)]
pub struct DedupKey {
    /// What tells it from all else.
    pub source: String,
    /// How many others were met that have its identifiers.
    pub attempt: u64,
    /// The time as of which it says what it does.
    pub as_of: Timestamp,
    /// What tells it from all else where its source is that of something so much older or younger.
    otherwise: Option<(Duration, String)>,
    /// The message, where another may add to what it says.
    pub(super) message: Option<String>,
}

/// What has been met under an identifier.
#[derive(Clone, Debug)]
pub struct Existing {
    /// What it was made from; empty, where it was made here.
    pub source: String,
    /// The record.
    pub record: Record,
    /// The digests of the messages that it has its fields from, where there may be several.
    pub messages: Option<String>,
}

impl DedupKey {
    /// The source with this text, seen for the first time.
    pub fn new(source: &str, as_of: Timestamp) -> Self {
        Self { source: digest(source), attempt: 0, as_of, otherwise: None, message: None }
    }

    /// The same, for a source that means another thing after some time: then this text tells what it is.
    #[must_use]
    pub fn or_after(mut self, some_time: Duration, source: &str) -> Self {
        self.otherwise = Some((some_time, digest(source)));
        self
    }

    /// The same, for something that several messages report, each with fields that the others lack: this is one of them.
    #[must_use]
    pub fn completed_by(mut self, message: &str) -> Self {
        self.message = Some(digest(message));
        self
    }

    /// The key that a record of this resource has.
    pub fn key(&self, resource: &'static Resource) -> Option<Key> {
        self.id().map(|id| Key::new(resource, id))
    }

    /// The identifier of the record: 53 bits of the source's hash.
    pub(super) fn id(&self) -> Option<Id> {
        let hash = digest(&format!("{} {}", self.source, self.attempt));
        Id::new(u64::from_str_radix(&hash[..16], 16).ok()? >> 11)
    }

    /// Whether what it has met is itself. If not, it takes the next identifier.
    pub fn is_or_moves_on(&mut self, met: &Existing) -> bool {
        if met.source != self.source {
            self.attempt += 1;
            return false;
        }
        let Some((some_time, _)) = self.otherwise else { return true };
        let time = met.record.key.resource.time.and_then(|time| met.record.get(time)).unwrap_or(self.as_of);
        let same = time.shifted(-some_time) <= Some(self.as_of) && Some(self.as_of) <= time.shifted(some_time);
        if !same && let Some((_, source)) = self.otherwise.take() {
            (self.source, self.attempt) = (source, 0);
        }
        same
    }
}

/// Plans to add to a record the fields that it has no value for, and that another message about the same has. A message adds
/// its fields once: if it comes again, a field that was cleared meanwhile stays cleared.
pub fn complete(met: &Existing, draft: &Draft, once: &DedupKey, write_set: &mut WriteSet) {
    let before = &met.record;
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
    fn the_same_source_has_the_same_identifiers_and_another_has_others() {
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
        Existing { source: source.to_owned(), record, messages: None }
    }

    #[test]
    fn what_meets_another_takes_the_next_identifier_and_what_is_long_ago_is_another() {
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
    fn another_message_adds_missing_fields_once() {
        let now = Timestamp::now();
        let mut known = met("", now);
        known.record.set(&events::TIER, 2);
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
        known.record.set(&events::MESSAGE, "hi");
        assert!(written(&known).is_none(), "nothing is missing");
    }
}
