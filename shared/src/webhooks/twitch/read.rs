//! Lenient access to Twitch's payloads, because Twitch changes them without notice, and an event with a missing value
//! is better than none. A missing, null or mistyped value becomes the smallest value of its field.

use serde_json::{Value as Json, json};

use crate::request::with_plain_numbers;
use crate::schema::MAX_INTEGER;
use crate::schema::scalar::{MAX_LONG_TEXT_BYTES, MAX_SHORT_TEXT_CHARS};

/// Byte order mark that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();
/// Length of an escape of a UTF-16 code unit, such as `\ud83d`.
const UNIT_ESCAPE_LENGTH: usize = 6;

/// Parse a body as JSON and repair text that the service cannot store. Invalid UTF-8 and escapes of unpaired
/// surrogates become U+FFFD. Numbers that are too large are read as missing.
///
/// # Errors
/// If the repaired body is not valid JSON.
pub fn json(body: &[u8]) -> serde_json::Result<Json> {
    let text = String::from_utf8_lossy(body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body));
    serde_json::from_slice(&with_plain_numbers(replace_unpaired_surrogates(&text).as_bytes()))
}

/// Replace each escape of an unpaired surrogate with U+FFFD, because `serde_json` rejects it.
fn replace_unpaired_surrogates(text: &str) -> String {
    let (mut repaired, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(offset) = rest.find('\\') {
        let (before, escape) = rest.split_at(offset);
        repaired.push_str(before);
        let length = match (code_unit(escape, 0), code_unit(escape, UNIT_ESCAPE_LENGTH)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * UNIT_ESCAPE_LENGTH,
            (Some(0xD800..=0xDFFF), _) => {
                repaired.push('\u{FFFD}');
                rest = &escape[UNIT_ESCAPE_LENGTH..];
                continue;
            }
            // The escaped character may be a backslash, so it is copied, too.
            _ => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        repaired.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    repaired + rest
}

/// Decode the escape of a UTF-16 code unit at a byte offset.
fn code_unit(text: &str, offset: usize) -> Option<u16> {
    let digits = text.get(offset..offset + UNIT_ESCAPE_LENGTH)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// Find the text at a JSON pointer. It may be empty.
pub fn optional_text(event: &Json, pointer: &str) -> Option<String> {
    event.pointer(pointer)?.as_str().map(str::to_owned)
}

/// Find the text at a JSON pointer, unless it is empty: Twitch leaves fields empty that do not apply.
pub fn non_empty_text(event: &Json, pointer: &str) -> Option<String> {
    optional_text(event, pointer).filter(|text| !text.is_empty())
}

/// Read the text at a JSON pointer. Empty if it is missing.
pub fn text(event: &Json, pointer: &str) -> String {
    optional_text(event, pointer).unwrap_or_default()
}

/// Read one of Twitch's constants, such as `new_subscription`, with spaces instead of underscores.
pub fn spaced_constant(event: &Json, pointer: &str) -> String {
    text(event, pointer).replace('_', " ")
}

/// Read an identifier: a text that is not empty or, as a precaution, a number.
pub fn id(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        Json::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// Read the number at a JSON pointer, at least 0. Accepts a number that is written as a fraction or as text.
pub fn count(event: &Json, pointer: &str) -> i64 {
    let integer = |number: &Json| match number {
        Json::String(text) => text.parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest")]
        number => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)),
    };
    event.pointer(pointer).and_then(integer).unwrap_or_default().clamp(0, MAX_INTEGER)
}

/// Read the tier of a subscription. Twitch counts in thousands; Prime is tier 1.
pub fn tier(event: &Json, pointer: &str) -> i64 {
    let tier = text(event, pointer).parse::<i64>().map_or(1, |thousands| thousands / 1_000);
    if (1..=MAX_INTEGER).contains(&tier) { tier } else { 1 }
}

/// Format an amount of money and its currency.
pub fn money(amount: &Json) -> String {
    format!("{} {}", decimal(amount), text(amount, "/currency")).trim_end().to_owned()
}

/// Format an amount of money with the decimals of its currency.
pub fn decimal(amount: &Json) -> String {
    // Charity events have `decimal_places`, notices `decimal_place`.
    let decimals = count(amount, "/decimal_places").max(count(amount, "/decimal_place")).min(9);
    let decimals = usize::try_from(decimals).unwrap_or_default();
    let digits = format!("{:0width$}", count(amount, "/value"), width = decimals + 1);
    let (units, fraction) = digits.split_at(digits.len() - decimals);
    let point = if decimals == 0 { "" } else { "." };
    format!("{units}{point}{fraction}")
}

/// List the emotes of a chat message with their first and last characters, because Twitch only splits the message into
/// fragments.
pub fn emotes(message: &Json) -> Json {
    let (mut emotes, mut begin) = (Vec::new(), 0);
    for fragment in list(&message["fragments"]) {
        let length = text(fragment, "/text").chars().count();
        if let Some(id) = id(&fragment["emote"]["id"])
            && length > 0
        {
            emotes.push(json!({"id": id, "begin": begin, "end": begin + length - 1}));
        }
        begin += length;
    }
    Json::Array(emotes)
}

/// Read a list. Empty if it is missing.
pub fn list(value: &Json) -> &[Json] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Copy the values at these JSON pointers into an object. Each keeps the name of its field.
pub fn members(event: &Json, pointers: &[&str]) -> Json {
    let member = |pointer: &&str| {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        (name.to_owned(), event.pointer(pointer).cloned().unwrap_or_default())
    };
    Json::Object(pointers.iter().map(member).collect())
}

/// Truncate a text to the limit of a `LongText` field.
pub fn long_text(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_LONG_TEXT_BYTES)]
}

/// Truncate a text to the limit of a `ShortText` field.
pub fn short_text(text: &str) -> &str {
    text.char_indices().nth(MAX_SHORT_TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
}
