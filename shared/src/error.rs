//! Errors as clients see them: a stable code, a text for people, and the invalid values.
//!
//! The text names the problem and its fix. The cause of an internal fault is logged where it occurs. Clients never see
//! it. It would expose internals, and a client could not act on it.

mod code;
mod suggestion;
mod violation;

use http::StatusCode;
use serde_json::{Value, json};

pub use code::{Code, Explanation};
pub use suggestion::{closest, suggestion};
pub use violation::{InvalidValue, Violation, ViolationCode, pointer_to};

/// Maximum number of violations in one response. A body can have as many as it has bytes.
const MAX_VIOLATIONS: usize = 200;
/// Path of the explanations of error codes.
pub const ERRORS: &str = "/errors";

/// The result of handling a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason a request was rejected or could not be served.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code:?}: {detail}")]
pub struct Error {
    code: Code,
    status: StatusCode,
    detail: String,
    violations: Vec<Violation>,
    allow: Vec<&'static str>,
    feed_head: Option<u64>,
    needed_scope: Option<&'static str>,
    retry_after: Option<u32>,
}

impl Error {
    fn new(code: Code, detail: impl Into<String>) -> Self {
        let (status, detail) = (code.explanation().status, detail.into());
        let (violations, allow) = (Vec::new(), Vec::new());
        let (feed_head, needed_scope, retry_after) = (None, None, None);
        Self { code, status, detail, violations, allow, feed_head, needed_scope, retry_after }
    }

    /// Returns what is wrong, and how to fix it.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// 400: the body cannot be parsed.
    pub fn malformed_body(detail: impl Into<String>) -> Self {
        Self::new(Code::MalformedBody, detail)
    }

    /// 400: a header cannot be parsed.
    pub fn invalid_header(detail: impl Into<String>) -> Self {
        Self::new(Code::InvalidHeader, detail)
    }

    /// 400: the path or the query has invalid values. The violations may include those of the body.
    pub fn invalid_parameters(violations: Vec<Violation>) -> Self {
        Self { violations, ..Self::new(Code::InvalidParameter, Code::InvalidParameter.explanation().fix) }
    }

    /// 400: the path has too many links.
    pub fn path_too_long(detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let violation = Violation::parameter("path", ViolationCode::TooLong.invalid_value(&detail));
        Self { violations: vec![violation], ..Self::new(Code::PathTooLong, detail) }
    }

    /// 414: the path and the query have more than `max` bytes.
    pub fn url_too_long(max: usize) -> Self {
        let detail = format!("The path and the query are too long. Send at most {max} bytes.");
        Self { status: StatusCode::URI_TOO_LONG, ..Self::path_too_long(detail) }
    }

    /// 401: the token is missing.
    pub fn token_missing() -> Self {
        let detail = "Missing token. Send `Authorization: Bearer <token>`; create one with `token create`.";
        Self::new(Code::TokenMissing, detail)
    }

    /// 401: the token is not valid.
    pub fn token_invalid() -> Self {
        Self::new(Code::TokenInvalid, "Invalid, expired or revoked token. Create one with `token create`.")
    }

    /// 403: the token is valid, but its scope does not cover the request.
    pub fn forbidden(needed_scope: &'static str) -> Self {
        let detail =
            format!("The scope of this token does not cover the request. Use a token with the scope `{needed_scope}`.");
        Self { needed_scope: Some(needed_scope), ..Self::new(Code::ScopeInsufficient, detail) }
    }

    /// 403: Twitch did not sign the message, or signed it too long ago.
    pub fn invalid_signature() -> Self {
        let detail = "Missing, invalid or old signature. Only Twitch calls this route, and signs its messages.";
        Self::new(Code::SignatureInvalid, detail)
    }

    /// 403: the message is signed, but is about another channel.
    pub fn wrong_channel() -> Self {
        let detail =
            "The message is about another channel. Subscribe for the channel that the service is configured with.";
        Self::new(Code::WrongChannel, detail)
    }

    /// 403: the origin of the web page is not allowed.
    pub fn origin_not_allowed() -> Self {
        let detail =
            "Without tokens, the service answers only this machine. Allow the origin of the page with --allow-origin.";
        Self::new(Code::OriginNotAllowed, detail)
    }

    /// 403: the request bypassed the proxy in front of the service.
    pub fn not_through_the_proxy() -> Self {
        Self::new(Code::OriginNotAllowed, "Send requests to the address of the proxy in front of this service.")
    }

