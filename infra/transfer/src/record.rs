//! A record as a line of an archive: the fields that the API renders, without embedded records.

use event_capture::resources::{self, Member};
use event_capture::schema::{Field, Redaction, Resource};
use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::Error;

/// Member of a line with the path of the image in the archive, in place of the image's URL.
pub const IMAGE: &str = "image";

/// A record. Values keep their text, so that an archive has the numbers of an object as they were sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Record(IndexMap<String, Box<RawValue>>);

impl Record {
    /// Parse a JSON object.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Remove embedded records, and values that are derived from them. They have lines of their own.
    #[must_use]
    pub fn without_embedded(mut self, resource: &'static Resource) -> Self {
        for member in resources::members(resource).iter().filter(|member| !matches!(member, Member::Field(_))) {
            self.0.shift_remove(member.name());
        }
        self
    }

    /// Build the line, without its end.
    ///
    /// # Errors
    /// Never: a record is JSON.
    pub fn line(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(self)?)
    }

    /// Get a value.
    pub fn value(&self, field: &str) -> Option<Value> {
        self.parsed(field)
    }

    /// Get a member as another type.
    pub fn parsed<T: DeserializeOwned>(&self, member: &str) -> Option<T> {
        serde_json::from_str(self.0.get(member)?.get()).ok()
    }

    /// Get the JSON of a member. None if it is null.
    pub fn json(&self, member: &str) -> Option<&str> {
        Some(self.0.get(member)?.get()).filter(|json| *json != "null")
    }

    /// Get the identifier in a field.
    pub fn id(&self, field: &str) -> Option<u64> {
        self.value(field)?.as_u64()
    }

    /// Get the text in a field.
    pub fn text(&self, field: &str) -> Option<String> {
        Some(self.value(field)?.as_str()?.to_owned())
    }

    /// Set a value.
    ///
    /// # Errors
    /// Never: a value is JSON.
    pub fn set(&mut self, field: &str, value: &Value) -> Result<(), Error> {
        self.0.insert(field.to_owned(), to_raw_value(value)?);
        Ok(())
    }

    /// Remove a member, and return its value.
    pub fn remove(&mut self, member: &str) -> Option<Value> {
        serde_json::from_str(self.0.shift_remove(member)?.get()).ok()
    }

    /// List the fields in which another rendering of the record differs, except for the image.
    pub fn differing<'a>(&self, other: &Self, resource: &'a Resource) -> Vec<&'a Field> {
        let fields = resource.fields.iter().filter(|field| !field.hidden && !field.is_image());
        fields.filter(|field| !self.is_same(other, field)).collect()
    }

    /// Tell if a field has the same value in both. A field that is left out is null.
    fn is_same(&self, other: &Self, field: &Field) -> bool {
        let text = |record: &Self| record.0.get(field.name).map_or("null", |raw| raw.get()).to_owned();
        let value = |record: &Self| serde_json::from_str::<Value>(&text(record)).ok();
        // Not every number of an object fits into a number of this process.
        text(self) == text(other) || value(self).is_some_and(|parsed| value(other) == Some(parsed))
    }

    /// Get a record with some fields only. A field that is left out is null.
    ///
    /// # Errors
    /// Never: a record is JSON.
    pub fn only(&self, fields: &[&Field]) -> Result<Self, Error> {
        let value = |field: &&Field| self.0.get(field.name).cloned().map_or_else(|| to_raw_value(&Value::Null), Ok);
        let member = |field: &&Field| Ok((field.name.to_owned(), value(field)?));
        fields.iter().map(member).collect::<Result<_, serde_json::Error>>().map(Self).map_err(Error::from)
    }
}

/// Tell if a stored record has the value in a field that a redaction leaves.
pub fn has_redacted_value(resource: &Resource, field: &Field, stored: &Record) -> bool {
    let text = stored.text(field.name);
    match field.redaction {
        None => false,
        Some(Redaction::Replace(value)) => text.as_deref() == Some(value),
        Some(Redaction::Identify { prefix, .. }) => {
            let id = stored.id(resource.id.name).unwrap_or_default();
            text == Some(format!("{prefix}{id}"))
        }
        // A required text is empty.
        Some(Redaction::Clear) => stored.json(field.name).is_none() || text.as_deref() == Some(""),
        Some(Redaction::Delete) => stored.json(field.name).is_none(),
    }
}

/// Tell if a record with this identifier was anonymized.
pub fn is_anonymized(resource: &Resource, id: u64, record: &Record) -> bool {
    resource.fields.iter().any(|field| match field.redaction {
        Some(Redaction::Identify { prefix, .. }) => record.text(field.name) == Some(format!("{prefix}{id}")),
        _ => false,
    })
}
