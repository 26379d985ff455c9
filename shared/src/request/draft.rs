//! Drafts: records as parsed from a body, before they are stored.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::image::Format;
use crate::schema::scalar::Scalar;
use crate::schema::{Attr, Id, Resource, Value};

/// A record as parsed from a body, before it is stored.
///
/// ```
/// use event_capture::request::Draft;
/// use event_capture::resources::{EVENTS, USERS, events, users};
///
/// let user = Draft::new(&USERS).with(&users::PLATFORM_ID, "1").with(&users::NAME, "Ann");
/// let event = Draft::new(&EVENTS).with(&events::TIER, 3).with_part("user", user);
///
/// assert_eq!(event.get(&events::TIER), Some(3));
/// assert_eq!(event.part("user").and_then(|user| user.get(&users::NAME)), Some("Ann"));
/// ```
#[derive(Debug)]
pub struct Draft {
    /// The resource of the record.
    pub resource: &'static Resource,
    /// The given fields. None clears a field.
    pub values: BTreeMap<&'static str, Option<Value>>,
    /// The nested records, by member.
    pub parts: BTreeMap<&'static str, Vec<Draft>>,
    /// The given image.
    pub image: Option<Image>,
}

/// An image that decodes without errors.
#[derive(Debug, Clone)]
pub struct Image {
    /// The bytes, exactly as sent.
    pub bytes: Bytes,
    /// The format, detected from the bytes.
    pub format: Format,
}

impl Draft {
    /// Returns an empty draft.
    pub fn new(resource: &'static Resource) -> Self {
        Self { resource, values: BTreeMap::new(), parts: BTreeMap::new(), image: None }
    }

    /// Returns the draft with a value for an attribute.
    #[must_use]
    pub fn with<S: Scalar>(mut self, attribute: &Attr<S>, value: S::View<'_>) -> Self {
        self.values.insert(attribute.name, Some(S::value(value)));
        self
    }

    /// Returns the draft with a nested record.
    #[must_use]
    pub fn with_part(mut self, member: &'static str, part: Self) -> Self {
        self.parts.insert(member, vec![part]);
        self
    }

    /// Returns the given value of an attribute.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.values.get(attribute.name)?.as_ref().and_then(S::view)
    }

    /// Returns the first nested record of a member.
    pub fn part(&self, member: &str) -> Option<&Self> {
        self.parts.get(member).and_then(|parts| parts.first())
    }

    /// Returns the given reference in a field.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.values.get(field)? {
            Some(Value::Id(id)) => Some(*id),
            _ => None,
        }
    }

    /// Returns the given value of the unique field.
    pub fn unique(&self) -> Option<&str> {
        self.get(self.resource.unique.as_ref()?.attribute)
    }

    /// Returns the draft that has an image: this one or a nested one.
    pub fn with_image(&self) -> Option<&Self> {
        if self.image.is_some() { Some(self) } else { self.parts.values().flatten().find_map(Self::with_image) }
    }
}
