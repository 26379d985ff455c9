//! A range of one partition of an index, and its parameters for DynamoDB.

use std::collections::HashMap;

use super::attributes::attributes;
use super::expression::Placeholders;
use super::item::number;
use crate::schema::{Role, StoredValue};

/// A range of one partition of an index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRange {
    pub role: Role,
    /// Values of the partition key, in the order of its attributes.
    pub partition: Vec<StoredValue>,
    /// Lower bound of the first attribute of the sort key.
    pub lower: Option<String>,
    /// Upper bound of that attribute.
    pub upper: Option<String>,
    /// Prefix of that attribute, in a range without bounds. Empty for all.
    pub prefix: String,
}

/// A position in a partition of an index. It does not need to be the position of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Values of the sort key, in the order of its attributes.
    pub sort_values: Vec<StoredValue>,
    /// Partition key of the item, which orders items with equal sort keys.
    pub pk: String,
}

/// Parameters of a Query that select its items.
pub struct KeyCondition {
    pub expression: String,
    /// Attribute names by placeholder.
    pub names: Option<HashMap<String, String>>,
    /// Attribute values by placeholder.
    pub values: Option<serde_dynamo::Item>,
}

impl IndexRange {
    /// Selects all items of one shard, in an index with a partition key of two attributes: this value and the shard.
    pub fn of_shard(role: Role, value: &str, shard: u64) -> Self {
        let partition = vec![StoredValue::Text(value.to_owned()), number(shard)];
        Self { role, partition, lower: None, upper: None, prefix: String::new() }
    }

    /// Renders the key condition for DynamoDB.
    pub fn key_condition(&self) -> KeyCondition {
        let mut placeholders = Placeholders::default();
        let index = self.role.index();
        let partition = index.hash.iter().zip(&self.partition);
        let mut terms: Vec<_> = partition.map(|(name, value)| placeholders.term(name, "=", value)).collect();
        let sort_key = index.range.first().copied().unwrap_or_default();
        let text = |bound: &String| StoredValue::Text(bound.clone());
        match (self.lower.as_ref().map(text), self.upper.as_ref().map(text)) {
            (Some(lower), Some(upper)) => {
                let lower = placeholders.term(sort_key, "BETWEEN", &lower);
                terms.push(format!("{lower} AND {}", placeholders.value(&upper)));
            }
            (Some(lower), None) => terms.push(placeholders.term(sort_key, ">=", &lower)),
            (None, Some(upper)) => terms.push(placeholders.term(sort_key, "<=", &upper)),
            (None, None) if !self.prefix.is_empty() => {
                let prefix = placeholders.value(&StoredValue::Text(self.prefix.clone()));
                terms.push(format!("begins_with({}, {prefix})", placeholders.name(sort_key)));
            }
            (None, None) => {}
        }
        let (names, values) = placeholders.into_parameters();
        KeyCondition { expression: terms.join(" AND "), names, values }
    }

    /// Renders the exclusive start key for a position.
    pub fn start_key(&self, position: &Position) -> serde_dynamo::Item {
        let index = self.role.index();
        let partition = index.hash.iter().zip(&self.partition);
        let key = partition.chain(index.range.iter().zip(&position.sort_values));
        let key = key.map(|(name, value)| ((*name).to_owned(), value.clone()));
        attributes(&key.chain([("pk".to_owned(), StoredValue::Text(position.pk.clone()))]).collect())
    }
}
