//! Booleans. A key attribute cannot be a boolean, so the table stores them as texts.

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{StoredValue, Value};

const FORMAT: &str = "Must be true or false.";

/// True or false.
pub struct Boolean;

impl Scalar for Boolean {
    type View<'a> = bool;
    const KIND: Kind = Kind::Boolean;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        json.as_bool().map(Value::Boolean).ok_or_else(|| ViolationCode::WrongType.invalid_value(FORMAT))
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        text.parse().map(Value::Boolean).map_err(|_| ViolationCode::InvalidFormat.invalid_value(FORMAT))
    }

    fn load(stored: StoredValue) -> Option<Value> {
        stored.text()?.parse().ok().map(Value::Boolean)
    }

    fn describe() -> Json {
        json!({"type": "boolean"})
    }

    fn view(value: &Value) -> Option<bool> {
        if let Value::Boolean(boolean) = value { Some(*boolean) } else { None }
    }

    fn value(boolean: bool) -> Value {
        Value::Boolean(boolean)
    }
}
