//! Cursors: where a page ended, and of which list. Clients must not look inside.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::schema::{Id, Position, Timestamp};

/// Where a page ended, and the fingerprint of its list.
pub(super) struct Cursor {
    position: Position,
    list: String,
}

impl Cursor {
    /// The cursor of a place in a list.
    pub(super) fn new(position: Position, list: &str) -> Self {
        Self { position, list: fingerprint(list) }
    }

    /// The text of the cursor.
    pub(super) fn encode(&self) -> String {
        let Position { time, id } = self.position;
        URL_SAFE_NO_PAD.encode(format!("{time} {id} {}", self.list))
    }

    /// The cursor of a text.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let plain = String::from_utf8(bytes).ok()?;
        let mut parts = plain.split(' ');
        let (time, id, list) = (parts.next()?, parts.next()?, parts.next()?);
        let position = Position { time: Timestamp::parse(time)?, id: Id::parse(id)? };
        parts.next().is_none().then(|| Self { position, list: list.to_owned() })
    }

    /// The place, if it is one in this list.
    pub(super) fn position_in(&self, list: &str) -> Option<Position> {
        (self.list == fingerprint(list)).then_some(self.position)
    }
}

/// Half of a SHA-256 in hexadecimal.
fn fingerprint(list: &str) -> String {
    hex::encode(&Sha256::digest(list)[..16])
}
