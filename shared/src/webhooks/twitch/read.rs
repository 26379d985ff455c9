//! Reading what Twitch sends, leniently: what is missing, null or of another type becomes the least that a field takes.

use std::borrow::Cow;

use serde_json::Value as Json;

use crate::request::with_plain_numbers;
use crate::schema::MAX_INTEGER;
use crate::schema::scalar::{MAX_LABEL_CHARS, MAX_PROSE_BYTES};

/// What some write before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The JSON of a body. Texts that JSON can write and no text of ours can be are repaired: bytes that are no UTF-8, and
/// escapes of one half of a character, become U+FFFD. Numbers that are too large become none.
///
/// # Errors
/// When it is no JSON all the same.
pub fn json(body: &[u8]) -> serde_json::Result<Json> {
    let text = String::from_utf8_lossy(body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body));
    serde_json::from_slice(&with_plain_numbers(without_halves(&text).as_bytes()))
}

/// The text with U+FFFD for each escape of a surrogate that has no other half.
fn without_halves(text: &str) -> Cow<'_, str> {
    let mut repaired: Option<String> = None;
    let (mut copied, mut rest) = (0, 0);
    while let Some(found) = text[rest..].find('\\') {
        let position = rest + found;
        let unit = escaped(text, position);
        rest = match unit {
            // Two halves of one character.
            Some(0xD800..=0xDBFF) if matches!(escaped(text, position + 6), Some(0xDC00..=0xDFFF)) => position + 12,
            Some(0xD800..=0xDFFF) => {
                let repaired = repaired.get_or_insert_default();
                repaired.push_str(&text[copied..position]);
                repaired.push('\u{FFFD}');
                copied = position + 6;
                copied
            }
            // The character after a backslash may be one, too.
            _ => position + 1 + text[position + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    match repaired {
        None => Cow::Borrowed(text),
        Some(repaired) => Cow::Owned(repaired + &text[copied..]),
    }
}

/// The UTF-16 unit that is escaped at a place.
fn escaped(text: &str, position: usize) -> Option<u16> {
    let digits = text.get(position..position + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// The text at a place, also where it is empty.
pub fn text<'a>(event: &'a Json, position: &str) -> Option<&'a str> {
    event.pointer(position)?.as_str()
}

/// The text at a place, if there is one that is not empty.
pub fn said<'a>(event: &'a Json, position: &str) -> Option<&'a str> {
    text(event, position).filter(|text| !text.is_empty())
}

/// An identifier, which is a text that is not empty; should it ever be a number, that will do.
pub fn id(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        Json::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// The number at a place, from 0 on, also where it is written as a fraction or a text.
pub fn count(event: &Json, position: &str) -> i64 {
    let whole = |number: &Json| match number {
        Json::String(text) => text.parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest")]
        number => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)),
    };
    event.pointer(position).and_then(whole).unwrap_or_default().clamp(0, MAX_INTEGER)
}

/// The tier of a subscription: Twitch counts in thousands, and Prime is the first.
pub fn tier(event: &Json, position: &str) -> i64 {
    let thousands = text(event, position).and_then(|tier| tier.parse::<i64>().ok()).map(|tier| tier / 1_000);
    thousands.filter(|tier| (1..=MAX_INTEGER).contains(tier)).unwrap_or(1)
}

/// An amount of money: its currency has so many decimals.
pub fn money(amount: &Json) -> String {
    let decimals = ["/decimal_places", "/decimal_place"].map(|position| count(amount, position)).into_iter().max();
    let decimals = decimals.and_then(|decimals| usize::try_from(decimals.min(9)).ok()).unwrap_or_default();
    let digits = format!("{:0width$}", count(amount, "/value"), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    let point = if decimals == 0 { "" } else { "." };
    format!("{whole}{point}{part} {}", text(amount, "/currency").unwrap_or_default()).trim_end().to_owned()
}

/// A word of Twitch's own, such as `new_subscription`, as a person writes it.
pub fn words(event: &Json, position: &str) -> String {
    text(event, position).unwrap_or_default().replace('_', " ")
}

/// As much of a text as a field for messages takes: the rest of an event is worth more than the rest of its text.
pub fn prose(text: &str) -> &str {
    cut(text, |_, bytes| bytes <= MAX_PROSE_BYTES)
}

/// As much of a text as a field for names takes.
pub fn label(text: &str) -> &str {
    cut(text, |characters, _| characters <= MAX_LABEL_CHARS)
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
    use serde_json::json;

    use super::*;

    #[test]
    fn half_a_character_is_replaced_and_a_whole_one_is_kept() {
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
    fn numbers_are_understood_however_they_are_written() {
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
    fn money_has_the_decimals_of_its_currency() {
        assert_eq!(money(&json!({"value": 10_000, "decimal_places": 2, "currency": "USD"})), "100.00 USD");
        assert_eq!(money(&json!({"value": 5, "decimal_place": 2, "currency": "EUR"})), "0.05 EUR");
        assert_eq!(money(&json!({"value": 500, "decimal_places": 0, "currency": "JPY"})), "500 JPY");
        assert_eq!(money(&json!(null)), "0");
    }
}
