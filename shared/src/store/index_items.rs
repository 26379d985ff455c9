//! The index of parents by the sum of their children.

use super::{Store, in_parallel};
use crate::error::Result;
use crate::request::Direction;
use crate::schema::{Id, Role};

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
        let (mut found, mut next): (Vec<(Id, i128)>, _) = (Vec::new(), None);
        loop {
            let missing = most.saturating_sub(found.len());
            let (read, more) = self.query_shard(Role::Sum, sum, shard, Direction::Descending, missing, next).await?;
            for item in read {
                let digits = |name: &str| item.get(name).and_then(|value| value.as_n().ok());
                let place = digits("id").and_then(|id| Id::parse(id)).zip(digits(sum).and_then(|sum| sum.parse().ok()));
                found.extend(place.filter(|(_, value)| *value != 0));
            }
            next = more;
            let is_enough = found.len() > most
                && found.get(most - 1).map(|(_, value)| value) != found.last().map(|(_, value)| value);
            if next.is_none() || is_enough {
                return Ok(found);
            }
        }
    }
}
