//! Identifiers of the record itself or of another record. Unlike integers, they imply references.

use serde_json::{Value as Json, json};

use super::integer::invalid;
use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{Id, MAX_INTEGER, StoredValue, Value};

const RANGE: &str = "Must be an integer between 1 and 9007199254740991.";

/// An integer from 1 to 2^53−1.
pub struct Identifier;

impl Scalar for Identifier {
    type View<'a> = Id;
    const KIND: Kind = Kind::Identifier;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        json.as_u64().and_then(Id::new).map(Value::Id).ok_or_else(|| invalid(&json, RANGE))
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        Id::parse(text).map(Value::Id).ok_or_else(|| ViolationCode::of_integer(text).invalid_value(RANGE))
    }

    fn load(stored: StoredValue) -> Option<Value> {
        Id::parse(stored.digits()?).map(Value::Id)
    }

    fn describe() -> Json {
        json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_INTEGER})
    }

    fn view(value: &Value) -> Option<Id> {
        if let Value::Id(id) = value { Some(*id) } else { None }
    }

    fn value(id: Id) -> Value {
        Value::Id(id)
    }
}
