//! Records: a key, and values by field name. The code below the resources is the same for all of them.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Deref, DerefMut};

use super::attribute::{Field, Input};
use super::id::{Id, time_of};
use super::letter_case::sort_name;
use super::redaction::Redaction;
use super::resource::Resource;
use super::timestamp::Timestamp;
use super::value::Value;
use super::values::Values;
use crate::error::Error;

/// Key of a record. An identifier is unique only within its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub resource: &'static Resource,
    pub id: Id,
}

impl Key {
    /// Creates the 404 error for a record that does not exist or does not match the path.
    pub fn not_found(&self) -> Error {
        Error::not_found(format!("{} not found.", self.title()))
    }

    /// Returns the name of the record for a sentence: `Event 77`.
    pub fn title(&self) -> String {
        let (first, rest) = self.resource.singular.split_at(1);
        format!("{}{rest} {}", first.to_uppercase(), self.id)
    }

    pub fn new(resource: &'static Resource, id: Id) -> Self {
        Self { resource, id }
    }
}

/// Formats the path of the record, which is also its partition key.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.resource.name, self.id)
    }
}

/// A record. Each value has the type of its field's scalar.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub key: Key,
    values: Values,
    /// Fields that the item still stores under the field's name, although an index role has them now.
    pub(crate) stored_without_role: BTreeSet<&'static str>,
}

impl Deref for Record {
    type Target = Values;

    fn deref(&self) -> &Values {
        &self.values
    }
}

impl DerefMut for Record {
    fn deref_mut(&mut self) -> &mut Values {
        &mut self.values
    }
}

impl Record {
    /// Creates a record that has only an identifier.
    pub fn new(key: Key) -> Self {
        let mut values = Values::default();
        values.set(key.resource.id, key.id);
        Self { key, values, stored_without_role: BTreeSet::new() }
    }

    /// Returns the key of the parent.
    pub fn parent(&self) -> Option<Key> {
        let relation = self.key.resource.belongs_to.as_ref()?;
        Some(Key::new(relation.parent, self.get(relation.foreign_key)?))
    }

    /// Returns true if the parent stores the record as an active child.
    pub fn is_active(&self) -> bool {
        let relation = self.key.resource.belongs_to.as_ref();
        relation.and_then(|relation| relation.while_unset).is_none_or(|attribute| self.get(attribute).is_none())
    }

    /// Returns the sort key of the record in the lists of its resource.
    pub fn sort_key(&self) -> SortKey {
        SortKey { order: SortValue::Time(self.primary_time()), id: self.key.id }
    }

    /// Returns the sort key of the record in a list that is ordered by a name.
    pub fn sort_key_by_name(&self, field: &str) -> SortKey {
        SortKey { order: SortValue::Name(sort_name(self.text(field).unwrap_or_default())), id: self.key.id }
    }

    /// Returns the time that orders the lists of the resource, or else the time of creation.
    pub fn primary_time(&self) -> Timestamp {
        let time = self.key.resource.time.and_then(|attribute| self.get(attribute));
        time.unwrap_or_else(|| time_of(self.key.id))
    }

    /// Returns the variant, which determines the record's fields.
    pub fn variant(&self) -> Option<&str> {
        self.key.resource.variant.and_then(|field| self.text(field))
    }

    /// Returns a copy with some redactions applied to its fields. The records that it refers to do not change.
    #[must_use]
    pub fn redacted(&self, is_included: impl Fn(Redaction) -> bool) -> Self {
        let mut redacted = self.clone();
        for field in self.key.resource.fields.iter().filter(|field| self.has(field)) {
            let redaction = field.redaction.filter(|redaction| *redaction != Redaction::Delete);
            if let Some(redaction) = redaction.filter(|redaction| is_included(*redaction)) {
                redacted.put(field.name, self.after_redaction(field, redaction));
            }
        }
        redacted
    }

    fn after_redaction(&self, field: &Field, redaction: Redaction) -> Option<Value> {
        let is_required = matches!(field.input_for(self.variant()), Some(Input::Required));
        match redaction {
            Redaction::Clear if is_required => Some(Value::Text(String::new())),
            Redaction::Clear | Redaction::Delete => None,
            Redaction::Replace(text) => Some(Value::Text(text.to_owned())),
            Redaction::Identify { prefix, .. } => Some(Value::Text(format!("{prefix}{}", self.key.id))),
        }
    }

    /// Returns true if the record was anonymized.
    pub fn is_anonymized(&self) -> bool {
        self.key.resource.fields.iter().any(|field| match field.redaction {
            Some(redaction @ Redaction::Identify { .. }) => {
                self.value(field.name) == self.after_redaction(field, redaction).as_ref()
            }
            _ => false,
        })
    }

    /// Returns true if the record's variant has the field.
    pub fn has(&self, field: &Field) -> bool {
        field.input_for(self.variant()).is_some()
    }
}

/// Sort key in a list: a time or a name, then an identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey {
    /// Time or name of the record.
    pub order: SortValue,
    pub id: Id,
}

/// A value that orders a list. All sort keys of a list use the same kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortValue {
    Time(Timestamp),
    /// A name, converted by [`sort_name`].
    Name(String),
}

impl SortValue {
    /// Formats the value as a text that sorts in the same order.
    pub fn sortable(&self) -> String {
        match self {
            Self::Time(time) => time.sortable(),
            Self::Name(name) => name.clone(),
        }
    }
}
