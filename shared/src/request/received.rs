//! Requests, as they come in.

use bytes::Bytes;
use http::{HeaderMap, Method};

/// A request as it came.
#[derive(Debug)]
pub struct Request {
    /// GET, POST and so on.
    pub method: Method,
    /// The path, with its percent-encoding decoded, as the gateway hands it on.
    pub path: String,
    /// The query string, as it was sent.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub body: Bytes,
}
