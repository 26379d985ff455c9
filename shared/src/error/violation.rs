//! Violations: the single values of a request that are invalid.
//!
//! A violation has a code, because a client that shows its own texts branches on it.

use serde_json::{Value, json};

/// Maximum length of a name that a response repeats, in characters.
const MAX_NAME: usize = 1_000;

/// Declare the codes by rows: documentation, variant and text.
macro_rules! codes {
    ($($(#[$doc:meta])+ $violation:ident $code:literal)+) => {
        /// What is wrong with a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ViolationCode {
            $($(#[$doc])+ $violation,)+
        }

        impl ViolationCode {
            /// All codes.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$violation),+];

            /// Look up the text of the code in `errors`.
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$violation => $code,)+
                }
            }
        }
    };
}

codes! {
    /// A missing value.
    Required "required"
    /// An unknown field or parameter.
    UnknownField "unknown_field"
    /// A value that the service, or the creation, decides.
    NotSettable "not_settable"
    /// A value of another JSON type.
    WrongType "wrong_type"
    /// A value that is not among those that the field takes.
    OutOfRange "out_of_range"
    /// A value with too many characters or bytes.
    TooLong "too_long"
    /// A list with too many elements.
    TooMany "too_many"
    /// A value without characters.
    Empty "empty"
    /// A text of another format.
    InvalidFormat "invalid_format"
    /// A value that another one excludes.
    MutuallyExclusive "mutually_exclusive"
    /// A reference to a record that does not exist.
    ReferenceNotFound "reference_not_found"
    /// A value that is not an accepted image.
    NotAnImage "not_an_image"
    /// A value that is reserved for the service.
    Reserved "reserved"
    /// A value that is sent twice, or that another record has.
    Duplicate "duplicate"
    /// A value that contradicts another one.
    Inconsistent "inconsistent"
}

impl ViolationCode {
    /// Choose the code of a text that is no valid integer: an integer out of range, or another format, such
    /// as one with a leading zero.
    pub fn of_integer(text: &str) -> Self {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let has_leading_zero = digits.len() > 1 && digits.starts_with('0');
        let is_integer = !digits.is_empty() && !has_leading_zero && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_integer { Self::OutOfRange } else { Self::InvalidFormat }
    }

    /// Create the reason for an invalid value, with a text for people.
    pub fn violation(self, detail: impl Into<String>) -> InvalidValue {
        InvalidValue { code: self, detail: detail.into() }
    }
}

/// A reason why a value is invalid. A [`Violation`] adds where the value is.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidValue {
    #[expect(missing_docs, reason = "the name says it all")]
    pub code: ViolationCode,
    /// Problem and fix, for people.
    pub detail: String,
}

/// An invalid value and its location in the request.
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
    /// Locate an invalid value at an RFC 6901 pointer of the body.
    pub fn at(pointer: impl Into<String>, value: InvalidValue) -> Self {
        Self { location: Location::Body(pointer.into()), value }
    }

    /// Locate an invalid value in the path or the query.
    pub fn parameter(name: impl Into<String>, value: InvalidValue) -> Self {
        Self { location: Location::Parameter(name.into()), value }
    }

    /// Tell if this is about the value at an RFC 6901 pointer.
    pub fn is_at(&self, pointer: &str) -> bool {
        matches!(&self.location, Location::Body(location) if location == pointer)
    }

    /// Tell if this is about a value of the path or the query.
    pub fn is_of_parameter(&self) -> bool {
        matches!(self.location, Location::Parameter(_))
    }

    /// Get the text for people.
    pub fn detail(&self) -> &str {
        &self.value.detail
    }

    /// Move the pointer into a member of an enclosing body.
    pub(super) fn move_into(&mut self, member: &str) {
        if let Location::Body(pointer) = &mut self.location {
            *pointer = format!("/{member}{pointer}");
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let InvalidValue { code, detail } = &self.value;
        let (member, location) = match &self.location {
            Location::Body(pointer) => ("pointer", pointer),
            Location::Parameter(parameter) => ("parameter", parameter),
        };
        json!({member: shorten(location), "code": code.code(), "detail": detail})
    }
}

/// Extend the RFC 6901 pointer to an object by one of its members.
pub fn pointer_to(object: &str, member: &str) -> String {
    format!("{object}/{}", member.replace('~', "~0").replace('/', "~1"))
}

/// Cut a name that is longer than a person reads.
fn shorten(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
