//! Parsing of a request to create a token.

use serde_json::Value as Json;

use super::headers::IDEMPOTENCY_KEY;
use super::payload::media_type;
use super::received::Request;
use super::{json, query};
use crate::error::{Error, Result, Rule, Violation, pointer_to};
use crate::schema::Timestamp;

/// The maximum length of a name that a list can display, in characters.
const MAX_NAME: usize = 100;

/// A token to create.
#[derive(Clone, Debug, PartialEq)]
pub struct NewToken {
    /// The name of the token.
    pub name: String,
    /// The time of expiry. None if the token does not expire.
    pub expires_at: Option<Timestamp>,
}

impl NewToken {
    /// Parses the body of a request.
    ///
    /// # Errors
    /// 400, 405, 415 and 422.
    pub fn parse(request: &Request, now: Timestamp) -> Result<Self> {
        query::reject_parameters(&request.query)?;
        if request.headers.contains_key(IDEMPOTENCY_KEY) {
            let detail = "Send no Idempotency-Key. The response has a token, and is not stored.";
            return Err(Error::invalid_header(detail));
        }
        if media_type(&request.headers)?.0 != "application/json" {
            return Err(Error::unsupported_type("Send application/json."));
        }
        let Json::Object(body) = json::read(&request.body)? else {
            return Err(Error::invalid(vec![Violation::at(
                "",
                Rule::WrongType.violation("Must be an object with name, and optionally expires_at."),
            )]));
        };
        let (mut name, mut expires_at, mut violations) = (None, None, Vec::new());
        for (field, value) in &body {
            match (field.as_str(), value) {
                ("name", Json::String(text)) if is_printable(text) => name = Some(text.clone()),
                // An invalid name is reported below.
                ("expires_at", Json::Null) | ("name", _) => {}
                ("expires_at", Json::String(text)) if Timestamp::parse(text).is_some_and(|end| end > now) => {
                    expires_at = Timestamp::parse(text);
                }
                ("expires_at", value) => {
                    let rule = match value.as_str().map(Timestamp::parse) {
                        Some(Some(_)) => Rule::OutOfRange,
                        Some(None) => Rule::InvalidFormat,
                        None => Rule::WrongType,
                    };
                    violations
                        .push(Violation::at("/expires_at", rule.violation("Must be an RFC 3339 time in the future.")));
                }
                _ => {
                    violations.push(Violation::at(
                        pointer_to("", field),
                        Rule::UnknownField.violation("Unknown field. A token has no such field."),
                    ));
                }
            }
        }
        if name.is_none() {
            let detail = format!("Required. Must have 1 to {MAX_NAME} printable characters.");
            let rule = match body.get("name") {
                None | Some(Json::Null) => Rule::Required,
                Some(Json::String(text)) if text.is_empty() => Rule::Empty,
                Some(Json::String(text)) if text.chars().count() > MAX_NAME => Rule::TooLong,
                Some(Json::String(_)) => Rule::InvalidFormat,
                Some(_) => Rule::WrongType,
            };
            violations.push(Violation::at("/name", rule.violation(detail)));
        }
        match name {
            Some(name) if violations.is_empty() => Ok(Self { name, expires_at }),
            _ => Err(Error::invalid(violations)),
        }
    }
}

/// Returns true if a list can display the name.
pub fn is_printable(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control)
}
