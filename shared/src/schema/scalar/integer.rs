//! Whole numbers.

use serde_json::json;

use super::{Codec, Kind, Scalar};
use crate::schema::{MAX_INTEGER, Stored, Value};

/// A whole number within ±(2^53−1).
pub type Integer = AtLeast<{ -MAX_INTEGER }>;
/// A whole number that is never negative.
pub type Count = AtLeast<0>;
/// A whole number from 1 on.
pub type Quantity = AtLeast<1>;

/// A whole number from `LEAST` to 2^53−1.
pub struct AtLeast<const LEAST: i64>;

impl<const LEAST: i64> Scalar for AtLeast<LEAST> {
    type View<'a> = i64;
    const CODEC: Codec = Codec {
        kind: Kind::Integer,
        from_json: |json| {
            json.as_i64()
                .filter(|number| (LEAST..=MAX_INTEGER).contains(number))
                .map(Value::Integer)
                .ok_or_else(range::<LEAST>)
        },
        from_query,
        load,
        describe: || json!({"type": "integer", "format": "int64", "minimum": LEAST, "maximum": MAX_INTEGER}),
        words: &[],
        out_of_line: false,
    };

    fn view(value: &Value) -> Option<i64> {
        if let Value::Integer(number) = value { Some(*number) } else { None }
    }

    fn value(number: i64) -> Value {
        Value::Integer(number)
    }
}

fn range<const LEAST: i64>() -> String {
    if LEAST == -MAX_INTEGER {
        "Give an integer within ±(2^53−1).".to_owned()
    } else {
        format!("Give an integer from {LEAST} to 2^53−1.")
    }
}

fn from_query(text: &str) -> Result<Value, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok()).flatten();
    let number = number.filter(|number| (-MAX_INTEGER..=MAX_INTEGER).contains(number));
    number.map(Value::Integer).ok_or_else(|| "Give an integer within ±(2^53−1).".to_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and texts keep what they are given")]
fn load(stored: Stored) -> Option<Value> {
    stored.digits()?.parse().ok().map(Value::Integer)
}
