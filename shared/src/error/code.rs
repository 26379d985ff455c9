//! The codes of problems.

use http::StatusCode;

/// The code of a problem. Codes are stable, so that clients branch on them and not on sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// `malformed_body`
    MalformedBody,
    /// `invalid_parameter`
    InvalidParameter,
    /// `invalid_header`
    InvalidHeader,
    /// `path_too_long`
    PathTooLong,
    /// `token_missing`
    TokenMissing,
    /// `token_invalid`
    TokenInvalid,
    /// `scope_insufficient`
    ScopeInsufficient,
    /// `origin_not_allowed`
    OriginNotAllowed,
    /// `signature_invalid`
    SignatureInvalid,
    /// `wrong_channel`
    WrongChannel,
    /// `record_not_found`
    RecordNotFound,
    /// `route_not_found`
    RouteNotFound,
    /// `method_not_allowed`
    MethodNotAllowed,
    /// `duplicate_platform_id`
    DuplicatePlatformId,
    /// `active_specimen_exists`
    ActiveSpecimenExists,
    /// `document_exists`
    DocumentExists,
    /// `document_attached`
    DocumentAttached,
    /// `record_differs`
    RecordDiffers,
    /// `deletion_in_progress`
    DeletionInProgress,
    /// `entries_expired`
    EntriesExpired,
    /// `etag_mismatch`
    EtagMismatch,
    /// `payload_too_large`
    PayloadTooLarge,
    /// `unsupported_media_type`
    UnsupportedMediaType,
    /// `invalid_body`
    InvalidBody,
    /// `record_too_large`
    RecordTooLarge,
    /// `idempotency_key_reused`
    IdempotencyKeyReused,
    /// `too_many_embedded_records`
    TooManyEmbeddedRecords,
    /// `too_many_requests`
    TooManyRequests,
    /// `store_unavailable`
    StoreUnavailable,
    /// `internal_error`
    InternalError,
}

/// The name, the status and the texts of a code, as problems and the routes below `/errors/` show them.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The code in problems.
    pub name: &'static str,
    /// The status of the response.
    pub status: StatusCode,
    /// A summary.
    pub title: &'static str,
    /// The way to fix it.
    pub fix: &'static str,
}

impl Code {
    /// All codes, by their statuses.
    pub const ALL: [Self; 30] = [
        Self::MalformedBody,
        Self::InvalidParameter,
        Self::InvalidHeader,
        Self::PathTooLong,
        Self::TokenMissing,
        Self::TokenInvalid,
        Self::ScopeInsufficient,
        Self::OriginNotAllowed,
        Self::SignatureInvalid,
        Self::WrongChannel,
        Self::RecordNotFound,
        Self::RouteNotFound,
        Self::MethodNotAllowed,
        Self::DuplicatePlatformId,
        Self::ActiveSpecimenExists,
        Self::DocumentExists,
        Self::DocumentAttached,
        Self::RecordDiffers,
        Self::DeletionInProgress,
        Self::EntriesExpired,
        Self::EtagMismatch,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
        Self::InvalidBody,
        Self::RecordTooLarge,
        Self::IdempotencyKeyReused,
        Self::TooManyEmbeddedRecords,
        Self::TooManyRequests,
        Self::StoreUnavailable,
        Self::InternalError,
    ];

