//! What can go wrong, told to the client.
//!
//! The client's message says what to do; the cause behind a fault is logged where it is met and never shown.

use std::fmt::Display;

use http::StatusCode;
use serde_json::{Value, json};

/// The most violations that one answer lists; a body can have as many as it has bytes.
const MOST_LISTED: usize = 200;
/// The most characters of a name that an answer repeats.
const LONGEST_NAME: usize = 1_000;

/// The result of everything that can be refused.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request was refused or could not be served.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{kind:?}: {detail}")]
pub struct Error {
    kind: Kind,
    detail: String,
    violations: Vec<Violation>,
    allow: Vec<&'static str>,
    feed_head: Option<u64>,
}

/// The kinds of refusal, one for each status of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    BadRequest,
    Unauthorized { token_sent: bool },
    Forbidden { needed: &'static str },
    Denied,
    NotFound,
    MethodNotAllowed,
    Conflict,
    Gone,
    Repeated,
    Outdated,
    TooLarge,
    UnsupportedType,
    Invalid,
    TooMany { seconds: u32 },
    Unavailable,
    Fault,
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    position: Place,
    detail: String,
}

#[derive(Debug, Clone, PartialEq)]
enum Place {
    Body(String),
    Parameter(String),
}

impl Violation {
    /// Something wrong at an RFC 6901 pointer of the body.
    pub fn at(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { position: Place::Body(pointer.into()), detail: detail.into() }
    }

    /// Something wrong with a path or query value.
    pub fn parameter(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { position: Place::Parameter(name.into()), detail: detail.into() }
    }

    /// Whether this is about the value at an RFC 6901 pointer.
    pub fn is_at(&self, pointer: &str) -> bool {
        matches!(&self.position, Place::Body(position) if position == pointer)
    }

    fn to_json(&self) -> Value {
        match &self.position {
            Place::Body(pointer) => json!({"pointer": cut(pointer), "detail": self.detail}),
            Place::Parameter(name) => json!({"parameter": cut(name), "detail": self.detail}),
        }
    }
}

/// A name as long as a person reads it.
fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

