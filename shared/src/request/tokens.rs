//! Parses requests to create a token.
//!
//! A token is not a record, and no later response may contain it. Its body is therefore parsed here.

use serde_json::Value as Json;

use super::headers::IDEMPOTENCY_KEY;
use super::payload::media_type;
use super::{Request, json};
use crate::error::{Error, InvalidValue, Result, Violation, ViolationCode, pointer_to};
use crate::schema::scalar::{Identifier, Scalar};
use crate::schema::{Id, Timestamp};

/// Maximum length of a name, in characters.
const MAX_NAME: usize = 100;

/// How to create a token with another scope. No request creates one, or a client could raise its scope.
const OTHER_SCOPE: &str = "Unknown field. The token has the scope `overlay`, or `viewer` with `user_id`. To create tokens with other scopes, use the command `token create`.";

/// A token to create.
#[derive(Clone, Debug, PartialEq)]
pub struct NewToken {
    pub name: String,
    /// Time of expiry. `None` if the token does not expire.
    pub expires_at: Option<Timestamp>,
    /// User that a viewer's token belongs to. `None` for an overlay's token.
    pub user_id: Option<Id>,
}

impl NewToken {
    /// Parses the body of a request. Violations of its fields are returned: the caller reports them together with a
    /// reference to a user that does not exist.
    ///
    /// # Errors
    /// 400, 415, and 422 if the body is not an object.
    pub fn parse(request: &Request, now: Timestamp) -> Result<(Self, Vec<Violation>)> {
        if request.headers.contains_key(IDEMPOTENCY_KEY) {
            let detail = "Do not send an Idempotency-Key. The response has a token and is not stored.";
            return Err(Error::invalid_header(detail));
        }
        if media_type(&request.headers)?.0 != "application/json" {
            return Err(Error::unsupported_type("Send application/json."));
        }
        let Json::Object(body) = json::parse(&request.body)? else {
            let detail = "Must be an object with name, and optionally expires_at and user_id.";
            return Err(Error::invalid(vec![Violation::at_pointer(
                "",
                ViolationCode::WrongType.invalid_value(detail),
            )]));
        };
        let (mut expires_at, mut user_id, mut violations) = (None, None, Vec::new());
        for (field, value) in &body {
            let parsed = match field.as_str() {
                "name" => Ok(()),
                "expires_at" => parse_expiry(value, now).map(|time| expires_at = time),
                "user_id" => parse_user_id(value).map(|id| user_id = id),
                "scope" => Err(ViolationCode::UnknownField.invalid_value(OTHER_SCOPE)),
                _ => Err(ViolationCode::UnknownField
                    .invalid_value("Unknown field. A token has only name, expires_at and user_id.")),
            };
            violations.extend(parsed.err().map(|invalid| Violation::at_pointer(pointer_to("", field), invalid)));
        }
        let name = parse_name(body.get("name")).unwrap_or_else(|invalid| {
            violations.push(Violation::at_pointer("/name", invalid));
            String::new()
        });
        Ok((Self { name, expires_at, user_id }, violations))
    }
}

fn parse_user_id(value: &Json) -> Result<Option<Id>, InvalidValue> {
    if value.is_null() {
        return Ok(None);
    }
    Ok(Identifier::view(&Identifier::from_json(value.clone())?))
}

fn parse_expiry(value: &Json, now: Timestamp) -> Result<Option<Timestamp>, InvalidValue> {
    let code = match (value, value.as_str().map(Timestamp::parse)) {
        (Json::Null, _) => return Ok(None),
        (_, Some(Some(time))) if time > now => return Ok(Some(time)),
        (_, Some(Some(_))) => ViolationCode::OutOfRange,
        (_, Some(None)) => ViolationCode::InvalidFormat,
        _ => ViolationCode::WrongType,
    };
    Err(code.invalid_value("Must be an RFC 3339 time in the future."))
}

fn parse_name(value: Option<&Json>) -> Result<String, InvalidValue> {
    let code = match value {
        Some(Json::String(text)) if is_printable(text) => return Ok(text.clone()),
        Some(Json::String(text)) if text.is_empty() => ViolationCode::Empty,
        Some(Json::String(text)) if text.chars().count() > MAX_NAME => ViolationCode::TooLong,
        Some(Json::String(_)) => ViolationCode::InvalidFormat,
        None | Some(Json::Null) => ViolationCode::Required,
        Some(_) => ViolationCode::WrongType,
    };
    Err(code.invalid_value(format!("Required. Must have 1 to {MAX_NAME} printable characters.")))
}

/// Returns true if a name can be displayed: it is printable, not blank and not too long.
pub fn is_printable(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control)
}
