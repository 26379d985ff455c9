//! Identifiers of the record itself or of another record.

use serde_json::{Value as Json, json};

use super::integer::not_an_integer;
use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{Id, MAX_INTEGER, Stored, Value};

const RANGE: &str = "Must be an integer between 1 and 9007199254740991.";

/// An integer from 1 to 2^53−1.
pub struct Identifier;

impl Scalar for Identifier {
    type View<'a> = Id;
    const CODEC: Codec = Codec {
        kind: Kind::Identifier,
        from_json,
        from_text,
        load,
        describe,
        words: &[],
        out_of_line: false,
        most_json: 0,
    };

    fn view(value: &Value) -> Option<Id> {
        if let Value::Id(id) = value { Some(*id) } else { None }
    }

    fn value(id: Id) -> Value {
        Value::Id(id)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars read alike, and a text is moved")]
fn from_json(json: Json) -> Result<Value, InvalidValue> {
    match json.as_u64().and_then(Id::new) {
        Some(id) => Ok(Value::Id(id)),
        None if json.is_i64() => Err(Rule::OutOfRange.violation(RANGE)),
        None => Err(not_an_integer(&json).violation(RANGE)),
    }
}

fn from_text(text: &str) -> Result<Value, InvalidValue> {
    Id::parse(text).map(Value::Id).ok_or_else(|| Rule::of_integer(text).violation(RANGE))
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and a text is moved")]
fn load(stored: Stored) -> Option<Value> {
    Id::parse(stored.digits()?).map(Value::Id)
}

fn describe() -> Json {
    json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_INTEGER})
}
