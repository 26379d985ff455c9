//! JSON as a body has it: a name twice in one object is refused, for it can mean two things.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::{Error, Result, Violation};

/// What marks the error of a name that comes twice.
const TWICE: &str = "twice in one object: ";

/// Reads a body.
///
/// # Errors
/// 400 for what is no JSON or has a name twice in one object, 422 for a number that no value can be.
pub fn read(body: &[u8]) -> Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = Strict.deserialize(&mut reader).and_then(|json| reader.end().map(|()| json));
    read.map_err(|error| refusal(&error, body.is_empty()))
}

fn refusal(error: &serde_json::Error, is_empty: bool) -> Error {
    let text = error.to_string();
    // Correct JSON all the same: the number is what is wrong.
    if text.starts_with("number out of range") {
        return Error::invalid(vec![Violation::at("", "A number in the body is out of range.")]);
    }
    let place = match text.strip_prefix(TWICE) {
        Some(_) => "a name comes twice in one object",
        None if is_empty => "the body is empty",
        None => "it is broken",
    };
    let (line, column) = (error.line(), error.column());
    Error::bad_request(format!(
        "Send one JSON value in UTF-8, nested at most 127 levels deep: {place}, at line {line}, column {column}."
    ))
}

/// Reads any JSON value, strictly.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element_seed(Strict)? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Strict)?;
            if object.contains_key(&name) {
                return Err(A::Error::custom(TWICE));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_name_twice_in_one_object_is_refused_and_in_two_it_is_not() {
        assert!(read(br#"{"a": 1, "a": 1}"#).is_err());
        assert!(read(br#"{"a": {"b": 1, "b": 2}}"#).is_err());
        assert!(read(br#"{"a": {"a": [1, {"a": null}]}}"#).is_ok());
    }

    #[test]
    fn what_is_read_is_what_serde_json_reads() {
        for text in [r#"{"x": [1, -2, 0.5, -0.0, "é\u0000", true, null, {}]}"#, "5", "\"\"", " [] "] {
            assert_eq!(
                read(text.as_bytes()).expect("JSON"),
                serde_json::from_str::<serde_json::Value>(text).expect("JSON")
            );
        }
        for text in ["", "{", "{} x", "[1,]", "nul", "\"\\ud800\"", &"[".repeat(200)] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
