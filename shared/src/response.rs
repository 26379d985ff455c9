//! Responses, independent of the gateway.
//!
//! Every layer that handles requests returns a [`Response`]. Only the functions know the gateway's type.

use headers::{ETag, IfNoneMatch};
use http::StatusCode;
use serde_json::Value as Json;

/// A response to a request, independent of the gateway.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: StatusCode,
    /// The body.
    pub body: String,
    /// The media type of the body. `None` for an empty body.
    pub content_type: Option<&'static str>,
    /// The `Location` header: the path of a new record, or the target of a redirect.
    pub location: Option<String>,
    /// The query string of the next page.
    pub next_page: Option<String>,
    /// Seconds for which the response may be cached.
    pub max_age: Option<u32>,
    /// The ETag of the record as GET renders it.
    pub etag: Option<String>,
    /// Whether this is the stored response to an earlier request with the same `Idempotency-Key`.
    pub is_replayed: bool,
    /// The sequence number of the feed's last entry.
    pub feed_head: Option<u64>,
    /// Additional headers, by name.
    pub headers: Vec<(&'static str, String)>,
}

impl Response {
    /// Creates a response with a body.
    pub fn new(content_type: &'static str, body: String) -> Self {
        Self { status: StatusCode::OK, body, content_type: Some(content_type), ..Self::no_content() }
    }

    /// Creates a response with a JSON body.
    pub fn json(body: &Json) -> Self {
        Self::new("application/json", body.to_string())
    }

    /// Creates a response without a body (204).
    pub fn no_content() -> Self {
        let status = StatusCode::NO_CONTENT;
        Self {
            status,
            body: String::new(),
            content_type: None,
            location: None,
            next_page: None,
            max_age: None,
            etag: None,
            is_replayed: false,
            feed_head: None,
            headers: Vec::new(),
        }
    }

    /// Creates the response to a conditional GET of an unchanged record (304).
    pub fn not_modified(etag: String) -> Self {
        Self { status: StatusCode::NOT_MODIFIED, etag: Some(etag), ..Self::no_content() }
    }

    /// Creates a permanent redirect (308).
    pub fn permanent_redirect(location: String) -> Self {
        Self { status: StatusCode::PERMANENT_REDIRECT, location: Some(location), ..Self::no_content() }
    }

    pub(crate) fn with_etag(self, etag: String) -> Self {
        Self { etag: Some(etag), ..self }
    }

    /// Creates a response with a record, as JSON text.
    pub(crate) fn record(rendered: String) -> Self {
        Self::new("application/json", rendered)
    }

    pub(crate) fn created(rendered: String, location: Option<String>) -> Self {
        Self { status: StatusCode::CREATED, location, ..Self::record(rendered) }
    }
}

/// Returns true if the client already has the representation with this ETag.
pub fn if_none_match_matches(if_none_match: Option<&IfNoneMatch>, etag: &str) -> bool {
    let etag = etag.parse::<ETag>().ok();
    if_none_match.zip(etag).is_some_and(|(if_none_match, etag)| !if_none_match.precondition_passes(&etag))
}
