//! Times. The table stores them with all nine fractional digits, so they sort as texts.

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::timestamp::DATE;
use crate::schema::{StoredValue, Timestamp, Value};

const FORMAT: &str =
    "Must be an RFC 3339 time such as 2026-11-20T16:53:02Z, in the years 1 to 9999, with at most 9 fractional digits.";

const NO_OFFSET: &str = "The offset from UTC is missing. Add Z for UTC, or an offset such as +01:00.";

/// A time with nanosecond precision.
pub struct Time;

impl Scalar for Time {
    type View<'a> = Timestamp;
    const KIND: Kind = Kind::Time;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        let text = json.as_str().ok_or_else(|| ViolationCode::WrongType.invalid_value(FORMAT))?;
        Timestamp::parse(text).map(Value::Time).ok_or_else(|| not_a_time(text))
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        // A plus sign that was not percent-encoded arrives as a space. Only the date may be followed by a real space.
        let (date, time) = text.split_at_checked(DATE + 1).unwrap_or((text, ""));
        let time = Timestamp::parse(&format!("{date}{}", time.replacen(' ', "+", 1)));
        time.map(Value::Time).ok_or_else(|| not_a_time(text))
    }

    fn load(stored: StoredValue) -> Option<Value> {
        Timestamp::parse(stored.text()?).map(Value::Time)
    }

    fn describe() -> Json {
        json!({"type": "string", "format": "date-time"})
    }

    fn view(value: &Value) -> Option<Timestamp> {
        if let Value::Time(time) = value { Some(*time) } else { None }
    }

    fn value(time: Timestamp) -> Value {
        Value::Time(time)
    }
}

fn not_a_time(text: &str) -> InvalidValue {
    let lacks_offset = Timestamp::parse(&format!("{text}Z")).is_some();
    ViolationCode::InvalidFormat.invalid_value(if lacks_offset { NO_OFFSET } else { FORMAT })
}
