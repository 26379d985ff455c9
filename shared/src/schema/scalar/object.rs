//! JSON objects, kept as texts. A parsed object would lose the digits of some numbers.

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{StoredValue, Value};

/// A JSON object of at most `MAX` bytes, without whitespace between tokens.
pub struct Object<const MAX: usize>;

impl<const MAX: usize> Scalar for Object<MAX> {
    type View<'a> = &'a str;
    const KIND: Kind = Kind::Object;
    const OUT_OF_LINE: bool = true;
    const MAX_JSON: usize = MAX;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        if json.is_object() {
            Self::from_text(&json.to_string())
        } else {
            Err(ViolationCode::WrongType.invalid_value("Must be an object."))
        }
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        let json = compact(text);
        let detail = || format!("Must have at most {MAX} bytes of JSON, not counting spaces between tokens.");
        if json.len() <= MAX { Ok(Value::Object(json)) } else { Err(ViolationCode::TooLong.invalid_value(detail())) }
    }

    fn load(stored: StoredValue) -> Option<Value> {
        stored.into_text().map(Value::Object)
    }

    fn describe() -> Json {
        let description = format!("At most {MAX} bytes of JSON, not counting spaces between tokens");
        json!({"type": "object", "additionalProperties": true, "description": description})
    }

    fn view(value: &Value) -> Option<&str> {
        if let Value::Object(json) = value { Some(json) } else { None }
    }

    fn value(json: &str) -> Value {
        Value::Object(json.to_owned())
    }
}

/// Removes the whitespace between the tokens of a JSON text.
pub fn compact(json: &str) -> String {
    let (mut is_in_string, mut is_escaped) = (false, false);
    let is_significant = |character: &char| {
        let was_in_string = is_in_string;
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_in_string,
            '"' => is_in_string = !is_in_string,
            _ => {}
        }
        was_in_string || !matches!(character, ' ' | '\t' | '\n' | '\r')
    };
    json.chars().filter(is_significant).collect()
}
