//! Parses requests to connect the service to Twitch.

use http::HeaderMap;
use serde_json::Value as Json;

use super::headers::{EtagPreconditions, IDEMPOTENCY_KEY};
use super::payload::media_type;
use super::{Request, json};
use crate::error::{Error, InvalidValue, Result, Violation, ViolationCode, pointer_to};

/// Maximum length of a client ID, in characters.
const MAX_CLIENT_ID: usize = 1_024;

/// A login to start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewConnection {
    /// Client ID of the application at the platform, if the body has one.
    pub client_id: Option<String>,
}

impl NewConnection {
    /// Rejects headers that do not apply to a login.
    ///
    /// # Errors
    /// 400 for an `Idempotency-Key` and for `If-Match`.
    pub fn check_headers(headers: &HeaderMap) -> Result<()> {
        if headers.contains_key(IDEMPOTENCY_KEY) {
            let detail = "Do not send an Idempotency-Key. The response has a code and is not stored.";
            return Err(Error::invalid_header(detail));
        }
        EtagPreconditions::reject(headers)
    }

    /// Parses the body of a request. It may be empty.
    ///
    /// # Errors
    /// 400, 415 and 422.
    pub fn parse(request: &Request) -> Result<Self> {
        if request.body.is_empty() {
            return Ok(Self::default());
        }
        if media_type(&request.headers)?.0 != "application/json" {
            return Err(Error::unsupported_type("Send application/json."));
        }
        let Json::Object(body) = json::parse(&request.body)? else {
            let detail = "Must be an object, optionally with client_id.";
            return Err(Error::invalid(vec![Violation::at_pointer(
                "",
                ViolationCode::WrongType.invalid_value(detail),
            )]));
        };
        let (mut client_id, mut violations) = (None, Vec::new());
        for (field, value) in &body {
            let parsed = match field.as_str() {
                "client_id" => parse_client_id(value).map(|id| client_id = id),
                _ => Err(ViolationCode::UnknownField.invalid_value("Unknown field. A connection has only client_id.")),
            };
            violations.extend(parsed.err().map(|invalid| Violation::at_pointer(pointer_to("", field), invalid)));
        }
        if violations.is_empty() { Ok(Self { client_id }) } else { Err(Error::invalid(violations)) }
    }
}

fn parse_client_id(value: &Json) -> Result<Option<String>, InvalidValue> {
    let code = match value {
        Json::Null => return Ok(None),
        Json::String(id) if id.is_empty() => ViolationCode::Empty,
        Json::String(id) if id.chars().count() > MAX_CLIENT_ID => ViolationCode::TooLong,
        Json::String(id) => return Ok(Some(id.clone())),
        _ => ViolationCode::WrongType,
    };
    Err(code
        .invalid_value(format!("Must have 1 to {MAX_CLIENT_ID} characters. Copy it from the application at Twitch.")))
}
