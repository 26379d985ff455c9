//! Attributes of records, and how request bodies set them.
//!
//! An [`Attr`] carries the type of its values. A [`Field`] erases it, so a resource can list fields of different types.

use std::marker::PhantomData;

use super::id::Id;
use super::redaction::Redaction;
use super::scalar::{Boolean, Codec, Kind, Scalar};
use super::value::Value;

/// An attribute of a resource, with the type of its values.
///
/// ```
/// use capture_core::schema::scalar::Integer;
/// use capture_core::schema::{Attr, Values};
///
/// const SIZE: Attr<Integer> = Attr::new("size", "Size of the hat");
///
/// let mut values = Values::default();
/// values.set(&SIZE, 58);
/// assert_eq!(values.get(&SIZE), Some(58));
/// ```
pub struct Attr<S> {
    /// Name in JSON, and in the table unless [`stored_as`](Self::stored_as) sets a different name.
    pub name: &'static str,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
    /// Example value in JSON, for the OpenAPI document.
    pub example: &'static str,
    stored_name: &'static str,
    scalar: PhantomData<fn() -> S>,
}

impl<S: Scalar> Attr<S> {
    /// Declares an attribute. Its resource lists it by a call such as [`required`](Self::required).
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, example: "", stored_name: name, scalar: PhantomData }
    }

    /// Sets the example value for the OpenAPI document, in JSON.
    #[must_use]
    pub const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// Stores the attribute under another name. This is needed if its name already has a meaning in the table.
    #[must_use]
    pub const fn stored_as(self, stored_name: &'static str) -> Self {
        Self { stored_name, ..self }
    }

    /// Declares a field that the service assigns.
    pub const fn assigned(&self) -> Field {
        self.input(Input::Assigned)
    }

    /// Declares a field that the service assigns or leaves null. An import may set it.
    pub const fn assigned_or_null(&self) -> Field {
        self.input(Input::AssignedOrNull)
    }

    /// Declares a field that the service assigns. An import must set it.
    pub const fn assigned_or_imported(&self) -> Field {
        self.input(Input::AssignedOrImported)
    }

    /// Declares a field that is required in a new record.
    pub const fn required(&self) -> Field {
        self.input(Input::Required)
    }

    /// Declares a field that may be null.
    pub const fn optional(&self) -> Field {
        self.input(Input::Optional)
    }

    /// Declares an internal field, which responses never contain.
    pub const fn hidden(&self) -> Field {
        Field { hidden: true, ..self.assigned() }
    }

    /// Declares an internal field with the time when a flag was last set, or when the record was created.
    pub const fn since(&self, flag: &Attr<Boolean>) -> Field {
        Field { hidden: true, ..self.input(Input::Since(flag.name)) }
    }

    /// Declares a field with any input.
    pub const fn input(&self, input: Input) -> Field {
        let (name, stored_name, meaning, example) = (self.name, self.stored_name, self.meaning, self.example);
        let (changeable, hidden, in_state) = (false, false, false);
        let (resets_attribute, reserved, redaction) = (None, None, None);
        Field {
            name,
            stored_name,
            codec: &S::CODEC,
            input,
            changeable,
            hidden,
            in_state,
            resets_attribute,
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
    /// Scalar of the values.
    pub codec: &'static Codec,
    /// Rule for the field in a body that creates a record.
    pub input: Input,
    /// Whether a PATCH may change it.
    pub changeable: bool,
    /// Whether it is internal. Responses never contain internal fields.
    pub hidden: bool,
    /// Whether the record's state stores it instead of the record's item. This is for fields that change often: no
    /// index should copy the record each time.
    pub in_state: bool,
    /// Attribute of the state that is removed when the field changes from null to a value or back.
    pub resets_attribute: Option<&'static str>,
    /// Texts that request bodies must not use.
    pub reserved: Option<Reserved>,
    /// How anonymization changes the value. `None` if the value stays.
    pub redaction: Option<Redaction>,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
    /// Example value in JSON, for the OpenAPI document. Empty for times, which share one example.
    pub example: &'static str,
}

impl Field {
    /// Allows PATCH to change the field.
    #[must_use]
    pub const fn changeable(self) -> Self {
        Self { changeable: true, ..self }
    }

    /// Stores the field in the state of the record.
    #[must_use]
    pub const fn stored_in_state(self) -> Self {
        Self { in_state: true, ..self }
    }

    /// Removes an attribute of the state when the field changes from null to a value or back.
    #[must_use]
    pub const fn resetting(self, attribute: &'static str) -> Self {
        Self { resets_attribute: Some(attribute), ..self }
    }

    /// Reserves texts with this prefix for the service and for imports.
    #[must_use]
    pub const fn reserving(self, prefix: &'static str) -> Self {
        Self { reserved: Some(Reserved::Prefix(prefix)), ..self }
    }

    /// Refuses this text, and all texts with this prefix, in every body.
    #[must_use]
    pub const fn refusing(self, prefix: &'static str, text: &'static str) -> Self {
        Self { reserved: Some(Reserved::Always(prefix, text)), ..self }
    }

    /// Replaces or removes the value when its record or the parent is anonymized.
    #[must_use]
    pub const fn redacted(self, redaction: Redaction) -> Self {
        let reserved = match redaction {
            Redaction::Identify { prefix, .. } => Some(Reserved::PrefixWithId(prefix)),
            _ => self.reserved,
        };
        Self { redaction: Some(redaction), reserved, ..self }
    }

    /// Returns the rule for records of this variant. `None` if the variant does not have the field.
    pub fn input_for(&self, variant: Option<&str>) -> Option<&Input> {
        match &self.input {
            Input::PerVariant(inputs) => inputs.iter().find(|(name, _)| Some(*name) == variant).map(|(_, input)| input),
            input => Some(input),
        }
    }

    /// Returns true if the field can be null in a response.
    pub fn is_nullable(&self, variant: Option<&str>) -> bool {
        matches!(self.input_for(variant), Some(Input::Optional | Input::AssignedOrNull))
    }

    /// Returns true if the values are images.
    pub fn is_image(&self) -> bool {
        self.codec.kind == Kind::Image
    }
}

/// Texts of a field that request bodies must not use.
#[derive(Clone, Copy, Debug)]
pub enum Reserved {
    /// Texts with this prefix. An import may use them.
    Prefix(&'static str),
    /// Texts with this prefix. An import may use the prefix followed by the identifier of its record.
    PrefixWithId(&'static str),
    /// Texts with this prefix, and this text. An import must not use them either.
    Always(&'static str, &'static str),
}

impl Reserved {
    /// Returns why a body must not use a text, if so. In an import, `imported` is the record's identifier.
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

/// Rule for a field in a body that creates a record.
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
    /// Required. In place of a reference, the body may contain the record itself.
    Required,
    /// Optional. Null by default.
    Optional,
    /// Optional. Defaults to the time of creation.
    Now,
    /// Optional. Defaults to this value.
    Default(DefaultValue),
    /// Not allowed: the service stores the time of the request that created the record or last set this flag.
    Since(&'static str),
    /// A separate rule for each variant of the record. Other variants do not have the field.
    PerVariant(&'static [(&'static str, Input)]),
}

impl Input {
    /// Returns true if an import must contain the field.
    pub fn is_required_in_import(&self) -> bool {
        matches!(self, Self::Required | Self::AssignedOrImported | Self::Expected)
    }

    /// Returns true if only the service and imports may set the field.
    pub fn is_assigned(&self) -> bool {
        matches!(self, Self::Assigned | Self::AssignedOrNull | Self::AssignedOrImported | Self::Since(_))
    }
}
