//! Cursors of paginated lists. Clients treat them as opaque.
//!
//! A cursor contains a fingerprint of its list. In another list, its sort key would silently skip records.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::schema::{Id, SortKey, SortValue, Timestamp, digest};

/// Prefix of a sort key that is a name.
const NAME_PREFIX: &str = "name:";

/// The sort key of the last record on a page, and the fingerprint of its list.
pub(super) struct Cursor {
    sort_key: SortKey,
    fingerprint: String,
}

impl Cursor {
    pub(super) fn new(sort_key: &SortKey, list: &str) -> Self {
        Self { sort_key: sort_key.clone(), fingerprint: digest(list) }
    }

    /// Encodes the cursor as text.
    pub(super) fn encode(&self) -> String {
        let SortKey { order, id } = &self.sort_key;
        let order = match order {
            SortValue::Time(time) => time.to_string(),
            // A name may contain spaces.
            SortValue::Name(name) => format!("{NAME_PREFIX}{}", hex::encode(name)),
        };
        URL_SAFE_NO_PAD.encode(format!("{order} {id} {}", self.fingerprint))
    }

    /// Decodes the text of a cursor.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let plain = String::from_utf8(bytes).ok()?;
        let mut parts = plain.split(' ');
        let (order, id, fingerprint) = (parts.next()?, parts.next()?, parts.next()?);
        let order = match order.strip_prefix(NAME_PREFIX) {
            Some(name) => SortValue::Name(String::from_utf8(hex::decode(name).ok()?).ok()?),
            None => SortValue::Time(Timestamp::parse(order)?),
        };
        let sort_key = SortKey { order, id: Id::parse(id)? };
        parts.next().is_none().then(|| Self { sort_key, fingerprint: fingerprint.to_owned() })
    }

    /// Returns the sort key if the cursor belongs to this list.
    pub(super) fn sort_key_in(self, list: &str) -> Option<SortKey> {
        (self.fingerprint == digest(list)).then_some(self.sort_key)
    }
}
