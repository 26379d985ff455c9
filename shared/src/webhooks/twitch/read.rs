//! Lenient access to Twitch's payloads. Twitch changes them without notice, and an event with a missing value is better
//! than no event. A missing, null or mistyped value becomes the smallest value of a field that must have one. Elsewhere
//! it stays missing, which is better than a wrong fact.

use serde_json::{Value as Json, json};

use crate::request::with_plain_numbers;
use crate::schema::scalar::{MAX_LONG_TEXT_BYTES, MAX_SHORT_TEXT_CHARS};
use crate::schema::{MAX_INTEGER, Timestamp};

/// Byte order mark that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();
/// Maximum number of decimals of an amount of money.
const MAX_DECIMALS: usize = 9;
/// Frame of an action in a chat message, as the command ACTION of IRC's client-to-client protocol.
const ACTION: &str = "\u{1}ACTION ";
const ACTION_END: char = '\u{1}';
/// Types of fragments that the text or the emotes show.
const SHOWN_FRAGMENTS: [&str; 4] = ["text", "emote", "cheermote", "mention"];
/// Length of an escape of a UTF-16 code unit, such as `\ud83d`.
const UNIT_ESCAPE_LENGTH: usize = 6;

/// Parses a body as JSON and repairs text that the service cannot store. Invalid UTF-8 and escapes of unpaired
/// surrogates become U+FFFD. Numbers that are too large are read as missing.
///
/// # Errors
/// If the repaired body is not valid JSON.
pub fn json(body: &[u8]) -> serde_json::Result<Json> {
    let text = String::from_utf8_lossy(body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body));
    serde_json::from_slice(&with_plain_numbers(replace_unpaired_surrogates(&text).as_bytes()))
}

/// Replaces each escape of an unpaired surrogate, which `serde_json` rejects, with U+FFFD.
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
            // The escaped character may be a backslash, so it is copied as well.
            _ => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        repaired.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    repaired + rest
}

/// Decodes the escape of a UTF-16 code unit at a byte offset.
fn code_unit(text: &str, offset: usize) -> Option<u16> {
    let digits = text.get(offset..offset + UNIT_ESCAPE_LENGTH)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// Returns the text at a JSON pointer. It may be empty.
pub fn optional_text(event: &Json, pointer: &str) -> Option<String> {
    event.pointer(pointer)?.as_str().map(str::to_owned)
}

/// Returns the text at a JSON pointer, unless it is blank. Twitch leaves fields empty that do not apply.
pub fn non_empty_text(event: &Json, pointer: &str) -> Option<String> {
    optional_text(event, pointer).filter(|text| !text.trim().is_empty())
}

/// Returns the time at a JSON pointer in a single notation, for use in identities. Other texts do not change.
pub fn time_text(event: &Json, pointer: &str) -> Option<String> {
    non_empty_text(event, pointer).map(|text| time(&text).map_or(text, |time| time.to_string()))
}

/// Returns the text at a JSON pointer. Empty if it is missing.
pub fn text(event: &Json, pointer: &str) -> String {
    optional_text(event, pointer).unwrap_or_default()
}

/// Returns one of Twitch's constants, such as `new_subscription`, with spaces instead of underscores.
pub fn spaced_constant(event: &Json, pointer: &str) -> Option<String> {
    non_empty_text(event, pointer).map(|constant| constant.replace('_', " "))
}

/// Reads an identifier: a text that is not blank or, as a precaution, a number.
pub fn id(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Json::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the number at a JSON pointer for a field that must have one. 0 if it is missing.
pub fn count_or_zero(event: &Json, pointer: &str) -> i64 {
    optional_count(event, pointer).unwrap_or_default()
}

/// Returns the number at a JSON pointer, at least 0. Accepts a number that is written as a fraction or as text.
pub fn optional_count(event: &Json, pointer: &str) -> Option<i64> {
    let integer = |number: &Json| match number {
        Json::String(text) => text.parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest")]
        number => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)),
    };
    event.pointer(pointer).and_then(integer).map(|count| count.clamp(0, MAX_INTEGER))
}

/// Returns the total number of a giver's gifts. Twitch sends 0 if the giver hides it.
pub fn cumulative_total(event: &Json) -> Option<i64> {
    optional_count(event, "/cumulative_total").filter(|total| *total > 0)
}

/// Returns the tier of a subscription. Twitch counts in thousands; Prime is tier 1.
pub fn known_tier(event: &Json, pointer: &str) -> Option<i64> {
    let tier = text(event, pointer);
    let is_prime = tier.eq_ignore_ascii_case("prime");
    let tier = if is_prime { Some(1) } else { tier.parse::<i64>().ok().map(|thousands| thousands / 1_000) };
    tier.filter(|tier| (1..=MAX_INTEGER).contains(tier))
}

/// Puts an optional value into words. Empty without the value.
pub fn phrase<T>(value: Option<T>, words: impl FnOnce(T) -> String) -> String {
    value.map(words).unwrap_or_default()
}

