//! Texts of several lengths, stored exactly as sent.

use serde_json::{Value as Json, json};

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::{Stored, Value};

/// The maximum length of a short text, in characters.
pub const MAX_SHORT_TEXT_CHARS: usize = 1_024;
/// The maximum length of a long text, in bytes of UTF-8.
pub const MAX_LONG_TEXT_BYTES: usize = 100_000;

/// A text of 1 to 1,024 characters.
pub struct NonEmptyText;
/// A text of at most 1,024 characters.
pub struct ShortText;
/// A text of at most 100,000 bytes of UTF-8.
pub struct LongText;

/// Implements a text scalar by a check and the matching JSON Schema.
macro_rules! text {
    ($scalar:ty, $check:expr, $schema:expr, out_of_line: $out_of_line:expr, most: $most:expr) => {
        impl Scalar for $scalar {
            type View<'a> = &'a str;
            const CODEC: Codec = Codec {
                kind: Kind::Text,
                from_json: |json| match json {
                    Json::String(text) => $check(&text).map(|()| Value::Text(text)),
                    _ => Err(Rule::WrongType.violation("Must be a string.")),
                },
                from_text: |text| Ok(Value::Text(text.to_owned())),
                load: |stored: Stored| stored.into_text().map(Value::Text),
                describe: || $schema,
                words: &[],
                out_of_line: $out_of_line,
                // One character can become six.
                most_json: 6 * $most,
            };

            fn view(value: &Value) -> Option<&str> {
                if let Value::Text(text) = value { Some(text) } else { None }
            }

            fn value(text: &str) -> Value {
                Value::Text(text.to_owned())
            }
        }
    };
}

text!(NonEmptyText, name, json!({"type": "string", "minLength": 1, "maxLength": MAX_SHORT_TEXT_CHARS}), out_of_line: false, most: MAX_SHORT_TEXT_CHARS);
text!(ShortText, label, json!({"type": "string", "maxLength": MAX_SHORT_TEXT_CHARS}), out_of_line: false, most: MAX_SHORT_TEXT_CHARS);
text!(LongText, prose, json!({"type": "string", "maxLength": MAX_LONG_TEXT_BYTES}), out_of_line: true, most: MAX_LONG_TEXT_BYTES);

fn name(text: &str) -> Result<(), InvalidValue> {
    if text.is_empty() { Err(Rule::Empty.violation("Must have at least one character.")) } else { label(text) }
}

fn label(text: &str) -> Result<(), InvalidValue> {
    let fits = text.chars().count() <= MAX_SHORT_TEXT_CHARS;
    fits.then_some(())
        .ok_or_else(|| Rule::TooLong.violation(format!("Must have at most {MAX_SHORT_TEXT_CHARS} characters.")))
}

fn prose(text: &str) -> Result<(), InvalidValue> {
    let fits = text.len() <= MAX_LONG_TEXT_BYTES;
    fits.then_some(())
        .ok_or_else(|| Rule::TooLong.violation(format!("Must have at most {MAX_LONG_TEXT_BYTES} bytes of UTF-8.")))
}
