//! The size of a record as JSON.
//!
//! It is computed from the values. A limit must hold before anything is stored, and rendering a record requires its
//! children.

use crate::resources::{self, Child};
use crate::schema::scalar::Kind;
use crate::schema::{Field, ParentData, Record, Resource, Value};

/// Maximum size of a record as JSON with its embedded records, in bytes.
pub const MAX_RECORD_BYTES: i64 = 2_000_000;
/// Maximum length of an image's URL, in bytes.
const MAX_URL_BYTES: usize = 2_048;

/// Returns the maximum size of a record with its children, as JSON, in bytes. It leaves room for a parent that embeds
/// the record: the parent stays within [`MAX_RECORD_BYTES`], however long its own texts become.
pub fn max_bytes(resource: &Resource) -> i64 {
    let embeds = |parent: &&&Resource| {
        let relation = resources::children(parent).iter().find(|child| child.resource.name == resource.name);
        relation.is_some_and(|child| matches!(child.relation.parent_data, ParentData::One { .. }))
    };
    let max_around = resources::ALL.iter().filter(embeds).map(|parent| max_bytes_of_fields(parent)).max();
    MAX_RECORD_BYTES - i64::try_from(max_around.unwrap_or_default()).unwrap_or(i64::MAX)
}

/// Returns the maximum JSON of the fields of a record and of its parent, in bytes.
fn max_bytes_of_fields(resource: &Resource) -> usize {
    let parent = resource.belongs_to.as_ref().map(|relation| relation.parent);
    let fields = resource.fields.iter().chain(parent.into_iter().flat_map(|parent| parent.fields));
    fields.filter(|field| !field.hidden).map(|field| max_field_bytes(field) + field.codec.max_json).sum()
}

/// Returns an upper bound for the JSON of a record's fields, and of the sum or only child in its state, in bytes.
/// Numbers and times count with their maximum length, so a change to them does not change the size.
pub fn json_size(record: &Record) -> i64 {
    let fields = record.key.resource.fields.iter().filter(|field| !field.hidden && record.has(field));
    let sizes = fields.map(|field| match record.value(field.name) {
        Some(Value::Text(text)) if field.codec.kind == Kind::Text => field.name.len() + 4 + escaped_len(text),
        Some(Value::Object(json)) => field.name.len() + 4 + json.len(),
        Some(Value::OutOfLine(out_of_line)) => field.name.len() + 4 + out_of_line.json_bytes,
        _ => max_field_bytes(field),
    });
    let children = resources::children(record.key.resource).iter().map(max_bytes_in_state);
    i64::try_from(sizes.chain(children).sum::<usize>() + 2).unwrap_or(i64::MAX)
}

/// Returns the maximum JSON of a field with its name, in bytes. A text or an object counts as null.
fn max_field_bytes(field: &Field) -> usize {
    let value = match field.codec.kind {
        Kind::Identifier => 16,
        Kind::Integer => 17,
        Kind::Boolean => "false".len(),
        Kind::Float => 25,
        Kind::Time => 32,
        Kind::Enum => field.codec.variants.iter().map(|word| word.len() + 2).max().unwrap_or_default(),
        Kind::Image => MAX_URL_BYTES,
        Kind::Text | Kind::Object => "null".len(),
    };
    field.name.len() + 4 + value
}

/// Returns the maximum JSON that a parent's state adds to it, in bytes: for the only child of a relation, or a sum.
fn max_bytes_in_state(child: &Child) -> usize {
    match &child.relation.parent_data {
        ParentData::Sum { embedded, .. } => embedded.field.len() + 4 + 17,
        ParentData::One { embedded, slot, .. } if child.relation.parent.field(slot).is_none() => {
            embedded.field.len() + 4 + 2 + child.resource.fields.iter().map(max_field_bytes).sum::<usize>()
        }
        _ => 0,
    }
}

/// Returns the length of a text as a JSON string with its quotes, in bytes.
pub fn escaped_len(text: &str) -> usize {
    let length = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..=0x1f => 6,
        _ => 1,
    };
    text.bytes().map(length).sum::<usize>() + 2
}
