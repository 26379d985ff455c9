//! Scalars: the types of values.
//!
//! Each scalar is one file. It defines parsing from JSON and from a query, storing and loading, and the description in
//! the OpenAPI document.

mod boolean;
mod choice;
mod float;
mod identifier;
mod image;
mod integer;
mod object;
mod text;
mod time;

use serde_json::Value as Json;

use super::{Stored, Value};
use crate::error::InvalidValue;

pub use boolean::Boolean;
pub use choice::{Choice, Words};
pub use float::Float;
pub use identifier::Identifier;
pub use image::{Image, bytes_of as image_bytes};
pub use integer::{Count, Integer, Quantity};
pub use object::{Object, compact as compact_json};
pub use text::{LongText, MAX_LONG_TEXT_BYTES, MAX_SHORT_TEXT_CHARS, NonEmptyText, ShortText};
pub use time::Time;

/// A type of values, known at compile time.
pub trait Scalar: 'static {
    /// The Rust type of a value, such as `Timestamp`, `i64` or `&str`.
    type View<'a>;
    /// The functions of the scalar with its type erased.
    const CODEC: Codec;
    /// Returns the content of a value. None for a value of another scalar.
    fn view(value: &Value) -> Option<Self::View<'_>>;
    /// Returns the value for a record.
    fn value(view: Self::View<'_>) -> Value;
}

/// The functions of a scalar, with its type erased.
#[derive(Debug)]
pub struct Codec {
    /// The kind, which decides the filters that fit.
    pub kind: Kind,
    /// Parses a JSON value. The error says how to correct it.
    pub from_json: fn(Json) -> Result<Value, InvalidValue>,
    /// Parses a text: a query value, or the JSON of an object exactly as sent. The error says how to correct it.
    pub from_text: fn(&str) -> Result<Value, InvalidValue>,
    /// Loads a value from the table. Returns `None` for a form that this scalar never stores.
    pub load: fn(Stored) -> Option<Value>,
    /// Returns the JSON Schema of a value in a request.
    pub describe: fn() -> Json,
    /// The allowed words of a choice. Empty for other scalars.
    pub words: &'static [&'static str],
    /// True if long values are stored out of line.
    pub out_of_line: bool,
    /// The most JSON that a text or an object takes, in bytes. Zero for other scalars.
    pub most_json: usize,
}

/// The kind of a value, which decides the filters that fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A reference to a record: equality.
    Identifier,
    /// An integer: equality.
    Integer,
    /// True or false: no filter.
    Boolean,
    /// A floating-point number: no filter, because equality is rarely meaningful.
    Float,
    /// A text of any length: equality.
    Text,
    /// One of few words: equality.
    Choice,
    /// A time: earlier or later.
    Time,
    /// An image: no filter, because only its name is stored.
    Image,
    /// A JSON object: no filter.
    Object,
}
