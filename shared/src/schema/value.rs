//! The values that records are made of, and the two forms that they leave the service in.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{Id, Timestamp};

/// The largest integer on the wire: 2^53−1, the last one that a browser's number can hold exactly.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// One value of a record. A field without a value is absent from its record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An identifier, the record's own or another's.
    Id(Id),
    /// A whole number within ±(2^53−1).
    Integer(i64),
    /// A finite number.
    Float(f64),
    /// Unicode text, exactly as it was sent.
    Text(String),
    /// A moment.
    Time(Timestamp),
}

/// What the table keeps of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// A text.
    Text(String),
    /// The digits of a number.
    Number(String),
    /// A set of identifiers, never empty.
    Ids(BTreeSet<Id>),
}

impl Value {
    /// The value as the wire shows it.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Id(id) => json!(id.number()),
            Self::Integer(number) => json!(number),
            Self::Float(number) => json!(number),
            Self::Text(text) => json!(text),
            Self::Time(time) => json!(time.to_string()),
        }
    }

    /// The value as the table keeps it.
    pub fn to_stored(&self) -> Stored {
        match self {
            Self::Id(id) => Stored::Number(id.to_string()),
            Self::Integer(integer) => Stored::Number(integer.to_string()),
            // DynamoDB's numbers hold less than a double's range: the shortest exact text holds all of it.
            Self::Float(float) => Stored::Text(float.to_string()),
            Self::Text(content) => Stored::Text(content.clone()),
            Self::Time(time) => Stored::Text(time.sortable()),
        }
    }
}

impl Stored {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same, taken out.
    pub fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The digits, if it is a number.
    pub fn digits(&self) -> Option<&str> {
        match self {
            Self::Number(digits) => Some(digits),
            _ => None,
        }
    }

    /// The identifiers, if it is a set of them.
    pub fn ids(&self) -> Option<&BTreeSet<Id>> {
        match self {
            Self::Ids(ids) => Some(ids),
            _ => None,
        }
    }
}

impl From<Id> for Value {
    fn from(id: Id) -> Self {
        Self::Id(id)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Self {
        Self::Time(time)
    }
}
