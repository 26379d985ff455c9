//! Values in DynamoDB's own types, and items of the table out of them.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use crate::plan::{Item, from_item};
use crate::schema::{Id, Record, Stored};

/// An item as the SDK has it.
pub(super) type Attributes = HashMap<String, AttributeValue>;

/// A text.
pub(super) fn text(content: impl Into<String>) -> AttributeValue {
    AttributeValue::S(content.into())
}

/// A number.
pub(super) fn number(number: impl std::fmt::Display) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// A value as DynamoDB has it.
pub(super) fn to_attribute(value: &Stored) -> AttributeValue {
    match value {
        Stored::Text(content) => text(content),
        Stored::Number(digits) => AttributeValue::N(digits.clone()),
        Stored::Bytes(bytes) => AttributeValue::B(bytes.clone().into()),
        Stored::Ids(ids) => AttributeValue::Ns(ids.iter().map(Id::to_string).collect()),
    }
}

/// The key of an item.
pub(super) fn key(pk: impl Into<String>) -> Attributes {
    HashMap::from([("pk".to_owned(), text(pk))])
}

/// The item in what DynamoDB answers, but for types that are none of ours.
pub(super) fn to_item(attributes: Attributes) -> Item {
    attributes.into_iter().filter_map(|(name, value)| Some((name, stored(value)?))).collect()
}

/// The record in what DynamoDB answers; `None` when it is none of the catalogue's.
pub(super) fn to_record(mut attributes: Attributes) -> Option<Record> {
    from_item(|name| attributes.remove(name).and_then(stored))
}

fn stored(value: AttributeValue) -> Option<Stored> {
    match value {
        AttributeValue::S(content) => Some(Stored::Text(content)),
        AttributeValue::N(digits) => Some(Stored::Number(digits)),
        AttributeValue::B(bytes) => Some(Stored::Bytes(bytes.into_inner())),
        AttributeValue::Ns(ids) => Some(Stored::Ids(ids.iter().filter_map(|digits| Id::parse(digits)).collect())),
        _ => None,
    }
}
