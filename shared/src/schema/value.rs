//! The values of records, and their forms in JSON and in the table.
//!
//! A value renders itself as text. A parsed object would lose the digits of some numbers.

use std::collections::BTreeSet;

use serde_json::json;

use super::digest::digest;
use super::{Id, Timestamp};

/// A value of a record. A field without a value is absent from its record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Identifier of the record or of another record.
    Id(Id),
    /// An integer within ±(2^53−1).
    Integer(i64),
    Boolean(bool),
    /// A finite number.
    Float(f64),
    /// A Unicode text, exactly as sent.
    Text(String),
    /// A JSON object as text, without whitespace between tokens.
    Object(String),
    /// A long text or object, which is stored out of line.
    OutOfLine(OutOfLine),
    Time(Timestamp),
}

/// A reference to a long text or object that is stored out of line, in a separate item.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfLine {
    /// The [`digest`] of the text.
    pub digest: String,
    /// Length of the text in JSON, in bytes.
    pub json_bytes: usize,
}

/// A form of a value in the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StoredValue {
    Text(String),
    /// Digits of a number.
    Number(String),
    /// A non-empty set of identifiers.
    Ids(BTreeSet<Id>),
    /// Opaque bytes.
    Bytes(Vec<u8>),
}

impl Value {
    /// Returns true if the values are equal, even if one of them is stored out of line.
    pub fn content_eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::OutOfLine(out_of_line), Self::Text(text) | Self::Object(text))
            | (Self::Text(text) | Self::Object(text), Self::OutOfLine(out_of_line)) => {
                out_of_line.digest == digest(text)
            }
            (one, other) => one == other,
        }
    }

    /// Returns the [`digest`] of a text, even if it is stored out of line.
    pub fn digest(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Object(text) => Some(digest(text)),
            Self::OutOfLine(out_of_line) => Some(out_of_line.digest.clone()),
            _ => None,
        }
    }

    /// Renders the value as JSON. A text that is stored out of line becomes null.
    pub fn to_json(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Float(number) => json!(number).to_string(),
            Self::Text(text) => serde_json::to_string(text).unwrap_or_default(),
            Self::Object(json) => json.clone(),
            // The text itself is stored elsewhere.
            Self::OutOfLine(_) => "null".to_owned(),
            Self::Time(time) => format!("\"{time}\""),
        }
    }

    /// Converts the value to its form in the table.
    pub fn to_stored(&self) -> StoredValue {
        match self {
            Self::Id(id) => StoredValue::Number(id.to_string()),
            Self::Integer(integer) => StoredValue::Number(integer.to_string()),
            // A key attribute cannot be a boolean.
            Self::Boolean(boolean) => StoredValue::Text(boolean.to_string()),
            // DynamoDB numbers have a smaller range than doubles, so store the shortest exact text.
            Self::Float(float) => StoredValue::Text(float.to_string()),
            Self::Text(content) | Self::Object(content) => StoredValue::Text(content.clone()),
            Self::OutOfLine(OutOfLine { digest, json_bytes }) => StoredValue::Text(format!("{digest} {json_bytes}")),
            Self::Time(time) => StoredValue::Text(time.sortable()),
        }
    }
}

impl StoredValue {
    /// Returns the text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Converts to the text, if it is one.
    pub fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the digits, if it is a number.
    pub fn digits(&self) -> Option<&str> {
        match self {
            Self::Number(digits) => Some(digits),
            _ => None,
        }
    }

    /// Returns the identifiers, if it is a set of them.
    pub fn ids(&self) -> Option<&BTreeSet<Id>> {
        match self {
            Self::Ids(ids) => Some(ids),
            _ => None,
        }
    }
}

impl OutOfLine {
    /// Creates the reference to a text. `json_bytes` is its length in JSON.
    pub fn of(text: &str, json_bytes: usize) -> Self {
        Self { digest: digest(text), json_bytes }
    }

    /// Parses the stored form.
    pub fn load(stored: &StoredValue) -> Option<Self> {
        let (digest, json_bytes) = stored.text()?.split_once(' ')?;
        Some(Self { digest: digest.to_owned(), json_bytes: json_bytes.parse().ok()? })
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
