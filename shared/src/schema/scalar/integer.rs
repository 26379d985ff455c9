//! Integers.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{MAX_INTEGER, Stored, Value};

/// An integer within ±(2^53−1).
pub type Integer = AtLeast<{ -MAX_INTEGER }>;
/// A non-negative integer.
pub type Count = AtLeast<0>;
/// A positive integer.
pub type Quantity = AtLeast<1>;

/// An integer from `LEAST` to 2^53−1.
pub struct AtLeast<const LEAST: i64>;

impl<const LEAST: i64> Scalar for AtLeast<LEAST> {
    type View<'a> = i64;
    const CODEC: Codec = Codec {
        kind: Kind::Integer,
        from_json: |json| match json.as_i64() {
            Some(number) if (LEAST..=MAX_INTEGER).contains(&number) => Ok(Value::Integer(number)),
            Some(_) => Err(Rule::OutOfRange.violation(range::<LEAST>())),
            None => Err(not_an_integer(&json).violation(range::<LEAST>())),
        },
        from_text,
        load,
        describe: || json!({"type": "integer", "format": "int64", "minimum": LEAST, "maximum": MAX_INTEGER}),
        words: &[],
        out_of_line: false,
        most_json: 0,
    };

    fn view(value: &Value) -> Option<i64> {
        if let Value::Integer(number) = value { Some(*number) } else { None }
    }

    fn value(number: i64) -> Value {
        Value::Integer(number)
    }
}

fn range<const LEAST: i64>() -> String {
    format!("Must be an integer between {LEAST} and {MAX_INTEGER}.")
}

/// Returns the rule that a value breaks that is no 64-bit integer: a number beyond the range, or another type.
pub(super) fn not_an_integer(json: &Json) -> Rule {
    #[expect(clippy::cast_precision_loss, reason = "a limit, for numbers that are far beyond it")]
    let is_beyond = json.as_f64().is_some_and(|number| number.abs() > MAX_INTEGER as f64);
    if is_beyond { Rule::OutOfRange } else { Rule::WrongType }
}

fn from_text(text: &str) -> Result<Value, InvalidValue> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok()).flatten();
    let number = number.filter(|number| (-MAX_INTEGER..=MAX_INTEGER).contains(number));
    number.map(Value::Integer).ok_or_else(|| {
        Rule::of_integer(text).violation(format!("Must be an integer between -{MAX_INTEGER} and {MAX_INTEGER}."))
    })
}

#[expect(clippy::needless_pass_by_value, reason = "all scalars load alike, and a text is moved")]
fn load(stored: Stored) -> Option<Value> {
    stored.digits()?.parse().ok().map(Value::Integer)
}
