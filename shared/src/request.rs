//! Parses requests into operations.
//!
//! The path, the query and the body are each parsed once, so later layers only see valid values. This layer rejects
//! every request that is invalid regardless of what is stored. It does no I/O.

mod alerts;
pub mod body;
mod connections;
mod cursor;
mod draft;
mod feed;
mod headers;
pub mod image;
mod json;
mod operation;
mod payload;
pub mod query;
mod route;
mod statistics;
mod tokens;
mod transfers;

use bytes::Bytes;
use http::{HeaderMap, Method};

pub use alerts::{Alert, CLEAR, CONTROL, ENTRY, PURCHASE, SKIP, TEST};
pub use body::{ANONYMIZED, InvalidBody, UnboundChange};
pub use connections::NewConnection;
pub use draft::{Draft, SentImage};
pub use feed::{FeedQuery, MAX_ENTRIES};
pub use headers::{EtagList, EtagPreconditions, IdempotencyKey};
pub use json::with_plain_numbers;
pub use operation::{Operation, check_method};
pub use payload::{Payload, Shape};
pub use query::{Direction, ListCondition, ListQuery, MAX_LIMIT, MAX_PREFIX, MAX_VALUES, Operand};
pub use route::{Path, PathStep, Target, every_path};
pub use statistics::{BoardInterval, BoardQuery, ExactInterval, MAX_BUCKETS, MAX_PLACES, StatisticsQuery};
pub use tokens::{NewToken, is_printable};
pub use transfers::Transfer;
#[doc(hidden)] // For unit tests.
pub use {
    headers::parse_key,
    json::{parse, text_at},
};

/// An HTTP request before it is parsed.
#[derive(Debug)]
pub struct Request {
    pub method: Method,
    /// Path, already percent-decoded by the gateway.
    pub path: String,
    /// Query string, as sent.
    pub query: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}
