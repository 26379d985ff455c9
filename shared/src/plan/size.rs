//! How much JSON a record is, before it is JSON.

use crate::resources::{self, Child};
use crate::schema::scalar::{Kind, MAX_LABEL_CHARS, MAX_PROSE_BYTES};
use crate::schema::{Field, OnParent, Record, Resource, Value};

/// The most JSON that one record may show, with everything embedded in it, in bytes.
pub const LARGEST_RECORD: i64 = 2_000_000;
/// The longest URL of an image.
const LONGEST_URL: usize = 2_048;

/// The most JSON that a record may show of itself and what it keeps, in bytes: what shows it inside is within the bound, too,
/// however long its own texts become.
pub fn largest(resource: &Resource) -> i64 {
    let shows = |outer: &&&Resource| {
        let inner = resources::children(outer).iter().find(|child| child.resource.name == resource.name);
        inner.is_some_and(|child| matches!(child.relation.on_parent, OnParent::One { .. }))
    };
    let around = resources::ALL.iter().filter(shows).map(|outer| own(outer)).max();
    LARGEST_RECORD - i64::try_from(around.unwrap_or_default()).unwrap_or(i64::MAX)
}

/// How much JSON the fields of a record take at most, and those of its holder.
fn own(resource: &Resource) -> usize {
    let parent = resource.belongs_to.as_ref().map(|relation| relation.to);
    let fields = resource.fields.iter().chain(parent.into_iter().flat_map(|parent| parent.fields));
    fields.filter(|field| !field.hidden).map(|field| longest(field) + longest_text(field)).sum()
}

/// A character may become six in JSON.
fn longest_text(field: &Field) -> usize {
    match field.codec.kind {
        Kind::Text if field.codec.out_of_line => 6 * MAX_PROSE_BYTES,
        Kind::Text => 6 * MAX_LABEL_CHARS,
        _ => 0,
    }
}

/// At most so many bytes of JSON show the record's own values, and what it keeps one of. Numbers and times count as the
/// longest that there are, so that a change of them changes nothing.
pub fn json_size(record: &Record) -> i64 {
    let fields = record.key.resource.fields.iter().filter(|field| !field.hidden && record.has(field));
    let sizes = fields.map(|field| match record.value(field.name) {
        Some(Value::Text(text)) if field.codec.kind == Kind::Text => field.name.len() + 4 + escaped(text),
        Some(Value::OutOfLine(out_of_line)) => field.name.len() + 4 + out_of_line.json_bytes,
        _ => longest(field),
    });
    let children = resources::children(record.key.resource).iter().map(kept_size);
    i64::try_from(sizes.chain(children).sum::<usize>() + 2).unwrap_or(i64::MAX)
}

/// What a field takes at most that is no text, with its name.
fn longest(field: &Field) -> usize {
    let value = match field.codec.kind {
        Kind::Identifier => 16,
        Kind::Integer => 17,
        Kind::Float => 25,
        Kind::Time => 32,
        Kind::Choice => field.codec.words.iter().map(|word| word.len() + 2).max().unwrap_or_default(),
        Kind::Image => LONGEST_URL,
        Kind::Text => "null".len(),
    };
    field.name.len() + 4 + value
}

/// What a holder shows of the one that it keeps in its state, or of a sum.
fn kept_size(child: &Child) -> usize {
    match &child.relation.on_parent {
        OnParent::Sum { embedded, .. } => embedded.field.len() + 4 + 17,
        OnParent::One { embedded, slot, .. } if child.relation.to.field(slot).is_none() => {
            embedded.field.len() + 4 + 2 + child.resource.fields.iter().map(longest).sum::<usize>()
        }
        _ => 0,
    }
}

/// The length of a text in JSON, with its quotes.
pub(super) fn escaped(text: &str) -> usize {
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
