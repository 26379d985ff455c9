//! Responses to requests with an `Idempotency-Key`, stored in the same transaction as the effect of the request.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::Duration;

use super::compressed::{compress, decompress};
use super::document::{from_document, to_document};
use super::item::Item;
use super::write::{Condition, Kind};
use super::write_set::{EXPIRES_AT, WriteSet};
use crate::error::{Error, Result};
use crate::schema::Timestamp;

/// How long a repeated request gets the stored response.
const KEPT: Duration = Duration::hours(24);
/// The largest part of a response in one item, in bytes. An item has at most 400 KB, so a longer response takes
/// several.
const PART: usize = 350_000;

/// The response to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResponse {
    /// The status.
    pub status: u16,
    /// The path of the new record (`Location`).
    pub location: Option<String>,
    /// The ETag of the new record.
    pub etag: Option<String>,
    /// The body.
    pub body: String,
}

/// A request with an `Idempotency-Key`, from one caller.
#[derive(Clone, Debug)]
pub struct KeyedRequest {
    /// The partition key of the item with the response. It is derived from the caller and the key.
    pub pk: String,
    /// The fingerprint of the request. Another request with the same key has a different one.
    pub request: String,
}

/// The item of an `Idempotency-Key`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct IdempotencyRecord {
    /// The fingerprint of the request.
    pub request: String,
    /// The first part of the response.
    #[serde(flatten)]
    first: Part,
    /// The number of further parts.
    #[serde(rename = "parts")]
    more: usize,
}

/// The item of one part of a response.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "outcome", with = "serde_bytes")]
    bytes: Vec<u8>,
    /// The time of expiry, in seconds since 1970.
    expires_at: i64,
}

impl KeyedRequest {
    /// Creates the keyed request of a caller. The same key from another caller is a different key.
    pub fn new(caller: &str, key: &str, request: &str) -> Self {
        let digest = Sha256::digest(format!("{caller}\n{key}"));
        Self { pk: format!("keys/{}", hex::encode(&digest[..16])), request: request.to_owned() }
    }

    /// Returns the partition keys of the further parts of a response.
    pub fn parts(&self, known: &IdempotencyRecord) -> Vec<String> {
        (1..=known.more).map(|part| self.part(part)).collect()
    }

    fn part(&self, part: usize) -> String {
        format!("{}/{part}", self.pk)
    }

    /// Adds the response to the write set of its request. The commit fails if the key has a response already.
    ///
    /// # Errors
    /// 500 if the response cannot be written as JSON, which does not happen.
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
        // DynamoDB deletes expired items hours later. Until then, an expired response may be overwritten.
        write.or(Condition::MissingOrBefore(EXPIRES_AT, now.unix_seconds().into()), Error::already_processed());
        for (position, part) in (1..).zip(&more) {
            let write = write_set.write_item(self.part(position));
            write.kind = Kind::Put;
            write.set = to_document(part)?;
        }
        Ok(())
    }
}

impl IdempotencyRecord {
    /// Reads an item. Returns `None` if it has expired.
    pub fn load(item: &Item, now: Timestamp) -> Option<Self> {
        from_document(item).filter(|known: &Self| known.first.expires_at >= now.unix_seconds())
    }

    /// Returns the response, joined from the first part and the further ones.
    ///
    /// # Errors
    /// 503 if a part is missing.
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
    fn stored_response_of_any_length_is_readable_for_24_hours() {
        let now = Timestamp::now();
        let keyed = KeyedRequest::new("me", "key", "request");
        for length in [10, 3_000_000] {
            // Random text, which does not compress well.
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
