//! One value of a body, as its field's kind wants it.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value as Json;

use crate::resource::Kind;
use crate::value::{Id, MAX_INTEGER, Timestamp, Value};

pub(crate) const MAX_LABEL_CHARS: usize = 1_024;
pub(crate) const MAX_PROSE_BYTES: usize = 100_000;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of an image given as text.
pub(super) fn image_bytes(text: &str) -> Option<Vec<u8>> {
    let url = match text.split_at_checked("data:".len()) {
        Some((scheme, url)) if scheme.eq_ignore_ascii_case("data:") => url,
        _ => return BASE64.decode(text).ok(),
    };
    let (media_type, data) = url.split_once(',')?;
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(data).collect();
    if media_type.to_ascii_lowercase().ends_with(";base64") { BASE64.decode(bytes).ok() } else { Some(bytes) }
}

/// JSON has a minus zero, which is read as a fraction.
fn is_minus_zero(json: &Json) -> bool {
    json.as_f64().is_some_and(|number| number == 0.0 && number.is_sign_negative())
}

/// Parses one JSON value as a field's kind wants it.
pub(super) fn value(kind: &Kind, json: Json) -> Result<Value, String> {
    match (kind, json) {
        (Kind::Reference(resource), json) => json
            .as_u64()
            .and_then(Id::new)
            .map(Value::Id)
            .ok_or_else(|| format!("Give the {} as an integer from 1 to 2^53−1.", resource.id)),
        (Kind::Integer(least), json) => json
            .as_i64()
            .or_else(|| is_minus_zero(&json).then_some(0))
            .filter(|number| (*least..=MAX_INTEGER).contains(number))
            .map(Value::Integer)
            .ok_or_else(|| integer_range(*least)),
        (Kind::Float, Json::Number(number)) => number
            .as_f64()
            .filter(|number| number.is_finite())
            .map(Value::Float)
            .ok_or("Give a finite number.".to_owned()),
        (Kind::Float, _) => Err("Give a finite number.".to_owned()),
        (Kind::Choice(words), json) => match json.as_str() {
            Some(word) if words.contains(&word) => Ok(Value::Text(word.to_owned())),
            _ => Err(format!("Give one of {}.", words.join(", "))),
        },
        (Kind::Time, json) => json.as_str().and_then(Timestamp::parse).map(Value::Time).ok_or_else(|| {
            "Give an RFC 3339 time such as 2026-11-20T16:53:02Z, in the years 1 to 9999, to the nanosecond at most."
                .to_owned()
        }),
        (kind, Json::String(text)) => bounded(kind, text).map(Value::Text),
        _ => Err("Give a string.".to_owned()),
    }
}

fn integer_range(least: i64) -> String {
    if least == -MAX_INTEGER {
        "Give an integer within ±(2^53−1).".to_owned()
    } else {
        format!("Give an integer from {least} to 2^53−1.")
    }
}

fn bounded(kind: &Kind, text: String) -> Result<String, String> {
    match kind {
        Kind::Name if text.is_empty() => Err("Give at least one character.".to_owned()),
        Kind::Name | Kind::Label if text.chars().count() > MAX_LABEL_CHARS => {
            Err(format!("Give at most {MAX_LABEL_CHARS} characters."))
        }
        Kind::Prose if text.len() > MAX_PROSE_BYTES => Err(format!("Give at most {MAX_PROSE_BYTES} bytes of UTF-8.")),
        _ => Ok(text),
    }
}
