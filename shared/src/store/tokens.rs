//! Tokens and their stored form. Tokens are in no index, so that permission to list records does not include tokens.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{Store, in_parallel};
use crate::error::{Error, Result};
use crate::schema::{Id, Stored, Timestamp, sortable, unix_seconds};
use crate::table::{CommitError, Condition, EXPIRES_AT, Kind, WriteSet, from_document, to_document};

/// 256 bits.
const SECRET_BYTES: usize = 32;
/// The number of hexadecimal digits in a token's identifier: as many as fit into a number of the directory.
const NAME_LENGTH: usize = 13;
/// The item with the identifiers of all tokens.
const DIRECTORY: &str = "tokens/all";
const IDS: &str = "token_ids";

fn key(id: &str) -> String {
    format!("tokens/{id}")
}

/// The permissions of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// GET and HEAD.
    Read,
    /// Everything but PUT of one record.
    Write,
    /// Everything.
    Import,
    /// GET and HEAD of the feed, of events and of one overlay, and the socket. The scope is narrow because an overlay's
    /// URL is stored in plain text on the machine that displays it.
    Overlay,
}

impl Scope {
    /// Returns the name of the scope.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Import => "import",
            Self::Overlay => "overlay",
        }
    }

    /// Returns the scope with a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Read, Self::Write, Self::Import, Self::Overlay].into_iter().find(|scope| scope.name() == name)
    }
}

/// A token as its owner sends it: 256 random bits. It is revealed once and never stored. `Debug` does not print it.
pub struct Token([u8; SECRET_BYTES]);