    /// 404: no such route.
    pub fn no_route() -> Self {
        Self::new(Code::RouteNotFound, "Route not found. GET /openapi.json lists all routes.")
    }

    /// 404: no such route, with a hint at the route that was probably meant.
    pub fn no_route_with_hint(hint: impl std::fmt::Display) -> Self {
        Self::new(Code::RouteNotFound, format!("Route not found. {hint}"))
    }

    /// 404: a record of the path does not exist, or does not match a value that the path binds.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(Code::RecordNotFound, detail)
    }

    /// 405: the route does not support the method.
    pub fn method_not_allowed(allow: Vec<&'static str>) -> Self {
        let detail = format!("Method not allowed. Use {}.", allow.join(", "));
        Self { allow, ..Self::new(Code::MethodNotAllowed, detail) }
    }

    /// 405: the resource cannot be changed. `instead` is a sentence on what to send. The methods are only in
    /// `Allow`: PUT is one of them, but an import does not change a record.
    pub fn cannot_be_changed(allow: Vec<&'static str>, instead: &str) -> Self {
        Self { allow, ..Self::new(Code::MethodNotAllowed, format!("Method not allowed. {instead}")) }
    }

    /// Appends a sentence to the text for people.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        self.detail = format!("{} {hint}", self.detail);
        self
    }

    /// 409: the request is valid, but conflicts with stored data.
    pub fn conflict(code: Code, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let violation = Violation::at_pointer(pointer, ViolationCode::Duplicate.invalid_value(&detail));
        Self { violations: vec![violation], ..Self::new(code, detail) }
    }

    /// 409: the request is valid, but conflicts with several stored values.
    pub fn conflicts(code: Code, detail: impl Into<String>, violations: Vec<Violation>) -> Self {
        Self { violations, ..Self::new(code, detail) }
    }

    /// 409: the stored data do not permit the request, although none of its values is invalid.
    pub fn conflict_without_value(code: Code, detail: impl Into<String>) -> Self {
        Self::new(code, detail)
    }

    /// Sets the seconds to wait before a retry.
    #[must_use]
    pub fn with_retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// 410: the requested feed entries are no longer stored.
    pub fn entries_expired() -> Self {
        let detail = "Entries after this sequence number have expired. Request /feed without `after` to get \
             the current sequence number.";
        Self::new(Code::EntriesExpired, detail)
    }

    /// Adds the sequence number of the last feed entry.
    #[must_use]
    pub fn with_feed_head(self, head: u64) -> Self {
        Self { feed_head: Some(head), ..self }
    }

    /// Returns the sequence number of the last feed entry, if the error is about the feed.
    pub fn feed_head(&self) -> Option<u64> {
        self.feed_head
    }

    /// 412: the record has none of the ETags in `If-Match`.
    pub fn etag_mismatch() -> Self {
        let detail = "The record has changed. Read it again, and repeat the request with its current ETag.";
        Self::new(Code::EtagMismatch, detail)
    }

    /// 412: the record has one of the ETags in `If-None-Match`.
    pub fn etag_match() -> Self {
        Self::new(Code::EtagMismatch, "The record has one of the ETags in If-None-Match. Nothing was changed.")
    }

    /// 412: `If-Match` has only weak ETags, which never match (RFC 9110, section 13.1.1).
    pub fn weak_etag() -> Self {
        let detail = "If-Match has a weak ETag, which matches no record. Send the ETag as received, without `W/`.";
        Self::new(Code::EtagMismatch, detail)
    }

    /// 422: the request has `If-Match`, and its record embeds too many others.
    pub fn too_many_embedded(max: usize) -> Self {
        let detail = format!(
            "The record embeds more than {max} others, which If-Match cannot cover. Send the request without \
             it, or change the embedded records one by one."
        );
        Self::new(Code::TooManyEmbeddedRecords, detail)
    }

    /// 422: the key was used for another request.
    pub fn idempotency_key_reused() -> Self {
        let detail = "Another request used this Idempotency-Key. Use a new key for each request.";
        Self::new(Code::IdempotencyKeyReused, detail)
    }

    /// 413: the body or the image is too large.
    pub fn payload_too_large(detail: impl Into<String>) -> Self {
        Self::new(Code::PayloadTooLarge, detail)
    }

    /// 415: the route does not accept the content type or content encoding.
    pub fn unsupported_type(detail: impl Into<String>) -> Self {
        Self::new(Code::UnsupportedMediaType, detail)
    }

    /// 422: the body has invalid values. 400 if the path or the query has some of them.
    pub fn invalid(violations: Vec<Violation>) -> Self {
        if violations.iter().any(Violation::is_of_parameter) {
            return Self::invalid_parameters(violations);
        }
        Self { violations, ..Self::new(Code::InvalidBody, "Correct the fields listed in `errors`.") }
    }

    /// 422: the JSON of the record would exceed the size limit.
    pub fn record_too_large(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let violation = Violation::at_pointer(pointer, ViolationCode::TooLong.invalid_value(&detail));
        Self { violations: vec![violation], ..Self::new(Code::RecordTooLarge, detail) }
    }

    /// 429: the token has used up its requests for the next `retry_after` seconds.
    pub fn rate_limited(retry_after: u32) -> Self {
        let detail = format!("This token has used up its requests for this minute. Retry after {retry_after} seconds.");
        Self { retry_after: Some(retry_after), ..Self::new(Code::TooManyRequests, detail) }
    }

    /// 503: the store is throttled or unreachable, after bounded retries.
    pub fn unavailable() -> Self {
        let detail = "The store is busy or unreachable. The request took effect completely or not at all; \
             retry it with an Idempotency-Key.";
        Self::new(Code::StoreUnavailable, detail)
    }

    /// 409: the service is already connected to the platform.
    pub fn connection_exists() -> Self {
        let detail = "The connection exists. Send DELETE /connections/twitch first, and then log in again.";
        Self::new(Code::ConnectionExists, detail)
    }

    /// 503: the platform that sends the events failed or did not respond.
    pub fn platform_unavailable(retry_after: u32) -> Self {
        let detail = format!("Twitch did not respond, or failed. Retry after {retry_after} seconds.");
        Self { retry_after: Some(retry_after), ..Self::new(Code::PlatformUnavailable, detail) }
    }

    /// 503: the statistics are being rebuilt, or are far behind.
    pub fn rebuilding() -> Self {
        let detail = "The statistics are not up to date yet. Retry in a few seconds.";
        Self { retry_after: Some(5), ..Self::new(Code::StoreUnavailable, detail) }
    }

    /// 500: an internal fault. The caller logs the cause.
    pub fn fault() -> Self {
        let detail = "Internal error. Report the `request_id`; the cause is in the log.";
        Self::new(Code::InternalError, detail)
    }

    /// Prefix the pointers of the violations with a member of an enclosing body.
    #[must_use]
    pub fn prefix_pointers(mut self, member: &str) -> Self {
        for violation in &mut self.violations {
            violation.prefix_pointer(member);
        }
        self
    }

    /// Adds violations.
    #[must_use]
    pub fn with_violations(mut self, more: Vec<Violation>) -> Self {
        self.violations.extend(more);
        self
    }

    /// Returns the invalid values.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    pub fn code(&self) -> Code {
        self.code
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Replaces the default status of the code with the one that HTTP defines for the cause.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Returns the methods for the `Allow` header of a 405. Empty for other errors.
    pub fn allow(&self) -> &[&'static str] {
        &self.allow
    }

    /// Returns the `WWW-Authenticate` header for a 401 or 403 (RFC 6750, section 3).
    pub fn challenge(&self) -> Option<String> {
        let reason = match (self.code, self.needed_scope) {
            (Code::TokenMissing, _) => String::new(),
            (Code::TokenInvalid, _) => r#", error="invalid_token""#.to_owned(),
            (_, Some(scope)) => format!(r#", error="insufficient_scope", scope="{scope}""#),
            _ => return None,
        };
        Some(format!(r#"Bearer realm="event-capture"{reason}"#))
    }

    /// Returns the seconds for the `Retry-After` header, if a retry makes sense. Always set for a 503.
    pub fn retry_after(&self) -> Option<u32> {
        self.retry_after.or_else(|| (self.status() == StatusCode::SERVICE_UNAVAILABLE).then_some(1))
    }

    /// Renders the `application/problem+json` body (RFC 9457). `base` is the URL of the service, and `request_id`
    /// identifies the request in the log.
    pub fn to_problem(&self, base: &str, request_id: &str) -> Value {
        let Explanation { name, title, .. } = self.code.explanation();
        let mut problem = json!({
            "type": format!("{base}{ERRORS}/{name}"),
            "code": name,
            "title": title,
            "status": self.status.as_u16(),
            "detail": self.detail,
            "request_id": request_id,
        });
        if !self.violations.is_empty() {
            problem["errors"] = self.violations.iter().take(MAX_VIOLATIONS).map(Violation::to_json).collect();
        }
        problem
    }
}
