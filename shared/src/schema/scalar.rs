//! Scalars: the types of values.
//!
//! Each scalar is one file with parsing, storing, loading and description, so a new kind of value is one new file.

mod boolean;
mod enumeration;
mod float;
mod identifier;
mod image;
mod integer;
mod object;
mod text;
mod time;

use serde_json::Value as Json;

use super::{StoredValue, Value};
use crate::error::InvalidValue;

pub use boolean::Boolean;
pub use enumeration::{Enum, Variants};
pub use float::Float;
pub use identifier::Identifier;
pub use image::{Image, bytes_of as image_bytes};
pub use integer::{Between, Count, Integer, Quantity, Seconds};
pub use object::{Object, compact as compact_json};
pub use text::{
    AnswerText, BriefText, CommandName, LongText, MAX_BRIEF_TEXT_CHARS, MAX_LONG_TEXT_BYTES, MAX_SHORT_TEXT_CHARS,
    NonEmptyText, ShortText,
};
pub use time::Time;

/// A type of values.
#[expect(clippy::missing_errors_doc, reason = "the summaries name the errors")]
pub trait Scalar: 'static {
    /// Rust type of a value, such as `Timestamp`, `i64` or `&str`.
    type View<'a>;
    /// Kind, which determines the filters that fit.
    const KIND: Kind;
    /// Allowed values of an enum.
    const VARIANTS: &'static [&'static str] = &[];
    /// Whether long values are stored out of line.
    const OUT_OF_LINE: bool = false;
    /// Maximum length of a text or an object in JSON, in bytes. Zero for other scalars.
    const MAX_JSON: usize = 0;

    /// Parses a JSON value. The error says how to correct it.
    fn from_json(json: Json) -> Result<Value, InvalidValue>;
    /// Parses a text: a query value, or the JSON of an object exactly as sent. The error says how to correct it.
    fn from_text(text: &str) -> Result<Value, InvalidValue>;
    /// Loads a value from the table. `None` for a form that this scalar never stores.
    fn load(stored: StoredValue) -> Option<Value>;
    /// Describes a value in a request as JSON Schema.
    fn describe() -> Json;
    /// Views the content of a value. `None` for a value of another scalar.
    fn view(value: &Value) -> Option<Self::View<'_>>;
    /// Creates the value for a record.
    fn value(view: Self::View<'_>) -> Value;

    /// The scalar with its type erased.
    const CODEC: Codec = Codec {
        kind: Self::KIND,
        from_json: Self::from_json,
        from_text: Self::from_text,
        load: Self::load,
        describe: Self::describe,
        variants: Self::VARIANTS,
        out_of_line: Self::OUT_OF_LINE,
        max_json: Self::MAX_JSON,
    };
}

/// A scalar with its type erased, for lists of fields of different types. [`Scalar`] describes the members.
#[derive(Debug)]
pub struct Codec {
    pub kind: Kind,
    pub from_json: fn(Json) -> Result<Value, InvalidValue>,
    pub from_text: fn(&str) -> Result<Value, InvalidValue>,
    pub load: fn(StoredValue) -> Option<Value>,
    pub describe: fn() -> Json,
    pub variants: &'static [&'static str],
    pub out_of_line: bool,
    pub max_json: usize,
}

/// Kind of a value, which determines the filters that fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A reference to a record. Its filter is equality.
    Identifier,
    /// An integer. Its filter is equality.
    Integer,
    /// True or false. Its filter is equality.
    Boolean,
    /// A floating-point number. Filters are not supported, as equality is rarely meaningful.
    Float,
    /// A text of any length. Its filter is equality.
    Text,
    /// One of a fixed set of values. Its filter is equality.
    Enum,
    /// A time. Its filters are earlier and later.
    Time,
    /// An image. Filters are not supported: only its name is stored.
    Image,
    /// A JSON object. Filters are not supported.
    Object,
}
