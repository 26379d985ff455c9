//! Violations: the single values of a request that break a rule.

use serde_json::{Value, json};

/// The most characters of a name that a response repeats.
const MAX_NAME: usize = 1_000;

/// The rule that a value breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The value is missing.
    Required,
    /// There is no field or parameter of this name.
    UnknownField,
    /// The service, or the creation, decides the value.
    NotSettable,
    /// The value has another JSON type.
    WrongType,
    /// The value is not among those that the field takes.
    OutOfRange,
    /// The value has too many characters or bytes.
    TooLong,
    /// The list has too many elements.
    TooMany,
    /// The value has no characters.
    Empty,
    /// The text has another format.
    InvalidFormat,
    /// Another value excludes this one.
    MutuallyExclusive,
    /// The value refers to a record that does not exist.
    ReferenceNotFound,
    /// The value is not an accepted image.
    NotAnImage,
    /// The value is reserved for the service.
    Reserved,
    /// The value is given twice, or another record has it.
    Duplicate,
    /// The value contradicts another one.
    Inconsistent,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 15] = [
        Self::Required,
        Self::UnknownField,
        Self::NotSettable,
        Self::WrongType,
        Self::OutOfRange,
        Self::TooLong,
        Self::TooMany,
        Self::Empty,
        Self::InvalidFormat,
        Self::MutuallyExclusive,
        Self::ReferenceNotFound,
        Self::NotAnImage,
        Self::Reserved,
        Self::Duplicate,
        Self::Inconsistent,
    ];

    /// Returns the code of the rule in `errors`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::UnknownField => "unknown_field",
            Self::NotSettable => "not_settable",
            Self::WrongType => "wrong_type",
            Self::OutOfRange => "out_of_range",
            Self::TooLong => "too_long",
            Self::TooMany => "too_many",
            Self::Empty => "empty",
            Self::InvalidFormat => "invalid_format",
            Self::MutuallyExclusive => "mutually_exclusive",
            Self::ReferenceNotFound => "reference_not_found",
            Self::NotAnImage => "not_an_image",
            Self::Reserved => "reserved",
            Self::Duplicate => "duplicate",
            Self::Inconsistent => "inconsistent",
        }
    }

    /// Returns the rule that a text breaks which is no valid integer: an integer out of range, or another format.
    pub fn of_integer(text: &str) -> Self {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_integer { Self::OutOfRange } else { Self::InvalidFormat }
    }

    /// Returns an invalid value that breaks the rule, with a text for people.
    pub fn violation(self, detail: impl Into<String>) -> InvalidValue {
        InvalidValue { rule: self, detail: detail.into() }
    }
}

/// The reason why a value is invalid, apart from its position.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidValue {
    /// The rule that it breaks.
    pub rule: Rule,
    /// The problem and the fix, for people.
    pub detail: String,
}

/// An invalid value and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    location: Location,
    value: InvalidValue,
}

#[derive(Clone, Debug, PartialEq)]
enum Location {
    Body(String),
    Parameter(String),
}

impl Violation {
    /// An invalid value at an RFC 6901 pointer of the body.
    pub fn at(pointer: impl Into<String>, value: InvalidValue) -> Self {
        Self { location: Location::Body(pointer.into()), value }
    }

    /// An invalid path or query value.
    pub fn parameter(name: impl Into<String>, value: InvalidValue) -> Self {
        Self { location: Location::Parameter(name.into()), value }
    }

    /// Returns true if this is about the value at an RFC 6901 pointer.
    pub fn is_at(&self, pointer: &str) -> bool {
        matches!(&self.location, Location::Body(own) if own == pointer)
    }

    /// Returns the text for people.
    pub fn detail(&self) -> &str {
        &self.value.detail
    }

    /// Moves the pointer into a member of another body.
    pub(super) fn move_into(&mut self, member: &str) {
        if let Location::Body(pointer) = &mut self.location {
            *pointer = format!("/{member}{pointer}");
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let InvalidValue { rule, detail } = &self.value;
        let (name, position) = match &self.location {
            Location::Body(pointer) => ("pointer", pointer),
            Location::Parameter(parameter) => ("parameter", parameter),
        };
        json!({name: shortened(position), "code": rule.code(), "detail": detail})
    }
}

/// Returns the RFC 6901 pointer to a member of the object at a pointer.
pub fn pointer_to(object: &str, member: &str) -> String {
    format!("{object}/{}", member.replace('~', "~0").replace('/', "~1"))
}

/// Cuts a name that is longer than a person reads.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
