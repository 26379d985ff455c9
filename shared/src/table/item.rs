//! The layout of records: conversions from and to items.
//!
//! An item stores each value under the name of its field. A value that an index looks up is stored under the name of
//! the index role instead. A text that an index looks up stays under the name of its field, and the role's attribute
//! has its digest: a key must be short and not empty. The item also has `resource`, `id` and `time` (the primary time,
//! which orders the lists).
//!
//! **An item outlives the filters that it was written with.** If a field has gained a role since, its value is read and
//! compared under the field's name, and the next change of the record moves it. A field that loses its filter keeps the
//! role's name with [`Attr::stored_as`](crate::schema::Attr::stored_as).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::size::escaped_len;
use crate::resources;
use crate::schema::{
    Field, Id, Key, Operator, OutOfLine, Record, Resource, Role, StoredValue, Timestamp, Value, digest, sort_name,
};

/// An item of the table, without its partition key.
pub type Item = BTreeMap<String, StoredValue>;

/// Attribute of a deleted parent's state. Children can no longer join the parent.
pub const DELETED: &str = "deleted";
/// Attribute of a reservation: the identifier of the record that has the value.
pub const RESERVED_BY: &str = "record";
/// Attribute of a reservation: the identifier of the record of another resource that excludes the value. No record can
/// have it.
pub const EXCLUDED_BY: &str = "excluded_by";
/// Attribute of a record with texts that were removed because of their age. The feed does not report the removal.
pub const EXPIRED: &str = "expired";
/// Attribute of a record with redacted texts. A repeated report does not fill them in.
pub const REDACTED: &str = "redacted";
/// Attribute of a deleted parent's state with the partition key of the tombstone, which exists until the deletion is
/// complete.
pub(crate) const TOMBSTONE: &str = "tombstone";
/// Attribute of a child with the primary time of its parent. The index `by_part` is ordered by it.
pub const PARENT_TIME: &str = "parent_time";
/// Attribute of a parent and of its state: the number of earlier deletions of this key. Absent if there were none. An
/// import may store a parent again while late children of the deleted parent still appear. Both parents have the same
/// key, and the generation tells them apart.
pub(crate) const GENERATION: &str = "generation";
/// Attribute of a child with the generation of its parent.
pub(crate) const PARENT_GENERATION: &str = "parent_generation";

/// Attribute of a record with fields in its state, and of the state: the number of changes to the record. The two are
/// consistent if they have the same revision.
pub(crate) const REVISION: &str = "revision";

/// How much later, or earlier if clocks differ, a secondary time still counts as near the primary time.
pub(crate) const MAX_NEAR_DELAY: time::Duration = time::Duration::minutes(10);
pub(crate) const MAX_NEAR_ADVANCE: time::Duration = time::Duration::minutes(1);

/// Maximum bytes of a text in a record's own item. Each index copies the item, at one write unit per KB, so longer
/// texts are stored out of line.
pub const MAX_INLINE_BYTES: usize = 1_024;
/// Bytes of an item that are not values of fields: its key, `resource`, `shard`, and the digests of four indexes.
const FIXED_BYTES: usize = 256;
/// Attribute with a text that is stored out of line, which is too long for the key of an index.
pub const CONTENT: &str = "content";

/// Attributes that store a field.
struct FieldLayout {
    field: &'static Field,
    /// Attribute with the value.
    inline: &'static str,
    /// Attribute that had the value before the field got a role, if any.
    before_role: Option<&'static str>,
    /// Attribute with the reference to a text that is stored out of line.
    out_of_line: Option<String>,
}

static LAYOUTS: LazyLock<BTreeMap<&str, Vec<FieldLayout>>> = LazyLock::new(|| {
    let field_layout = |resource: &'static Resource, field: &'static Field| FieldLayout {
        field,
        inline: attribute(resource, field.name),
        before_role: own_attribute(resource, field.name),
        out_of_line: field.codec.out_of_line.then(|| out_of_line_attribute(field.name)),
    };
    let layouts = |resource: &'static Resource| {
        resource.fields.iter().filter(|field| !field.in_state).map(move |field| field_layout(resource, field))
    };
    resources::ALL.into_iter().map(|resource| (resource.name, layouts(resource).collect())).collect()
});

/// Returns the attribute that stores a field.
pub fn attribute(resource: &'static Resource, field: &'static str) -> &'static str {
    let role = resource.filters.iter().find_map(|filter| {
        let role = filter
            .role
            .filter(|role| filter.field == field && filter.operator == Operator::Equals && !role.is_digest());
        // An index with few values has a separate attribute.
        role.filter(|_| filter.only_indexed_value.is_none())?.attribute()
    });
    let reference = resource.belongs_to.as_ref().filter(|relation| relation.is_indexed());
    let secondary_time = resource.secondary_time.filter(|time| !time.near_primary);
    match role {
        Some(role) => role,
        None if field == resource.id.name => "id",
        None if resource.time.is_some_and(|time| time.name == field) => "time",
        None if reference.is_some_and(|relation| relation.foreign_key.name == field) => "owner",
        None if secondary_time.is_some_and(|time| time.attribute.name == field) => "secondary_time",
        None => resource.field(field).map_or(field, |field| field.stored_name),
    }
}

