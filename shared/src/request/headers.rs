//! The `If-Match` and `Idempotency-Key` headers of a request.
//!
//! A key comes with a fingerprint of its request, because a client may send a key again with another request
//! by mistake.

use http::header::{HeaderName, IF_MATCH};
use http::{HeaderMap, Method};
use sha2::{Digest, Sha256};

use super::payload::Payload;
use crate::error::{Error, Result};
use crate::schema::scalar::compact_json;

/// Name of the header.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Maximum length of a key, in characters.
const MAX_KEY: usize = 255;
/// Way to send `If-Match`.
const QUOTED: &str = "Send each ETag of If-Match as received, with its quotes, or `*` for any.";

/// ETags of `If-Match` (RFC 9110, section 13.1.1). A type of its own, because that of the crate `headers` ignores an ETag
/// that it cannot parse: the sender would then get a 412 that no new ETag resolves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IfMatch {
    /// True for `*`, which each record has.
    pub is_any: bool,
    /// The tags, as sent.
    pub tags: Vec<String>,
}

impl IfMatch {
    /// Parse the header, if the request has it.
    ///
    /// # Errors
    /// 400 if it is not a list of ETags.
    pub fn parse(headers: &HeaderMap) -> Result<Option<Self>> {
        let values: Option<Vec<_>> = headers.get_all(IF_MATCH).iter().map(|value| value.to_str().ok()).collect();
        match values {
            Some(values) if values.is_empty() => Ok(None),
            Some(values) => Self::of(&values.join(",")).map(Some).ok_or_else(|| Error::invalid_header(QUOTED)),
            None => Err(Error::invalid_header(QUOTED)),
        }
    }

    /// Reject the header in a request that creates records.
    ///
    /// # Errors
    /// 400 if the request has it.
    pub fn reject(headers: &HeaderMap) -> Result<()> {
        let detail = "If-Match works with PATCH and DELETE. Leave it out.";
        if headers.contains_key(IF_MATCH) { Err(Error::invalid_header(detail)) } else { Ok(()) }
    }

    /// Parse the value of the header. `None` if it is invalid.
    pub fn of(text: &str) -> Option<Self> {
        if text.trim() == "*" {
            return Some(Self { is_any: true, tags: Vec::new() });
        }
        // A list may have empty elements (RFC 9110, section 5.6.1).
        let is_between = |character: char| character == ',' || character.is_ascii_whitespace();
        let (mut tags, mut rest) = (Vec::new(), text.trim_matches(is_between));
        loop {
            // 1. The tag, up to its closing quote.
            let opened = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
            let (_, after) = opened.split_once('"')?;
            let (tag, after) = rest.split_at(rest.len() - after.len());
            tags.push(tag.to_owned());
            // 2. The commas before the next one.
            match after.trim_start() {
                "" => return Some(Self { is_any: false, tags }),
                after => rest = after.strip_prefix(',')?.trim_start_matches(is_between),
            }
        }
    }

    /// Check that a record has one of the ETags.
    ///
    /// # Errors
    /// 412 if it has none of them.
    pub fn check(&self, tag: &str) -> Result<()> {
        if self.is_any || self.tags.iter().any(|sent| sent == tag) {
            return Ok(());
        }
        let are_weak = self.tags.iter().all(|tag| tag.starts_with("W/"));
        Err(if are_weak { Error::weak_etag() } else { Error::etag_mismatch() })
    }
}

/// Idempotency key of a request, and the fingerprint of the request.
#[derive(Clone, Debug, PartialEq)]
pub struct IdempotencyKey {
    /// Key, without quotes.
    pub key: String,
    /// A digest of method, path and body.
    pub request: String,
}

impl IdempotencyKey {
    /// Parse the idempotency key of a request, if any.
    ///
    /// # Errors
    /// 400 if the key is invalid.
    pub fn parse(headers: &HeaderMap, method: &Method, path: &str, payload: &Payload) -> Result<Option<Self>> {
        let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
        let key = value.to_str().ok().and_then(parse_key).ok_or_else(|| {
            let detail = format!("Send as Idempotency-Key 1 to {MAX_KEY} visible ASCII characters, bare or in quotes.");
            Error::invalid_header(detail)
        })?;
        let mut fingerprint = Sha256::new();
        for part in [method.as_str(), " ", path, " "] {
            fingerprint.update(part);
        }
        // The text of numbers counts, and spaces between tokens do not. The boundary of a form differs in each request,
        // so its parsed content is hashed.
        match str::from_utf8(&payload.text) {
            Ok(text) if !text.is_empty() => fingerprint.update(compact_json(text)),
            _ => fingerprint.update(payload.json.to_string()),
        }
        if let Some(file) = &payload.file {
            fingerprint.update(b"\0");
            fingerprint.update(file);
        }
        Ok(Some(Self { key, request: hex::encode(&fingerprint.finalize()[..16]) }))
    }
}

/// Parse a key, bare or as a quoted string (RFC 8941, section 3.3.3).
pub fn parse_key(text: &str) -> Option<String> {
    let key = match text.trim().strip_prefix('"') {
        None => text.trim().to_owned(),
        Some(quoted) => unquote(quoted.strip_suffix('"')?)?,
    };
    let is_visible = key.bytes().all(|byte| byte.is_ascii_graphic());
    (is_visible && (1..=MAX_KEY).contains(&key.len())).then_some(key)
}

fn unquote(text: &str) -> Option<String> {
    let (mut key, mut rest) = (String::new(), text.chars());
    while let Some(character) = rest.next() {
        key.push(match character {
            '\\' => rest.next().filter(|escaped| matches!(escaped, '"' | '\\'))?,
            '"' => return None,
            character => character,
        });
    }
    Some(key)
}
