//! Outcomes: what a request with a key of its own was answered with, kept in the unit of work that has its effect.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::Duration;

use super::compressed::{compress, decompress};
use super::document::{from_document, to_document};
use super::item::Item;
use super::write_set::{Condition, EXPIRES_AT, Kind, WriteSet};
use crate::error::{Error, Result};
use crate::schema::Timestamp;

/// For so long the same request is answered with its outcome.
const KEPT: Duration = Duration::hours(24);
/// An item has at most 400 KB: a longer outcome is in several.
const PART: usize = 350_000;

/// What a request was answered with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResponse {
    /// The status.
    pub status: u16,
    /// Where the new record is.
    pub location: Option<String>,
    /// The tag of the new record.
    pub etag: Option<String>,
    /// The body.
    pub body: String,
}

/// The key of a request, and who it is of.
#[derive(Clone, Debug)]
pub struct KeyedRequest {
    /// The partition key of the item that has the outcome.
    pub pk: String,
    /// What tells the request from others with the key.
    pub request: String,
}

/// What is known of a key: its item.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct IdempotencyRecord {
    /// What tells the request from others.
    pub request: String,
    /// The outcome's first part.
    #[serde(flatten)]
    first: Part,
    /// How many parts more there are.
    #[serde(rename = "parts")]
    more: usize,
}

/// The item of a part of an outcome.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "outcome", with = "serde_bytes")]
    bytes: Vec<u8>,
    /// Seconds since 1970.
    expires_at: i64,
}

impl KeyedRequest {
    /// The key of a caller's request: another caller's is another one.
    pub fn new(caller: &str, key: &str, request: &str) -> Self {
        let digest = Sha256::digest(format!("{caller}\n{key}"));
        Self { pk: format!("keys/{}", hex::encode(&digest[..16])), request: request.to_owned() }
    }

    /// The partition keys of an outcome's further parts.
    pub fn parts(&self, known: &IdempotencyRecord) -> Vec<String> {
        (1..=known.more).map(|part| self.part(part)).collect()
    }

    fn part(&self, part: usize) -> String {
        format!("{}/{part}", self.pk)
    }

    /// Keeps the outcome of a unit of work in it, unless the key has one.
    ///
    /// # Errors
    /// Never: an outcome is plain text.
    pub fn keep(&self, response: &StoredResponse, now: Timestamp, write_set: &mut WriteSet) -> Result<()> {
        let text = serde_json::to_vec(response).map_err(|_| Error::fault())?;
        let compressed = compress(&text)?;
        let expires_at = now.shifted(KEPT).unwrap_or(now).unix_seconds();
        let mut parts = compressed.chunks(PART).map(|bytes| Part { bytes: bytes.to_vec(), expires_at });
        let first = parts.next().ok_or_else(Error::fault)?;
        let more: Vec<_> = parts.collect();
        let write = write_set.write_item(self.pk.clone());
        write.kind = Kind::Put;
        write.set = to_document(&IdempotencyRecord { request: self.request.clone(), first, more: more.len() })?;
        // The table forgets what has expired hours later.
        write.or(Condition::MissingOrBefore(EXPIRES_AT, now.unix_seconds().into()), Error::repeated());
        for (position, part) in (1..).zip(&more) {
            let write = write_set.write_item(self.part(position));
            write.kind = Kind::Put;
            write.set = to_document(part)?;
        }
        Ok(())
    }
}

impl IdempotencyRecord {
    /// Reads an item; `None` when it has expired.
    pub fn load(item: &Item, now: Timestamp) -> Option<Self> {
        from_document(item).filter(|known: &Self| known.first.expires_at >= now.unix_seconds())
    }

    /// The outcome, with its further parts.
    ///
    /// # Errors
    /// When one of them is not there.
    pub fn response(self, parts: &[Option<Item>]) -> Result<StoredResponse> {
        let mut compressed = self.first.bytes;
        for part in parts {
            let part: Part = part.as_ref().and_then(from_document).ok_or_else(Error::unavailable)?;
            compressed.extend_from_slice(&part.bytes);
        }
        serde_json::from_slice(&decompress(&compressed)?).map_err(|_| Error::fault())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_back_for_a_day_however_long_it_is() {
        let now = Timestamp::now();
        let keyed = KeyedRequest::new("me", "key", "request");
        for length in [10, 3_000_000] {
            // What does not shrink.
            let body: String = (0..length).map(|_| fastrand::alphanumeric()).collect();
            let response = StoredResponse { status: 201, location: Some("/users/5".to_owned()), etag: None, body };
            let mut write_set = WriteSet::default();
            keyed.keep(&response, now, &mut write_set).expect("it is kept");
            let item = |pk: &str| write_set.writes.get(pk).map(|write| write.set.clone());
            let known = IdempotencyRecord::load(&item(&keyed.pk).expect("an item"), now).expect("it is known");
            assert_eq!(known.request, "request");
            let parts: Vec<_> = keyed.parts(&known).iter().map(|pk| item(pk)).collect();
            assert_eq!(parts.len() + 1, write_set.writes.len());
            assert_eq!(known.response(&parts).expect("an outcome"), response);
            let tomorrow = now.shifted(KEPT + Duration::seconds(2)).expect("a time");
            assert_eq!(IdempotencyRecord::load(&item(&keyed.pk).expect("an item"), tomorrow), None);
        }
        assert_ne!(keyed.pk, KeyedRequest::new("you", "key", "request").pk);
    }
}
