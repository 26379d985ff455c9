//! Drafts: records as parsed from a body, before they are stored.
//!
//! Unlike a record, a draft distinguishes a field that the body clears from a field that it omits.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::image::Format;
use crate::schema::scalar::Scalar;
use crate::schema::{Attr, Id, Resource, Value};

/// A record as parsed from a body, before it is stored.
///
/// ```
/// use capture_core::request::Draft;
/// use capture_core::resources::{EVENTS, USERS, events, users};
///
/// let user = Draft::new(&USERS).with(&users::PLATFORM_ID, "1").with(&users::NAME, "Ann");
/// let event = Draft::new(&EVENTS).with(&events::TIER, 3).with_embedded("user", user);
///
/// assert_eq!(event.get(&events::TIER), Some(3));
/// assert_eq!(event.embedded("user").and_then(|user| user.get(&users::NAME)), Some("Ann"));
/// ```
#[derive(Clone, Debug)]
pub struct Draft {
    pub resource: &'static Resource,
    /// Fields of the body. `None` clears a field.
    pub values: BTreeMap<&'static str, Option<Value>>,
    /// Values that are assumed for a new record. An existing record keeps its values.
    pub initial: BTreeMap<&'static str, Value>,
    /// Embedded records, by member.
    pub embedded: BTreeMap<&'static str, Vec<Draft>>,
    /// Image of the body.
    pub image: Option<SentImage>,
}

/// An image that decodes without errors.
#[derive(Debug, Clone)]
pub struct SentImage {
    /// Bytes, exactly as sent.
    pub bytes: Bytes,
    /// Format, detected from the bytes.
    pub format: Format,
}

impl Draft {
    /// Creates a draft without values.
    pub fn new(resource: &'static Resource) -> Self {
        Self { resource, values: BTreeMap::new(), initial: BTreeMap::new(), embedded: BTreeMap::new(), image: None }
    }

    /// Sets the value of an attribute.
    #[must_use]
    pub fn with<S: Scalar>(mut self, attribute: &Attr<S>, value: S::View<'_>) -> Self {
        self.values.insert(attribute.name, Some(S::value(value)));
        self
    }

    /// Assumes a value for an attribute of a new record.
    #[must_use]
    pub fn with_initial<S: Scalar>(mut self, attribute: &Attr<S>, value: S::View<'_>) -> Self {
        self.initial.insert(attribute.name, S::value(value));
        self
    }

    /// Embeds a record.
    #[must_use]
    pub fn with_embedded(mut self, member: &'static str, record: Self) -> Self {
        self.embedded.insert(member, vec![record]);
        self
    }

    /// Returns the value of an attribute.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.values.get(attribute.name)?.as_ref().and_then(S::view)
    }

    /// Returns the first embedded record of a member.
    pub fn embedded(&self, member: &str) -> Option<&Self> {
        self.embedded.get(member)?.first()
    }

    /// Returns the identifier in a field that refers to another record.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.values.get(field)? {
            Some(Value::Id(id)) => Some(*id),
            _ => None,
        }
    }

    /// Returns the value of the unique field.
    pub fn unique(&self) -> Option<&str> {
        self.get(self.resource.unique.as_ref()?.attribute)
    }

    /// Finds the draft that has an image: this draft or an embedded draft.
    pub fn first_with_image(&self) -> Option<&Self> {
        if self.image.is_some() {
            Some(self)
        } else {
            self.embedded.values().flatten().find_map(Self::first_with_image)
        }
    }
}