impl Token {
    /// Generates a token from the system's source of randomness.
    ///
    /// # Errors
    /// If the system cannot generate random bytes.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret)?;
        Ok(Self(secret))
    }

    /// Parses the token in an `Authorization` header. None if it is not a bearer token of this service.
    pub fn from_header(header: &str) -> Option<Self> {
        let (_, text) = header.trim().split_once(' ').filter(|_| Self::is_bearer(header))?;
        Self::from_text(text.trim())
    }

    /// Parses the text of a token. None if it is not a token of this service.
    pub fn from_text(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// True if an `Authorization` header has a bearer token of any kind.
    pub fn is_bearer(header: &str) -> bool {
        header.trim().split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"))
    }

    /// Returns the text of the token, which its owner sends.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Returns the hash that is stored. A token has as much randomness as the hash can hold, so it needs neither a salt
    /// nor a slow hash.
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
    /// Returns the identifier of the token in lists: the first 52 bits of the hash, which reveal nothing about the
    /// token.
    pub fn id(&self) -> String {
        self.to_string()[..NAME_LENGTH].to_owned()
    }

    /// True if a stored hash is equal. The comparison takes constant time.
    pub fn is(&self, stored: &str) -> bool {
        self.to_string().as_bytes().ct_eq(stored.as_bytes()).into()
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// The stored form of a token: its item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredToken {
    /// The identifier, for lists and for revocation.
    #[serde(rename = "token_id")]
    pub id: String,
    /// The SHA-256 of the token, in hexadecimal.
    pub hash: String,
    /// The name of the token's owner, as a person entered it.
    pub name: String,
    /// The permissions of the token.
    pub scope: Scope,
    /// The time of creation.
    #[serde(rename = "time", with = "sortable")]
    pub created_at: Timestamp,
    /// The time at which the token expires, to the second. None if it never does. The table's TTL deletes the item
    /// after this time.
    #[serde(with = "unix_seconds", default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// The time of a token's last use.
#[derive(Serialize, Deserialize)]
struct TokenUse {
    #[serde(with = "sortable")]
    used_at: Timestamp,
}

impl StoredToken {
    /// True if the token has expired.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    fn number(&self) -> Option<Id> {
        number_of(&self.id)
    }
}

impl Store {
    /// Returns the token with a hash. None if the service has no such token, or if it was created before the time from
    /// which tokens are valid.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn token(&self, hash: &TokenHash) -> Result<Option<StoredToken>> {
        let item = self.get_item(&key(&hash.id())).await?;
        Ok(item.as_ref().and_then(from_document::<StoredToken>).filter(|token| {
            let not_before = self.clients.names.tokens_not_before;
            hash.is(&token.hash) && not_before.is_none_or(|time| time <= token.created_at)
        }))
    }

    /// True if a token with this identifier exists.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn has_token(&self, id: &str) -> Result<bool> {
        Ok(self.get_item(&key(id)).await?.is_some())
    }

    /// Stores a new token and adds it to the directory. Tokens are in no index, so that permission to list records does
    /// not include tokens.
    ///
    /// # Errors
    /// If the store fails, or already has a token with the same identifier.
    pub async fn add_token(&self, token: &StoredToken) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(key(&token.id));
        write.kind = Kind::Put;
        write.set = to_document(token)?;
        write.when(Condition::Missing);
        let directory = write_set.write_item(DIRECTORY.to_owned());
        directory.join.insert(IDS, [token.number()].into_iter().flatten().collect());
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Returns all tokens, the oldest first.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn tokens(&self) -> Result<Vec<StoredToken>> {
        let directory = self.get_item(DIRECTORY).await?.unwrap_or_default();
        let numbers = directory.get(IDS).and_then(Stored::ids).into_iter().flatten();
        let items = in_parallel(numbers.map(|number| async { self.get_item(&key(&name_of(*number))).await })).await?;
        let mut tokens: Vec<_> = items.iter().flatten().filter_map(from_document::<StoredToken>).collect();
        tokens.sort_by_key(|token| token.created_at);
        Ok(tokens)
    }

    /// Deletes a token and the listening socket connections that were opened with it. Returns true if the token
    /// existed.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let gone = Error::not_found("Token not found.");
        let write = write_set.write_item(key(id));
        write.kind = Kind::Delete;
        write.or(Condition::Exists, gone);
        write_set.write_item(use_key(id)).kind = Kind::Delete;
        if let Some(number) = number_of(id) {
            write_set.write_item(DIRECTORY.to_owned()).leave.insert(IDS, [number].into());
        }
        match self.commit(&write_set).await.map_err(CommitError::into_error) {
            Ok(()) => self.remove_listeners_of(id).await.map(|()| true),
            Err(error) if error.status() == StatusCode::NOT_FOUND => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Store {
    /// Records a use of a token.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn record_use(&self, id: &str, now: Timestamp) -> Result<()> {
        let mut write_set = WriteSet::default();
        write_set.write_item(use_key(id)).set = to_document(&TokenUse { used_at: now })?;
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Returns the time of a token's last use, to the minute for the scope `overlay` and to the hour for others. None if
    /// no use is known.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn last_use(&self, id: &str) -> Result<Option<Timestamp>> {
        let item = self.get_item(&use_key(id)).await?;
        Ok(item.and_then(|item| from_document(&item)).map(|TokenUse { used_at }| used_at))
    }

    /// Takes `some` of the `most` requests that a token may send in a minute, counted from 1970. Returns true if that
    /// many were left.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn take_requests(&self, id: &str, minute: i128, some: u32, most: u32, now: Timestamp) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(format!("{}/{minute}", use_key(id)));
        write.add.insert("requests", some.into());
        let forgotten = now.unix_millis() / 1_000 + 600;
        write.put_attribute(EXPIRES_AT, Some(number(forgotten)));
        write.when(Condition::Within("requests", 0, most.into()));
        match self.commit(&write_set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Conflict) => Ok(false),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}

/// Returns the key of the item with a token's last use. A function that looks up tokens may write this item but not the
/// tokens.
fn use_key(id: &str) -> String {
    format!("token-uses/{id}")
}

fn number(value: i128) -> Stored {
    Stored::Number(value.to_string())
}

/// Returns the number of a token in the directory: its identifier, read as hexadecimal digits.
fn number_of(id: &str) -> Option<Id> {
    u64::from_str_radix(id, 16).ok().and_then(Id::new)
}

fn name_of(number: Id) -> String {
    format!("{:0width$x}", number.number(), width = NAME_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_parses_only_from_a_bearer_header() {
        let token = Token::generate().expect("randomness");
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
    fn debug_output_of_a_token_hides_its_value() {
        let token = Token::generate().expect("randomness");
        assert_eq!(format!("{token:?}"), "Token");
        assert!(token.hash().is(&token.hash().to_string()));
        assert!(!token.hash().is(""));
    }
}