impl Error {
    fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), violations: Vec::new(), allow: Vec::new(), feed_head: None }
    }

    /// 400: the body cannot be read at all.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, detail)
    }

    /// 400: path or query values that do not parse.
    pub fn bad_parameters(violations: Vec<Violation>) -> Self {
        let detail = "Correct the values named in `errors`.";
        Self { violations, ..Self::new(Kind::BadRequest, detail) }
    }

    /// 401: no token, or one that is not known.
    pub fn unauthorized(token_sent: bool) -> Self {
        let detail = if token_sent {
            "This token is not known: it was revoked, or is no token of this service. Send `Authorization: Bearer` and one that is."
        } else {
            "Send a token: `Authorization: Bearer` and the text that was shown when it was made."
        };
        Self::new(Kind::Unauthorized { token_sent }, detail)
    }

    /// 403: the token is known, but may not do this.
    pub fn forbidden(needed: &'static str) -> Self {
        let detail = format!("This token may not do this: send one with the scope `{needed}`.");
        Self::new(Kind::Forbidden { needed }, detail)
    }

    /// 403: not signed by Twitch, or not lately.
    pub fn unsigned() -> Self {
        Self::new(Kind::Denied, "Only Twitch calls this, and signs what it sends.")
    }

    /// 403: signed, but about somebody else's channel.
    pub fn not_ours() -> Self {
        Self::new(Kind::Denied, "This is about a channel that is not the one of this service.")
    }

    /// 403: from a web page that may not call.
    pub fn foreign() -> Self {
        let detail = "This service asks for no token, and so answers only this machine: allow the page's origin with --allow-origin, or ask for tokens with --require-token.";
        Self::new(Kind::Denied, detail)
    }

    /// 404: no such route.
    pub fn no_route() -> Self {
        Self::new(Kind::NotFound, "There is no such route. GET /openapi.json lists all of them.")
    }

    /// 404: a record of the path does not exist, or is not what the path binds.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, detail)
    }

    /// 404 for a record that is not there, or not there for this path: `events/77`.
    pub fn absent(key: impl Display) -> Self {
        Self::not_found(format!("There is no {key} here."))
    }

    /// 405, with the methods that the route has.
    pub fn method_not_allowed(allow: Vec<&'static str>) -> Self {
        let detail = format!("Use one of: {}.", allow.join(", "));
        Self { allow, ..Self::new(Kind::MethodNotAllowed, detail) }
    }

    /// 409: the request is right, but what is stored stands against it.
    pub fn conflict(violation: Violation) -> Self {
        let detail = violation.detail.clone();
        Self { violations: vec![violation], ..Self::new(Kind::Conflict, detail) }
    }

    /// 409: this very message was carried out before.
    pub fn repeated() -> Self {
        Self::new(Kind::Repeated, "This message has come before, and was carried out then.")
    }

    /// Whether what was asked had been carried out before.
    pub fn is_repeated(&self) -> bool {
        self.kind == Kind::Repeated
    }

    /// 410: what was told so long ago is kept no more.
    pub fn gone() -> Self {
        let detail = "What was told after this number is kept no more: ask without `after` for the last number, and go on from there.";
        Self::new(Kind::Gone, detail)
    }

    /// The same, with the number of the feed's last entry.
    #[must_use]
    pub fn at_head(self, head: u64) -> Self {
        Self { feed_head: Some(head), ..self }
    }

    /// The number of the feed's last entry, where the error is about the feed.
    pub fn feed_head(&self) -> Option<u64> {
        self.feed_head
    }

    /// 412: the record is not as `If-Match` has it.
    pub fn outdated() -> Self {
        let detail = "The record has none of the ETags in If-Match, each sent as it was got, with its quotes: it has changed since. Read it, and decide anew.";
        Self::new(Kind::Outdated, detail)
    }

    /// 422: `If-Match` for a record that embeds too many others.
    pub fn too_many_embedded(most: usize) -> Self {
        let detail = format!(
            "The record embeds more than {most} others, which `If-Match` cannot cover. Send the request without it, or change the embedded records one by one."
        );
        Self::new(Kind::Invalid, detail)
    }

    /// 422: another request came with this key before.
    pub fn of_another_request() -> Self {
        let detail = "This Idempotency-Key has come with another request: give each request a key of its own, and send one again only as it was.";
        Self::new(Kind::Invalid, detail)
    }

    /// 413: the body or the image is over the limit.
    pub fn too_large(detail: impl Into<String>) -> Self {
        Self::new(Kind::TooLarge, detail)
    }

    /// 415: a content type that the route does not take.
    pub fn unsupported_type(detail: impl Into<String>) -> Self {
        Self::new(Kind::UnsupportedType, detail)
    }

    /// 422: everything that is wrong with one body.
    pub fn invalid(violations: Vec<Violation>) -> Self {
        let detail = "Correct the fields named in `errors`.";
        Self { violations, ..Self::new(Kind::Invalid, detail) }
    }

    /// 429: the token has had its requests; after so many seconds, it may send more.
    pub fn too_many(seconds: u32) -> Self {
        let detail =
            "This token has sent all the requests that it may in this minute: wait for the seconds in Retry-After.";
        Self::new(Kind::TooMany { seconds }, detail)
    }

    /// 503: the store is throttled or away, after bounded retries.
    pub fn unavailable() -> Self {
        Self::new(
            Kind::Unavailable,
            "The store is busy or away. What you sent took effect whole or not at all: look before you send it again, after the seconds in Retry-After.",
        )
    }

    /// 500: a fault of ours. The cause is logged by the caller.
    pub fn fault() -> Self {
        Self::new(Kind::Fault, "The service met a fault of its own, and has logged it.")
    }

    /// The same about a body that is one member of another.
    #[must_use]
    pub fn inside(mut self, member: &str) -> Self {
        for violation in &mut self.violations {
            if let Place::Body(pointer) = &mut violation.position {
                *pointer = format!("/{member}{pointer}");
            }
        }
        self
    }

    /// The same, and more that is wrong.
    #[must_use]
    pub fn and(mut self, more: Vec<Violation>) -> Self {
        self.violations.extend(more);
        self
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        match self.kind {
            Kind::BadRequest => StatusCode::BAD_REQUEST,
            Kind::Unauthorized { .. } => StatusCode::UNAUTHORIZED,
            Kind::Forbidden { .. } | Kind::Denied => StatusCode::FORBIDDEN,
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Kind::Conflict | Kind::Repeated => StatusCode::CONFLICT,
            Kind::Gone => StatusCode::GONE,
            Kind::Outdated => StatusCode::PRECONDITION_FAILED,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::UnsupportedType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Kind::Fault => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The methods for the `Allow` header of a 405; empty otherwise.
    pub fn allow(&self) -> &[&'static str] {
        &self.allow
    }

    /// The `WWW-Authenticate` header of a 401 or 403 (RFC 6750, section 3).
    pub fn challenge(&self) -> Option<String> {
        let why = match self.kind {
            Kind::Unauthorized { token_sent: false } => String::new(),
            Kind::Unauthorized { token_sent: true } => r#", error="invalid_token""#.to_owned(),
            Kind::Forbidden { needed } => format!(r#", error="insufficient_scope", scope="{needed}""#),
            _ => return None,
        };
        Some(format!(r#"Bearer realm="event-capture"{why}"#))
    }

    /// The seconds for the `Retry-After` header, where trying again makes sense.
    pub fn retry_after(&self) -> Option<u32> {
        match self.kind {
            Kind::Unavailable => Some(1),
            Kind::TooMany { seconds } => Some(seconds),
            _ => None,
        }
    }

    /// The `application/problem+json` body (RFC 9457), with the request's identifier, by which it is found in the log.
    pub fn to_problem(&self, request_id: &str) -> Value {
        let status = self.status();
        let mut problem = json!({
            "type": "about:blank",
            "title": status.canonical_reason(),
            "status": status.as_u16(),
            "detail": self.detail,
            "request_id": request_id,
        });
        if !self.violations.is_empty() {
            problem["errors"] = self.violations.iter().take(MOST_LISTED).map(Violation::to_json).collect();
        }
        problem
    }
}
