//! JSON objects. The order of names and the text of numbers and strings are kept.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{Stored, Value};

/// A JSON object of at most `MOST` bytes, without the spaces between its tokens.
pub struct Object<const MOST: usize>;

impl<const MOST: usize> Scalar for Object<MOST> {
    type View<'a> = &'a str;
    const CODEC: Codec = Codec {
        kind: Kind::Object,
        from_json: |json| match json {
            Json::Object(_) => object::<MOST>(&json.to_string()),
            _ => Err(Rule::WrongType.violation("Must be an object.")),
        },
        from_text: object::<MOST>,
        load: |stored: Stored| stored.into_text().map(Value::Object),
        describe: || json!({"type": "object", "description": format!("At most {MOST} bytes of JSON, spaces between tokens not counted")}),
        words: &[],
        out_of_line: true,
        most_json: MOST,
    };

    fn view(value: &Value) -> Option<&str> {
        if let Value::Object(json) = value { Some(json) } else { None }
    }

    fn value(json: &str) -> Value {
        Value::Object(json.to_owned())
    }
}

fn object<const MOST: usize>(json: &str) -> Result<Value, InvalidValue> {
    let compact = compact(json);
    let fits = compact.len() <= MOST;
    fits.then_some(Value::Object(compact)).ok_or_else(|| {
        Rule::TooLong.violation(format!("Must have at most {MOST} bytes of JSON, spaces between tokens not counted."))
    })
}

/// Returns JSON text without the spaces between its tokens.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_keeps_its_order_and_the_text_of_numbers() {
        let json = "{ \"b\" : 1.00,\n\"a\":[1e400 , -0, 12345678901234567890],\t\"c d\":\" \\\" \\\\\" }";
        let expected = r#"{"b":1.00,"a":[1e400,-0,12345678901234567890],"c d":" \" \\"}"#;
        assert_eq!(compact(json), expected);
        assert_eq!(object::<100>(json), Ok(Value::Object(expected.to_owned())));
        assert_eq!(object::<10>(json).map_err(|invalid| invalid.rule), Err(Rule::TooLong));
    }
}
