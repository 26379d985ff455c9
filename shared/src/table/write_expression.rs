//! Conversion of writes to DynamoDB expressions with placeholders.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};

use super::attribute::{Attributes, number, text, to_attribute};
use crate::schema::{Id, Stored};
use crate::table::{Kind, Placeholders, Write};

/// A write as DynamoDB expressions.
pub(super) struct Expressed {
    /// The kind of the write, with its item or expression.
    pub(super) action: Action,
    /// The condition expression.
    pub(super) condition: Option<String>,
    /// The attribute names of both expressions, by placeholder.
    pub(super) names: Option<HashMap<String, String>>,
    /// The attribute values of both expressions, by placeholder.
    pub(super) values: Option<HashMap<String, AttributeValue>>,
}

/// The kind of a write.
pub(super) enum Action {
    /// Replaces the item.
    Put(Attributes),
    /// Updates the item with an update expression.
    Update(String),
    /// Deletes the item.
    Delete,
    /// Checks the conditions only.
    Check,
}

/// Converts a write to expressions. `shards` is the number of shards that get new records.
pub(super) fn express(pk: &str, write: &Write, shards: u64) -> Expressed {
    let mut held = Placeholders::default();
    let conditions: Vec<_> =
        write.conditions.iter().map(|(condition, _)| condition.expression(write, &mut held)).collect();
    let action = match write.kind {
        Kind::Delete => Action::Delete,
        Kind::Put => {
            let item = write.set.iter().map(|(name, value)| (name.clone(), to_attribute(value)));
            let shard = write.sharded_by.map(|id| ("shard".to_owned(), number(shard(id, shards))));
            Action::Put(item.chain(shard).chain([("pk".to_owned(), text(pk))]).collect())
        }
        Kind::Update => update(write, shards, &mut held).map_or(Action::Check, Action::Update),
    };
    Expressed {
        action,
        condition: (!conditions.is_empty()).then(|| conditions.join(" AND ")),
        // DynamoDB rejects an expression with empty names or values.
        names: (!held.names.is_empty()).then(|| held.names.into_iter().collect()),
        values: (!held.values.is_empty())
            .then(|| held.values.iter().map(|(name, value)| (name.clone(), to_attribute(value))).collect()),
    }
}

/// Returns the shard of a new record in a growing index. The record stays there when the number of shards grows.
///
/// Identifiers that are generated together are consecutive. A multiplicative hash (Knuth, TAOCP 6.4) keeps them from
/// alternating between shards.
fn shard(id: Id, shards: u64) -> u64 {
    (id.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % shards
}

/// Returns the update expression. None if nothing changes.
fn update(write: &Write, shards: u64, held: &mut Placeholders) -> Option<String> {
    let shard = write.sharded_by.map(|id| ("shard".to_owned(), Stored::Number(shard(id, shards).to_string())));
    let set = write.set.clone().into_iter().chain(shard).map(|(name, value)| held.pair(&name, "=", value)).collect();
    let add = write.add.iter().map(|(name, number)| (*name, Stored::Number(number.to_string())));
    let join = write.join.iter().map(|(name, ids)| (*name, Stored::Ids(ids.clone())));
    let add: Vec<_> = add.chain(join).map(|(name, value)| held.pair(name, "", value)).collect();
    let leave = write.leave.iter().map(|(name, ids)| held.pair(name, "", Stored::Ids(ids.clone())));
    let leave = leave.collect();
    let remove = write.remove.iter().map(|name| held.name(name)).collect();
    let clauses: [(&str, Vec<String>); 4] = [("SET", set), ("ADD", add), ("DELETE", leave), ("REMOVE", remove)];
    let clauses = clauses.into_iter().filter(|(_, terms)| !terms.is_empty());
    let clauses: Vec<_> = clauses.map(|(word, terms)| format!("{word} {}", terms.join(", "))).collect();
    (!clauses.is_empty()).then(|| clauses.join(" "))
}

impl Expressed {
    /// Converts the write to an item of a transaction.
    pub(super) fn into_part(self, table: &str, pk: &str) -> TransactWriteItem {
        let on_failure = ReturnValuesOnConditionCheckFailure::AllOld;
        let (part, key) = (TransactWriteItem::builder(), text(pk));
        let Self { action, condition, names, values } = self;
        /// Sets the parameters that all four kinds of items share.
        macro_rules! part {
            ($builder:expr) => {
                $builder
                    .table_name(table)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values)
                    .return_values_on_condition_check_failure(on_failure)
                    .build()
            };
        }
        let built = match action {
            Action::Put(item) => part!(Put::builder().set_item(Some(item))).map(|put| part.put(put)),
            Action::Update(expression) => {
                part!(Update::builder().key("pk", key).update_expression(expression)).map(|update| part.update(update))
            }
            Action::Delete => part!(Delete::builder().key("pk", key)).map(|delete| part.delete(delete)),
            Action::Check => part!(ConditionCheck::builder().key("pk", key)).map(|check| part.condition_check(check)),
        };
        built.unwrap_or_else(|missing| unreachable!("table, key and expression are given: {missing}")).build()
    }
}
