//! Conversions between items, DynamoDB's attribute values and `serde` structs.
//!
//! The attribute values are those of `serde_dynamo`, which converts them from and to the SDK's types and the JSON of
//! streams. One pair of functions therefore knows how a [`StoredValue`] is represented.
//!
//! ```
//! use capture_core::table::{from_document, to_document};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Checkpoint {
//!     last: u64,
//! }
//! let item = to_document(&Checkpoint { last: 5 })?;
//! assert_eq!(from_document(&item), Some(Checkpoint { last: 5 }));
//! # Ok::<_, capture_core::error::Error>(())
//! ```

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_dynamo::AttributeValue;

use super::item::{Item, from_item};
use crate::error::{Error, Result};
use crate::schema::{Id, Record, StoredValue};

/// Converts a struct to an item.
///
/// # Errors
/// 500 if a field has a type that the table does not store, such as a list.
pub fn to_document(document: &impl Serialize) -> Result<Item> {
    let fault = |cause: &dyn std::fmt::Display| {
        tracing::error!(%cause, "an item cannot be written");
        Error::fault()
    };
    let attributes: serde_dynamo::Item = serde_dynamo::to_item(document).map_err(|error| fault(&error))?;
    let item = attributes.into_inner().into_iter().map(|(name, value)| Some((name, to_stored(value)?)));
    item.collect::<Option<_>>().ok_or_else(|| fault(&"a field of another type"))
}

/// Converts an item to a struct. `None` if its attributes do not fit.
pub fn from_document<T: DeserializeOwned>(item: &Item) -> Option<T> {
    serde_dynamo::from_item(attributes(item)).ok()
}

/// Converts attributes to a partition key and an item. Attributes of types that the table does not store are skipped.
pub fn item_from(attributes: impl IntoIterator<Item = (String, impl Into<AttributeValue>)>) -> (String, Item) {
    let values = attributes.into_iter().filter_map(|(name, value)| Some((name, to_stored(value.into())?)));
    let mut item: Item = values.collect();
    let pk = item.remove("pk").and_then(StoredValue::into_text).unwrap_or_default();
    (pk, item)
}

/// Converts an item to a record. `None` if it is not a record of the catalogue.
pub(crate) fn record_from(mut item: Item) -> Option<Record> {
    from_item(|name| item.remove(name))
}

/// Converts an item to attributes.
pub fn attributes(item: &Item) -> serde_dynamo::Item {
    let attributes = item.iter().map(|(name, value)| (name.clone(), AttributeValue::from(value)));
    attributes.collect::<HashMap<_, _>>().into()
}

fn to_stored(value: AttributeValue) -> Option<StoredValue> {
    match value {
        AttributeValue::S(text) => Some(StoredValue::Text(text)),
        AttributeValue::N(digits) => Some(StoredValue::Number(digits)),
        AttributeValue::B(bytes) => Some(StoredValue::Bytes(bytes)),
        AttributeValue::Ns(ids) => {
            ids.iter().map(|digits| Id::parse(digits)).collect::<Option<_>>().map(StoredValue::Ids)
        }
        _ => None,
    }
}

impl From<&StoredValue> for AttributeValue {
    fn from(value: &StoredValue) -> Self {
        match value {
            StoredValue::Text(text) => Self::S(text.clone()),
            StoredValue::Number(digits) => Self::N(digits.clone()),
            StoredValue::Bytes(bytes) => Self::B(bytes.clone()),
            StoredValue::Ids(ids) => Self::Ns(ids.iter().map(Id::to_string).collect()),
        }
    }
}
