//! Tokens and their stored form. Permission to list records must not include tokens, so they are in no index: a
//! directory item holds their identifiers.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{Store, in_parallel};
use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Id, Record, StoredValue, Timestamp, sortable, unix_seconds};
use crate::table::{
    CommitError, Condition, EXPIRES_AT, GENERATION, WriteKind, WriteSet, from_document, number, to_document,
};

/// 256 bits.
const SECRET_BYTES: usize = 32;
/// Hexadecimal digits in a token's identifier, as many as a number in the directory can hold.
const ID_LENGTH: usize = 13;
/// Default lifetime of a viewer's token.
pub const VIEWER_TOKEN_LIFETIME: time::Duration = time::Duration::days(30);
/// Seconds until the counter of a minute's requests expires.
const COUNTER_LIFETIME: i64 = 600;
/// Item with the identifiers of all tokens.
const DIRECTORY: &str = "tokens/all";
const TOKEN_IDS: &str = "token_ids";

fn key(id: &str) -> String {
    format!("tokens/{id}")
}

/// Permissions of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// GET and HEAD.
    Read,
    /// Everything except PUT of a single record.
    Write,
    /// Everything.
    Import,
    /// GET and HEAD of the feed, of events and of one overlay, and the socket. The scope is narrow because an overlay's
    /// URL is stored in plain text on the machine that displays it.
    Overlay,
    /// One viewer's page: reads the data of that user and of the store, and spends the user's wallet.
    Viewer,
}

