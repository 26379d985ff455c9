//! The values of a record, by field name. Not a struct: the fields of a resource are data.

use super::attribute::Attr;
use super::id::Id;
use super::scalar::Scalar;
use super::timestamp::Timestamp;
use super::value::Value;

/// Values by field, in any order. A field without a value is absent. A record has few fields, and a linear search is
/// faster than any map.
#[derive(Clone, Debug, Default)]
pub struct Values(Vec<(&'static str, Value)>);

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|(field, value)| other.value(field) == Some(value))
    }
}

impl Values {
    /// Returns the value of an attribute.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.value(attribute.name).and_then(S::view)
    }

    /// Sets the value of an attribute.
    pub fn set<S: Scalar>(&mut self, attribute: &Attr<S>, value: S::View<'_>) {
        self.put(attribute.name, Some(S::value(value)));
    }

    /// Returns the value of a field.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| *name == field).map(|(_, value)| value)
    }

    /// Sets or removes the value of a field.
    pub fn put(&mut self, field: &'static str, value: Option<Value>) {
        let position = self.0.iter().position(|(name, _)| *name == field);
        match (position, value) {
            (Some(position), Some(value)) => self.0[position].1 = value,
            (None, Some(value)) => self.0.push((field, value)),
            (Some(position), None) => drop(self.0.swap_remove(position)),
            (None, None) => {}
        }
    }

    /// Returns the identifier in a field that refers to another record.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.value(field)? {
            Value::Id(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the integer in a field.
    pub fn integer(&self, field: &str) -> Option<i64> {
        match self.value(field)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the text in a field.
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.value(field)? {
            Value::Text(text) | Value::Object(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the time in a field.
    pub fn time(&self, field: &str) -> Option<Timestamp> {
        match self.value(field)? {
            Value::Time(time) => Some(*time),
            _ => None,
        }
    }
}
