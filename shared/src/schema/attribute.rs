//! Attributes of records, and their input in bodies.
//!
//! An attribute has a type, and a field has not, because a resource lists fields of different types.

use std::marker::PhantomData;

use super::id::Id;
use super::redaction::Redaction;
use super::scalar::{Boolean, Codec, Kind, Scalar};
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
    /// Name in JSON, and in the table unless it is [stored](Self::stored_as) under another one.
    pub name: &'static str,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
    /// A value in JSON, for the examples of the OpenAPI document.
    pub example: &'static str,
    stored_name: &'static str,
    scalar: PhantomData<fn() -> S>,
}

impl<S: Scalar> Attr<S> {
    /// Declare an attribute. Its resource lists it among its fields, with its input.
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, example: "", stored_name: name, scalar: PhantomData }
    }

    /// Show a value, in JSON, in the examples of the OpenAPI document.
    #[must_use]
    pub const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// Store the attribute under another name, because its own already has a meaning in the table.
    #[must_use]
    pub const fn stored_as(self, stored_name: &'static str) -> Self {
        Self { stored_name, ..self }
    }

    /// Declare a field that the service assigns.
    pub const fn assigned(&self) -> Field {
        self.input(Input::Assigned)
    }

    /// Declare a field that the service assigns or leaves null. An import may have it.
    pub const fn assigned_or_null(&self) -> Field {
        self.input(Input::AssignedOrNull)
    }

    /// Declare a field that the service assigns. An import must have it.
    pub const fn assigned_or_imported(&self) -> Field {
        self.input(Input::AssignedOrImported)
    }

    /// Declare a field that is required in a new record.
    pub const fn required(&self) -> Field {
        self.input(Input::Required)
    }

    /// Declare a field that may be null.
    pub const fn optional(&self) -> Field {
        self.input(Input::Optional)
    }

    /// Declare an internal field, which no response contains.
    pub const fn hidden(&self) -> Field {
        Field { hidden: true, ..self.assigned() }
    }

    /// Declare an internal field with the time at which a flag was last set, or its record created.
    pub const fn since(&self, flag: &Attr<Boolean>) -> Field {
        Field { hidden: true, ..self.input(Input::Since(flag.name)) }
    }

    /// Declare a field with any input.
    pub const fn input(&self, input: Input) -> Field {
        let (name, stored_name, meaning, example) = (self.name, self.stored_name, self.meaning, self.example);
        let (changeable, hidden, in_state) = (false, false, false);
        let (restarts, reserved, redaction) = (None, None, None);
        Field {
            name,
            stored_name,
            codec: &S::CODEC,
            input,
            changeable,
            hidden,
            in_state,
            restarts,
            reserved,
            redaction,
            meaning,
            example,
        }
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
    /// Name in JSON.
    pub name: &'static str,
    /// Name in the table, unless an index role stores the value.
    pub stored_name: &'static str,
    /// The scalar of its values.
    pub codec: &'static Codec,
    /// Its input in a body that creates a record.
    pub input: Input,
    /// True if a PATCH may change it.
    pub changeable: bool,
    /// True if it is internal and no response contains it.
    pub hidden: bool,
    /// True if the state of the record stores it, and not the record's own item. It changes often, and no index should
    /// copy the record each time.
    pub in_state: bool,
    /// Attribute of the state that is removed when the field gets its first value, or loses its value.
    pub restarts: Option<&'static str>,
    /// Texts that bodies may not have.
    pub reserved: Option<Reserved>,
    /// What anonymizing does to the value. None if it stays.
    pub redaction: Option<Redaction>,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
    /// A value in JSON, for the examples of the OpenAPI document. Empty for a time, which all have one example.
    pub example: &'static str,
}

impl Field {
    /// Allow PATCH to change the field.
    #[must_use]
    pub const fn changeable(self) -> Self {
        Self { changeable: true, ..self }
    }

    /// Store the field in the state of the record.
    #[must_use]
    pub const fn stored_in_state(self) -> Self {
        Self { in_state: true, ..self }
    }

    /// Remove an attribute of the state when the field gets its first value, or loses its value.
    #[must_use]
    pub const fn restarting(self, attribute: &'static str) -> Self {
        Self { restarts: Some(attribute), ..self }
    }

    /// Reserve the texts with a prefix for the service and imports.
    #[must_use]
    pub const fn reserving(self, prefix: &'static str) -> Self {
        Self { reserved: Some(Reserved::Prefix(prefix)), ..self }
    }

