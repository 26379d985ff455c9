//! Identifiers of records: the record's own, or another's.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::schema::{Id, MAX_INTEGER, Stored, Value};

/// An integer from 1 to 2^53−1.
pub struct Identifier;

impl Scalar for Identifier {
    type View<'a> = Id;
    const CODEC: Codec =
        Codec { kind: Kind::Identifier, from_json, from_query, load, describe, words: &[], out_of_line: false };

    fn view(value: &Value) -> Option<Id> {
        if let Value::Id(id) = value { Some(*id) } else { None }
    }

    fn value(id: Id) -> Value {
        Value::Id(id)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars read alike, and texts keep what they are given")]
fn from_json(json: Json) -> Result<Value, String> {
    json.as_u64().and_then(Id::new).map(Value::Id).ok_or_else(|| "Give an integer from 1 to 2^53−1.".to_owned())
}

fn from_query(text: &str) -> Result<Value, String> {
    Id::parse(text).map(Value::Id).ok_or_else(|| "Give a positive integer of at most 2^53−1.".to_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and texts keep what they are given")]
fn load(stored: Stored) -> Option<Value> {
    Id::parse(stored.digits()?).map(Value::Id)
}

fn describe() -> Json {
    json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_INTEGER})
}
