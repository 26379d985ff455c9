//! Attributes of records, and the rules for their input.

use std::marker::PhantomData;

use super::scalar::{Codec, Kind, Scalar};
use super::value::Value;

/// An attribute of a resource, with the type of its values.
///
/// ```
/// use event_capture::schema::scalar::Integer;
/// use event_capture::schema::{Attr, Values};
///
/// const SIZE: Attr<Integer> = Attr::new("size", "Size of the hat");
///
/// let mut values = Values::default();
/// values.set(&SIZE, 58);
/// assert_eq!(values.get(&SIZE), Some(58));
/// ```
pub struct Attr<S> {
    /// The name in JSON, and in the table unless it is [stored](Self::stored_as) under another one.
    pub name: &'static str,
    /// The description in the OpenAPI document.
    pub meaning: &'static str,
    /// The name in the table.
    stored: &'static str,
    scalar: PhantomData<fn() -> S>,
}

impl<S: Scalar> Attr<S> {
    /// Returns an attribute. Its resource lists it among its fields, with a rule for input.
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, stored: name, scalar: PhantomData }
    }

    /// Returns the attribute with another name in the table, where its own name already has a meaning.
    #[must_use]
    pub const fn stored_as(self, stored: &'static str) -> Self {
        Self { stored, ..self }
    }

    /// Returns a field that the service assigns.
    pub const fn assigned(&self) -> Field {
        self.field(Input::Never)
    }

    /// Returns a field that is required in a new record.
    pub const fn required(&self) -> Field {
        self.field(Input::Required)
    }

    /// Returns a field that may be null.
    pub const fn optional(&self) -> Field {
        self.field(Input::Optional)
    }

    /// Returns a field with any other rule for input.
    pub const fn given(&self, input: Input) -> Field {
        self.field(input)
    }

    /// Returns an internal field, which no response contains.
    pub const fn hidden(&self) -> Field {
        Field { hidden: true, ..self.field(Input::Never) }
    }

    const fn field(&self, input: Input) -> Field {
        let (name, stored, meaning) = (self.name, self.stored, self.meaning);
        Field { name, stored, codec: &S::CODEC, input, changeable: false, hidden: false, reserved: None, meaning }
    }
}

impl<S> std::fmt::Debug for Attr<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// An attribute in the field list of its resource, with the type of its values erased.
#[derive(Debug)]
pub struct Field {
    /// The name in JSON.
    pub name: &'static str,
    /// The name in the table, unless an index role stores the value.
    pub stored: &'static str,
    /// The functions that read, store and describe its values.
    pub codec: &'static Codec,
    /// The rule for its input in a body that creates a record.
    pub input: Input,
    /// True if a PATCH may change it.
    pub changeable: bool,
    /// True if it is internal and no response contains it.
    pub hidden: bool,
    /// The beginning of the texts that only the service and its imports may set.
    pub reserved: Option<&'static str>,
    /// The description in the OpenAPI document.
    pub meaning: &'static str,
}

impl Field {
    /// Returns the same field, open to PATCH.
    #[must_use]
    pub const fn changeable(self) -> Self {
        Self { changeable: true, ..self }
    }

    /// Returns the same field with texts that only the service and its imports may set: those with this beginning.
    #[must_use]
    pub const fn reserving(self, beginning: &'static str) -> Self {
        Self { reserved: Some(beginning), ..self }
    }

    /// Returns the rule for input in records of this variant. None if the variant has no such field.
    pub fn input_for(&self, variant: Option<&str>) -> Option<&Input> {
        match &self.input {
            Input::Variants(rules) => rules.iter().find(|(name, _)| Some(*name) == variant).map(|(_, input)| input),
            input => Some(input),
        }
    }

    /// Returns true if the field can be null in a response.
    pub fn is_nullable(&self, variant: Option<&str>) -> bool {
        matches!(self.input_for(variant), Some(Input::Optional))
    }

    /// Returns true if its values are the names of images.
    pub fn is_image(&self) -> bool {
        self.codec.kind == Kind::Image
    }
}

/// The default value of a field.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// An integer.
    Integer(i64),
    /// True or false.
    Boolean(bool),
}

impl From<DefaultValue> for Value {
    fn from(preset: DefaultValue) -> Self {
        match preset {
            DefaultValue::Integer(number) => Self::Integer(number),
            DefaultValue::Boolean(truth) => Self::Boolean(truth),
        }
    }
}

/// The rule for a field in a body that creates a record.
#[derive(Debug)]
pub enum Input {
    /// Not allowed: the service assigns the value.
    Never,
    /// Required. The body may give the whole record in place of a reference to it.
    Required,
    /// Optional.
    Optional,
    /// Optional. The default is the time of creation.
    Now,
    /// Optional. The default is this value.
    Default(DefaultValue),
    /// A rule for each variant of the record. Other variants have no such field.
    Variants(&'static [(&'static str, Input)]),
}
