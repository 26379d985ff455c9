//! Writes as DynamoDB expressions.
//!
//! Single writes and transactions take the same parameters, so one rendering serves both.

use std::collections::HashMap;

use super::attributes::attributes;
use super::expression::Placeholders;
use super::item::{Item, number};
use super::write::{Action, Write};
use crate::schema::StoredValue;

/// The parameters of a write.
pub struct WriteExpression {
    /// Item to put, for [`Action::Put`].
    pub item: Option<serde_dynamo::Item>,
    /// Update expression, for [`Action::Update`].
    pub update: Option<String>,
    pub condition: Option<String>,
    /// Attribute names by placeholder.
    pub names: Option<HashMap<String, String>>,
    /// Attribute values by placeholder.
    pub values: Option<serde_dynamo::Item>,
}

impl WriteExpression {
    /// Renders a write. `shards` is the number of shards that get new records.
    pub fn new(pk: &str, write: &Write, shards: u64) -> Self {
        let mut placeholders = Placeholders::default();
        let conditions = write.conditions.iter().map(|(condition, _)| condition.render(write, &mut placeholders));
        let conditions: Vec<_> = conditions.collect();
        let mut set = write.values(shards);
        let (item, update) = match write.action() {
            Action::Put => {
                set.insert("pk".to_owned(), StoredValue::Text(pk.to_owned()));
                (Some(attributes(&set)), None)
            }
            Action::Update => (None, Some(update(&set, write, &mut placeholders))),
            Action::Delete | Action::Check => (None, None),
        };
        let (names, values) = placeholders.into_parameters();
        let condition = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        Self { item, update, condition, names, values }
    }
}

/// Renders the update expression.
fn update(set: &Item, write: &Write, placeholders: &mut Placeholders) -> String {
    let set = set.iter().map(|(name, value)| placeholders.term(name, "=", value)).collect();
    let amounts = write.add.iter().map(|(name, amount)| (name.as_ref(), number(amount)));
    let new_members = write.add_members.iter().map(|(name, ids)| (*name, StoredValue::Ids(ids.clone())));
    let add = amounts.chain(new_members).map(|(name, value)| placeholders.term(name, "", &value)).collect();
    let former_members = write.remove_members.iter().map(|(name, ids)| (name, StoredValue::Ids(ids.clone())));
    let delete = former_members.map(|(name, value)| placeholders.term(name, "", &value)).collect();
    let remove = write.remove.iter().map(|name| placeholders.name(name)).collect();
    let clauses: [(&str, Vec<String>); 4] = [("SET", set), ("ADD", add), ("DELETE", delete), ("REMOVE", remove)];
    let clauses = clauses.into_iter().filter(|(_, terms)| !terms.is_empty());
    clauses.map(|(keyword, terms)| format!("{keyword} {}", terms.join(", "))).collect::<Vec<_>>().join(" ")
}
