//! The `If-Match`, `If-None-Match` and `Idempotency-Key` headers of a request.
//!
//! A key is kept with a fingerprint of its request, to detect a client that reuses it for another request.

use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, Method};
use sha2::{Digest, Sha256};

use super::payload::Payload;
use crate::error::{Error, Result};
use crate::schema::scalar::compact_json;

/// The `Idempotency-Key` header.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Maximum length of a key, in characters.
const MAX_KEY: usize = 255;
/// Prefix of a weak ETag.
const WEAK: &str = "W/";
/// Headers with a condition on the ETag of a record.
const CONDITIONS: [HeaderName; 2] = [IF_MATCH, IF_NONE_MATCH];

/// Condition of a write on the ETag of its record (RFC 9110, section 13.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EtagPreconditions {
    /// `If-Match`: the record must have one of these.
    pub if_match: Option<EtagList>,
    /// `If-None-Match`: the record must have none of these.
    pub if_none_match: Option<EtagList>,
}

/// The ETags of a header.
///
/// The type of the crate `headers` ignores an ETag that it cannot parse. A client would then get a 412 that no new ETag
/// resolves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EtagList {
    /// Whether the header is `*`, which every record matches.
    pub is_any: bool,
    /// The tags, as sent.
    pub tags: Vec<String>,
}

impl EtagPreconditions {
    /// Parses the headers, if the request has one of them.
    ///
    /// # Errors
    /// 400 if one is not a list of ETags.
    pub fn parse(headers: &HeaderMap) -> Result<Option<Self>> {
        let [matches, differs] = CONDITIONS.map(|name| EtagList::parse(headers, &name));
        let condition = Self { if_match: matches?, if_none_match: differs? };
        Ok(Some(condition).filter(|condition| *condition != Self::default()))
    }

    /// Rejects the headers in a request that creates records.
    ///
    /// # Errors
    /// 400 if the request has one of them.
    pub fn reject(headers: &HeaderMap) -> Result<()> {
        match CONDITIONS.iter().find(|name| headers.contains_key(*name)) {
            Some(name) => {
                let works_with = if *name == IF_MATCH { "PATCH and DELETE" } else { "GET, PATCH and DELETE" };
                Err(Error::invalid_header(format!("{} works with {works_with}. Leave it out.", title(name))))
            }
            None => Ok(()),
        }
    }

    /// Returns true if the condition only requires that the record exists.
    pub fn is_any(&self) -> bool {
        self.if_none_match.is_none() && self.if_match.as_ref().is_none_or(|tags| tags.is_any)
    }

    /// Checks that the record has one of the ETags of `If-Match`.
    ///
    /// # Errors
    /// 412 if it has none of them.
    pub fn check_if_match(&self, tag: &str) -> Result<()> {
        if let Some(tags) = self.if_match.as_ref().filter(|tags| !tags.has(tag)) {
            let are_weak = tags.tags.iter().all(|tag| tag.starts_with(WEAK));
            return Err(if are_weak { Error::weak_etag() } else { Error::etag_mismatch() });
        }
        Ok(())
    }

    /// Checks that the record has none of the ETags of `If-None-Match`, which are compared weakly.
    ///
    /// # Errors
    /// 412 if it has one of them.
    pub fn check_if_none_match(&self, tag: &str) -> Result<()> {
        let is_match = |tags: &EtagList| tags.has(tag) || tags.has(&format!("{WEAK}{tag}"));
        if self.if_none_match.as_ref().is_some_and(is_match) { Err(Error::etag_match()) } else { Ok(()) }
    }
}

impl EtagList {
    fn parse(headers: &HeaderMap, name: &HeaderName) -> Result<Option<Self>> {
        let values: Option<Vec<_>> = headers.get_all(name).iter().map(|value| value.to_str().ok()).collect();
        if values.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let tags = values.and_then(|values| Self::of(&values.join(",")));
        let quoted = || format!("Send each ETag of {} as received, with its quotes, or `*` for any.", title(name));
        tags.map(Some).ok_or_else(|| Error::invalid_header(quoted()))
    }

    /// Parses the value of the header. `None` if it is invalid.
    pub fn of(text: &str) -> Option<Self> {
        if text.trim() == "*" {
            return Some(Self { is_any: true, tags: Vec::new() });
        }
        // A list may have empty elements (RFC 9110, section 5.6.1).
        let is_between = |character: char| character == ',' || character.is_ascii_whitespace();
        let (mut tags, mut rest) = (Vec::new(), text.trim_matches(is_between));
        loop {
            // 1. The tag, up to its closing quote.
            let opened = rest.strip_prefix(WEAK).unwrap_or(rest).strip_prefix('"')?;
            let (_, after) = opened.split_once('"')?;
            let (tag, after) = rest.split_at(rest.len() - after.len());
            tags.push(tag.to_owned());
            // 2. The commas before the next tag.
            match after.trim_start() {
                "" => return Some(Self { is_any: false, tags }),
                after => rest = after.strip_prefix(',')?.trim_start_matches(is_between),
            }
        }
    }

    fn has(&self, tag: &str) -> bool {
        self.is_any || self.tags.iter().any(|sent| sent == tag)
    }
}

/// Returns the name of a header in its usual spelling.
fn title(name: &HeaderName) -> &'static str {
    if *name == IF_MATCH { "If-Match" } else { "If-None-Match" }
}

/// The idempotency key of a request, and the fingerprint of the request.
#[derive(Clone, Debug, PartialEq)]
pub struct IdempotencyKey {
    /// Key, without quotes.
    pub key: String,
    /// Digest of the method, path and body.
    pub fingerprint: String,
}

impl IdempotencyKey {
    /// Parses the idempotency key of a request, if any.
    ///
    /// # Errors
    /// 400 if the key is invalid.
    pub fn parse(headers: &HeaderMap, method: &Method, path: &str, payload: &Payload) -> Result<Option<Self>> {
        let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
        let key = value.to_str().ok().and_then(parse_key).ok_or_else(|| {
            Error::invalid_header(format!(
                "Send one Idempotency-Key of 1 to {MAX_KEY} visible ASCII characters, in quotes if it has a comma."
            ))
        })?;
        let mut fingerprint = Sha256::new();
        for part in [method.as_str(), " ", path, " "] {
            fingerprint.update(part);
        }
        // The spelling of numbers counts, the spaces between tokens do not. The boundary of a form differs in each
        // request, so its parsed content is hashed.
        match str::from_utf8(&payload.text) {
            Ok(text) if !text.is_empty() => fingerprint.update(compact_json(text)),
            _ => fingerprint.update(payload.json.to_string()),
        }
        if let Some(file) = &payload.file {
            fingerprint.update(b"\0");
            fingerprint.update(file);
        }
        Ok(Some(Self { key, fingerprint: hex::encode(&fingerprint.finalize()[..16]) }))
    }
}

/// Parses a key, bare or as a quoted string (RFC 8941, section 3.3.3).
///
/// API Gateway joins repeated headers with commas, so a comma in a bare key would be a second key.
pub fn parse_key(text: &str) -> Option<String> {
    let key = match text.trim().strip_prefix('"') {
        None => Some(text.trim()).filter(|key| !key.contains(','))?.to_owned(),
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
