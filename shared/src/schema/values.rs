//! The values of one record, by the names of their fields.

use std::collections::BTreeMap;

use super::attribute::Attr;
use super::id::Id;
use super::scalar::Scalar;
use super::timestamp::Timestamp;
use super::value::Value;

/// Values by field. A field without a value is not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(BTreeMap<&'static str, Value>);

impl Values {
    /// The value of an attribute, if it has one.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.0.get(attribute.name).and_then(S::view)
    }

    /// Gives an attribute a value.
    pub fn set<S: Scalar>(&mut self, attribute: &Attr<S>, value: S::View<'_>) {
        self.0.insert(attribute.name, S::value(value));
    }

    /// The value of a field, if it has one.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Gives a field a value, or takes it away.
    pub fn put(&mut self, field: &'static str, value: Option<Value>) {
        match value {
            Some(value) => self.0.insert(field, value),
            None => self.0.remove(field),
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
}
