//! Floating-point numbers.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{Stored, Value};

/// A finite number.
pub struct Float;

impl Scalar for Float {
    type View<'a> = f64;
    const CODEC: Codec =
        Codec { kind: Kind::Float, from_json, from_text, load, describe, words: &[], out_of_line: false, most_json: 0 };

    fn view(value: &Value) -> Option<f64> {
        if let Value::Float(number) = value { Some(*number) } else { None }
    }

    fn value(number: f64) -> Value {
        Value::Float(number)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars read alike, and a text is moved")]
fn from_json(json: Json) -> Result<Value, InvalidValue> {
    let number = json.as_f64().filter(|number| number.is_finite());
    number.map(Value::Float).ok_or_else(|| Rule::WrongType.violation("Must be a finite number."))
}

fn from_text(text: &str) -> Result<Value, InvalidValue> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.map(Value::Float).ok_or_else(|| Rule::InvalidFormat.violation("Must be a finite number."))
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and a text is moved")]
fn load(stored: Stored) -> Option<Value> {
    stored.text()?.parse().ok().map(Value::Float)
}

fn describe() -> Json {
    json!({"type": "number"})
}
