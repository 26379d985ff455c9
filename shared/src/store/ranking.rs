//! The index of parents by the sum of their children.

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};

use super::attribute::{number, text};
use super::fault::fault;
use super::{Store, in_parallel};
use crate::error::Result;
use crate::schema::{Id, Role};

/// The most items that one Query requests.
const LARGEST_QUERY: usize = 1_000;

impl Store {
    /// Returns the parents with the highest sums that are not zero, and their sums, the highest first. Equal sums are in
    /// the order of identifiers.
    ///
    /// # Errors
    /// Only if the store fails.
    pub(crate) async fn ranking(&self, sum: &str, most: usize) -> Result<Vec<(Id, i128)>> {
        let shards = in_parallel((0..self.shards()).map(|shard| self.ranking_in(sum, shard, most))).await?;
        let mut ranking: Vec<_> = shards.into_iter().flatten().collect();
        ranking.sort_by_key(|(id, value)| (std::cmp::Reverse(*value), *id));
        ranking.truncate(most);
        Ok(ranking)
    }

    /// Returns the highest sums of one shard. The index has equal sums in the descending order of identifiers, so all
    /// that equal the last one are read.
    async fn ranking_in(&self, sum: &str, shard: u64, most: usize) -> Result<Vec<(Id, i128)>> {
        let index = Role::Sum.index();
        let (mut found, mut next): (Vec<(Id, i128)>, _) = (Vec::new(), None);
        loop {
            let _trip = self.cost.trip();
            let missing = most.saturating_sub(found.len()).clamp(1, LARGEST_QUERY);
            let request = self.clients.dynamo.query().table_name(&self.clients.names.table).index_name(index.name);
            let page = request
                .key_condition_expression("#summed = :summed AND #shard = :shard")
                .expression_attribute_names("#summed", "summed")
                .expression_attribute_names("#shard", "shard")
                .expression_attribute_values(":summed", text(sum))
                .expression_attribute_values(":shard", number(shard))
                .scan_index_forward(false)
                .limit(i32::try_from(missing).unwrap_or(i32::MAX))
                .set_exclusive_start_key(next)
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await
                .map_err(|error| fault(&error))?;
            self.cost.read(page.consumed_capacity.as_slice());
            for item in page.items.unwrap_or_default() {
                let digits = |name: &str| item.get(name).and_then(|value: &AttributeValue| value.as_n().ok());
                let place = digits("id").and_then(|id| Id::parse(id)).zip(digits(sum).and_then(|sum| sum.parse().ok()));
                found.extend(place.filter(|(_, value)| *value != 0));
            }
            next = page.last_evaluated_key;
            let is_enough = found.len() > most
                && found.get(most - 1).map(|(_, value)| value) != found.last().map(|(_, value)| value);
            if next.is_none() || is_enough {
                return Ok(found);
            }
        }
    }
}
