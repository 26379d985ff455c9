//! Conversion of values and items from and to DynamoDB's types.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use crate::schema::{Id, Record, Stored};
use crate::table::{Item, from_item};

/// An item in the SDK's types.
pub(super) type Attributes = HashMap<String, AttributeValue>;

/// Creates a string attribute.
pub(super) fn text(content: impl Into<String>) -> AttributeValue {
    AttributeValue::S(content.into())
}

/// Creates a number attribute.
pub(super) fn number(number: impl std::fmt::Display) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// Converts a stored value to an attribute.
pub(super) fn to_attribute(value: &Stored) -> AttributeValue {
    match value {
        Stored::Text(content) => text(content),
        Stored::Number(digits) => AttributeValue::N(digits.clone()),
        Stored::Bytes(bytes) => AttributeValue::B(bytes.clone().into()),
        Stored::Ids(ids) => AttributeValue::Ns(ids.iter().map(Id::to_string).collect()),
    }
}

/// Creates the primary key of an item.
pub(super) fn key(pk: impl Into<String>) -> Attributes {
    HashMap::from([("pk".to_owned(), text(pk))])
}

/// Converts a DynamoDB item. Attributes of types that the service does not use are skipped.
pub(super) fn to_item(attributes: Attributes) -> Item {
    attributes.into_iter().filter_map(|(name, value)| Some((name, stored(value)?))).collect()
}

/// Converts a DynamoDB item to a record. None if the item is not a record of the catalogue.
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
