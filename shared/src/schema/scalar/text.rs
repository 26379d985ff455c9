//! Texts of several maximum lengths, stored exactly as sent.

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{StoredValue, Value};

/// Maximum length of a short text, in characters.
pub const MAX_SHORT_TEXT_CHARS: usize = 1_024;
/// Maximum length of a long text, in bytes of UTF-8.
pub const MAX_LONG_TEXT_BYTES: usize = 100_000;

/// Maximum length of a brief text, in characters.
pub const MAX_BRIEF_TEXT_CHARS: usize = 500;

/// Maximum length of an answer in the chat, in characters.
const MAX_ANSWER_CHARS: usize = 400;
/// Maximum length of a command's name after the `!`, in characters.
const MAX_COMMAND_CHARS: usize = 24;

/// A text of 1 to 400 characters.
pub struct AnswerText;
/// A text of 1 to 500 characters.
pub struct BriefText;
/// `!` and 1 to 24 letters, digits or `_`.
pub struct CommandName;
/// A text of 1 to 1,024 characters.
pub struct NonEmptyText;
/// A text of at most 1,024 characters.
pub struct ShortText;
/// A text of at most 100,000 bytes of UTF-8.
pub struct LongText;

/// Implement a text scalar from its JSON Schema, its length check and its constants.
macro_rules! text {
    ($scalar:ty, $schema:tt, $check:expr, { $($constant:item)* }) => {
        impl Scalar for $scalar {
            type View<'a> = &'a str;
            const KIND: Kind = Kind::Text;
            $($constant)*

            fn from_json(json: Json) -> Result<Value, InvalidValue> {
                let Json::String(text) = json else { return Err(ViolationCode::WrongType.invalid_value("Must be a string.")) };
                let check: fn(&str) -> Result<(), InvalidValue> = $check;
                check(&text).map(|()| Value::Text(text))
            }

            // A filter accepts a text of any length, and finds nothing if no value can be that long.
            fn from_text(text: &str) -> Result<Value, InvalidValue> {
                Ok(Value::Text(text.to_owned()))
            }

            fn load(stored: StoredValue) -> Option<Value> {
                stored.into_text().map(Value::Text)
            }

            fn describe() -> Json {
                json!($schema)
            }

            fn view(value: &Value) -> Option<&str> {
                if let Value::Text(text) = value { Some(text) } else { None }
            }

            fn value(text: &str) -> Value {
                Value::Text(text.to_owned())
            }
        }
    };
}

// A character or byte of a text can take six bytes in JSON.
text!(NonEmptyText, {"type": "string", "minLength": 1, "maxLength": MAX_SHORT_TEXT_CHARS}, check_non_empty, {
    const MAX_JSON: usize = 6 * MAX_SHORT_TEXT_CHARS;
});
text!(BriefText, {"type": "string", "minLength": 1, "maxLength": MAX_BRIEF_TEXT_CHARS}, check_brief, {
    const MAX_JSON: usize = 6 * MAX_BRIEF_TEXT_CHARS;
});
text!(AnswerText, {"type": "string", "minLength": 1, "maxLength": MAX_ANSWER_CHARS}, check_answer, {
    const MAX_JSON: usize = 6 * MAX_ANSWER_CHARS;
});
text!(CommandName, {"type": "string", "pattern": r"^!\S+$", "maxLength": 1 + MAX_COMMAND_CHARS}, check_command, {
    const MAX_JSON: usize = 6 * (1 + MAX_COMMAND_CHARS);
});
text!(ShortText, {"type": "string", "maxLength": MAX_SHORT_TEXT_CHARS}, check_short, {
    const MAX_JSON: usize = 6 * MAX_SHORT_TEXT_CHARS;
});
text!(LongText, {"type": "string", "maxLength": MAX_LONG_TEXT_BYTES}, check_long, {
    const OUT_OF_LINE: bool = true;
    const MAX_JSON: usize = 6 * MAX_LONG_TEXT_BYTES;
});

fn check_non_empty(text: &str) -> Result<(), InvalidValue> {
    if text.is_empty() {
        Err(ViolationCode::Empty.invalid_value("Must have at least one character."))
    } else {
        check_short(text)
    }
}

fn check_brief(text: &str) -> Result<(), InvalidValue> {
    check_non_empty(text)?;
    check_length(text.chars().count(), MAX_BRIEF_TEXT_CHARS, "characters")
}

fn check_answer(text: &str) -> Result<(), InvalidValue> {
    check_non_empty(text)?;
    check_length(text.chars().count(), MAX_ANSWER_CHARS, "characters")
}

fn check_command(text: &str) -> Result<(), InvalidValue> {
    check_non_empty(text)?;
    check_length(text.chars().count(), 1 + MAX_COMMAND_CHARS, "characters")?;
    let word = text.strip_prefix('!').unwrap_or_default();
    let is_valid = |word: &str| !word.is_empty() && word.chars().all(|char| char.is_alphanumeric() || char == '_');
    let detail = "Must be `!` and 1 to 24 letters, digits or `_`, such as `!buy`.";
    if is_valid(word) { Ok(()) } else { Err(ViolationCode::InvalidFormat.invalid_value(detail)) }
}

fn check_short(text: &str) -> Result<(), InvalidValue> {
    check_length(text.chars().count(), MAX_SHORT_TEXT_CHARS, "characters")
}

fn check_long(text: &str) -> Result<(), InvalidValue> {
    check_length(text.len(), MAX_LONG_TEXT_BYTES, "bytes of UTF-8")
}

fn check_length(length: usize, max: usize, unit: &str) -> Result<(), InvalidValue> {
    let invalid = || ViolationCode::TooLong.invalid_value(format!("Must have at most {max} {unit}."));
    if length <= max { Ok(()) } else { Err(invalid()) }
}