/// Returns the attribute that stored a field before an index role did.
pub(crate) fn own_attribute(resource: &'static Resource, field: &'static str) -> Option<&'static str> {
    let own_name = resource.field(field)?.stored_name;
    let inline = attribute(resource, field);
    // Items always have these two.
    (inline != own_name && !["id", "time"].contains(&inline)).then_some(own_name)
}

/// Returns the attribute that the value of a record was read from, or where it will be stored.
pub(crate) fn attribute_as_read(record: &Record, field: &'static str) -> &'static str {
    let own_name = own_attribute(record.key.resource, field).filter(|_| record.stored_without_role.contains(field));
    own_name.unwrap_or_else(|| attribute(record.key.resource, field))
}

/// Returns the name of the attribute with the reference to a field's text that is stored out of line.
pub(crate) fn out_of_line_attribute(field: &str) -> String {
    format!("{field}_out_of_line")
}

/// Converts the values of a record to those of its item. A long text becomes a reference, and so does an object that
/// would make the item longer than [`MAX_INLINE_BYTES`].
fn stored_values(record: &Record) -> Vec<(&'static FieldLayout, Value)> {
    let with_short_text = |layout: &'static FieldLayout| {
        let value = match record.value(layout.field.name)? {
            Value::Text(text) if layout.field.codec.out_of_line && text.len() > MAX_INLINE_BYTES => {
                Value::OutOfLine(OutOfLine::of(text, escaped_len(text)))
            }
            value => value.clone(),
        };
        Some((layout, value))
    };
    let mut values: Vec<_> = LAYOUTS[record.key.resource.name].iter().filter_map(with_short_text).collect();
    if values.iter().any(|(_, value)| matches!(value, Value::Object(_))) {
        let bytes = |(layout, value): &(&FieldLayout, Value)| layout.inline.len() + value.to_json().len();
        let mut item_bytes = FIXED_BYTES + values.iter().map(bytes).sum::<usize>();
        for (layout, value) in &mut values {
            if let Value::Object(json) = value
                && item_bytes > MAX_INLINE_BYTES
            {
                item_bytes -= layout.inline.len() + json.len();
                *value = Value::OutOfLine(OutOfLine::of(json, json.len()));
            }
        }
    }
    values
}

/// Returns the value of a field as the record's item stores it.
pub(crate) fn stored_value(record: &Record, field: &str) -> Option<Value> {
    stored_values(record).into_iter().find(|(layout, _)| layout.field.name == field).map(|(_, value)| value)
}

/// Returns the partition key of the item with a record's long text. It contains the digest, so another text has another
/// key.
pub fn text_key(record: Key, out_of_line: &OutOfLine) -> String {
    format!("{record}/text/{}", out_of_line.digest)
}

/// Returns the long texts of a record by the keys of their items. A text is `None` if it has not been read.
pub(crate) fn out_of_line_texts(record: &Record) -> BTreeMap<String, Option<&str>> {
    let may_be_out_of_line = |layout: &FieldLayout| match record.value(layout.field.name) {
        Some(Value::Text(text)) => text.len() > MAX_INLINE_BYTES,
        value => matches!(value, Some(Value::Object(_) | Value::OutOfLine(_))),
    };
    let mut layouts = LAYOUTS[record.key.resource.name].iter().filter(|layout| layout.out_of_line.is_some());
    if !layouts.any(may_be_out_of_line) {
        return BTreeMap::new();
    }
    let out_of_line = stored_values(record).into_iter().filter_map(|(layout, value)| {
        let Value::OutOfLine(out_of_line) = value else { return None };
        Some((text_key(record.key, &out_of_line), record.text(layout.field.name)))
    });
    out_of_line.collect()
}

