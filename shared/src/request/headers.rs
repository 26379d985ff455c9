//! The key of a request that takes effect once, from its headers.

use http::header::HeaderName;
use http::{HeaderMap, Method};
use sha2::{Digest, Sha256};

use super::payload::Payload;
use crate::error::{Error, Result};

/// The header with the key of a request that is to take effect once.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The longest key, in characters.
const LONGEST_KEY: usize = 255;

/// The key of a request that is to take effect once, and what tells the request from others.
#[derive(Clone, Debug, PartialEq)]
pub struct IdempotencyKey {
    /// The key, without quotes.
    pub key: String,
    /// A digest of method, path and body.
    pub request: String,
}

impl IdempotencyKey {
    /// The key that a request has come with, if any.
    ///
    /// # Errors
    /// 400 for what is no key.
    pub fn read(headers: &HeaderMap, method: &Method, path: &str, payload: &Payload) -> Result<Option<Self>> {
        let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
        let key = value.to_str().ok().and_then(key).ok_or_else(|| {
            let detail =
                format!("Send as Idempotency-Key 1 to {LONGEST_KEY} visible ASCII characters, bare or in quotes.");
            Error::bad_request(detail)
        })?;
        let mut request = Sha256::new();
        for part in [method.as_str(), " ", path, " "] {
            request.update(part);
        }
        // A form has another boundary each time: what counts is what is in it.
        request.update(payload.json.to_string());
        if let Some(file) = &payload.file {
            request.update(b"\0");
            request.update(file);
        }
        Ok(Some(Self { key, request: hex::encode(&request.finalize()[..16]) }))
    }
}

/// A key, bare or as a quoted string (RFC 8941, section 3.3.3).
fn key(text: &str) -> Option<String> {
    let key = match text.trim().strip_prefix('"') {
        None => text.trim().to_owned(),
        Some(quoted) => unquoted(quoted.strip_suffix('"')?)?,
    };
    let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
    (visible && (1..=LONGEST_KEY).contains(&key.len())).then_some(key)
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
    fn a_key_is_visible_ascii_bare_or_in_quotes() {
        assert_eq!(key("abc-1"), Some("abc-1".to_owned()));
        assert_eq!(key("\"abc-1\""), Some("abc-1".to_owned()));
        assert_eq!(key(r#""a\"b\\c""#), Some(r#"a"b\c"#.to_owned()));
        assert_eq!(key(&"k".repeat(255)).map(|key| key.len()), Some(255));
        for wrong in ["", "  ", "\"\"", "a b", "\"a b\"", "\"a", "\"a\"b\"", r#""a\b""#, "é", &"k".repeat(256)] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
    }
}
