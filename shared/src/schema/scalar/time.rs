//! Times.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{Stored, Timestamp, Value};

/// A time with nanosecond precision.
pub struct Time;

const FORMAT: &str =
    "Must be an RFC 3339 time such as 2026-11-20T16:53:02Z, in the years 1 to 9999, with at most nanoseconds.";

impl Scalar for Time {
    type View<'a> = Timestamp;
    const CODEC: Codec =
        Codec { kind: Kind::Time, from_json, from_text, load, describe, words: &[], out_of_line: false, most_json: 0 };

    fn view(value: &Value) -> Option<Timestamp> {
        if let Value::Time(time) = value { Some(*time) } else { None }
    }

    fn value(time: Timestamp) -> Value {
        Value::Time(time)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars read alike, and a text is moved")]
fn from_json(json: Json) -> Result<Value, InvalidValue> {
    let text = json.as_str().ok_or_else(|| Rule::WrongType.violation(FORMAT))?;
    Timestamp::parse(text).map(Value::Time).ok_or_else(|| Rule::InvalidFormat.violation(FORMAT))
}

fn from_text(text: &str) -> Result<Value, InvalidValue> {
    // A plus sign that was not percent-encoded is decoded as a space. No valid time contains a space.
    Timestamp::parse(&text.replacen(' ', "+", 1)).map(Value::Time).ok_or_else(|| Rule::InvalidFormat.violation(FORMAT))
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and a text is moved")]
fn load(stored: Stored) -> Option<Value> {
    Timestamp::parse(stored.text()?).map(Value::Time)
}

fn describe() -> Json {
    json!({"type": "string", "format": "date-time"})
}
