//! Writes as DynamoDB expressions.
//!
//! One rendering serves both kinds of calls, single writes and transactions, because they take the same parameters.

use std::collections::HashMap;

use super::attributes::attributes;
use super::expression::Placeholders;
use super::item::number;
use super::write::{Write, WriteKind};
use crate::schema::{Id, Stored};

/// A write as the parameters of a call.
pub(crate) struct WriteExpression {
    pub(crate) action: WriteAction,
    pub(crate) condition: Option<String>,
    /// Attribute names by placeholder.
    pub(crate) names: Option<HashMap<String, String>>,
    /// Attribute values by placeholder.
    pub(crate) values: Option<serde_dynamo::Item>,
}

/// Change that a call makes to the item.
pub(crate) enum WriteAction {
    /// Replace it.
    Put(serde_dynamo::Item),
    /// Apply an update expression.
    Update(String),
    Delete,
    /// Only check the conditions.
    Check,
}

impl WriteExpression {
    /// Render a write. `shards` is the number of shards that get new records.
    pub(crate) fn new(pk: &str, write: &Write, shards: u64) -> Self {
        let mut placeholders = Placeholders::default();
        let conditions = write.conditions.iter().map(|(condition, _)| condition.render(write, &mut placeholders));
        let conditions: Vec<_> = conditions.collect();
        let shard = write.sharded_by.map(|id| ("shard".to_owned(), number(shard(id, shards))));
        let set = write.set.clone().into_iter().chain(shard);
        let action = match write.kind {
            WriteKind::Delete => WriteAction::Delete,
            WriteKind::Put => {
                let item = set.chain([("pk".to_owned(), Stored::Text(pk.to_owned()))]).collect();
                WriteAction::Put(attributes(&item))
            }
            WriteKind::Update => update(set, write, &mut placeholders).map_or(WriteAction::Check, WriteAction::Update),
        };
        let (names, values) = placeholders.into_parameters();
        let condition = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        Self { action, condition, names, values }
    }
}

/// Return the shard of a new record in a growing index. The record stays there when the number of shards grows.
///
/// Identifiers that are generated together are consecutive. A multiplicative hash (Knuth, TAOCP 6.4) keeps them from
/// alternating between shards.
fn shard(id: Id, shards: u64) -> u64 {
    (id.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % shards
}

/// Render the update expression. `None` if nothing changes.
fn update(
    set: impl Iterator<Item = (String, Stored)>,
    write: &Write,
    placeholders: &mut Placeholders,
) -> Option<String> {
    let set = set.map(|(name, value)| placeholders.term(&name, "=", &value)).collect();
    let amounts = write.add.iter().map(|(name, amount)| (name.as_ref(), number(amount)));
    let new_members = write.add_members.iter().map(|(name, ids)| (*name, Stored::Ids(ids.clone())));
    let add = amounts.chain(new_members).map(|(name, value)| placeholders.term(name, "", &value)).collect();
    let former_members = write.remove_members.iter().map(|(name, ids)| (name, Stored::Ids(ids.clone())));
    let delete = former_members.map(|(name, value)| placeholders.term(name, "", &value)).collect();
    let remove = write.remove.iter().map(|name| placeholders.name(name)).collect();
    let clauses: [(&str, Vec<String>); 4] = [("SET", set), ("ADD", add), ("DELETE", delete), ("REMOVE", remove)];
    let clauses = clauses.into_iter().filter(|(_, terms)| !terms.is_empty());
    let clauses: Vec<_> = clauses.map(|(keyword, terms)| format!("{keyword} {}", terms.join(", "))).collect();
    (!clauses.is_empty()).then(|| clauses.join(" "))
}
