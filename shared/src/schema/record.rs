//! One stored resource: its key and its values.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::attribute::Field;
use super::id::{Id, time_of};
use super::resource::Resource;
use super::timestamp::Timestamp;
use super::values::Values;

/// What names a record: an identifier means nothing without its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The kind of record.
    pub resource: &'static Resource,
    /// Which of its kind.
    pub id: Id,
}

impl Key {
    /// The key of a record.
    pub fn new(resource: &'static Resource, id: Id) -> Self {
        Self { resource, id }
    }
}

/// The path of the record, which is its partition key, too.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.resource.name, self.id)
    }
}

/// A record: every value is of the scalar that its field declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name.
    pub key: Key,
    values: Values,
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
    /// A record with no values yet but its identifier.
    pub fn new(key: Key) -> Self {
        let mut values = Values::default();
        values.set(key.resource.id, key.id);
        Self { key, values }
    }

    /// The key of the record that this one belongs to.
    pub fn parent(&self) -> Option<Key> {
        let relation = self.key.resource.belongs_to.as_ref()?;
        Some(Key::new(relation.to, self.get(relation.by)?))
    }

    /// Whether its holder keeps it now.
    pub fn is_active(&self) -> bool {
        let relation = self.key.resource.belongs_to.as_ref();
        relation.and_then(|relation| relation.while_unset).is_none_or(|attribute| self.get(attribute).is_none())
    }

    /// The record's place in its resource's lists.
    pub fn position(&self) -> Position {
        let own = self.key.resource.time.and_then(|attribute| self.get(attribute));
        Position { time: own.unwrap_or_else(|| time_of(self.key.id)), id: self.key.id }
    }

    /// The word that decides which fields the record has.
    pub fn variant(&self) -> Option<&str> {
        self.key.resource.variant.and_then(|field| self.text(field))
    }

    /// Whether this record has a field, by its variant.
    pub fn has(&self, field: &Field) -> bool {
        field.input_for(self.variant()).is_some()
    }
}

/// A place in the order of a list: by time, ties by identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The resource's own time.
    pub time: Timestamp,
    /// The identifier.
    pub id: Id,
}
