//! Attributes: what a record consists of, and what a body may say of it.

use std::marker::PhantomData;

use super::scalar::{Codec, Kind, Scalar};

/// An attribute of a resource, with the type of its values.
pub struct Attr<S> {
    /// The name, on the wire and in the table.
    pub name: &'static str,
    /// The meaning, for the OpenAPI document.
    pub meaning: &'static str,
    scalar: PhantomData<fn() -> S>,
}

impl<S: Scalar> Attr<S> {
    /// An attribute. Its resource lists it among its fields, with a rule for input.
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, scalar: PhantomData }
    }

    /// The field that the service assigns.
    pub const fn assigned(&self) -> Field {
        self.field(Input::Never)
    }

    /// The field that a new record must be given.
    pub const fn required(&self) -> Field {
        self.field(Input::Required)
    }

    /// The field that may be null.
    pub const fn optional(&self) -> Field {
        self.field(Input::Optional)
    }

    /// The field with any other rule for input.
    pub const fn given(&self, input: Input) -> Field {
        self.field(input)
    }

    /// The field of the service's own bookkeeping, which no response shows.
    pub const fn hidden(&self) -> Field {
        Field { hidden: true, ..self.field(Input::Never) }
    }

    const fn field(&self, input: Input) -> Field {
        Field { name: self.name, codec: &S::CODEC, input, changeable: false, hidden: false, meaning: self.meaning }
    }
}

impl<S> std::fmt::Debug for Attr<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// An attribute in the list of its resource: the type of its values is erased.
#[derive(Debug)]
pub struct Field {
    /// The name, on the wire and in the table.
    pub name: &'static str,
    /// What is done with its values.
    pub codec: &'static Codec,
    /// What a body that creates a record may say.
    pub input: Input,
    /// Whether a PATCH may change it.
    pub changeable: bool,
    /// Whether it is the service's own, and shown nowhere.
    pub hidden: bool,
    /// The meaning, for the OpenAPI document.
    pub meaning: &'static str,
}

impl Field {
    /// The same field, open to PATCH.
    #[must_use]
    pub const fn changeable(self) -> Self {
        Self { changeable: true, ..self }
    }

    /// The rule for input in records of this variant; `None` where they have no such field.
    pub fn input_for(&self, variant: Option<&str>) -> Option<&Input> {
        match &self.input {
            Input::Variants(rules) => rules.iter().find(|(name, _)| Some(*name) == variant).map(|(_, input)| input),
            input => Some(input),
        }
    }

    /// Whether a response may show null.
    pub fn is_nullable(&self, variant: Option<&str>) -> bool {
        matches!(self.input_for(variant), Some(Input::Optional))
    }

    /// Whether its values are the names of images.
    pub fn is_image(&self) -> bool {
        self.codec.kind == Kind::Image
    }
}

/// What a body that creates a record may say about a field.
#[derive(Debug)]
pub enum Input {
    /// Nothing: the service assigns it.
    Never,
    /// It must be there; a reference may be given as the whole record instead.
    Required,
    /// It may be there.
    Optional,
    /// It may be there, and is the time of creation otherwise.
    Now,
    /// It may be there, and is this number otherwise.
    Default(i64),
    /// It depends on the record's variant; other variants have no such field.
    Variants(&'static [(&'static str, Input)]),
}
