//! Parsing of requests into operations. Path, query and body are each parsed once.
//!
//! This layer rejects every request that is invalid regardless of the stored records. It does no I/O.

pub mod body;
mod cursor;
mod draft;
mod headers;
pub mod image;
mod json;
mod operation;
mod payload;
pub mod query;
mod received;
mod route;
mod tokens;

pub use body::InvalidBody;
pub use draft::{Draft, Image};
pub use headers::IdempotencyKey;
pub use json::with_plain_numbers;
pub use operation::{Operation, allowed};
pub use payload::Payload;
pub use query::{Condition, Direction, List, MAX_LIMIT, MAX_PREFIX, Operand};
pub use received::Request;
pub use route::{Path, Step, Target, every_path};
pub use tokens::{NewToken, is_printable};
