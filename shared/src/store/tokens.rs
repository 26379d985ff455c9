//! Tokens: one item each, under what names it.

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::{ReturnConsumedCapacity, ReturnValue};

use super::fault::fault;
use super::item::{Item, id_in, number, shard, text};
use super::{SHARDS, Store, in_parallel};
use crate::access::{StoredToken, TokenHash};
use crate::error::{Error, Result};

const RESOURCE: &str = "tokens";

fn key(id: &str) -> String {
    format!("{RESOURCE}/{id}")
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

    /// Stores a new token.
    ///
    /// # Errors
    /// When the store fails, or has a token of this very name.
    pub async fn add_token(&self, token: &StoredToken) -> Result<()> {
        // A few plain texts: there is nothing in them that could fail to become an item.
        let mut item: Item = serde_dynamo::to_item(token).unwrap_or_default();
        // What lists are read by; the number orders what was made in the same instant.
        let id = self.draw_id(token.created_at);
        let fixed = [
            ("pk", text(key(&token.id))),
            ("resource", text(RESOURCE)),
            ("id", number(id)),
            ("shard", number(shard(id))),
        ];
        item.extend(fixed.map(|(name, value)| (name.to_owned(), value)));
        let request = self.clients.dynamo.put_item().table_name(&self.clients.names.table).set_item(Some(item));
        let put = request.condition_expression("attribute_not_exists(pk)").send().await;
        match put.map_err(SdkError::into_service_error) {
            Ok(_) => Ok(()),
            Err(PutItemError::ConditionalCheckFailedException(_)) => Err(Error::fault()),
            Err(error) => {
                tracing::error!(%error, "a token could not be stored");
                Err(Error::unavailable())
            }
        }
    }

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn tokens(&self) -> Result<Vec<StoredToken>> {
        let shards = in_parallel((0..SHARDS).map(|shard| self.all_in_shard(RESOURCE, shard))).await?;
        let mut tokens: Vec<_> = shards.into_iter().flatten().filter_map(from_item).collect();
        tokens.sort_by_key(|token| token.created_at);
        Ok(tokens)
    }

    /// Deletes a token. Answers whether there was one.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        let request = self.clients.dynamo.delete_item().table_name(&self.clients.names.table);
        let request = request.key("pk", text(key(id))).return_values(ReturnValue::AllOld);
        let done = request.send().await.map_err(|error| fault(&error))?;
        Ok(done.attributes.is_some())
    }

    /// Everything in one partition of the index of whole lists that is no record of the catalogue.
    pub(super) async fn all_in_shard(&self, resource: &str, shard: u64) -> Result<Vec<Item>> {
        let (mut items, mut next) = (Vec::new(), None);
        loop {
            let _trip = self.cost.trip();
            let request = self.clients.dynamo.query().table_name(&self.clients.names.table);
            let request = request.index_name(crate::resources::BY_TIME.name).limit(1_000).set_exclusive_start_key(next);
            let page = request
                .key_condition_expression("#resource = :resource AND #shard = :shard")
                .expression_attribute_names("#resource", "resource")
                .expression_attribute_names("#shard", "shard")
                .expression_attribute_values(":resource", text(resource))
                .expression_attribute_values(":shard", number(shard))
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await
                .map_err(|error| fault(&error))?;
            self.cost.read(page.consumed_capacity.as_slice());
            items.extend(page.items.unwrap_or_default());
            next = page.last_evaluated_key;
            if next.is_none() {
                return Ok(items);
            }
        }
    }
}

fn from_item(item: Item) -> Option<StoredToken> {
    id_in(&item, "id")?;
    serde_dynamo::from_item(item).ok()
}
