//! What happens elsewhere and is stored once.

use super::item::digest;
use crate::schema::{Id, Key, Resource, Timestamp};

/// What happened elsewhere and is stored once: its identifier follows from what it is, so that it meets itself.
#[derive(Clone, Debug)]
pub struct Once {
    /// What tells it from all else.
    pub source: String,
    /// How many others were met that have its identifiers.
    pub attempt: u64,
    /// The time as of which it says what it does.
    pub as_of: Timestamp,
}

impl Once {
    /// The source with this text, seen for the first time.
    pub fn new(source: &str, as_of: Timestamp) -> Self {
        Self { source: digest(source), attempt: 0, as_of }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_source_has_the_same_identifiers_and_another_has_others() {
        let now = Timestamp::now();
        let ids =
            |source: &str| (0..3).map(|attempt| Once { attempt, ..Once::new(source, now) }.id()).collect::<Vec<_>>();
        assert_eq!(ids("twitch message 1"), ids("twitch message 1"));
        assert!(ids("twitch message 1").iter().all(Option::is_some));
        assert!(ids("twitch message 1").iter().all(|id| !ids("twitch message 2").contains(id)));
        assert_ne!(ids("x")[0], ids("x")[1]);
    }
}
