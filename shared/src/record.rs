//! One stored resource: its key and its values.

use std::collections::BTreeMap;
use std::fmt;

use crate::ids;
use crate::resource::{Field, Kind, Resource, Shown};
use crate::resources;
use crate::value::{Id, Timestamp, Value};

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

    /// The key that this is the text of.
    pub fn parse(text: &str) -> Option<Self> {
        let (resource, id) = text.split_once('/')?;
        Some(Self::new(resources::named(resource)?, Id::parse(id)?))
    }
}

/// The partition key in the table: the path of the record.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.resource.name, self.id)
    }
}

/// A record: every value is of the kind that its field declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name.
    pub key: Key,
    values: BTreeMap<&'static str, Value>,
}

impl Record {
    /// A record with no values yet but its identifier.
    pub fn new(key: Key) -> Self {
        Self { key, values: BTreeMap::from([(key.resource.id, Value::Id(key.id))]) }
    }

    /// The value of a field, if it has one.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.values.get(field)
    }

    /// Gives a field a value, or takes it away.
    pub fn set(&mut self, field: &'static str, value: Option<Value>) {
        match value {
            Some(value) => self.values.insert(field, value),
            None => self.values.remove(field),
        };
    }

    /// The identifier in a reference, if it has one.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.get(field)? {
            Value::Id(id) => Some(*id),
            _ => None,
        }
    }

    /// The identifiers in a set of references.
    pub fn references(&self, field: &str) -> impl DoubleEndedIterator<Item = Id> {
        let ids = match self.get(field) {
            Some(Value::Ids(ids)) => Some(ids),
            _ => None,
        };
        ids.into_iter().flatten().copied()
    }

    /// The whole number in a field, if it has one.
    pub fn integer(&self, field: &str) -> Option<i64> {
        match self.get(field)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The text in a field, if it has one.
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.get(field)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The moment in a field, if it has one.
    pub fn time_of(&self, field: &str) -> Option<Timestamp> {
        match self.get(field)? {
            Value::Time(time) => Some(*time),
            _ => None,
        }
    }

    /// About how much text the record has, in bytes.
    pub fn weight(&self) -> usize {
        let text = |value: &Value| if let Value::Text(text) = value { text.len() } else { 0 };
        self.values.values().map(text).sum()
    }

    /// The record's place in its resource's lists.
    pub fn position(&self) -> Position {
        let own = self.key.resource.time.and_then(|field| self.time_of(field));
        Position { time: own.unwrap_or_else(|| ids::time_of(self.key.id)), id: self.key.id }
    }

    /// The fields that this record has, by its variant.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        let resource = self.key.resource;
        let variant = resource.variant.and_then(|field| self.text(field));
        resource.fields.iter().filter(move |field| field.input_for(variant).is_some())
    }

    /// The keys of the records that a response shows inside this one, and of those inside them where this
    /// one repeats them; `alone` where this one is not inside another.
    pub fn embedded_keys(&self, alone: bool) -> Vec<Key> {
        let fields = self.key.resource.fields;
        let shown = |field: &Field| field.shown == Shown::Always || (field.shown == Shown::Alone && alone);
        let mut keys = Vec::new();
        for field in fields {
            match field.kind {
                Kind::One { resource, by, .. } if shown(field) => {
                    keys.extend(self.reference(by).map(|id| Key::new(resource, id)));
                }
                Kind::Many { resource, ids } if shown(field) => {
                    keys.extend(self.references(ids).map(|id| Key::new(resource, id)));
                }
                Kind::Ids(resource) if alone && !fields.iter().any(|other| shows(other, field)) => {
                    keys.extend(self.references(field.name).map(|id| Key::new(resource, id)));
                }
                _ => {}
            }
        }
        keys
    }
}

/// Whether a field shows the records whose identifiers another holds.
fn shows(field: &Field, held: &Field) -> bool {
    matches!(field.kind, Kind::Many { ids, .. } if ids == held.name)
}

/// A place in the order of a list: by time, ties by identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The resource's own time.
    pub time: Timestamp,
    /// The identifier.
    pub id: Id,
}
