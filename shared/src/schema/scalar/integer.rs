//! Integers up to 2^53−1. JavaScript numbers cannot represent all larger integers exactly.

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{MAX_INTEGER, StoredValue, Value};

/// An integer within ±(2^53−1).
pub type Integer = Between<{ -MAX_INTEGER }, MAX_INTEGER>;
/// A non-negative integer.
pub type Count = Between<0, MAX_INTEGER>;
/// A positive integer.
pub type Quantity = Between<1, MAX_INTEGER>;
/// A duration from 1 to `MAX` seconds.
pub type Seconds<const MAX: i64> = Between<1, MAX>;

/// An integer from `MIN` to `MAX`.
pub struct Between<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Scalar for Between<MIN, MAX> {
    type View<'a> = i64;
    const KIND: Kind = Kind::Integer;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        let number = json.as_i64().filter(|number| (MIN..=MAX).contains(number));
        let range = format!("Must be an integer between {MIN} and {MAX}.");
        number.map(Value::Integer).ok_or_else(|| invalid(&json, &range))
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = is_plain.then(|| text.parse().ok()).flatten();
        let number = number.filter(|number| (-MAX_INTEGER..=MAX_INTEGER).contains(number));
        number.map(Value::Integer).ok_or_else(|| {
            ViolationCode::of_integer(text)
                .invalid_value(format!("Must be an integer between -{MAX_INTEGER} and {MAX_INTEGER}."))
        })
    }

    fn load(stored: StoredValue) -> Option<Value> {
        stored.digits()?.parse().ok().map(Value::Integer)
    }

    fn describe() -> Json {
        json!({"type": "integer", "format": "int64", "minimum": MIN, "maximum": MAX})
    }

    fn view(value: &Value) -> Option<i64> {
        if let Value::Integer(number) = value { Some(*number) } else { None }
    }

    fn value(number: i64) -> Value {
        Value::Integer(number)
    }
}

/// Creates the violation for an integer that is out of range or of another type. It explains two common mistakes:
/// digits in quotes, and a number with a decimal point, which some languages always write.
pub(super) fn invalid(json: &Json, range: &str) -> InvalidValue {
    #[expect(clippy::cast_precision_loss, reason = "a limit, for numbers that are far beyond it")]
    let is_beyond = json.as_f64().is_some_and(|number| number.abs() > MAX_INTEGER as f64);
    let is_consistent = json.as_f64().is_some_and(|number| number.fract() == 0.0);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let advice = match json {
        Json::String(text) if is_digits(text) => " It is a string: leave out the quotes.",
        Json::Number(_) if !json.is_i64() && !is_beyond && is_consistent => {
            " Write it without a decimal point or an exponent."
        }
        _ => "",
    };
    let code = if json.is_i64() || is_beyond { ViolationCode::OutOfRange } else { ViolationCode::WrongType };
    code.invalid_value(format!("{range}{advice}"))
}
