//! Scalars: the kinds of values. Each is one file, which says all that there is to say of it: how it is read from JSON
//! and from a query, how it is stored and loaded, and how the OpenAPI document describes it.

mod choice;
mod float;
mod identifier;
mod image;
mod integer;
mod text;
mod time;

use serde_json::Value as Json;

use super::{Stored, Value};

pub use choice::{Choice, Words};
pub use float::Float;
pub use identifier::Identifier;
pub use image::{Image, bytes_of as image_bytes};
pub use integer::{Count, Integer, Quantity};
pub use text::{LongText, MAX_LABEL_CHARS, MAX_PROSE_BYTES, NonEmptyText, ShortText};
pub use time::Time;

/// A kind of values, known to the compiler.
pub trait Scalar: 'static {
    /// A value as code reads it: a `Timestamp`, an `i64`, a `&str`.
    type View<'a>;
    /// The same functions for code that does not know the scalar.
    const CODEC: Codec;
    /// The value inside; `None` for a value of another scalar.
    fn view(value: &Value) -> Option<Self::View<'_>>;
    /// The value of a record.
    fn value(view: Self::View<'_>) -> Value;
}

/// What is done with the values of a scalar, with its type erased.
#[derive(Debug)]
pub struct Codec {
    /// What filters can ask of it.
    pub kind: Kind,
    /// Reads a JSON value. The error says what to give instead.
    pub from_json: fn(Json) -> Result<Value, String>,
    /// Reads a query value. The error says what to give instead.
    pub from_query: fn(&str) -> Result<Value, String>,
    /// Reads what the table keeps; `None` for what this scalar has never stored.
    pub load: fn(Stored) -> Option<Value>,
    /// The JSON Schema of a value that is sent.
    pub describe: fn() -> Json,
    /// The words that there are, where there are only some.
    pub words: &'static [&'static str],
    /// Whether long values are kept apart from their record.
    pub out_of_line: bool,
}

/// What filters can ask of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whether it is this record.
    Identifier,
    /// Whether it is this number.
    Integer,
    /// Nothing: equality of fractions means little.
    Float,
    /// Whether it is this text, of any length.
    Text,
    /// Whether it is this word, of few.
    Choice,
    /// Whether it is earlier or later.
    Time,
    /// Nothing: an image is stored by its name.
    Image,
}
