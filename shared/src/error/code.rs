//! The error codes, in one table.
//!
//! Each row defines the variant of the enum, its entry in [`Code::ALL`] and its explanation. A test compares
//! `docs/errors.md` with the table.

use http::StatusCode;

/// The name, status and texts of a code, as shown in problems and below `/errors`.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The `code` of a problem.
    pub name: &'static str,
    /// Status of the response.
    pub status: StatusCode,
    /// Short summary.
    pub title: &'static str,
    /// How to fix the problem.
    pub fix: &'static str,
}

/// Declare the codes, one per row: variant, status, name, title and fix.
macro_rules! codes {
    ($($code:ident $status:ident $name:literal $title:literal $fix:literal)+) => {
        /// The code of a problem. Codes are stable. Clients branch on them, not on texts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`")] $code,)+
        }

        impl Code {
            /// All codes, grouped by status.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$code),+];

            /// Returns the name, status and texts of the code.
            pub const fn explanation(self) -> Explanation {
                match self {
                    $(Self::$code => {
                        Explanation { name: $name, status: StatusCode::$status, title: $title, fix: $fix }
                    })+
                }
            }
        }
    };
}

codes! {
    MalformedBody BAD_REQUEST "malformed_body" "Malformed body"
        "Send JSON in UTF-8 without repeated names, or a well-formed multipart/form-data body."
    InvalidParameter BAD_REQUEST "invalid_parameter" "Invalid path or query parameter"
        "Correct the parameters listed in `errors`."
    InvalidHeader BAD_REQUEST "invalid_header" "Invalid header"
        "Correct the header that `detail` names."
    PathTooLong BAD_REQUEST "path_too_long" "Path too long"
        "Follow at most 16 links in one path, and request the rest from the record that it reaches. A URL of more than \
        60,000 bytes is 414: send shorter filters."
    TokenMissing UNAUTHORIZED "token_missing" "Missing token"
        "Send `Authorization: Bearer <token>`. Create a token with `token create`."
    TokenInvalid UNAUTHORIZED "token_invalid" "Invalid, expired or revoked token"
        "Create a token with `token create`."
    ScopeInsufficient FORBIDDEN "scope_insufficient" "Insufficient scope"
        "Use a token with the scope that `detail` and the `WWW-Authenticate` header name."
    OriginNotAllowed FORBIDDEN "origin_not_allowed" "Origin not allowed"
        "Allow the origin of the web page with --allow-origin. Behind a proxy, send requests to the address of the proxy."
    SignatureInvalid FORBIDDEN "signature_invalid" "Missing, invalid or old signature"
        "Sign the message with the secret of the subscription, and send it within ten minutes."
    WrongChannel FORBIDDEN "wrong_channel" "Message about another channel"
        "Subscribe for the channel that the service is configured with."
    RecordNotFound NOT_FOUND "record_not_found" "Record not found"
        "Check the identifiers in the path. The record, or one on the path to it, does not exist or was deleted."
    RouteNotFound NOT_FOUND "route_not_found" "Route not found"
        "Check the path. GET /openapi.json lists all routes."
    MethodNotAllowed METHOD_NOT_ALLOWED "method_not_allowed" "Method not allowed"
        "Use one of the methods in the `Allow` header."
    DuplicatePlatformId CONFLICT "duplicate_platform_id" "Duplicate platform_id"
        "Find the user with GET /users?platform_id=…, and change that user."
    DuplicateName CONFLICT "duplicate_name" "Duplicate name"
        "Choose another name, or change the record that has it. Upper and lower case do not matter."
    ActiveSpecimenExists CONFLICT "active_specimen_exists" "The user has an active specimen"
        "Set `forgotten_at` of the active specimen, or delete it, and retry."
    DocumentExists CONFLICT "document_exists" "The event has a document"
        "Change the document of the event, or delete it, and retry."
    DocumentAttached CONFLICT "document_attached" "The document is attached to another event"
        "Send the identifier of a document that is not attached to an event."
    RecordDiffers CONFLICT "record_differs" "The stored record differs"
        "Compare it with GET. PUT does not change records: send PATCH, or delete the stored record first."
    DeletionInProgress CONFLICT "deletion_in_progress" "Deletion in progress"
        "Send the request again. Store a deleted user before its records. Deleting very many of them takes a while."
    ConnectionExists CONFLICT "connection_exists" "The connection exists"
        "Send DELETE /connections/twitch first, and then log in again."
    ProductDisabled CONFLICT "product_disabled" "The product is disabled"
        "Enable the product with PATCH, or choose another product."
    PriceChanged CONFLICT "price_changed" "The price has changed"
        "Show the buyer the current price, and send it as `price`. Leave `price` out to accept any."
    OutOfStock CONFLICT "out_of_stock" "Out of stock"
        "Buy fewer units, or raise `stock` of the product."
    OnCooldown CONFLICT "on_cooldown" "The product is on cooldown"
        "Wait for the seconds in `Retry-After`, and retry."
    LimitReached CONFLICT "limit_reached" "Purchase limit reached"
        "Buy fewer units, or raise `max_per_user` of the product. A refund frees its units."
    InsufficientBalance CONFLICT "insufficient_balance" "Insufficient balance"
        "Wait until the wallet has enough, or send less."
    PurchaseClosed CONFLICT "purchase_closed" "The status does not allow the change"
        "Read the purchase. A pending purchase can be fulfilled or refunded, a fulfilled purchase only refunded."
    OptedOut CONFLICT "opted_out" "The viewer has opted out"
        "Store nothing about this viewer. To store the viewer again, delete the opt-out."
    EntriesExpired GONE "entries_expired" "Expired feed entries"
        "Request /feed without `after` to get the current sequence number, and continue from there."
    EtagMismatch PRECONDITION_FAILED "etag_mismatch" "The ETag does not match"
        "Read the record again, and repeat the request with its current ETag."
    PayloadTooLarge PAYLOAD_TOO_LARGE "payload_too_large" "Payload too large"
        "Send a smaller body or image. `detail` has the limit in bytes."
    UnsupportedMediaType UNSUPPORTED_MEDIA_TYPE "unsupported_media_type" "Unsupported media type"
        "Send JSON in UTF-8 with `Content-Type: application/json` and without a content encoding. Documents also take \
        multipart/form-data."
    InvalidBody UNPROCESSABLE_ENTITY "invalid_body" "Invalid body"
        "Correct the fields listed in `errors`. Each has a pointer and a code."
    RecordTooLarge UNPROCESSABLE_ENTITY "record_too_large" "Record too large"
        "Send less, or delete something that the record embeds. A record has at most 2 MB of JSON."
    IdempotencyKeyReused UNPROCESSABLE_ENTITY "idempotency_key_reused" "Idempotency-Key already used"
        "Use a new key for each request. Reuse a key only to repeat the same request."
    TooManyEmbeddedRecords UNPROCESSABLE_ENTITY "too_many_embedded_records" "Too many embedded records for If-Match"
        "Send the request without If-Match, or change the embedded records one by one."
    TooManyRequests TOO_MANY_REQUESTS "too_many_requests" "Too many requests"
        "Wait for the seconds in `Retry-After`, and retry."
    StoreUnavailable SERVICE_UNAVAILABLE "store_unavailable" "Store unavailable"
        "Wait for the seconds in `Retry-After`, and retry with an Idempotency-Key. The request took effect \
        completely or not at all."
    PlatformUnavailable SERVICE_UNAVAILABLE "platform_unavailable" "Platform unavailable"
        "Wait for the seconds in `Retry-After`, and retry. Twitch did not respond, or failed."
    InternalError INTERNAL_SERVER_ERROR "internal_error" "Internal error"
        "Report the `request_id` to the operator, who finds the cause in the log."
}

impl Code {
    /// Finds a code by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.explanation().name == name)
    }
}
