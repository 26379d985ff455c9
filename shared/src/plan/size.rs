//! How much JSON a record is, before it is JSON.

use crate::schema::{Record, Value};

/// The most JSON that one record may show, with everything embedded in it, in bytes.
pub const LARGEST_RECORD: i64 = 2_000_000;
/// No value but a text is longer.
const LONGEST_PLAIN: usize = 32;

/// At most so many bytes of JSON show the record's own values.
pub fn json_size(record: &Record) -> i64 {
    let fields = record.key.resource.fields.iter().filter(|field| !field.hidden && record.has(field));
    let sizes = fields.map(|field| {
        let value = match record.value(field.name) {
            Some(Value::Text(text)) if !field.is_image() => escaped(text),
            _ if field.is_image() => 2_048,
            _ => LONGEST_PLAIN,
        };
        field.name.len() + 4 + value
    });
    i64::try_from(sizes.sum::<usize>() + 2).unwrap_or(i64::MAX)
}

/// The length of a text in JSON, with its quotes.
fn escaped(text: &str) -> usize {
    let length = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..=0x1f => 6,
        _ => 1,
    };
    text.bytes().map(length).sum::<usize>() + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_long_as_serde_json_writes_it() {
        for text in ["", "plain", "\u{0}\u{1f}\"\\\u{2028}\u{10ffff}\n\t\u{7f}", "é"] {
            assert_eq!(escaped(text), serde_json::Value::from(text).to_string().len(), "{text:?}");
        }
    }
}
