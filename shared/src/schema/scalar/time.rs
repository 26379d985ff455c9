//! Moments.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::schema::{Stored, Timestamp, Value};

/// A moment, to the nanosecond.
pub struct Time;

impl Scalar for Time {
    type View<'a> = Timestamp;
    const CODEC: Codec =
        Codec { kind: Kind::Time, from_json, from_query, load, describe, words: &[], out_of_line: false };

    fn view(value: &Value) -> Option<Timestamp> {
        if let Value::Time(time) = value { Some(*time) } else { None }
    }

    fn value(time: Timestamp) -> Value {
        Value::Time(time)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars read alike, and texts keep what they are given")]
fn from_json(json: Json) -> Result<Value, String> {
    json.as_str().and_then(Timestamp::parse).map(Value::Time).ok_or_else(|| {
        "Give an RFC 3339 time such as 2026-11-20T16:53:02Z, in the years 1 to 9999, to the nanosecond at most."
            .to_owned()
    })
}

fn from_query(text: &str) -> Result<Value, String> {
    // A plus sign that was not percent-encoded has become a space; nothing else can be meant there.
    Timestamp::parse(&text.replacen(' ', "+", 1))
        .map(Value::Time)
        .ok_or_else(|| "Give an RFC 3339 time such as 2026-11-20T16:53:02Z.".to_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and texts keep what they are given")]
fn load(stored: Stored) -> Option<Value> {
    Timestamp::parse(stored.text()?).map(Value::Time)
}

fn describe() -> Json {
    json!({"type": "string", "format": "date-time"})
}
