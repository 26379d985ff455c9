//! Rendering of records as JSON text, with their embedded records.

use crate::error::Result;
use crate::operations::{Execution, etag_of};
use crate::resources::{self, Child, Member};
use crate::schema::scalar::Kind;
use crate::schema::{Depth, Field, ParentData, Record, Resource, Value};
use crate::table::{Snapshot, State, WriteSet, is_active_child, is_child_of, out_of_line_texts, shows_state, text_key};

const NULL: &str = "null";

/// A JSON object under construction, as text.
#[derive(Default)]
struct ObjectText(String);

impl ObjectText {
    /// Adds a member with a name that needs no escapes.
    fn add(&mut self, name: &str, value: &str) {
        for part in [if self.0.is_empty() { "{\"" } else { ",\"" }, name, "\":", value] {
            self.0.push_str(part);
        }
    }

    fn finish(self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { self.0 + "}" }
    }
}

/// Renders a record as JSON text at a depth. Returns `None` if the embedded parent is deleted, which means that the
/// record is also being deleted, or if a long text is missing.
///
/// A child is embedded only if it still belongs to the record. A moved stamp is not rendered in its former document.
pub fn render(record: &Record, snapshot: &Snapshot, depth: Depth, base: &str) -> Option<String> {
    let members = resources::members(record.key.resource);
    let from_parent = members.iter().filter_map(|member| match member {
        Member::OnParent(child, embedded) if embedded.visibility.is_at(depth) => {
            Some((*child, embedded_child(record, *child, snapshot, base)))
        }
        _ => None,
    });
    let children: Vec<(Child, String)> = from_parent.collect();
    let mut object = ObjectText::default();
    for member in members {
        let is_visible = member.embedded().is_none_or(|embedded| embedded.visibility.is_at(depth));
        match member {
            Member::Field(field) if field.hidden || !record.has(field) => {}
            // The child has just been deleted. The reference to it is rendered as null.
            Member::Field(field) if is_slot_of_none(field, &children) => object.add(field.name, NULL),
            Member::Field(field) => object.add(field.name, &value(record, field, snapshot, base)?),
            Member::Parent(_, embedded) if is_visible => {
                let parent = snapshot.records.get(&record.parent()?).filter(|parent| is_child_of(record, parent))?;
                object.add(embedded.field, &render(parent, snapshot, Depth::Embedded, base)?);
            }
            Member::OnParent(child, embedded) => {
                let rendered = children.iter().find(|(other, _)| other.resource == child.resource);
                if let Some((_, rendered)) = rendered {
                    object.add(embedded.field, rendered);
                }
            }
            Member::Parent(..) => {}
        }
    }
    Some(object.finish())
}

impl Execution {
    /// Renders a record. The snapshot must contain everything that the response renders.
    pub(crate) fn render_record(&self, record: &Record, snapshot: &Snapshot, depth: Depth) -> Result<String> {
        render(record, snapshot, depth, &self.base).ok_or_else(|| record.key.not_found())
    }

    /// Renders a record at a depth, with its ETag. The snapshot must contain everything that GET renders.
    pub(crate) fn render_tagged(&self, record: &Record, snapshot: &Snapshot, depth: Depth) -> Result<(String, String)> {
        let rendered = self.render_record(record, snapshot, depth)?;
        // Only image URLs depend on the host.
        let is_as_covered = depth == Depth::TopLevel && !rendered.contains(&self.base);
        let etag = if is_as_covered { etag_of(&rendered) } else { Self::etag(record, snapshot)? };
        Ok((rendered, etag))
    }

    /// Returns the ETag of a record. The snapshot must contain everything that GET renders. The ETag covers image URLs
    /// without the host, and is the same at each address of the service.
    pub(crate) fn etag(record: &Record, snapshot: &Snapshot) -> Result<String> {
        let rendered = render(record, snapshot, Depth::TopLevel, "").ok_or_else(|| record.key.not_found())?;
        Ok(etag_of(&rendered))
    }
}

/// Returns true if the field refers to an only child that is not rendered.
fn is_slot_of_none(field: &Field, children: &[(Child, String)]) -> bool {
    children.iter().any(|(child, rendered)| match child.relation.parent_data {
        ParentData::One { slot, .. } => slot == field.name && rendered == NULL,
        _ => false,
    })
}

fn value(record: &Record, field: &Field, snapshot: &Snapshot, base: &str) -> Option<String> {
    Some(match record.value(field.name) {
        Some(Value::OutOfLine(out_of_line)) => {
            let text = snapshot.texts.get(&text_key(record.key, out_of_line))?.clone();
            let value = if field.codec.kind == Kind::Object { Value::Object(text) } else { Value::Text(text) };
            value.to_json()
        }
        Some(Value::Text(name)) if field.is_image() => Value::Text(format!("{base}/images/{name}")).to_json(),
        Some(value) => value.to_json(),
        None => NULL.to_owned(),
    })
}

