//! A token that is to be made, as a page asks for it.

use serde_json::Value as Json;

use super::headers::IDEMPOTENCY_KEY;
use super::received::Request;
use super::{json, query};
use crate::error::{Error, Result, Violation};
use crate::schema::Timestamp;

/// The longest name, in characters: what a list can show.
const LONGEST_NAME: usize = 100;

/// A token that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewToken {
    /// Who is to have it.
    pub name: String,
    /// When it is to end, if ever.
    pub expires_at: Option<Timestamp>,
}

impl NewToken {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// 400, 405, 415 and 422.
    pub fn parse(request: &Request, now: Timestamp) -> Result<Self> {
        query::refuse(&query::parameters(&request.query)?)?;
        if request.headers.contains_key(IDEMPOTENCY_KEY) {
            let detail = "Leave Idempotency-Key out: the answer has a token, and is kept nowhere.";
            return Err(Error::bad_request(detail));
        }
        let content_type = request.headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if content_type.is_none_or(|kind| kind.split(';').next().is_none_or(|kind| kind.trim() != "application/json")) {
            return Err(Error::unsupported_type("Send application/json."));
        }
        let Json::Object(body) = json::read(&request.body)? else {
            return Err(Error::invalid(vec![Violation::at("", "Send an object, with name and perhaps expires_at.")]));
        };
        let (mut name, mut expires_at, mut violations) = (None, None, Vec::new());
        for (field, value) in &body {
            match (field.as_str(), value) {
                ("name", Json::String(text)) if can_be_shown(text) => name = Some(text.clone()),
                // What is no name is told below.
                ("expires_at", Json::Null) | ("name", _) => {}
                ("expires_at", Json::String(text)) if Timestamp::parse(text).is_some_and(|end| end > now) => {
                    expires_at = Timestamp::parse(text);
                }
                ("expires_at", _) => {
                    violations.push(Violation::at("/expires_at", "Send a timestamp (RFC 3339) that is not over."));
                }
                _ => {
                    let escaped = field.replace('~', "~0").replace('/', "~1");
                    violations
                        .push(Violation::at(format!("/{escaped}"), "There is no such field in tokens: leave it out."));
                }
            }
        }
        if name.is_none() {
            let detail = format!("Send a name of 1 to {LONGEST_NAME} characters that can be seen.");
            violations.push(Violation::at("/name", detail));
        }
        match name {
            Some(name) if violations.is_empty() => Ok(Self { name, expires_at }),
            _ => Err(Error::invalid(violations)),
        }
    }
}

/// Whether a list can show a name.
pub fn can_be_shown(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control)
}
