//! Finds records that together violate a constraint. The service enforces its constraints at all times, but a list's
//! pages are read at different times: a pet may be active on one page, and the pet that replaced it on the next.
//!
//! The constraints follow from the catalogue: unique values, parents with one child or a limited number of them, and
//! the size of a record with its embedded records. Only identifiers are kept in memory, not texts.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};

use capture_core::resources;
use capture_core::schema::scalar::Kind;
use capture_core::schema::{self, Id, Key, ParentData, Resource, Value};
use capture_core::table::{json_size, max_bytes};

use crate::record::Record;

/// A constraint across records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Constraint {
    /// No two records have the same unique value.
    Unique(&'static Resource),
    /// No two records refer to the same only child in this field.
    OnlyChild(&'static Resource, &'static str),
    /// A parent has a limited number of active children, and a limited size including them.
    Children(&'static Resource),
}

/// One record's use of a limited resource: a unique value, or capacity in a parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    /// Hash of the unique value, or the identifier of the child or the parent.
    limited: u64,
    id: u64,
    /// Bytes of JSON that the record adds to its parent.
    bytes: i64,
    /// Whether this is the parent itself, which adds bytes but does not count as a child.
    is_parent: bool,
}

/// Claims of all records in an archive.
#[derive(Default)]
pub struct Claims {
    claims: BTreeMap<Constraint, Vec<Claim>>,
    hasher: RandomState,
}

impl Claims {
    /// Adds a record's claims.
    pub fn add(&mut self, key: Key, record: &Record) {
        let (resource, id) = (key.resource, key.id.number());
        let mut add = |constraint: Constraint, limited: u64, bytes: i64, is_parent: bool| {
            self.claims.entry(constraint).or_default().push(Claim { limited, id, bytes, is_parent });
        };
        if let Some(value) = resource.unique.and_then(|unique| record.text(unique.attribute.name)) {
            add(Constraint::Unique(resource), self.hasher.hash_one(value), 0, false);
        }
        for child in resources::children(resource) {
            match child.relation.parent_data {
                ParentData::One { slot, .. } => {
                    if let Some(child) = record.id(slot).filter(|_| resource.field(slot).is_some()) {
                        add(Constraint::OnlyChild(resource, slot), child, 0, false);
                    }
                }
                ParentData::Many { .. } => {
                    add(Constraint::Children(child.resource), id, counted_bytes(key, record), true);
                }
                ParentData::Nothing | ParentData::Sum { .. } => {}
            }
        }
        let Some(relation) = &resource.belongs_to else { return };
        let is_active = relation.while_unset.is_none_or(|ended| record.text(ended.name).is_none());
        let Some(parent) = record.id(relation.foreign_key.name).filter(|_| is_active) else { return };
        match relation.parent_data {
            ParentData::One { .. } => add(Constraint::Children(resource), parent, 0, false),
            ParentData::Many { .. } => add(Constraint::Children(resource), parent, counted_bytes(key, record), false),
            ParentData::Nothing | ParentData::Sum { .. } => {}
        }
    }

    /// Returns all records that together violate a constraint, including the parent if its children are limited.
    /// Parents in `oversized` may have any size.
    pub fn conflicts(self, oversized: &BTreeSet<Key>) -> BTreeSet<Key> {
        let mut conflicting = BTreeSet::new();
        for (constraint, mut claims) in self.claims {
            claims.sort_unstable();
            for group in claims
                .chunk_by(|one, other| one.limited == other.limited)
                .filter(|group| constraint.is_violated_by(group, oversized))
            {
                conflicting.extend(constraint.parent(group[0].limited));
                let children = group.iter().filter(|claim| !claim.is_parent);
                conflicting
                    .extend(children.filter_map(|claim| Some(Key::new(constraint.resource(), Id::new(claim.id)?))));
            }
        }
        conflicting
    }
}

impl Constraint {
    /// Returns the resource that the constraint applies to.
    fn resource(self) -> &'static Resource {
        let (Self::Unique(resource) | Self::OnlyChild(resource, _) | Self::Children(resource)) = self;
        resource
    }

    fn parent(self, id: u64) -> Option<Key> {
        let Self::Children(child) = self else { return None };
        Some(Key::new(child.belongs_to.as_ref()?.parent, Id::new(id)?))
    }

    /// Returns true if claims on the same resource exceed its limit.
    fn is_violated_by(self, group: &[Claim], oversized: &BTreeSet<Key>) -> bool {
        let count = group.iter().filter(|claim| !claim.is_parent).count();
        let relation = self.resource().belongs_to.as_ref().filter(|_| matches!(self, Self::Children(_)));
        match relation.map(|relation| (relation.parent, &relation.parent_data)) {
            Some((parent, ParentData::Many { max, .. })) => {
                let is_too_large = group.iter().map(|claim| claim.bytes).sum::<i64>() > max_bytes(parent);
                let is_oversized = || self.parent(group[0].limited).is_some_and(|parent| oversized.contains(&parent));
                count > *max || (is_too_large && !is_oversized())
            }
            _ => count > 1,
        }
    }
}

/// Returns true if a record with its embedded children exceeds the maximum size in the source itself. This can happen
/// when a webhook reports a new name, which is stored regardless of the user's size.
pub fn is_oversized(key: Key, record: &Record, embedded: &[(Key, Record)]) -> bool {
    let is_counted = |child: &Key| {
        let relation = child.resource.belongs_to.as_ref();
        relation.is_some_and(|relation| matches!(relation.parent_data, ParentData::Many { .. }))
    };
    let children = embedded.iter().filter(|(child, _)| is_counted(child));
    let bytes: i64 = children.map(|(child, record)| counted_bytes(*child, record)).sum();
    bytes > 0 && counted_bytes(key, record) + bytes > max_bytes(key.resource)
}

/// Returns the size that the service counts for a record. Only texts and objects matter: any other value counts with
/// its maximum length.
fn counted_bytes(key: Key, record: &Record) -> i64 {
    let mut counted = schema::Record::new(key);
    for field in key.resource.fields.iter().filter(|field| !field.hidden) {
        let value = match field.codec.kind {
            Kind::Text | Kind::Enum => record.text(field.name).map(Value::Text),
            Kind::Object => record.json(field.name).map(|json| Value::Object(json.to_owned())),
            _ => continue,
        };
        counted.put(field.name, value);
    }
    json_size(&counted)
}
