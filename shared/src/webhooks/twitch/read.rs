//! Reads Twitch's payloads leniently. A missing, null or mistyped value becomes the smallest value of its field.

use std::borrow::Cow;

use serde_json::{Value as Json, json};

use crate::request::with_plain_numbers;
use crate::schema::MAX_INTEGER;
use crate::schema::scalar::{MAX_LONG_TEXT_BYTES, MAX_SHORT_TEXT_CHARS};

/// The byte order mark that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Parses a body as JSON and repairs text that the service cannot store. Invalid UTF-8 and escapes of unpaired
/// surrogates become U+FFFD. Numbers that are too large are read as missing.
///
/// # Errors
/// If the repaired body is not valid JSON.
pub fn json(body: &[u8]) -> serde_json::Result<Json> {
    let text = String::from_utf8_lossy(body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body));
    serde_json::from_slice(&with_plain_numbers(without_halves(&text).as_bytes()))
}

/// Replaces each escape of an unpaired surrogate with U+FFFD.
fn without_halves(text: &str) -> Cow<'_, str> {
    let mut repaired: Option<String> = None;
    let (mut copied, mut rest) = (0, 0);
    while let Some(found) = text[rest..].find('\\') {
        let position = rest + found;
        let unit = escaped(text, position);
        rest = match unit {
            // A surrogate pair.
            Some(0xD800..=0xDBFF) if matches!(escaped(text, position + 6), Some(0xDC00..=0xDFFF)) => position + 12,
            Some(0xD800..=0xDFFF) => {
                let repaired = repaired.get_or_insert_default();
                repaired.push_str(&text[copied..position]);
                repaired.push('\u{FFFD}');
                copied = position + 6;
                copied
            }
            // The escaped character may be a backslash, too.
            _ => position + 1 + text[position + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    match repaired {
        None => Cow::Borrowed(text),
        Some(repaired) => Cow::Owned(repaired + &text[copied..]),
    }
}

/// Returns the UTF-16 code unit that is escaped at a byte offset.
fn escaped(text: &str, position: usize) -> Option<u16> {
    let digits = text.get(position..position + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// Returns the text at a JSON pointer, even if it is empty.
pub fn text<'a>(event: &'a Json, position: &str) -> Option<&'a str> {
    event.pointer(position)?.as_str()
}

/// Returns the text at a JSON pointer, or `None` if it is empty.
pub fn said<'a>(event: &'a Json, position: &str) -> Option<&'a str> {
    text(event, position).filter(|text| !text.is_empty())
}

/// Returns an identifier: a text that is not empty or, as a precaution, a number.
pub fn id(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        Json::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the number at a JSON pointer, at least 0. Accepts a number that is written as a fraction or as text.
pub fn count(event: &Json, position: &str) -> i64 {
    let whole = |number: &Json| match number {
        Json::String(text) => text.parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest")]
        number => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)),
    };
    event.pointer(position).and_then(whole).unwrap_or_default().clamp(0, MAX_INTEGER)
}

/// Returns the tier of a subscription. Twitch counts in thousands; Prime is tier 1.
pub fn tier(event: &Json, position: &str) -> i64 {
    let thousands = text(event, position).and_then(|tier| tier.parse::<i64>().ok()).map(|tier| tier / 1_000);
    thousands.filter(|tier| (1..=MAX_INTEGER).contains(tier)).unwrap_or(1)
}

/// Formats an amount of money and its currency.
pub fn money(amount: &Json) -> String {
    format!("{} {}", decimal(amount), text(amount, "/currency").unwrap_or_default()).trim_end().to_owned()
}

