//! Violations: the invalid values of a request.
//!
//! Each has a code, for clients that show their own texts.

use serde_json::{Value, json};

/// Maximum length of a name that a response repeats, in characters.
const MAX_NAME: usize = 1_000;

/// Declare the codes, one per row: documentation, variant and text.
macro_rules! codes {
    ($($(#[$doc:meta])+ $violation:ident $code:literal)+) => {
        /// The code of a violation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ViolationCode {
            $($(#[$doc])+ $violation,)+
        }

        impl ViolationCode {
            /// All codes.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$violation),+];

            /// Returns the code as it appears in `errors`.
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
    /// A value that a client cannot set, or cannot change after the creation.
    NotSettable "not_settable"
    /// A value of the wrong JSON type.
    WrongType "wrong_type"
    /// A value outside the range or the set that the field accepts.
    OutOfRange "out_of_range"
    /// A value with too many characters or bytes.
    TooLong "too_long"
    /// A list with too many elements.
    TooMany "too_many"
    /// An empty text.
    Empty "empty"
    /// A text in the wrong format.
    InvalidFormat "invalid_format"
    /// A value that excludes another value of the request.
    MutuallyExclusive "mutually_exclusive"
    /// A reference to a record that does not exist.
    ReferenceNotFound "reference_not_found"
    /// A value that is not an accepted image.
    NotAnImage "not_an_image"
    /// A value that is reserved for the service.
    Reserved "reserved"
    /// A value that is sent twice, or that another record has.
    Duplicate "duplicate"
    /// A value that contradicts another value.
    Inconsistent "inconsistent"
}

impl ViolationCode {
    /// Returns the code for a text that is not a valid integer: out of range, or in the wrong format, such as with a
    /// leading zero.
    pub fn of_integer(text: &str) -> Self {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let has_leading_zero = digits.len() > 1 && digits.starts_with('0');
        let is_integer = !digits.is_empty() && !has_leading_zero && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_integer { Self::OutOfRange } else { Self::InvalidFormat }
    }

    /// Creates an [`InvalidValue`] with this code and a text for people.
    pub fn invalid_value(self, detail: impl Into<String>) -> InvalidValue {
        InvalidValue { code: self, detail: detail.into() }
    }
}

/// The reason a value is invalid. A [`Violation`] adds its location.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidValue {
    pub code: ViolationCode,
    /// The problem and the fix, for people.
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
    /// Creates a violation at an RFC 6901 pointer of the body.
    pub fn at_pointer(pointer: impl Into<String>, value: InvalidValue) -> Self {
        Self { location: Location::Body(pointer.into()), value }
    }

    /// Creates a violation of a path or query parameter.
    pub fn parameter(name: impl Into<String>, value: InvalidValue) -> Self {
        Self { location: Location::Parameter(name.into()), value }
    }

    /// Returns true if the value is at this RFC 6901 pointer of the body.
    pub fn is_at(&self, pointer: &str) -> bool {
        matches!(&self.location, Location::Body(location) if location == pointer)
    }

    /// Returns true if the value is in the path or the query.
    pub fn is_of_parameter(&self) -> bool {
        matches!(self.location, Location::Parameter(_))
    }

    /// Returns the text for people.
    pub fn detail(&self) -> &str {
        &self.value.detail
    }

    /// Prefix the pointer with a member of an enclosing body.
    pub(super) fn prefix_pointer(&mut self, member: &str) {
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

/// Appends a member to the RFC 6901 pointer of an object.
pub fn pointer_to(object: &str, member: &str) -> String {
    format!("{object}/{}", member.replace('~', "~0").replace('/', "~1"))
}

/// Truncates a name that is too long to read.
fn shorten(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
