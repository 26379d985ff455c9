//! Responses to requests with an `Idempotency-Key`.
//!
//! A response is stored in the transaction of its request. If only one of the two were stored, a retry would take
//! effect twice, or return a response to a request that never took effect.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::Duration;

use super::attributes::{from_document, to_document};
use super::compressed::{compress, decompress};
use super::item::Item;
use super::write::{Condition, WriteKind};
use super::write_set::{EXPIRES_AT, WriteSet};
use crate::error::{Error, Result};
use crate::schema::Timestamp;

/// How long a repeated request returns the stored response.
pub const LIFETIME: Duration = Duration::hours(24);
/// Maximum bytes of a response in one item. An item has at most 400 KB, so a longer response takes several items.
const MAX_PART_BYTES: usize = 350_000;

/// A response that is returned again to a repeated request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResponse {
    pub status: u16,
    pub location: Option<String>,
    pub etag: Option<String>,
    pub body: String,
}

/// A request with an `Idempotency-Key`, from one caller.
#[derive(Clone, Debug)]
pub struct IdempotentRequest {
    /// Partition key of the item with the response, derived from the caller and the key.
    pub pk: String,
    /// Fingerprint of the request. A different request with the same key has a different fingerprint.
    pub fingerprint: String,
}

/// Item of an `Idempotency-Key`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct IdempotencyRecord {
    /// Fingerprint of the request.
    pub request: String,
    #[serde(flatten)]
    first_part: Part,
    #[serde(rename = "parts")]
    further_parts: usize,
}

/// Item with one part of a response.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "outcome", with = "serde_bytes")]
    bytes: Vec<u8>,
    /// In seconds since 1970.
    expires_at: i64,
}

impl IdempotentRequest {
    /// Identifies a request of a caller. The same key from another caller is a different key.
    pub fn new(caller: &str, key: &str, request: &str) -> Self {
        let digest = Sha256::digest(format!("{caller}\n{key}"));
        Self { pk: format!("keys/{}", hex::encode(&digest[..16])), fingerprint: request.to_owned() }
    }

    /// Returns the partition keys of a response's parts after the first.
    pub fn parts(&self, record: &IdempotencyRecord) -> Vec<String> {
        (1..=record.further_parts).map(|index| self.part_key(index)).collect()
    }

    fn part_key(&self, index: usize) -> String {
        format!("{}/{index}", self.pk)
    }

    /// Adds the response to the write set of its request. The commit fails if the key already has a response.
    ///
    /// # Errors
    /// 500 if the response cannot be serialized, which does not happen.
    pub fn store_response(&self, response: &StoredResponse, now: Timestamp, write_set: &mut WriteSet) -> Result<()> {
        let json = serde_json::to_vec(response).map_err(|_| Error::fault())?;
        let compressed = compress(&json)?;
        let expires_at = now.checked_add(LIFETIME).unwrap_or(now).unix_seconds();
        let mut parts = compressed.chunks(MAX_PART_BYTES).map(|bytes| Part { bytes: bytes.to_vec(), expires_at });
        let first_part = parts.next().ok_or_else(Error::fault)?;
        let record = IdempotencyRecord { request: self.fingerprint.clone(), first_part, further_parts: parts.len() };
        let write = write_set.write_item(self.pk.clone());
        write.kind = WriteKind::Put;
        write.set = to_document(&record)?;
        // DynamoDB deletes items hours after they expire. Until then, an expired response may be overwritten.
        write.require_or(
            Condition::MissingOrBefore(EXPIRES_AT, now.unix_seconds().into()),
            Error::idempotency_key_reused(),
        );
        for (index, part) in (1..).zip(parts) {
            let write = write_set.write_item(self.part_key(index));
            write.kind = WriteKind::Put;
            write.set = to_document(&part)?;
        }
        Ok(())
    }
}

impl IdempotencyRecord {
    /// Loads the record from an item. `None` if it has expired.
    pub fn load(item: &Item, now: Timestamp) -> Option<Self> {
        from_document(item).filter(|record: &Self| record.first_part.expires_at >= now.unix_seconds())
    }

    /// Joins the response. `parts` are the parts after the first.
    ///
    /// # Errors
    /// 503 if a part is missing.
    pub fn response(self, parts: &[Option<Item>]) -> Result<StoredResponse> {
        let mut compressed = self.first_part.bytes;
        for part in parts {
            let part: Part = part.as_ref().and_then(from_document).ok_or_else(Error::unavailable)?;
            compressed.extend_from_slice(&part.bytes);
        }
        serde_json::from_slice(&decompress(&compressed)?).map_err(|_| Error::fault())
    }
}
