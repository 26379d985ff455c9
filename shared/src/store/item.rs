//! Records as items of the table, and back.
//!
//! An item has the record's values under the names of their fields (the two that order lists under common
//! names), and the attributes that the indexes of its resource's filters look it up by.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use sha2::{Digest, Sha256};

use super::SHARDS;
use crate::record::{Key, Record};
use crate::resource::{Access, Field, Filter, Index, Kind, Resource, Test};
use crate::resources;
use crate::value::{Id, Timestamp, Value};

/// An item of the table.
pub(super) type Item = HashMap<String, AttributeValue>;
/// Attributes to be written; `None` where there is to be none.
pub(super) type Attributes = Vec<(&'static str, Option<AttributeValue>)>;

/// The record as a whole item.
pub(super) fn to_item(record: &Record) -> Item {
    let Key { resource, id } = record.key;
    let fixed = [
        ("pk", text(record.key.to_string())),
        ("resource", text(resource.name)),
        ("id", number(id.number())),
        ("shard", number(shard(id))),
        ("time", text(record.position().time.sortable())),
    ];
    let values = resource.fields.iter().flat_map(|field| {
        attributes(resource, field.name, record.get(field.name))
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
    });
    fixed.into_iter().chain(values).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The attributes that a field's value is stored in: its own, and those that indexes look it up by.
pub(super) fn attributes(resource: &'static Resource, field: &'static str, value: Option<&Value>) -> Attributes {
    let name = resource.attribute(field);
    let looked_up = resource.filters.iter().filter(|filter| filter.field == field).filter_map(|filter| {
        let Access::Index(index) = filter.access else { return None };
        Some((index.key_attribute()?, lookup(filter, index, value)))
    });
    let stored_apart = looked_up.filter(|(key, _)| *key != name);
    std::iter::once((name, value.map(stored))).chain(stored_apart).collect()
}

/// What a filter's index holds for a field's value.
fn lookup(filter: &Filter, index: &Index, value: Option<&Value>) -> Option<AttributeValue> {
    match filter.test {
        Test::IsSet => Some(flag(value.is_some())),
        Test::IsUnset => Some(flag(value.is_none())),
        _ => value.map(|value| lookup_value(filter, index, value)),
    }
}

/// The form in which an index looks up a value. A text of any length, also the empty one, is looked up by
/// its digest: keys must be short and not empty.
pub fn lookup_value(filter: &Filter, index: &Index, value: &Value) -> AttributeValue {
    match value {
        Value::Text(content) if index.key_attribute() != Some(filter.name) => text(digest(content)),
        value => stored(value),
    }
}

/// `true` or `false` as a key, which cannot be a boolean.
pub fn flag(truth: bool) -> AttributeValue {
    text(truth.to_string())
}

/// Half of a SHA-256 in hexadecimal: enough to tell texts apart, short enough for a key.
pub fn digest(content: &str) -> String {
    hex::encode(&Sha256::digest(content)[..16])
}

/// The key of the item that reserves a unique value.
pub fn marker_key(resource: &Resource, field: &str, value: &str) -> String {
    format!("{}/{field}/{}", resource.name, hex::encode(Sha256::digest(value)))
}

/// The partition of a growing index that a record is in.
pub(super) fn shard(id: Id) -> u64 {
    id.number() % SHARDS
}

/// A text as an attribute.
pub fn text(content: impl Into<String>) -> AttributeValue {
    AttributeValue::S(content.into())
}

pub(super) fn number(number: impl std::fmt::Display) -> AttributeValue {
    AttributeValue::N(format!("{number}"))
}

/// A value as it is stored.
pub fn stored(value: &Value) -> AttributeValue {
    match value {
        Value::Id(id) => number(id.number()),
        Value::Integer(integer) => number(integer),
        // DynamoDB's numbers hold less than a double's range: the shortest exact text holds all of it.
        Value::Float(float) => text(float.to_string()),
        Value::Text(content) => text(content),
        Value::Time(time) => text(time.sortable()),
        Value::Ids(ids) => AttributeValue::Ns(ids.iter().map(Id::to_string).collect()),
    }
}

/// The record in an item; `None` when the item is none of the catalogue's.
pub(super) fn from_item(item: &Item) -> Option<Record> {
    let resource = resources::named(item.get("resource")?.as_s().ok()?)?;
    let mut record = Record::new(Key::new(resource, id_in(item, "id")?));
    for field in resource.fields {
        let value = item.get(resource.attribute(field.name)).and_then(|value| from_stored(field, value));
        record.set(field.name, value);
    }
    Some(record)
}

/// The identifier in an attribute.
pub(super) fn id_in(item: &Item, attribute: &str) -> Option<Id> {
    item.get(attribute)?.as_n().ok().and_then(|digits| Id::parse(digits))
}

fn from_stored(field: &Field, value: &AttributeValue) -> Option<Value> {
    let parse_id = |digits: &String| Id::parse(digits);
    Some(match field.kind {
        Kind::Own | Kind::Reference(_) => Value::Id(value.as_n().ok().and_then(parse_id)?),
        Kind::Integer(_) => Value::Integer(value.as_n().ok()?.parse().ok()?),
        Kind::Float => Value::Float(value.as_s().ok()?.parse().ok()?),
        Kind::Name | Kind::Label | Kind::Prose | Kind::Choice(_) | Kind::Image => {
            Value::Text(value.as_s().ok()?.clone())
        }
        Kind::Time => Value::Time(Timestamp::parse(value.as_s().ok()?)?),
        Kind::Ids(_) => Value::Ids(value.as_ns().ok()?.iter().filter_map(parse_id).collect()),
        Kind::One { .. } | Kind::Many { .. } => return None,
    })
}
