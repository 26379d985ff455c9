//! Cursors: the position at which a page ended, and the list that it belongs to. They are opaque to clients.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::schema::{Id, Order, SortKey, Timestamp};

/// The beginning of a name in a cursor.
const NAME: &str = "name:";

/// The position at which a page ended, and the fingerprint of its list.
pub(super) struct Cursor {
    position: SortKey,
    list: String,
}

impl Cursor {
    /// Returns the cursor of a position in a list.
    pub(super) fn new(position: &SortKey, list: &str) -> Self {
        Self { position: position.clone(), list: fingerprint(list) }
    }

    /// Encodes the cursor as text.
    pub(super) fn encode(&self) -> String {
        let SortKey { order, id } = &self.position;
        let order = match order {
            Order::Time(time) => time.to_string(),
            // A name may have spaces.
            Order::Name(name) => format!("{NAME}{}", hex::encode(name)),
        };
        URL_SAFE_NO_PAD.encode(format!("{order} {id} {}", self.list))
    }

    /// Decodes the text of a cursor. Returns `None` if it is invalid.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let plain = String::from_utf8(bytes).ok()?;
        let mut parts = plain.split(' ');
        let (order, id, list) = (parts.next()?, parts.next()?, parts.next()?);
        let order = match order.strip_prefix(NAME) {
            Some(name) => Order::Name(String::from_utf8(hex::decode(name).ok()?).ok()?),
            None => Order::Time(Timestamp::parse(order)?),
        };
        let position = SortKey { order, id: Id::parse(id)? };
        parts.next().is_none().then(|| Self { position, list: list.to_owned() })
    }

    /// Returns the position if the cursor belongs to this list.
    pub(super) fn position_in(self, list: &str) -> Option<SortKey> {
        (self.list == fingerprint(list)).then_some(self.position)
    }
}

/// Returns half of a SHA-256 in hexadecimal.
fn fingerprint(list: &str) -> String {
    hex::encode(&Sha256::digest(list)[..16])
}
