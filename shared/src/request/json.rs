//! Parses JSON bodies. A duplicate name in an object is ambiguous, so it is rejected.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use crate::error::{Error, Result};

/// Error message for a duplicate name.
const DUPLICATE: &str = "an object has a duplicate name";

/// Parses a body.
///
/// # Errors
/// 400 if the body is not JSON or has a duplicate name in an object.
pub fn parse(body: &[u8]) -> Result<Value> {
    let plain = with_plain_numbers(body);
    let mut deserializer = serde_json::Deserializer::from_slice(&plain);
    let parsed = Strict.deserialize(&mut deserializer).and_then(|json| deserializer.end().map(|()| json));
    parsed.map_err(|error| malformed_body(&error, &plain))
}

/// Returns true if a body was rejected for a duplicate name in an object.
pub fn has_duplicate(error: &Error) -> bool {
    error.detail().contains(DUPLICATE)
}

/// Returns the text of the value at an RFC 6901 pointer of a valid body.
pub fn text_at<'a>(body: &'a [u8], pointer: &str) -> Option<&'a str> {
    let mut value: &RawValue = serde_json::from_slice(body).ok()?;
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        let mut members: HashMap<String, &RawValue> = serde_json::from_str(value.get()).ok()?;
        value = members.remove(&name)?;
    }
    Some(value.get())
}

/// Problems of a body, by the prefix of `serde_json`'s message. Its messages are not sent. They are not written for the
/// author of a client, and may change with any version.
const PROBLEMS: [(&str, &str); 13] = [
    (DUPLICATE, DUPLICATE),
    ("EOF while parsing", "it ends too early"),
    ("trailing comma", "there is a trailing comma"),
    ("trailing characters", "more text follows the value"),
    ("recursion limit exceeded", "it is nested too deeply"),
    ("key must be a string", "a name has no double quotes"),
    ("expected `:`", "a colon is missing after a name"),
    ("expected `,`", "a comma or a closing bracket is missing"),
    ("expected", "a value is missing or misspelled"),
    ("invalid number", "a number is malformed"),
    ("control character", "a text has an unescaped line break or control character"),
    ("invalid unicode", "it is not UTF-8"),
    ("", "a text has an invalid escape"),
];
/// Texts of other languages that are not JSON, and the problem.
const FOREIGN: [(&[&str], &str); 4] = [
    (&["NaN", "Infinity", "-Infinity"], "JSON has no NaN and no Infinity"),
    (&["//", "/*", "#"], "JSON has no comments"),
    (&["undefined"], "JSON has no undefined"),
    (&["True", "False", "None"], "true, false and null are written in lower case"),
];
/// Byte order mark, which some editors write before UTF-8 text. JSON does not allow it (RFC 8259, section 8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn malformed_body(error: &serde_json::Error, body: &[u8]) -> Error {
    let text = error.to_string();
    let (line, column) = (error.line(), error.column());
    let rest = body.split(|byte| *byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let rest = rest.get(column.saturating_sub(1)..).unwrap_or_default();
    // Other errors are inside of a text.
    let is_outside =
        ["expected", "key must", "invalid number", "trailing"].iter().any(|problem| text.starts_with(problem));
    let is_foreign =
        |(texts, _): &&(&[&str], _)| is_outside && texts.iter().any(|text| rest.starts_with(text.as_bytes()));
    let problem = match PROBLEMS.iter().find(|(beginning, _)| text.starts_with(beginning)) {
        _ if body.is_empty() => "the body is empty",
        _ if body.starts_with(BYTE_ORDER_MARK) => "it starts with a byte order mark",
        problem => FOREIGN
            .iter()
            .find(is_foreign)
            .map(|(_, problem)| *problem)
            .or(problem.map(|(_, problem)| *problem))
            .unwrap_or_default(),
    };
    Error::malformed_body(format!(
        "Send one JSON value in UTF-8, nested at most 127 levels deep: {problem}, at line {line}, column {column}."
    ))
}

/// Replaces the numbers that `serde_json` would misread.
///
/// `-0`, which it reads as a float, becomes `0`. A number beyond the range of a double becomes `true`. No field accepts
/// `true`, so the violation names the field.
pub fn with_plain_numbers(body: &[u8]) -> Cow<'_, [u8]> {
    let (mut plain, mut copied, mut offset) = (Vec::new(), 0, 0);
    while let Some(&byte) = body.get(offset) {
        let end = match byte {
            b'"' => end_of_text(body, offset),
            b'-' | b'0'..=b'9' => end_of_number(body, offset),
            _ => offset + 1,
        };
        if let Some(replacement) = std::str::from_utf8(&body[offset..end]).ok().and_then(plain_number) {
            plain.extend_from_slice(&body[copied..offset]);
            plain.extend_from_slice(replacement.as_bytes());
            copied = end;
        }
        offset = end;
    }
    if copied == 0 {
        return Cow::Borrowed(body);
    }
    plain.extend_from_slice(&body[copied..]);
    Cow::Owned(plain)
}

/// Returns the replacement for a number that `serde_json` would misread.
fn plain_number(token: &str) -> Option<&'static str> {
    if !token.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return None;
    }
    if token == "-0" {
        return Some("0");
    }
    // Each parser accepts some texts that are not JSON, but not the same texts. Use both.
    let is_infinite = token.parse::<f64>().is_ok_and(f64::is_infinite);
    let is_out_of_range = |error: serde_json::Error| error.to_string().starts_with("number out of range");
    (is_infinite && serde_json::from_str::<f64>(token).is_err_and(is_out_of_range)).then_some("true")
}

fn end_of_text(body: &[u8], start: usize) -> usize {
    let mut offset = start + 1;
    while let Some(length) =
        body.get(offset..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\')))
    {
        match body[offset + length] {
            b'"' => return offset + length + 1,
            _ => offset += length + 2,
        }
    }
    body.len()
}

fn end_of_number(body: &[u8], start: usize) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    body[start..].iter().position(|byte| !is_part(byte)).map_or(body.len(), |length| start + length)
}

/// A deserializer of any JSON value that rejects duplicate names.
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
                return Err(A::Error::custom(DUPLICATE));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