    /// Refuse texts in every body: those with a prefix, and one other.
    #[must_use]
    pub const fn refusing(self, prefix: &'static str, text: &'static str) -> Self {
        Self { reserved: Some(Reserved::Always(prefix, text)), ..self }
    }

    /// Replace or remove the value when its record, or the parent, is anonymized.
    #[must_use]
    pub const fn redacted(self, redaction: Redaction) -> Self {
        let reserved = match redaction {
            Redaction::Identify { prefix, .. } => Some(Reserved::PrefixWithId(prefix)),
            _ => self.reserved,
        };
        Self { redaction: Some(redaction), reserved, ..self }
    }

    /// Find the input in records of this variant. None if the variant has no such field.
    pub fn input_for(&self, variant: Option<&str>) -> Option<&Input> {
        match &self.input {
            Input::PerVariant(inputs) => inputs.iter().find(|(name, _)| Some(*name) == variant).map(|(_, input)| input),
            input => Some(input),
        }
    }

    /// Tell if the field can be null in a response.
    pub fn is_nullable(&self, variant: Option<&str>) -> bool {
        matches!(self.input_for(variant), Some(Input::Optional | Input::AssignedOrNull))
    }

    /// Tell if the values are images.
    pub fn is_image(&self) -> bool {
        self.codec.kind == Kind::Image
    }
}

/// Texts of a field that bodies may not have.
#[derive(Clone, Copy, Debug)]
pub enum Reserved {
    /// Texts with this prefix. An import may have them.
    Prefix(&'static str),
    /// Texts with this prefix. An import may have the prefix with the identifier of its record.
    PrefixWithId(&'static str),
    /// Texts with this prefix, and this text. An import may not have them either.
    Always(&'static str, &'static str),
}

impl Reserved {
    /// Say why a body may not have a text. `imported` is the identifier of the record if the body is an import.
    pub fn refusal(self, text: &str, imported: Option<Id>) -> Option<String> {
        let begins = |prefix: &str| {
            text.starts_with(prefix)
                .then(|| format!("Must not begin with {prefix}, which is reserved for the service."))
        };
        match (self, imported) {
            (Self::Prefix(_), Some(_)) => None,
            (Self::PrefixWithId(prefix), Some(id)) if text == format!("{prefix}{id}") => None,
            (Self::Prefix(prefix) | Self::PrefixWithId(prefix), _) => begins(prefix),
            (Self::Always(prefix, other), _) => {
                let is_other =
                    || (text == other).then(|| format!("Must not be {other}, which is reserved for the service."));
                begins(prefix).or_else(is_other)
            }
        }
    }
}

/// A default value of a field.
#[expect(missing_docs, reason = "the names say it all")]
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    Integer(i64),
    Boolean(bool),
}

impl From<DefaultValue> for Value {
    fn from(default: DefaultValue) -> Self {
        match default {
            DefaultValue::Integer(number) => Self::Integer(number),
            DefaultValue::Boolean(boolean) => Self::Boolean(boolean),
        }
    }
}

/// The input of a field in a body that creates a record.
#[derive(Debug)]
pub enum Input {
    /// Not allowed: the service assigns the value.
    Assigned,
    /// Not allowed: the service assigns the value or leaves it null. In an import, the field is optional.
    AssignedOrNull,
    /// Not allowed: the service assigns the value. In an import, the field is required.
    AssignedOrImported,
    /// Optional: the value that the client expects the service to compute. In an import, the field is required.
    Expected,
    /// Required. The body may have a whole record in place of a reference to it.
    Required,
    /// Optional. Without a value, the field is null.
    Optional,
    /// Optional. The default is the time of creation.
    Now,
    /// Optional. The default is this value.
    Default(DefaultValue),
    /// Not allowed: the time of the request that creates the record, or that sets this flag of it last.
    Since(&'static str),
    /// Another one for each variant of the record. Other variants have no such field.
    PerVariant(&'static [(&'static str, Input)]),
}

impl Input {
    /// Tell if a complete record must have the field, although a body that creates one need not.
    pub fn is_required_in_import(&self) -> bool {
        matches!(self, Self::Required | Self::AssignedOrImported | Self::Expected)
    }

    /// Tell if only the service and imports may set the field.
    pub fn is_assigned(&self) -> bool {
        matches!(self, Self::Assigned | Self::AssignedOrNull | Self::AssignedOrImported | Self::Since(_))
    }
}
