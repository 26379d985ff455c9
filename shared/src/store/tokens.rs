//! Tokens: one item each, under what names it.

use aws_sdk_dynamodb::types::AttributeValue;
use http::StatusCode;

use super::item::{Item, text};
use super::{Changes, Refusal, Store, in_parallel};
use crate::access::{StoredToken, TokenHash};
use crate::error::{Error, Result};

/// The item that has the identifiers of all tokens.
const DIRECTORY: &str = "tokens/all";
const IDS: &str = "token_ids";

fn key(id: &str) -> String {
    format!("tokens/{id}")
}

impl Store {
    /// The token of a hash, if it is one of ours.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn token(&self, hash: &TokenHash) -> Result<Option<StoredToken>> {
        let item = self.get_item(&key(&hash.id())).await?;
        Ok(item.and_then(from_item).filter(|token| hash.is(&token.hash)))
    }

    /// Stores a new token, and enters it in the directory. Tokens are in no index: who may list records may not list them.
    ///
    /// # Errors
    /// When the store fails, or has a token of this very name.
    pub async fn add_token(&self, token: &StoredToken) -> Result<()> {
        let mut changes = Changes::default();
        // A few plain texts: there is nothing in them that could fail to become an item.
        let mut item: Item = serde_dynamo::to_item(token).unwrap_or_default();
        item.insert("pk".to_owned(), text(key(&token.id)));
        changes.create_item(item);
        changes.write_item(DIRECTORY.to_owned()).add.insert(IDS.to_owned(), AttributeValue::Ss(vec![token.id.clone()]));
        self.commit(&changes).await.map_err(Refusal::into_error)
    }

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn tokens(&self) -> Result<Vec<StoredToken>> {
        let directory = self.get_item(DIRECTORY).await?.unwrap_or_default();
        let ids = directory.get(IDS).and_then(|ids| ids.as_ss().ok()).cloned().unwrap_or_default();
        let items = in_parallel(ids.iter().map(|id| async { self.get_item(&key(id)).await })).await?;
        let mut tokens: Vec<_> = items.into_iter().flatten().filter_map(from_item).collect();
        tokens.sort_by_key(|token| token.created_at);
        Ok(tokens)
    }

    /// Deletes a token. Answers whether there was one.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        let mut changes = Changes::default();
        let gone = Error::not_found("There is no such token.");
        changes.delete_item(key(id)).if_absent(gone);
        changes.write_item(DIRECTORY.to_owned()).take.insert(IDS.to_owned(), AttributeValue::Ss(vec![id.to_owned()]));
        match self.commit(&changes).await.map_err(Refusal::into_error) {
            Ok(()) => Ok(true),
            Err(error) if error.status() == StatusCode::NOT_FOUND => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn from_item(item: Item) -> Option<StoredToken> {
    serde_dynamo::from_item(item).ok()
}