impl Scope {
    /// Returns the scope's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Import => "import",
            Self::Overlay => "overlay",
            Self::Viewer => "viewer",
        }
    }

    /// Returns the scope with this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Read, Self::Write, Self::Import, Self::Overlay, Self::Viewer];
        all.into_iter().find(|scope| scope.name() == name)
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

    /// Parses the token in an `Authorization` header. `None` if it is not a bearer token of this service.
    pub fn from_header(header: &str) -> Option<Self> {
        let (_, text) = header.trim().split_once(' ').filter(|_| Self::is_bearer(header))?;
        Self::from_text(text.trim())
    }

    /// Parses the text of a token. `None` if it is not a token of this service.
    pub fn from_text(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// Returns true if an `Authorization` header holds a bearer token of any kind.
    pub fn is_bearer(header: &str) -> bool {
        header.trim().split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"))
    }

    /// Encodes the token as the text that its owner sends.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Hashes the token for storage. It is random enough to need neither a salt nor a slow hash.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// SHA-256 of a token.
pub struct TokenHash([u8; SECRET_BYTES]);

impl TokenHash {
    /// Returns the token's identifier in lists: the first 52 bits of the hash, which reveal nothing about the token.
    pub fn id(&self) -> String {
        self.to_string()[..ID_LENGTH].to_owned()
    }

    /// Returns true if a stored hash is equal. The comparison takes constant time.
    pub fn matches(&self, stored: &str) -> bool {
        self.to_string().as_bytes().ct_eq(stored.as_bytes()).into()
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// A token as its item stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredToken {
    /// Identifier for lists and revocation.
    #[serde(rename = "token_id")]
    pub id: String,
    /// SHA-256 of the token, in hexadecimal.
    pub hash: String,
    /// Name of the token's owner, as a person entered it.
    pub name: String,
    pub scope: Scope,
    #[serde(rename = "time", with = "sortable")]
    pub created_at: Timestamp,
    /// Time at which the token expires, to the second. `None` if it never does. The table's TTL deletes the item
    /// afterwards.
    #[serde(with = "unix_seconds", default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// User that the token belongs to. `None` unless the scope is `viewer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Id>,
    /// Generation of that user. An import may restore a deleted user, but the deleted user's tokens stay invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_generation: Option<i64>,
}

/// Item with the time of a token's last use.
#[derive(Serialize, Deserialize)]
struct TokenUse {
    #[serde(with = "sortable")]
    used_at: Timestamp,
}

/// Drops the fraction of a second, which the table's TTL does not store.
fn to_second(time: Timestamp) -> Timestamp {
    Timestamp::from_unix_seconds(time.unix_seconds()).unwrap_or(time)
}

impl StoredToken {
    /// Returns true if the token has expired.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Creates the stored form of a new token that belongs to no user.
    pub fn new(
        token: &Token,
        name: String,
        scope: Scope,
        created_at: Timestamp,
        expires_at: Option<Timestamp>,
    ) -> Self {
        let (hash, user_id, user_generation) = (token.hash(), None, None);
        let expires_at = expires_at.map(to_second);
        Self { id: hash.id(), hash: hash.to_string(), name, scope, created_at, expires_at, user_id, user_generation }
    }

    /// Turns this into a viewer's token. Without an expiry time, it expires after 30 days.
    #[must_use]
    pub fn of_viewer(self, user: &Record) -> Self {
        let expires_at = self.expires_at.or_else(|| self.created_at.checked_add(VIEWER_TOKEN_LIFETIME).map(to_second));
        let (user_id, user_generation) = (Some(user.key.id), user.integer(GENERATION));
        Self { scope: Scope::Viewer, expires_at, user_id, user_generation, ..self }
    }
}

impl Store {
    /// Reads the token with a hash. `None` if it does not exist or was created before `tokens_not_before`.
    pub async fn token(&self, hash: &TokenHash) -> Result<Option<StoredToken>> {
        let item = self.get_item(&key(&hash.id())).await?;
        Ok(item.as_ref().and_then(from_document::<StoredToken>).filter(|token| {
            let not_before = self.ports.settings.tokens_not_before;
            hash.matches(&token.hash) && not_before.is_none_or(|time| time <= token.created_at)
        }))
    }

    /// Reads the user that a viewer's token may belong to. `None` if the user does not exist or is anonymized.
    pub async fn viewer(&self, user_id: Id) -> Result<Option<Record>> {
        let user = self.get(resources::user_key(user_id)).await?;
        Ok(user.filter(|user| !user.is_anonymized()))
    }

    /// Returns true if the token's user still exists, or if it belongs to none.
    pub async fn has_user_of(&self, token: &StoredToken) -> Result<bool> {
        let Some(user_id) = token.user_id else { return Ok(true) };
        let user = self.viewer(user_id).await?;
        Ok(user.is_some_and(|user| user.integer(GENERATION) == token.user_generation))
    }

    /// Returns true if a token with this identifier exists.
    pub async fn has_token(&self, id: &str) -> Result<bool> {
        Ok(self.get_item(&key(id)).await?.is_some())
    }

    /// Stores a new token and adds it to the directory.
    ///
    /// # Errors
    /// If the store fails, or already has a token with the same identifier.
    pub async fn add_token(&self, token: &StoredToken) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(key(&token.id));
        write.kind = WriteKind::Put;
        write.set = to_document(token)?;
        write.require(Condition::Missing);
        let directory = write_set.write_item(DIRECTORY.to_owned());
        directory.add_members.insert(TOKEN_IDS, number_of(&token.id).into_iter().collect());
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Reads all tokens, the oldest first.
    pub async fn tokens(&self) -> Result<Vec<StoredToken>> {
        let directory = self.get_item(DIRECTORY).await?.unwrap_or_default();
        let numbers = directory.get(TOKEN_IDS).and_then(StoredValue::ids).into_iter().flatten();
        let items = in_parallel(numbers.map(|number| async { self.get_item(&key(&id_of(*number))).await })).await?;
        let mut tokens: Vec<_> = items.iter().flatten().filter_map(from_document::<StoredToken>).collect();
        tokens.sort_by_key(|token| token.created_at);
        Ok(tokens)
    }

    /// Deletes a token and the listening socket connections that were opened with it. Returns true if the token
    /// existed.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(key(id));
        write.kind = WriteKind::Delete;
        write.require_or(Condition::Exists, Error::not_found("Token not found."));
        write_set.write_item(use_key(id)).kind = WriteKind::Delete;
        if let Some(number) = number_of(id) {
            write_set.write_item(DIRECTORY.to_owned()).remove_members.insert(TOKEN_IDS, [number].into());
        }
        match self.commit(&write_set).await.map_err(CommitError::into_error) {
            Ok(()) => self.delete_listeners_of(id).await.map(|()| true),
            Err(error) if error.status() == StatusCode::NOT_FOUND => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Records a use of a token.
    pub async fn record_use(&self, id: &str, now: Timestamp) -> Result<()> {
        let mut write_set = WriteSet::default();
        write_set.write_item(use_key(id)).set = to_document(&TokenUse { used_at: now })?;
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Reads the time of a token's last use, to the minute for the scope `overlay` and to the hour for others. `None`
    /// if no use was recorded.
    pub async fn last_use(&self, id: &str) -> Result<Option<Timestamp>> {
        let item = self.get_item(&use_key(id)).await?;
        Ok(item.and_then(|item| from_document(&item)).map(|TokenUse { used_at }| used_at))
    }

    /// Takes `count` of the `max` requests that a token may send in a minute. `minute` counts from 1970. Returns false
    /// if fewer remain.
    pub async fn take_requests(&self, id: &str, minute: i128, count: u32, max: u32, now: Timestamp) -> Result<bool> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(format!("{}/{minute}", use_key(id)));
        write.add.insert("requests".into(), count.into());
        write.put_attribute(EXPIRES_AT, Some(number(now.unix_seconds() + COUNTER_LIFETIME)));
        write.require(Condition::Within("requests".into(), 0, max.into()));
        match self.commit(&write_set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Outdated) => Ok(false),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}

/// Returns the key of the item with a token's last use. A function that looks up tokens may write this item but not the
/// tokens.
fn use_key(id: &str) -> String {
    format!("token-uses/{id}")
}

/// Returns the token's number in the directory: its identifier, parsed as hexadecimal digits.
fn number_of(id: &str) -> Option<Id> {
    u64::from_str_radix(id, 16).ok().and_then(Id::new)
}

fn id_of(number: Id) -> String {
    format!("{:0width$x}", number.number(), width = ID_LENGTH)
}
