//! The values of a record, by field name.

use std::collections::BTreeMap;

use super::attribute::Attr;
use super::id::Id;
use super::scalar::Scalar;
use super::timestamp::Timestamp;
use super::value::Value;

/// Values by field. A field without a value is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(BTreeMap<&'static str, Value>);

impl Values {
    /// Returns the value of an attribute, if it has one.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.0.get(attribute.name).and_then(S::view)
    }

    /// Sets the value of an attribute.
    pub fn set<S: Scalar>(&mut self, attribute: &Attr<S>, value: S::View<'_>) {
        self.0.insert(attribute.name, S::value(value));
    }

    /// Returns the value of a field, if it has one.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Sets or removes the value of a field.
    pub fn put(&mut self, field: &'static str, value: Option<Value>) {
        match value {
            Some(value) => self.0.insert(field, value),
            None => self.0.remove(field),
        };
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
