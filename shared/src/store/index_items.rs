//! Pages of an index, and reads of items that are not records, such as states and tombstones.
//!
//! Callers need only the first few items of all shards, so these reads do not need a cursor.

use std::cmp::Reverse;

use super::{Call, Refusal, Store, in_parallel};
use crate::error::Result;
use crate::request::Direction;
use crate::schema::{Id, Role, StoredValue};
use crate::table::{IndexRange, Item, Position};

/// Maximum number of items per Query.
pub(super) const MAX_QUERY_ITEMS: usize = 1_000;

impl Store {
    /// Reads the `max` items with the earliest times, each with its partition key, earliest first.
    pub(crate) async fn items_by_time(&self, resource: &str, max: usize) -> Result<Vec<(String, Item)>> {
        let parse = |pk, item| Some((pk, item));
        let is_enough = |items: &[_]| items.len() >= max;
        let mut items = self.first_items(Role::Time, resource, Direction::Ascending, max, parse, is_enough).await?;
        items.sort_by_cached_key(|(_, item)| {
            let id = item.get("id").and_then(|id| id.digits()?.parse::<i64>().ok());
            (item.get("time").and_then(StoredValue::text).unwrap_or_default().to_owned(), id)
        });
        items.truncate(max);
        Ok(items)
    }

    /// Reads the `max` parents with the highest nonzero sums, each with its sum, highest first. Equal sums are ordered
    /// by identifier.
    pub(crate) async fn ranking(&self, sum: &str, max: usize) -> Result<Vec<(Id, i128)>> {
        let parse = |_, item: Item| {
            let digits = |name: &str| item.get(name).and_then(StoredValue::digits);
            let (id, value) = (Id::parse(digits("id")?)?, digits(sum)?.parse().ok()?);
            Some((id, value)).filter(|(_, value)| *value != 0)
        };
        // The index orders equal sums by descending identifier, so all that tie with the last one are read.
        let is_enough = |parents: &[(Id, i128)]| {
            let value = |parent: Option<&(Id, i128)>| parent.map(|(_, value)| *value);
            parents.len() > max && value(parents.get(max - 1)) != value(parents.last())
        };
        let mut parents = self.first_items(Role::Sum, sum, Direction::Descending, max, parse, is_enough).await?;
        parents.sort_by_key(|(id, value)| (Reverse(*value), *id));
        parents.truncate(max);
        Ok(parents)
    }

    /// Reads the first items of each shard until `is_enough` returns true.
    async fn first_items<T>(
        &self,
        role: Role,
        value: &str,
        direction: Direction,
        count: usize,
        parse: impl Fn(String, Item) -> Option<T>,
        is_enough: impl Fn(&[T]) -> bool,
    ) -> Result<Vec<T>> {
        let of_shard = async |shard| {
            let range = IndexRange::of_shard(role, value, shard);
            let (mut items, mut start) = (Vec::new(), None);
            loop {
                let missing = count.saturating_sub(items.len());
                let (page, next) = self.query_page(&range, direction, missing, start.as_ref()).await?;
                items.extend(page.into_iter().filter_map(|(pk, item)| parse(pk, item)));
                if next.is_none() || is_enough(&items) {
                    return Ok(items);
                }
                start = next;
            }
        };
        Ok(in_parallel((0..self.shards()).map(of_shard)).await?.into_iter().flatten().collect())
    }

    /// Reads one page of a partition. Also returns the position after which the next page starts.
    pub(super) async fn query_page(
        &self,
        range: &IndexRange,
        direction: Direction,
        limit: usize,
        start: Option<&Position>,
    ) -> Result<(Vec<(String, Item)>, Option<Position>)> {
        let limit = limit.clamp(1, MAX_QUERY_ITEMS);
        let page = self.send(Call::Query { range, direction, limit, start }).await.map_err(Refusal::into_error)?;
        Ok((page.items, page.next))
    }
}
