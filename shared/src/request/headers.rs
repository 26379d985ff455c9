//! What a request's headers ask for besides: that it takes effect once, or only as things are.

use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
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

/// Tags that a record may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Tags {
    /// Any.
    Any,
    /// One of these, each with its quotes.
    These(Vec<String>),
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

impl Tags {
    /// The tags of `If-Match`, if the header is there. What is no list of tags is none of any record's.
    pub fn if_match(headers: &HeaderMap) -> Option<Self> {
        Self::read(headers, &IF_MATCH)
    }

    /// The tags of `If-None-Match`, if the header is there.
    pub fn if_none_match(headers: &HeaderMap) -> Option<Self> {
        Self::read(headers, &IF_NONE_MATCH)
    }

    fn read(headers: &HeaderMap, name: &HeaderName) -> Option<Self> {
        let tags = headers.get(name)?.to_str().ok().and_then(tags);
        Some(tags.unwrap_or_else(|| Self::These(Vec::new())))
    }

    /// Whether a tag is one of these, also as a weak one: good enough to say that nothing has changed.
    pub fn have(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => tags.iter().any(|known| known.strip_prefix("W/").unwrap_or(known) == tag),
        }
    }

    /// Whether a tag is one of these, and that as a strong one: good enough to write.
    pub fn have_strong(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => tags.iter().any(|known| known == tag),
        }
    }
}

/// A list of entity tags (RFC 9110, section 8.8.3).
fn tags(text: &str) -> Option<Tags> {
    let mut rest = text.trim();
    if rest == "*" {
        return Some(Tags::Any);
    }
    let mut tags = Vec::new();
    loop {
        let weak = if rest.starts_with("W/") { 2 } else { 0 };
        let opaque = rest[weak..].strip_prefix('"')?;
        let length = opaque.find('"')?;
        tags.push(rest[..weak + length + 2].to_owned());
        rest = rest[weak + length + 2..].trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return rest.is_empty().then_some(Tags::These(tags)),
        }
    }
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

    #[test]
    fn tags_are_a_list_or_a_star() {
        let these = |tags: &[&str]| Some(Tags::These(tags.iter().map(|tag| (*tag).to_owned()).collect()));
        assert_eq!(tags("*"), Some(Tags::Any));
        assert_eq!(tags("\"a\""), these(&["\"a\""]));
        assert_eq!(tags("\"a,b\" , W/\"c\",\"\""), these(&["\"a,b\"", "W/\"c\"", "\"\""]));
        for wrong in ["", "a", "\"a", "\"a\" \"b\"", "\"a\",", "W/a", "*, \"a\""] {
            assert_eq!(tags(wrong), None, "{wrong}");
        }
        let weak = tags("W/\"a\"").expect("a tag");
        assert!(weak.have("\"a\"") && !weak.have_strong("\"a\""));
    }
}