    /// Returns the code with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.explanation().name == name)
    }

    /// Returns the name, the status and the texts of a code.
    #[expect(clippy::too_many_lines, reason = "a table")]
    pub const fn explanation(self) -> Explanation {
        let (name, status, title, fix) = match self {
            Self::MalformedBody => (
                "malformed_body",
                StatusCode::BAD_REQUEST,
                "Malformed body",
                "Send JSON in UTF-8 without repeated names, or a well-formed multipart/form-data body.",
            ),
            Self::InvalidParameter => (
                "invalid_parameter",
                StatusCode::BAD_REQUEST,
                "Invalid path or query parameter",
                "Correct the parameters listed in `errors`.",
            ),
            Self::InvalidHeader => {
                ("invalid_header", StatusCode::BAD_REQUEST, "Invalid header", "Correct the header that `detail` names.")
            }
            Self::PathTooLong => (
                "path_too_long",
                StatusCode::BAD_REQUEST,
                "Path too long",
                "Follow at most 16 links in one path, and request the rest from the record that it reaches. Send shorter filters.",
            ),
            Self::TokenMissing => (
                "token_missing",
                StatusCode::UNAUTHORIZED,
                "Missing token",
                "Send `Authorization: Bearer <token>`. Create a token with `token create`.",
            ),
            Self::TokenInvalid => (
                "token_invalid",
                StatusCode::UNAUTHORIZED,
                "Invalid, expired or revoked token",
                "Create a token with `token create`.",
            ),
            Self::ScopeInsufficient => (
                "scope_insufficient",
                StatusCode::FORBIDDEN,
                "Insufficient scope",
                "Use a token with the scope that `detail` and the `WWW-Authenticate` header name.",
            ),
            Self::OriginNotAllowed => (
                "origin_not_allowed",
                StatusCode::FORBIDDEN,
                "Origin not allowed",
                "Allow the origin of the web page with --allow-origin, or require tokens with --require-token.",
            ),
            Self::SignatureInvalid => (
                "signature_invalid",
                StatusCode::FORBIDDEN,
                "Missing, invalid or old signature",
                "Sign the message with the secret of the subscription, and send it within ten minutes.",
            ),
            Self::WrongChannel => (
                "wrong_channel",
                StatusCode::FORBIDDEN,
                "Message about another channel",
                "Subscribe for the channel that the service is configured with.",
            ),
            Self::RecordNotFound => (
                "record_not_found",
                StatusCode::NOT_FOUND,
                "Record not found",
                "Check the identifiers in the path. The record, or one on the path to it, does not exist or was deleted.",
            ),
            Self::RouteNotFound => (
                "route_not_found",
                StatusCode::NOT_FOUND,
                "Route not found",
                "Check the path. GET /openapi.json lists all routes.",
            ),
            Self::MethodNotAllowed => (
                "method_not_allowed",
                StatusCode::METHOD_NOT_ALLOWED,
                "Method not allowed",
                "Use one of the methods in the `Allow` header.",
            ),
            Self::DuplicatePlatformId => (
                "duplicate_platform_id",
                StatusCode::CONFLICT,
                "Duplicate platform_id",
                "Find the user with GET /users?platform_id=…, and change that one.",
            ),
            Self::ActiveSpecimenExists => (
                "active_specimen_exists",
                StatusCode::CONFLICT,
                "The user has an active specimen",
                "Set `forgotten_at` of the active specimen, or delete it, and retry.",
            ),
            Self::DocumentExists => (
                "document_exists",
                StatusCode::CONFLICT,
                "The event has a document",
                "Change the document of the event, or delete it, and retry.",
            ),
            Self::DocumentAttached => (
                "document_attached",
                StatusCode::CONFLICT,
                "The document is attached to another event",
                "Give the identifier of a document that is attached to no event.",
            ),
            Self::RecordDiffers => (
                "record_differs",
                StatusCode::CONFLICT,
                "The stored record differs",
                "Compare it with GET. PUT does not change records: send PATCH, or delete the stored record first.",
            ),
            Self::DeletionInProgress => (
                "deletion_in_progress",
                StatusCode::CONFLICT,
                "Deletion in progress",
                "Send the request again. Store a deleted user before its records. If it had very many, their deletion takes a while.",
            ),
            Self::EntriesExpired => (
                "entries_expired",
                StatusCode::GONE,
                "Expired feed entries",
                "Request /feed without `after` to get the current sequence number, and continue from there.",
            ),
            Self::EtagMismatch => (
                "etag_mismatch",
                StatusCode::PRECONDITION_FAILED,
                "The record has changed",
                "Read the record again, and repeat the request with its current ETag.",
            ),
            Self::PayloadTooLarge => (
                "payload_too_large",
                StatusCode::PAYLOAD_TOO_LARGE,
                "Payload too large",
                "Send a smaller body or image. `detail` has the limit in bytes.",
            ),
            Self::UnsupportedMediaType => (
                "unsupported_media_type",
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Unsupported media type",
                "Send JSON in UTF-8 with `Content-Type: application/json` and without a content encoding. Documents also take multipart/form-data.",
            ),
            Self::InvalidBody => (
                "invalid_body",
                StatusCode::UNPROCESSABLE_ENTITY,
                "Invalid body",
                "Correct the fields listed in `errors`. Each has a pointer and a code of its own.",
            ),
            Self::RecordTooLarge => (
                "record_too_large",
                StatusCode::UNPROCESSABLE_ENTITY,
                "Record too large",
                "Send less, or delete something that the record embeds. A record has at most 2 MB of JSON.",
            ),
            Self::IdempotencyKeyReused => (
                "idempotency_key_reused",
                StatusCode::UNPROCESSABLE_ENTITY,
                "Idempotency-Key of another request",
                "Use a new key for each request. Repeat a key only with the same request.",
            ),
            Self::TooManyEmbeddedRecords => (
                "too_many_embedded_records",
                StatusCode::UNPROCESSABLE_ENTITY,
                "Too many embedded records for If-Match",
                "Send the request without If-Match, or change the embedded records one by one.",
            ),
            Self::TooManyRequests => (
                "too_many_requests",
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests",
                "Wait for the seconds in `Retry-After`, and retry.",
            ),
            Self::StoreUnavailable => (
                "store_unavailable",
                StatusCode::SERVICE_UNAVAILABLE,
                "Store unavailable",
                "Wait for the seconds in `Retry-After`, and retry with an Idempotency-Key. The request took effect completely or not at all.",
            ),
            Self::InternalError => (
                "internal_error",
                StatusCode::INTERNAL_SERVER_ERROR,
                "Internal error",
                "Report the `request_id` to the operator, who finds the cause in the log.",
            ),
        };
        Explanation { name, status, title, fix }
    }
}
