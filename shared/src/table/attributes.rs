//! Converts items that are not records to and from `serde` structs.
//!
//! ```
//! use event_capture::table::{from_document, to_document};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Checkpoint {
//!     last: u64,
//! }
//! let item = to_document(&Checkpoint { last: 5 })?;
//! assert_eq!(from_document(&item), Some(Checkpoint { last: 5 }));
//! # Ok::<_, event_capture::error::Error>(())
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_dynamo::AttributeValue;

use super::item::Item;
use crate::error::{Error, Result};
use crate::schema::{Id, Stored};

/// Returns a struct as an item.
///
/// # Errors
/// 500 if a field has a type that the table does not store here, such as a list.
pub fn to_document(value: &impl Serialize) -> Result<Item> {
    let fault = |cause: &dyn std::fmt::Display| {
        tracing::error!(%cause, "an item cannot be written");
        Error::fault()
    };
    let item: serde_dynamo::Item = serde_dynamo::to_item(value).map_err(|error| fault(&error))?;
    let attributes = item.into_inner().into_iter().map(|(name, value)| Some((name, stored(value)?)));
    attributes.collect::<Option<_>>().ok_or_else(|| fault(&"a field of another type"))
}

/// Returns the struct in an item, or `None` if it has other attributes.
pub fn from_document<T: DeserializeOwned>(item: &Item) -> Option<T> {
    let attributes = item.iter().map(|(name, value)| (name.clone(), attribute(value)));
    let attributes: std::collections::HashMap<_, _> = attributes.collect();
    serde_dynamo::from_item(serde_dynamo::Item::from(attributes)).ok()
}

/// Returns the item in an image of a DynamoDB stream record (DynamoDB JSON). Skips attributes of types that the table
/// does not store.
pub fn from_image(image: &serde_json::Value) -> Option<Item> {
    let image: serde_dynamo::Item = serde::Deserialize::deserialize(image).ok()?;
    Some(image.into_inner().into_iter().filter_map(|(name, value)| Some((name, stored(value)?))).collect())
}

fn stored(value: AttributeValue) -> Option<Stored> {
    match value {
        AttributeValue::S(text) => Some(Stored::Text(text)),
        AttributeValue::N(digits) => Some(Stored::Number(digits)),
        AttributeValue::B(bytes) => Some(Stored::Bytes(bytes)),
        AttributeValue::Ns(numbers) => {
            numbers.iter().map(|digits| Id::parse(digits)).collect::<Option<_>>().map(Stored::Ids)
        }
        _ => None,
    }
}

fn attribute(value: &Stored) -> AttributeValue {
    match value {
        Stored::Text(text) => AttributeValue::S(text.clone()),
        Stored::Number(digits) => AttributeValue::N(digits.clone()),
        Stored::Bytes(bytes) => AttributeValue::B(bytes.clone()),
        Stored::Ids(ids) => AttributeValue::Ns(ids.iter().map(Id::to_string).collect()),
    }
}
