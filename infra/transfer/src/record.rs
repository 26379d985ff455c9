//! Records as lines of an archive: the fields that the API returns, without embedded records.

use capture_core::resources::{self, Member};
use capture_core::schema::{Field, Redaction, Resource};
use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::Error;

/// Member with the path of an archived image, in place of its URL.
pub const IMAGE: &str = "image";

/// A record. Values keep their JSON text, which preserves the numbers in an object as they were sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Record(IndexMap<String, Box<RawValue>>);

impl Record {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Removes embedded records, which have separate lines, and values derived from them.
    #[must_use]
    pub fn without_embedded(mut self, resource: &'static Resource) -> Self {
        for member in resources::members(resource).iter().filter(|member| !matches!(member, Member::Field(_))) {
            self.0.shift_remove(member.name());
        }
        self
    }

    /// Returns the record as a line, without the newline.
    ///
    /// # Errors
    /// Never: a record is JSON.
    pub fn line(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(self)?)
    }

    /// Returns a field's value.
    pub fn value(&self, field: &str) -> Option<Value> {
        self.parsed(field)
    }

    /// Returns a member, deserialized to a type.
    pub fn parsed<T: DeserializeOwned>(&self, member: &str) -> Option<T> {
        serde_json::from_str(self.0.get(member)?.get()).ok()
    }

    /// Returns a member's JSON. `None` if it is null.
    pub fn json(&self, member: &str) -> Option<&str> {
        Some(self.0.get(member)?.get()).filter(|json| *json != "null")
    }

    /// Returns the identifier in a field.
    pub fn id(&self, field: &str) -> Option<u64> {
        self.value(field)?.as_u64()
    }

    /// Returns the text in a field.
    pub fn text(&self, field: &str) -> Option<String> {
        Some(self.value(field)?.as_str()?.to_owned())
    }

    /// Sets a field's value.
    ///
    /// # Errors
    /// Never: a value is JSON.
    pub fn set(&mut self, field: &str, value: &Value) -> Result<(), Error> {
        self.0.insert(field.to_owned(), to_raw_value(value)?);
        Ok(())
    }

    /// Removes a member and returns its value.
    pub fn remove(&mut self, member: &str) -> Option<Value> {
        serde_json::from_str(self.0.shift_remove(member)?.get()).ok()
    }

    /// Returns the fields that differ from another version of the record, except for the image.
    pub fn differing<'a>(&self, other: &Self, resource: &'a Resource) -> Vec<&'a Field> {
        let fields = resource.fields.iter().filter(|field| !field.hidden && !field.is_image());
        fields.filter(|field| !self.is_same(other, field)).collect()
    }

    /// Returns true if a field has the same value in both records. A missing field is null.
    fn is_same(&self, other: &Self, field: &Field) -> bool {
        let text = |record: &Self| record.0.get(field.name).map_or("null", |raw| raw.get()).to_owned();
        let value = |record: &Self| serde_json::from_str::<Value>(&text(record)).ok();
        // Compare the texts first: not every JSON number can be parsed without loss.
        text(self) == text(other) || value(self).is_some_and(|parsed| value(other) == Some(parsed))
    }

    /// Returns a copy with only some of the fields. A missing field becomes null.
    ///
    /// # Errors
    /// Never: a record is JSON.
    pub fn only(&self, fields: &[&Field]) -> Result<Self, Error> {
        let value = |field: &&Field| self.0.get(field.name).cloned().map_or_else(|| to_raw_value(&Value::Null), Ok);
        let member = |field: &&Field| Ok((field.name.to_owned(), value(field)?));
        fields.iter().map(member).collect::<Result<_, serde_json::Error>>().map(Self).map_err(Error::from)
    }
}

/// Returns true if a field of a stored record has the value that redaction leaves.
pub fn has_redacted_value(resource: &Resource, field: &Field, stored: &Record) -> bool {
    let text = stored.text(field.name);
    match field.redaction {
        None => false,
        Some(Redaction::Replace(value)) => text.as_deref() == Some(value),
        Some(Redaction::Identify { prefix, .. }) => {
            let id = stored.id(resource.id.name).unwrap_or_default();
            text == Some(format!("{prefix}{id}"))
        }
        // A required text becomes empty.
        Some(Redaction::Clear) => stored.json(field.name).is_none() || text.as_deref() == Some(""),
        Some(Redaction::Delete) => stored.json(field.name).is_none(),
    }
}

/// Returns true if a record was anonymized.
pub fn is_anonymized(resource: &Resource, id: u64, record: &Record) -> bool {
    resource.fields.iter().any(|field| match field.redaction {
        Some(Redaction::Identify { prefix, .. }) => record.text(field.name) == Some(format!("{prefix}{id}")),
        _ => false,
    })
}
