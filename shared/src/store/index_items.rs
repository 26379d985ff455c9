//! Pages of an index, and reads of its items that are not records, such as states and tombstones.
//!
//! These have no cursor, because their callers need only the first ones of all shards.

use std::cmp::Reverse;

use aws_sdk_dynamodb::types::ReturnConsumedCapacity;

use super::fault::fault;
use super::get::Attributes;
use super::{Store, in_parallel};
use crate::error::Result;
use crate::request::Direction;
use crate::schema::{Id, Role, Stored};
use crate::table::{Item, KeyCondition, item_from};

/// Most items that one Query requests.
pub(super) const MAX_QUERY_ITEMS: usize = 1_000;

impl Store {
    /// Read the `max` items with the earliest times, by partition key, the earliest first.
    pub(crate) async fn items_by_time(&self, resource: &str, max: usize) -> Result<Vec<(String, Item)>> {
        let parse = |item: Item| Some((item.get("pk")?.text()?.to_owned(), item));
        let is_enough = |items: &[_]| items.len() >= max;
        let mut items = self.first_items(Role::Time, resource, Direction::Ascending, max, parse, is_enough).await?;
        items.sort_by_cached_key(|(_, item)| {
            let id = item.get("id").and_then(|id| id.digits()?.parse::<i64>().ok());
            (item.get("time").and_then(Stored::text).unwrap_or_default().to_owned(), id)
        });
        items.truncate(max);
        Ok(items)
    }

    /// Read the `max` parents with the highest sums that are not zero, and their sums, the highest first. Equal sums
    /// are in the order of identifiers.
    pub(crate) async fn ranking(&self, sum: &str, max: usize) -> Result<Vec<(Id, i128)>> {
        let parse = |item: Item| {
            let digits = |name: &str| item.get(name).and_then(Stored::digits);
            let (id, value) = (Id::parse(digits("id")?)?, digits(sum)?.parse().ok()?);
            Some((id, value)).filter(|(_, value)| *value != 0)
        };
        // The index has equal sums in the descending order of identifiers, so all that equal the last one are read.
        let is_enough = |parents: &[(Id, i128)]| {
            let value = |parent: Option<&(Id, i128)>| parent.map(|(_, value)| *value);
            parents.len() > max && value(parents.get(max - 1)) != value(parents.last())
        };
        let mut parents = self.first_items(Role::Sum, sum, Direction::Descending, max, parse, is_enough).await?;
        parents.sort_by_key(|(id, value)| (Reverse(*value), *id));
        parents.truncate(max);
        Ok(parents)
    }

    /// Read the first items of each shard until they are enough.
    async fn first_items<T>(
        &self,
        role: Role,
        value: &str,
        direction: Direction,
        count: usize,
        parse: impl Fn(Item) -> Option<T>,
        is_enough: impl Fn(&[T]) -> bool,
    ) -> Result<Vec<T>> {
        let of_shard = async |shard| {
            let (mut items, mut start_key) = (Vec::new(), None);
            loop {
                let missing = count.saturating_sub(items.len());
                let condition = KeyCondition::of_shard(role, value, shard);
                let (page, next) = self.query_page(condition, direction, missing, start_key).await?;
                items.extend(page.into_iter().filter_map(|item| parse(item_from(item))));
                if next.is_none() || is_enough(&items) {
                    return Ok(items);
                }
                start_key = next;
            }
        };
        Ok(in_parallel((0..self.shards()).map(of_shard)).await?.into_iter().flatten().collect())
    }

    /// Read one page of one shard, and the start key of the next page.
    pub(super) async fn query_page(
        &self,
        key_condition: KeyCondition,
        direction: Direction,
        limit: usize,
        start_key: Option<Attributes>,
    ) -> Result<(Vec<Attributes>, Option<Attributes>)> {
        let _trip = self.cost.start_trip();
        let request = self.clients.dynamo.query().table_name(&self.clients.names.table).index_name(key_condition.index);
        let request = request
            .key_condition_expression(key_condition.expression)
            .set_expression_attribute_names(key_condition.names)
            .set_expression_attribute_values(key_condition.values.map(Into::into))
            .set_exclusive_start_key(start_key)
            .scan_index_forward(direction == Direction::Ascending)
            .limit(i32::try_from(limit.clamp(1, MAX_QUERY_ITEMS)).unwrap_or(i32::MAX))
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let page = Box::pin(request.send()).await.map_err(|error| fault(&error))?;
        self.cost.add_read(page.consumed_capacity.as_slice());
        Ok((page.items.unwrap_or_default(), page.last_evaluated_key))
    }
}
