//! Booleans.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{Stored, Value};

/// True or false.
pub struct Boolean;

impl Scalar for Boolean {
    type View<'a> = bool;
    const CODEC: Codec = Codec {
        kind: Kind::Boolean,
        from_json: |json| match json {
            Json::Bool(truth) => Ok(Value::Boolean(truth)),
            _ => Err(Rule::WrongType.violation(TRUE_OR_FALSE)),
        },
        from_text,
        load,
        describe: || json!({"type": "boolean"}),
        words: &[],
        out_of_line: false,
        most_json: 0,
    };

    fn view(value: &Value) -> Option<bool> {
        if let Value::Boolean(truth) = value { Some(*truth) } else { None }
    }

    fn value(truth: bool) -> Value {
        Value::Boolean(truth)
    }
}

const TRUE_OR_FALSE: &str = "Must be true or false.";

fn from_text(text: &str) -> Result<Value, InvalidValue> {
    text.parse().map(Value::Boolean).map_err(|_| Rule::InvalidFormat.violation(TRUE_OR_FALSE))
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and a text is moved")]
fn load(stored: Stored) -> Option<Value> {
    stored.text()?.parse().ok().map(Value::Boolean)
}
