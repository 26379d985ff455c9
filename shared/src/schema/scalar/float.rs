//! Floating-point numbers. The table's numbers have a smaller range, so it stores them as texts.

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{StoredValue, Value};

const FORMAT: &str = "Must be a finite number.";

/// A finite number.
pub struct Float;

impl Scalar for Float {
    type View<'a> = f64;
    const KIND: Kind = Kind::Float;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        let number = json.as_f64().filter(|number| number.is_finite());
        number.map(Value::Float).ok_or_else(|| ViolationCode::WrongType.invalid_value(FORMAT))
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Value::Float).ok_or_else(|| ViolationCode::InvalidFormat.invalid_value(FORMAT))
    }

    fn load(stored: StoredValue) -> Option<Value> {
        stored.text()?.parse().ok().map(Value::Float)
    }

    fn describe() -> Json {
        json!({"type": "number", "format": "double"})
    }

    fn view(value: &Value) -> Option<f64> {
        if let Value::Float(number) = value { Some(*number) } else { None }
    }

    fn value(number: f64) -> Value {
        Value::Float(number)
    }
}
