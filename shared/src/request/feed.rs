//! Queries of the feed.

use super::query::parameters;
use crate::error::{Error, Result, Violation, ViolationCode};
use crate::schema::{Id, MAX_INTEGER};

/// Maximum number of entries in one response.
pub const MAX_ENTRIES: u64 = 100;

/// A query for feed entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedQuery {
    /// Sequence number after which entries are returned. `None` requests only the last sequence number.
    pub after: Option<u64>,
    /// Maximum number of entries.
    pub limit: u64,
}

impl FeedQuery {
    /// Parses a query string.
    ///
    /// # Errors
    /// 400 with all violations.
    pub fn parse(text: &str) -> Result<Self> {
        let (mut query, mut violations) = (Self { after: None, limit: MAX_ENTRIES }, Vec::new());
        for (name, value) in parameters(text) {
            let value = match value {
                Ok(value) => value,
                Err(invalid) => {
                    violations.push(Violation::parameter(name, invalid));
                    continue;
                }
            };
            match name.as_str() {
                "after" => {
                    query.after = number(&value);
                    if query.after.is_none() {
                        violations.push(Violation::parameter(
                            name,
                            ViolationCode::of_integer(&value).invalid_value("Must be the number of an entry, or 0."),
                        ));
                    }
                }
                "limit" => {
                    let limit = Id::parse(&value).map(Id::number);
                    query.limit = limit.filter(|limit| *limit <= MAX_ENTRIES).unwrap_or_default();
                    if query.limit == 0 {
                        let detail = format!("Must be an integer between 1 and {MAX_ENTRIES}.");
                        violations
                            .push(Violation::parameter(name, ViolationCode::of_integer(&value).invalid_value(detail)));
                    }
                }
                _ => violations.push(Violation::parameter(
                    name,
                    ViolationCode::UnknownField.invalid_value("Unknown parameter. The feed takes after and limit."),
                )),
            }
        }
        if violations.is_empty() { Ok(query) } else { Err(Error::invalid_parameters(violations)) }
    }
}

/// Parses a sequence number, with or without leading zeros.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok().filter(|number| *number <= MAX_INTEGER.unsigned_abs()))?
}
