//! Drafts: what a body says of a record, before there is one.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::image::Format;
use crate::schema::scalar::Scalar;
use crate::schema::{Attr, Id, Resource, Value};

/// What a body says of a record.
#[derive(Debug)]
pub struct Draft {
    /// Of which resource.
    pub resource: &'static Resource,
    /// The fields given; `None` clears.
    pub values: BTreeMap<&'static str, Option<Value>>,
    /// The records given inside, by the member that has them.
    pub parts: BTreeMap<&'static str, Vec<Draft>>,
    /// The image given.
    pub image: Option<Image>,
}

/// An image that decodes.
#[derive(Debug, Clone)]
pub struct Image {
    /// Exactly as sent.
    pub bytes: Bytes,
    /// Told by the bytes.
    pub format: Format,
}

impl Draft {
    /// A draft that says nothing yet.
    pub fn new(resource: &'static Resource) -> Self {
        Self { resource, values: BTreeMap::new(), parts: BTreeMap::new(), image: None }
    }

    /// The same draft, with a value for an attribute.
    #[must_use]
    pub fn with<S: Scalar>(mut self, attribute: &Attr<S>, value: S::View<'_>) -> Self {
        self.values.insert(attribute.name, Some(S::value(value)));
        self
    }

    /// The same draft, with a record inside.
    #[must_use]
    pub fn with_part(mut self, member: &'static str, part: Self) -> Self {
        self.parts.insert(member, vec![part]);
        self
    }

    /// The value given for an attribute.
    pub fn get<S: Scalar>(&self, attribute: &Attr<S>) -> Option<S::View<'_>> {
        self.values.get(attribute.name)?.as_ref().and_then(S::view)
    }

    /// The draft of the one part in a member.
    pub fn part(&self, member: &str) -> Option<&Self> {
        self.parts.get(member).and_then(|parts| parts.first())
    }

    /// The reference given in a field.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.values.get(field)? {
            Some(Value::Id(id)) => Some(*id),
            _ => None,
        }
    }

    /// The field that must be unique, and its value.
    pub fn unique(&self) -> Option<&str> {
        self.get(self.resource.unique?)
    }

    /// The draft that has an image: this one, or one inside it.
    pub fn with_image(&self) -> Option<&Self> {
        if self.image.is_some() { Some(self) } else { self.parts.values().flatten().find_map(Self::with_image) }
    }
}
