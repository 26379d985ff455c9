//! Responses to requests with an `Idempotency-Key`.
//!
//! A response is stored in the transaction of its request, because a retry may arrive when only one of the two would be
//! stored: it would then take effect twice, or get a response to what never happened.

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

/// How long a repeated request gets the stored response.
pub const LIFETIME: Duration = Duration::hours(24);
/// Bytes of the largest part of a response in one item. A longer response takes several items, because an item has at
/// most 400 KB.
const MAX_PART_BYTES: usize = 350_000;

/// A response, to be returned again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the parts of an HTTP response, by their names")]
pub struct StoredResponse {
    pub status: u16,
    pub location: Option<String>,
    pub etag: Option<String>,
    pub body: String,
}

/// A request with an `Idempotency-Key`, from one caller.
#[derive(Clone, Debug)]
pub struct KeyedRequest {
    /// Partition key of the item with the response. It is derived from the caller and the key.
    pub pk: String,
    /// Fingerprint of the request. Another request with the same key has a different one.
    pub request: String,
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

/// Item of one part of a response.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "outcome", with = "serde_bytes")]
    bytes: Vec<u8>,
    /// In seconds since 1970.
    expires_at: i64,
}

impl KeyedRequest {
    /// Identify the request of a caller. The same key from another caller is a different key.
    pub fn new(caller: &str, key: &str, request: &str) -> Self {
        let digest = Sha256::digest(format!("{caller}\n{key}"));
        Self { pk: format!("keys/{}", hex::encode(&digest[..16])), request: request.to_owned() }
    }

    /// List the partition keys of the further parts of a response.
    pub fn parts(&self, record: &IdempotencyRecord) -> Vec<String> {
        (1..=record.further_parts).map(|index| self.part_key(index)).collect()
    }

    fn part_key(&self, index: usize) -> String {
        format!("{}/{index}", self.pk)
    }

    /// Add the response to the write set of its request. The commit fails if the key has a response already.
    ///
    /// # Errors
    /// 500 if the response cannot be written as JSON, which does not happen.
    pub fn keep(&self, response: &StoredResponse, now: Timestamp, write_set: &mut WriteSet) -> Result<()> {
        let json = serde_json::to_vec(response).map_err(|_| Error::fault())?;
        let compressed = compress(&json)?;
        let expires_at = now.shifted(LIFETIME).unwrap_or(now).unix_seconds();
        let mut parts = compressed.chunks(MAX_PART_BYTES).map(|bytes| Part { bytes: bytes.to_vec(), expires_at });
        let first_part = parts.next().ok_or_else(Error::fault)?;
        let record = IdempotencyRecord { request: self.request.clone(), first_part, further_parts: parts.len() };
        let write = write_set.write_item(self.pk.clone());
        write.kind = WriteKind::Put;
        write.set = to_document(&record)?;
        // DynamoDB deletes expired items hours later. Until then, an expired response may be overwritten.
        write.when_or(Condition::MissingOrBefore(EXPIRES_AT, now.unix_seconds().into()), Error::already_processed());
        for (index, part) in (1..).zip(parts) {
            let write = write_set.write_item(self.part_key(index));
            write.kind = WriteKind::Put;
            write.set = to_document(&part)?;
        }
        Ok(())
    }
}

impl IdempotencyRecord {
    /// Convert an item. `None` if it has expired.
    pub fn load(item: &Item, now: Timestamp) -> Option<Self> {
        from_document(item).filter(|record: &Self| record.first_part.expires_at >= now.unix_seconds())
    }

    /// Join the response from the first part and the further ones.
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
