//! One stored resource: its key and its values.

use std::collections::BTreeMap;
use std::fmt;

use super::attribute::{Attr, Field};
use super::id::{Id, time_of};
use super::resource::Resource;
use super::scalar::Scalar;
use super::timestamp::Timestamp;
use super::value::Value;

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
    values: BTreeMap<&'static str, Value>,
}

impl Record {
    /// A record with no values yet but its identifier.
    pub fn new(key: Key) -> Self {
        Self { key, values: BTreeMap::from([(key.resource.id.name, Value::Id(key.id))]) }
    }

    /// The value of an attribute, if it has one.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.values.get(attribute.name).and_then(S::view)
    }

    /// Gives an attribute a value.
    pub fn set<S: Scalar>(&mut self, attribute: &Attr<S>, value: S::View<'_>) {
        self.values.insert(attribute.name, S::value(value));
    }

    /// The value of a field, if it has one.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.values.get(field)
    }

    /// Gives a field a value, or takes it away.
    pub fn put(&mut self, field: &'static str, value: Option<Value>) {
        match value {
            Some(value) => self.values.insert(field, value),
            None => self.values.remove(field),
        };
    }

    /// The identifier in a field that refers to another record.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.value(field)? {
            Value::Id(id) => Some(*id),
            _ => None,
        }
    }

    /// The text in a field.
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.value(field)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The moment in a field.
    pub fn time(&self, field: &str) -> Option<Timestamp> {
        match self.value(field)? {
            Value::Time(time) => Some(*time),
            _ => None,
        }
    }

    /// The key of the record that this one belongs to.
    pub fn holder(&self) -> Option<Key> {
        let relation = self.key.resource.belongs_to.as_ref()?;
        Some(Key::new(relation.to, self.get(relation.by)?))
    }

    /// Whether its holder keeps it now.
    pub fn is_kept(&self) -> bool {
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
