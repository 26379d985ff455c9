//! Tokens: what callers send, and what is kept of it. Tokens are in no index: who may list records may not list them.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{Store, in_parallel};
use crate::error::{Error, Result};
use crate::plan::{CommitError, Condition, EXPIRES_AT, Kind, WriteSet, from_document, to_document};
use crate::schema::{Id, Stored, Timestamp, sortable, unix_seconds};

/// 256 bits.
const SECRET_BYTES: usize = 32;
/// The hexadecimal digits that name a token: as many as fit into a number of the directory.
const NAME_LENGTH: usize = 13;
/// The item that has the identifiers of all tokens.
const DIRECTORY: &str = "tokens/all";
const IDS: &str = "token_ids";

fn key(id: &str) -> String {
    format!("tokens/{id}")
}

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// GET and HEAD.
    Read,
    /// Everything.
    Write,
    /// GET and HEAD of the feed, and the socket: an overlay's address is kept in plain text where it is shown.
    Overlay,
}

impl Scope {
    /// The scope's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Overlay => "overlay",
        }
    }

    /// The scope of a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Read, Self::Write, Self::Overlay].into_iter().find(|scope| scope.name() == name)
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
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret)?;
        Ok(Self(secret))
    }

    /// The token in an `Authorization` header; `None` for what is no bearer token of ours.
    pub fn from_header(header: &str) -> Option<Self> {
        let (_, text) = header.trim().split_once(' ').filter(|_| Self::is_bearer(header))?;
        Self::from_text(text.trim())
    }

    /// The token of the text that its holder sends; `None` for what is none of ours.
    pub fn from_text(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
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
    /// What names the token in lists: the first 52 bits, which tell nothing of the token.
    pub fn id(&self) -> String {
        self.to_string()[..NAME_LENGTH].to_owned()
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

/// What is kept of a token: its item.
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
    #[serde(rename = "time", with = "sortable")]
    pub created_at: Timestamp,
    /// When it stops working, to the second, if ever: the table forgets it then.
    #[serde(with = "unix_seconds", default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// When a token was used last.
#[derive(Serialize, Deserialize)]
struct TokenUse {
    #[serde(with = "sortable")]
    used_at: Timestamp,
}

impl StoredToken {
    /// Whether it does not work any more.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    fn number(&self) -> Option<Id> {
        number_of(&self.id)
    }
}

impl Store {
    /// The token of a hash, if it is one of ours, and not from before the moment from which tokens are good.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn token(&self, hash: &TokenHash) -> Result<Option<StoredToken>> {
        let item = self.get_item(&key(&hash.id())).await?;
        Ok(item.as_ref().and_then(from_document::<StoredToken>).filter(|token| {
            let not_before = self.clients.names.tokens_not_before;
            hash.is(&token.hash) && not_before.is_none_or(|time| time <= token.created_at)
        }))
    }

    /// Whether there is a token of this name.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn has_token(&self, id: &str) -> Result<bool> {
        Ok(self.get_item(&key(id)).await?.is_some())
    }

    /// Stores a new token, and enters it in the directory. Tokens are in no index: who may list records may not list them.
    ///
    /// # Errors
    /// When the store fails, or has a token of this very name.
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

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn tokens(&self) -> Result<Vec<StoredToken>> {
        let directory = self.get_item(DIRECTORY).await?.unwrap_or_default();
        let numbers = directory.get(IDS).and_then(Stored::ids).into_iter().flatten();
        let items = in_parallel(numbers.map(|number| async { self.get_item(&key(&name_of(*number))).await })).await?;
        let mut tokens: Vec<_> = items.iter().flatten().filter_map(from_document::<StoredToken>).collect();
        tokens.sort_by_key(|token| token.created_at);
        Ok(tokens)
    }

    /// Deletes a token, and forgets the connections of the socket that it has opened. Answers whether there was one.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let gone = Error::not_found("There is no such token.");
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
    /// Notes that a token has been used.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn note_use(&self, id: &str, now: Timestamp) -> Result<()> {
        let mut write_set = WriteSet::default();
        write_set.write_item(use_key(id)).set = to_document(&TokenUse { used_at: now })?;
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// When a token was used last, to the hour; never, as far as is known, for `None`.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn last_use(&self, id: &str) -> Result<Option<Timestamp>> {
        let item = self.get_item(&use_key(id)).await?;
        Ok(item.and_then(|item| from_document(&item)).map(|TokenUse { used_at }| used_at))
    }

    /// Takes some of the requests that a token may send in a minute, counted from 1970. Answers whether there were as many.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn take_requests(&self, id: &str, minute: i128, some: u32, most: u32, now: Timestamp) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(format!("{}/{minute}", use_key(id)));
        write.add.insert("requests", some.into());
        let forgotten = now.unix_millis() / 1_000 + 600;
        write.put_attribute(EXPIRES_AT, Some(number(forgotten)));
        write.when(Condition::Within("requests", 0, most.into()));
        match self.commit(&write_set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Again) => Ok(false),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}

/// The item that tells of a token's use: who looks tokens up may write this, and not the tokens.
fn use_key(id: &str) -> String {
    format!("token-uses/{id}")
}

fn number(value: i128) -> Stored {
    Stored::Number(value.to_string())
}

/// The number in the directory that a token's name stands for: its digits are hexadecimal.
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
    fn a_token_is_read_back_from_its_header_and_from_nothing_else() {
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
    fn a_token_does_not_show_itself() {
        let token = Token::generate().expect("randomness");
        assert_eq!(format!("{token:?}"), "Token");
        assert!(token.hash().is(&token.hash().to_string()));
        assert!(!token.hash().is(""));
    }
}
