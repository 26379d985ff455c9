//! The values that records are made of, and the two forms that they leave the service in.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

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
    /// A long text, which is kept apart from its record.
    OutOfLine(OutOfLine),
    /// A moment.
    Time(Timestamp),
}

/// What a record has of a long text that is kept apart from it: enough to find it, to tell it from others, and to know how
/// much it is.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfLine {
    /// The [`digest`] of the text.
    pub digest: String,
    /// Its length in JSON, in bytes.
    pub json_bytes: usize,
}

/// Half of a SHA-256 in hexadecimal: enough to tell texts apart, short enough for a key.
pub fn digest(content: &str) -> String {
    hex::encode(&Sha256::digest(content)[..16])
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
    /// Bytes that mean nothing to the table.
    Bytes(Vec<u8>),
}

impl Value {
    /// Whether this is the same value, also where one of the two is kept apart.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::OutOfLine(out_of_line), Self::Text(text)) | (Self::Text(text), Self::OutOfLine(out_of_line)) => {
                out_of_line.digest == digest(text)
            }
            (one, other) => one == other,
        }
    }

    /// The value as the wire shows it.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Id(id) => json!(id.number()),
            Self::Integer(number) => json!(number),
            Self::Float(number) => json!(number),
            Self::Text(text) => json!(text),
            // The text itself is not here.
            Self::OutOfLine(_) => Json::Null,
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
            Self::OutOfLine(OutOfLine { digest, json_bytes }) => Stored::Text(format!("{digest} {json_bytes}")),
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

impl OutOfLine {
    /// What is known of a text of this length in JSON.
    pub fn of(text: &str, json_bytes: usize) -> Self {
        Self { digest: digest(text), json_bytes }
    }

    /// Reads back what the table keeps of it.
    pub fn load(stored: &Stored) -> Option<Self> {
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
