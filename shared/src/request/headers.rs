//! The `Idempotency-Key` header of a request.

use http::header::HeaderName;
use http::{HeaderMap, Method};
use sha2::{Digest, Sha256};

use super::payload::Payload;
use crate::error::{Error, Result};
use crate::schema::scalar::compact_json;

/// The header with the idempotency key of a request.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The maximum length of a key, in characters.
const MAX_KEY: usize = 255;

/// The idempotency key of a request, and the fingerprint of the request.
#[derive(Clone, Debug, PartialEq)]
pub struct IdempotencyKey {
    /// The key, without quotes.
    pub key: String,
    /// A digest of method, path and body.
    pub request: String,
}

impl IdempotencyKey {
    /// Returns the idempotency key of a request, if any.
    ///
    /// # Errors
    /// 400 if the key is invalid.
    pub fn read(headers: &HeaderMap, method: &Method, path: &str, payload: &Payload) -> Result<Option<Self>> {
        let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
        let key = value.to_str().ok().and_then(key).ok_or_else(|| {
            let detail = format!("Send as Idempotency-Key 1 to {MAX_KEY} visible ASCII characters, bare or in quotes.");
            Error::invalid_header(detail)
        })?;
        let mut request = Sha256::new();
        for part in [method.as_str(), " ", path, " "] {
            request.update(part);
        }
        // The text of numbers counts, and spaces between tokens do not. The boundary of a form differs in each request, so
        // its parsed content is hashed.
        match str::from_utf8(&payload.text) {
            Ok(text) if !text.is_empty() => request.update(compact_json(text)),
            _ => request.update(payload.json.to_string()),
        }
        if let Some(file) = &payload.file {
            request.update(b"\0");
            request.update(file);
        }
        Ok(Some(Self { key, request: hex::encode(&request.finalize()[..16]) }))
    }
}

/// Parses a key, bare or as a quoted string (RFC 8941, section 3.3.3).
fn key(text: &str) -> Option<String> {
    let key = match text.trim().strip_prefix('"') {
        None => text.trim().to_owned(),
        Some(quoted) => unquoted(quoted.strip_suffix('"')?)?,
    };
    let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
    (visible && (1..=MAX_KEY).contains(&key.len())).then_some(key)
}

fn unquoted(text: &str) -> Option<String> {
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
        assert_eq!(key("abc-1"), Some("abc-1".to_owned()));
        assert_eq!(key("\"abc-1\""), Some("abc-1".to_owned()));
        assert_eq!(key(r#""a\"b\\c""#), Some(r#"a"b\c"#.to_owned()));
        assert_eq!(key(&"k".repeat(255)).map(|key| key.len()), Some(255));
        for wrong in ["", "  ", "\"\"", "a b", "\"a b\"", "\"a", "\"a\"b\"", r#""a\b""#, "é", &"k".repeat(256)] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
    }
}
