//! The values of a record, by field name. They are no struct, because the fields of a resource are data.

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
    /// Get the value of an attribute.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.0.get(attribute.name).and_then(S::view)
    }

    /// Set the value of an attribute.
    pub fn set<S: Scalar>(&mut self, attribute: &Attr<S>, value: S::View<'_>) {
        self.0.insert(attribute.name, S::value(value));
    }

    /// Get the value of a field.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Set or remove the value of a field.
    pub fn put(&mut self, field: &'static str, value: Option<Value>) {
        match value {
            Some(value) => self.0.insert(field, value),
            None => self.0.remove(field),
        };
    }

    /// Get the identifier in a field that refers to another record.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.value(field)? {
            Value::Id(id) => Some(*id),
            _ => None,
        }
    }

    /// Get the integer in a field.
    pub fn integer(&self, field: &str) -> Option<i64> {
        match self.value(field)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Get the text in a field.
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.value(field)? {
            Value::Text(text) | Value::Object(text) => Some(text),
            _ => None,
        }
    }

    /// Get the time in a field.
    pub fn time(&self, field: &str) -> Option<Timestamp> {
        match self.value(field)? {
            Value::Time(time) => Some(*time),
            _ => None,
        }
    }
}