/// Converts a record to an item.
pub fn to_item(record: &Record) -> Item {
    let Key { resource, id } = record.key;
    let fixed = [
        ("resource", StoredValue::Text(resource.name.to_owned())),
        ("id", number(id)),
        ("time", StoredValue::Text(record.primary_time().sortable())),
    ];
    let values = stored_values(record).into_iter().map(|(FieldLayout { field, inline, out_of_line, .. }, value)| {
        let inline = if record.stored_without_role.contains(field.name) {
            attribute_as_read(record, field.name)
        } else {
            inline
        };
        let attribute = out_of_line.as_deref().filter(|_| matches!(value, Value::OutOfLine(_))).unwrap_or(inline);
        (attribute, value.to_stored())
    });
    let generations = [GENERATION, PARENT_GENERATION, REVISION].into_iter();
    let generations = generations.filter_map(|name| Some((name, record.value(name)?.to_stored())));
    let item = fixed.into_iter().chain(values).chain(generations).chain(index_attributes(record));
    item.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the attributes that only indexes use: those that are not values of fields.
fn index_attributes(record: &Record) -> Vec<(&'static str, StoredValue)> {
    let resource = record.key.resource;
    let mut attributes = Vec::new();
    for filter in resource.filters {
        let Some(attribute) = filter.role.and_then(Role::attribute) else { continue };
        let value = record.value(filter.field);
        if record.text(filter.field).is_some_and(|value| !filter.is_indexed(value)) {
            continue;
        }
        match (filter.operator, value) {
            (Operator::IsSet, value) => attributes.push((attribute, flag(value.is_some()))),
            (Operator::IsUnset, value) => attributes.push((attribute, flag(value.is_none()))),
            (Operator::Equals, Some(Value::Text(text))) if filter.only_indexed_value.is_some() => {
                attributes.push((attribute, StoredValue::Text(text.clone())));
            }
            (Operator::NamePrefix, Some(Value::Text(text))) => {
                attributes.push((attribute, StoredValue::Text(sort_name(text))));
            }
            (_, Some(Value::Text(text))) if filter.role.is_some_and(Role::is_digest) => {
                attributes.push((attribute, StoredValue::Text(digest(text))));
            }
            (_, Some(Value::OutOfLine(out_of_line))) if filter.role.is_some_and(Role::is_digest) => {
                attributes.push((attribute, StoredValue::Text(out_of_line.digest.clone())));
            }
            _ => {}
        }
    }
    if let Some(relation) = &resource.belongs_to
        && let (Some(value_of_child), Some(time), Some(parent)) = (
            relation.child_filter.and_then(|field| record.get(field)),
            record.time(PARENT_TIME),
            record.get(relation.foreign_key),
        )
    {
        attributes.push(("part", StoredValue::Text(digest(value_of_child))));
        attributes.push((PARENT_TIME, StoredValue::Text(time.sortable())));
        attributes.push(("parent", number(parent)));
    }
    if let Some(second) = resource.secondary_time.filter(|second| second.near_primary)
        && let Some(time) = record.get(second.attribute).filter(|time| !is_near_primary(record.primary_time(), *time))
    {
        attributes.push(("secondary_time", StoredValue::Text(time.sortable())));
    }
    attributes
}

/// Returns true if the secondary time of a record is near its primary time.
fn is_near_primary(primary: Timestamp, secondary: Timestamp) -> bool {
    let is_after_earliest = primary.checked_add(-MAX_NEAR_ADVANCE).is_none_or(|earliest| secondary >= earliest);
    is_after_earliest && primary.checked_add(MAX_NEAR_DELAY).is_none_or(|latest| secondary <= latest)
}

/// Converts an item to a record. `take` removes an attribute by name. `None` if the item is not a record of the
/// catalogue.
pub fn from_item(mut take: impl FnMut(&str) -> Option<StoredValue>) -> Option<Record> {
    let resource = resources::by_name(take("resource")?.text()?)?;
    let mut record = Record::new(Key::new(resource, Id::parse(take("id")?.digits()?)?));
    let layouts = LAYOUTS[resource.name].iter().filter(|layout| layout.inline != "id");
    for FieldLayout { field, inline, before_role, out_of_line } in layouts {
        let reference = out_of_line.as_deref().and_then(&mut take).and_then(|stored| OutOfLine::load(&stored));
        let mut value = reference.map(Value::OutOfLine).or_else(|| take(inline).and_then(field.codec.load));
        if let (None, Some(own_name)) = (&value, before_role) {
            value = take(own_name).and_then(field.codec.load);
            record.stored_without_role.extend(value.is_some().then_some(field.name));
        }
        record.put(field.name, value);
    }
    let has_parent_time = resource.belongs_to.as_ref().is_some_and(|relation| relation.child_filter.is_some());
    let parent_time = if has_parent_time { take(PARENT_TIME) } else { None };
    record.put(PARENT_TIME, parent_time.and_then(|time| Timestamp::parse(time.text()?)).map(Value::Time));
    for name in [GENERATION, PARENT_GENERATION, REVISION] {
        record.put(name, take(name).and_then(|number| number.digits()?.parse().ok()).map(Value::Integer));
    }
    Some(record)
}

/// Returns true if an item is the mark of a withdrawn record: it has a resource, but not an identifier.
pub fn is_withdrawn(item: &Item) -> bool {
    item.contains_key("resource") && !item.contains_key("id")
}

/// Converts to the text `true` or `false`. A key attribute cannot be a boolean.
pub fn flag(truth: bool) -> StoredValue {
    StoredValue::Text(truth.to_string())
}

/// Converts a number to its stored form.
pub fn number(number: impl std::fmt::Display) -> StoredValue {
    StoredValue::Number(number.to_string())
}

/// Returns the partition key of the item that reserves a unique value.
pub fn reservation_key(resource: &Resource, value: &str) -> String {
    let Some(unique) = resource.unique else { return String::new() };
    let value = unique.reserved_value(value);
    format!("{}/{}/{}", resource.name, unique.attribute.name, hex::encode(Sha256::digest(value.as_bytes())))
}

/// Returns the partition key of the item with a parent's counters.
pub fn counters_key(parent: Key) -> String {
    format!("{parent}/counters")
}

/// Returns the partition key of a parent's state. It is a separate item, so no index copies data that changes with each
/// child.
pub fn state_key(parent: Key) -> String {
    format!("{parent}/state")
}