/// Formats an amount of money with the decimals of its currency. `None` if it is missing.
pub fn decimal(amount: &Json) -> Option<String> {
    // Charity events have `decimal_places`, notices `decimal_place`. Without either, the amount is unknown.
    let decimals = optional_count(amount, "/decimal_places").or(optional_count(amount, "/decimal_place"))?;
    let decimals = usize::try_from(decimals).ok().filter(|decimals| *decimals <= MAX_DECIMALS)?;
    let digits = format!("{:0width$}", optional_count(amount, "/value")?, width = decimals + 1);
    let (units, fraction) = digits.split_at(digits.len() - decimals);
    let point = if decimals == 0 { "" } else { "." };
    Some(format!("{units}{point}{fraction}"))
}

/// A text that a viewer wrote in the chat, with its emotes and fragments.
#[derive(Debug, Default)]
pub struct Words {
    /// Text, without the frame of an action. `None` if it is missing.
    pub text: Option<String>,
    /// True for an action (`/me`), otherwise `None`.
    pub is_action: Option<bool>,
    /// Emotes with their first and last characters in the text.
    pub emotes: Json,
    /// Fragments that the text does not show, such as a GIF.
    pub fragments: Json,
}

impl Words {
    /// Reads the object with the text and its fragments.
    pub fn of(message: &Json) -> Self {
        let sent = optional_text(message, "/text");
        let text = sent.as_deref().map(without_control_frame);
        let is_action = (text != sent.as_deref()).then_some(true);
        let (sent, shown) = (sent.as_deref().unwrap_or_default(), text.unwrap_or_default());
        // A shared subscription has positions instead of fragments.
        let emotes = match &message["emotes"] {
            Json::Array(placed) if is_action.is_none() => {
                placed.iter().filter_map(|emote| placed_emote(emote, shown)).collect()
            }
            _ => emotes(message, sent, shown),
        };
        let is_hidden = |fragment: &&Json| {
            let kind = optional_text(fragment, "/type");
            kind.is_some_and(|kind| !SHOWN_FRAGMENTS.contains(&kind.as_str()))
        };
        let fragments = list(&message["fragments"]).iter().filter(is_hidden).cloned().collect();
        Self { text: text.map(str::to_owned), is_action, emotes, fragments }
    }

    /// Returns the text, unless it is blank.
    pub fn non_empty(&self) -> Option<String> {
        self.text.clone().filter(|text| !text.trim().is_empty())
    }
}

/// Removes the frame that marks an action (`/me`).
pub fn without_control_frame(text: &str) -> &str {
    text.strip_prefix(ACTION).map_or(text, |action| action.strip_suffix(ACTION_END).unwrap_or(action))
}

/// Reads an emote that has a position in a text.
fn placed_emote(emote: &Json, text: &str) -> Option<Json> {
    let (id, begin, end) = (id(&emote["id"])?, emote["begin"].as_i64()?, emote["end"].as_i64()?);
    (0 <= begin && begin <= end && end < length(text)).then(|| json!({"id": id, "begin": begin, "end": end}))
}

fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// Returns the emotes of a text with their first and last characters. Twitch only splits the text, as it was sent or as
/// it is shown, into fragments. Null if the fragments match neither.
fn emotes(message: &Json, sent: &str, shown: &str) -> Json {
    let fragments = list(&message["fragments"]);
    let fragment_text = |fragment| text(fragment, "/text");
    let mut begin = match fragments.iter().map(fragment_text).collect::<String>() {
        text if text == shown => 0,
        text if text == sent => -length(ACTION),
        _ => return Json::Null,
    };
    let mut emotes = Vec::new();
    for fragment in fragments {
        let end = begin + length(&fragment_text(fragment));
        if let Some(id) = id(&fragment["emote"]["id"])
            && (0..end).contains(&begin)
        {
            emotes.push(json!({"id": id, "begin": begin, "end": end - 1}));
        }
        begin = end;
    }
    Json::Array(emotes)
}

/// Parses a timestamp and truncates it to nanoseconds. Twitch writes any number of digits.
pub fn time(text: &str) -> Option<Timestamp> {
    let Some((seconds, rest)) = text.split_once('.') else { return Timestamp::parse(text) };
    let digits = rest.find(|end: char| !end.is_ascii_digit()).unwrap_or(rest.len());
    let (fraction, zone) = rest.split_at(digits);
    Timestamp::parse(&format!("{seconds}.{}{zone}", fraction.get(..9).unwrap_or(fraction)))
}

/// Returns the elements of a list. Empty if it is missing.
pub fn list(value: &Json) -> &[Json] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Copies the values at these JSON pointers into an object, under the names of their fields.
pub fn pick(event: &Json, pointers: &[&str]) -> Json {
    let member = |pointer: &&str| {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        (name.to_owned(), event.pointer(pointer).cloned().unwrap_or_default())
    };
    Json::Object(pointers.iter().map(member).collect())
}

/// Truncates a text to the limit of a `LongText` field.
pub fn long_text(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_LONG_TEXT_BYTES)]
}

/// Truncates a text to the limit of a `ShortText` field.
pub fn short_text(text: &str) -> &str {
    text.char_indices().nth(MAX_SHORT_TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
}