/// Formats an amount of money with the decimals of its currency.
pub fn decimal(amount: &Json) -> String {
    let decimals = ["/decimal_places", "/decimal_place"].map(|position| count(amount, position)).into_iter().max();
    let decimals = decimals.and_then(|decimals| usize::try_from(decimals.min(9)).ok()).unwrap_or_default();
    let digits = format!("{:0width$}", count(amount, "/value"), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    let point = if decimals == 0 { "" } else { "." };
    format!("{whole}{point}{part}")
}

/// Returns the emotes of a message of the chat, with the positions of their first and last characters. Twitch splits such a
/// message into fragments.
pub fn emotes(message: &Json) -> Json {
    let (mut emotes, mut at) = (Vec::new(), 0);
    for fragment in message["fragments"].as_array().into_iter().flatten() {
        let length = text(fragment, "/text").unwrap_or_default().chars().count();
        if let Some(id) = id(&fragment["emote"]["id"])
            && length > 0
        {
            emotes.push(json!({"id": id, "begin": at, "end": at + length - 1}));
        }
        at += length;
    }
    Json::Array(emotes)
}

/// Returns one of Twitch's constants, such as `new_subscription`, with spaces instead of underscores.
pub fn words(event: &Json, position: &str) -> String {
    text(event, position).unwrap_or_default().replace('_', " ")
}

/// Truncates a text to the limit of a message field. An event with a truncated text is better than no event.
pub fn prose(text: &str) -> &str {
    cut(text, |_, bytes| bytes <= MAX_LONG_TEXT_BYTES)
}

/// Truncates a text to the limit of a name field.
pub fn label(text: &str) -> &str {
    cut(text, |characters, _| characters <= MAX_SHORT_TEXT_CHARS)
}

fn cut(text: &str, fits: impl Fn(usize, usize) -> bool) -> &str {
    let ends = text
        .char_indices()
        .enumerate()
        .map(|(position, (start, character))| (position + 1, start + character.len_utf8()));
    let end = ends.take_while(|(characters, bytes)| fits(*characters, *bytes)).last();
    &text[..end.map_or(0, |(_, bytes)| bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogate_is_replaced_and_a_pair_is_decoded() {
        for (sent, read) in [
            (r#""\ud83d""#, "\u{FFFD}"),
            (r#""a\ud83db\uDE00c""#, "a\u{FFFD}b\u{FFFD}c"),
            (r#""\ud83d\ude00""#, "😀"),
            (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (r#""\\ud83d""#, r"\ud83d"),
            (r#""\\\ud83d""#, "\\\u{FFFD}"),
            (r#""\"\u00e9""#, "\"é"),
        ] {
            assert_eq!(super::json(sent.as_bytes()).expect(sent), json!(read), "{sent}");
        }
        assert_eq!(super::json(b"\"\xff\"").expect("a text"), json!("\u{FFFD}"));
        for broken in [r#""\ud83"#, r#""\u"#, "\"\\", "\\"] {
            assert!(super::json(broken.as_bytes()).is_err(), "{broken}");
        }
    }

    #[test]
    fn counts_parse_from_any_number_or_numeric_string() {
        for (written, read) in [
            (json!(5), 5),
            (json!(5.0), 5),
            (json!("5"), 5),
            (json!(-5), 0),
            (json!(1e300), MAX_INTEGER),
            (json!(null), 0),
            (json!("many"), 0),
        ] {
            assert_eq!(count(&json!({"bits": written}), "/bits"), read, "{written}");
        }
    }

    #[test]
    fn emotes_have_the_positions_of_their_characters() {
        let text = |text: &str| json!({"type": "text", "text": text, "emote": null});
        let emote = |text: &str, id: &str| json!({"type": "emote", "text": text, "emote": {"id": id}});
        let message = json!({"fragments": [text("é "), emote("Kappa", "25"), text(" "), emote("LUL", "425618")]});
        let expected = json!([{"id": "25", "begin": 2, "end": 6}, {"id": "425618", "begin": 8, "end": 10}]);
        assert_eq!(emotes(&message), expected);
        assert_eq!(emotes(&json!({"fragments": null})), json!([]));
    }

    #[test]
    fn money_is_rendered_with_the_decimals_of_its_currency() {
        assert_eq!(money(&json!({"value": 10_000, "decimal_places": 2, "currency": "USD"})), "100.00 USD");
        assert_eq!(money(&json!({"value": 5, "decimal_place": 2, "currency": "EUR"})), "0.05 EUR");
        assert_eq!(money(&json!({"value": 500, "decimal_places": 0, "currency": "JPY"})), "500 JPY");
        assert_eq!(money(&json!(null)), "0");
    }
}
