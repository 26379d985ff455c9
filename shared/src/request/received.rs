//! HTTP requests, before they are parsed.

use bytes::Bytes;
use http::{HeaderMap, Method};

/// An HTTP request, before it is parsed.
#[derive(Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path. The gateway has decoded its percent-encoding.
    pub path: String,
    /// The query string, as sent.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The bytes of the body.
    pub body: Bytes,
}
