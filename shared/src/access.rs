//! Who may call: tokens, what each may do, and the one rule that every request is held against.
//!
//! The authorizer function tells the gateway what a request's token may do; the gateway hands that on with the
//! request. That decides here, not there: the gateway's own refusals have neither the status nor the body
//! that clients are promised (docs/adr/0005-the-authorizer-tells.md). What nobody vouches for is refused.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::{Error, Result};
use crate::value::Timestamp;

/// 256 bits.
const SECRET_BYTES: usize = 32;

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// GET and HEAD.
    Read,
    /// Everything.
    Write,
}

/// What is known of who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// No token.
    Missing,
    /// A token, but none that is known.
    Unknown,
    /// The tokens could not be looked up.
    Unavailable,
    /// A token that is good for this.
    #[serde(untagged)]
    Granted(Scope),
}

impl Access {
    /// Holds a request against what its sender may do.
    ///
    /// # Errors
    /// 401, 403, and 503 where it cannot be told.
    pub fn check(self, method: &Method) -> Result<()> {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        match self {
            Self::Granted(Scope::Write) => Ok(()),
            Self::Granted(Scope::Read) if reads => Ok(()),
            Self::Granted(Scope::Read) => Err(Error::forbidden()),
            Self::Missing => Err(Error::unauthorized(false)),
            Self::Unknown => Err(Error::unauthorized(true)),
            Self::Unavailable => Err(Error::unavailable()),
        }
    }
}

/// A token as its holder sends it: 256 random bits. Shown once, never stored, and nothing of it is ever printed
/// by accident.
pub struct Token([u8; SECRET_BYTES]);

impl Token {
    /// A new token, from the system's source of randomness.
    ///
    /// # Errors
    /// When the system has none.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret)?;
        Ok(Self(secret))
    }

    /// The token in an `Authorization` header; `None` for what is no bearer token of ours.
    pub fn from_header(header: &str) -> Option<Self> {
        let (_, text) = header.trim().split_once(' ').filter(|_| Self::is_bearer(header))?;
        URL_SAFE_NO_PAD.decode(text.trim()).ok()?.try_into().ok().map(Self)
    }

    /// Whether an `Authorization` header has a token of any kind.
    pub fn is_bearer(header: &str) -> bool {
        header.trim().split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"))
    }

    /// The text that its holder sends.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What is stored of it. A token has all the randomness that a hash can keep: it needs no salt, and no slow hash.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// The SHA-256 of a token.
pub struct TokenHash([u8; SECRET_BYTES]);

impl TokenHash {
    /// What names the token in lists: the first 64 bits, which tell nothing of the token.
    pub fn id(&self) -> String {
        self.to_string()[..16].to_owned()
    }

    /// Whether a stored hash is this one, in a time that does not depend on where they differ.
    pub fn is(&self, stored: &str) -> bool {
        self.to_string().as_bytes().ct_eq(stored.as_bytes()).into()
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// What is kept of a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredToken {
    /// Names it, in lists and to revoke it.
    #[serde(rename = "token_id")]
    pub id: String,
    /// The SHA-256 of the token, in hexadecimal.
    pub hash: String,
    /// Who has it, as a person wrote it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// When it was made.
    #[serde(rename = "time", with = "as_text")]
    pub created_at: Timestamp,
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::value::Timestamp;

    pub(super) fn serialize<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&time.sortable())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        Timestamp::parse(&text).ok_or_else(|| D::Error::custom("no timestamp"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_from_its_header_and_from_nothing_else() {
        let token = Token::draw().expect("randomness");
        let read = |header: String| Token::from_header(&header).map(|read| read.hash().to_string());
        let hash = Some(token.hash().to_string());
        assert_eq!(read(format!("Bearer {}", token.reveal())), hash);
        assert_eq!(read(format!("bearer  {}", token.reveal())), hash);
        for wrong in ["", "Bearer", "Bearer ", "Bearer x", "Bearer é"] {
            assert_eq!(read(wrong.to_owned()), None, "{wrong}");
        }
        assert_eq!(read(format!("Basic {}", token.reveal())), None);
        assert_eq!(read(format!("Bearer {0},{0}", token.reveal())), None);
        assert_eq!(read(format!("Bearer {}A", token.reveal())), None);
    }

    #[test]
    fn a_token_does_not_show_itself() {
        let token = Token::draw().expect("randomness");
        assert_eq!(format!("{token:?}"), "Token");
        assert!(token.hash().is(&token.hash().to_string()));
        assert!(!token.hash().is(""));
    }
}