fn embedded_child(parent: &Record, child: Child, snapshot: &Snapshot, base: &str) -> String {
    if let ParentData::Sum { embedded, .. } = &child.relation.parent_data {
        return snapshot.states.get(&parent.key).map_or(0, |state| state.sum(embedded.field)).to_string();
    }
    let keys = snapshot.children(parent, child).unwrap_or_default();
    let mut records: Vec<_> = keys.iter().filter_map(|key| snapshot.records.get(key)).collect();
    records.retain(|record| is_active_child(record, parent.key));
    if child.resource.time.is_some() {
        records.sort_by_key(|record| std::cmp::Reverse(record.sort_key()));
    }
    let mut rendered = records.into_iter().filter_map(|record| render(record, snapshot, Depth::Embedded, base));
    match child.relation.parent_data {
        ParentData::One { .. } => rendered.next().unwrap_or_else(|| NULL.to_owned()),
        _ => format!("[{}]", rendered.collect::<Vec<_>>().join(",")),
    }
}

/// Returns the depth at which the response to a write renders a record.
pub fn write_response_depth(resource: &Resource) -> Depth {
    if resource.minimal_write_response { Depth::Embedded } else { Depth::TopLevel }
}

/// Returns the records that a record embeds, directly or indirectly.
pub fn embedded<'a>(record: &Record, snapshot: &'a Snapshot, depth: Depth) -> Vec<&'a Record> {
    let mut found = Vec::new();
    for member in resources::members(record.key.resource) {
        let is_visible = member.embedded().is_some_and(|embedded| embedded.visibility.is_at(depth));
        let keys = match member {
            Member::Parent(..) if is_visible => record.parent().into_iter().collect(),
            Member::OnParent(child, _) if is_visible => snapshot.children(record, *child).unwrap_or_default(),
            _ => Vec::new(),
        };
        for inside in keys.iter().filter_map(|key| snapshot.records.get(key)) {
            found.push(inside);
            found.extend(embedded(inside, snapshot, Depth::Embedded));
        }
    }
    found
}

/// Makes a write set conditional on everything that GET renders of a record, which is what its ETag covers.
pub fn require_unchanged_as_rendered(record: &Record, snapshot: &Snapshot, write_set: &mut WriteSet) {
    write_set.require_unchanged_record(record, snapshot.states.get(&record.key));
    require_unchanged_embedded(record, snapshot, write_set);
}

/// Makes a write set conditional on the embedded records that GET renders.
pub fn require_unchanged_embedded(record: &Record, snapshot: &Snapshot, write_set: &mut WriteSet) {
    for inside in embedded(record, snapshot, Depth::TopLevel) {
        let state = snapshot.states.get(&inside.key).filter(|_| shows_state(inside.key.resource));
        write_set.require_unchanged_record(inside, state);
    }
}

impl Snapshot {
    /// Returns true if the parts of a record were read at different times and are inconsistent: a child is missing or
    /// has another parent, a long text is missing, the state does not match, or the record is marked as deleted.
    pub fn is_inconsistent(&self, record: &Record, depth: Depth) -> bool {
        self.lacks_own_text(record)
            || self.differs_from_state(record)
            || self.states.get(&record.key).is_some_and(State::is_deleted)
            || resources::members(record.key.resource).iter().any(|member| match member {
                Member::OnParent(child, embedded) if embedded.visibility.is_at(depth) => {
                    self.children(record, *child).unwrap_or_default().iter().any(|key| match self.records.get(key) {
                        Some(embedded_child) => {
                            !is_active_child(embedded_child, record.key)
                                || self.is_inconsistent(embedded_child, Depth::Embedded)
                        }
                        None => true,
                    })
                }
                _ => false,
            })
    }

    /// Returns true if a record, its state, and the long texts of the record and its children are consistent.
    pub fn is_consistent(&self, record: &Record) -> bool {
        !self.lacks_texts(record) && !self.differs_from_state(record)
    }

    /// Returns true if a long text of the record or of one of its children is missing.
    pub fn lacks_texts(&self, record: &Record) -> bool {
        let embedded_child = resources::children(record.key.resource)
            .iter()
            .flat_map(|child| self.children(record, *child).unwrap_or_default());
        let inside = embedded_child
            .filter_map(|key| self.records.get(&key))
            .filter(|embedded_child| is_active_child(embedded_child, record.key));
        self.lacks_own_text(record) || inside.into_iter().any(|embedded_child| self.lacks_texts(embedded_child))
    }

    /// Returns true if a long text of the record is missing. It was replaced after the record was read.
    fn lacks_own_text(&self, record: &Record) -> bool {
        out_of_line_texts(record).iter().any(|(pk, text)| text.is_none() && !self.texts.contains_key(pk))
    }
}
