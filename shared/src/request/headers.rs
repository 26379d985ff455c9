//! The `Idempotency-Key` header of a request.
//!
//! A key comes with a fingerprint of its request, because a client may send a key again with another request
//! by mistake.

use http::header::HeaderName;
use http::{HeaderMap, Method};
use sha2::{Digest, Sha256};

use super::payload::Payload;
use crate::error::{Error, Result};
use crate::schema::scalar::compact_json;

/// Name of the header.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Maximum length of a key, in characters.
const MAX_KEY: usize = 255;

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
fn parse_key(text: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idempotency_key_is_visible_ascii_bare_or_quoted() {
        assert_eq!(parse_key("abc-1"), Some("abc-1".to_owned()));
        assert_eq!(parse_key("\"abc-1\""), Some("abc-1".to_owned()));
        assert_eq!(parse_key(r#""a\"b\\c""#), Some(r#"a"b\c"#.to_owned()));
        assert_eq!(parse_key(&"k".repeat(255)).map(|key| key.len()), Some(255));
        for wrong in ["", "  ", "\"\"", "a b", "\"a b\"", "\"a", "\"a\"b\"", r#""a\b""#, "é", &"k".repeat(256)] {
            assert_eq!(parse_key(wrong), None, "{wrong}");
        }
    }
}
