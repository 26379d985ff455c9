//! The authorizer: what the token of a request may do.
//!
//! The gateway asks before every request, in its format 2.0 with simple responses, and hands the context of
//! the answer on to the function. It keeps no answers itself: a cache there needs the header to be present,
//! and a request without it would be refused in the gateway's own way. Answers are kept here instead.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use time::Duration;
use tokio::time::timeout;

use super::access::Access;
use crate::schema::Timestamp;
use crate::store::{Store, Token};

/// A revoked token works no longer than this: the contract allows 60 seconds.
const CACHE_TIME: Duration = Duration::seconds(50);
/// The name under which the answer reaches the function, in the request's context.
pub const CONTEXT: &str = "access";

/// Who has the token, as it was called when it was made: for the log.
pub const CALLER: &str = "caller";
/// The gateway waits for 10 seconds, and refuses in its own way after that.
const LONGEST_LOOK_UP: std::time::Duration = std::time::Duration::from_secs(6);

/// Looks tokens up, and remembers the good ones for a while, by their hashes.
#[derive(Debug)]
pub struct Authorizer {
    store: Store,
    known: Mutex<HashMap<String, Known>>,
}

/// What is known of a token.
#[derive(Clone, Debug)]
struct Known {
    access: Access,
    name: String,
    /// By the time of day: other clocks may stand still while the platform keeps the process frozen.
    since: Timestamp,
}

impl From<Access> for Known {
    fn from(access: Access) -> Self {
        Self { access, name: String::new(), since: Timestamp::now() }
    }
}

impl Known {
    /// Whether this may still be told: not for long after the look-up, and not where the clock was put back.
    fn is_good_at(&self, now: Timestamp) -> bool {
        self.since <= now && self.since.shifted(CACHE_TIME) > Some(now)
    }
}

impl Authorizer {
    /// An authorizer that has not seen a token yet.
    pub fn new(store: Store) -> Self {
        Self { store, known: Mutex::default() }
    }

    /// Answers one question of the gateway. The gateway is always told to go on: see [`super::access`].
    pub async fn answer(&self, event: &Value) -> Value {
        let headers = event["headers"].as_object().into_iter().flatten();
        let mut authorization = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let known = match authorization.next().and_then(|(_, value)| value.as_str()) {
            None => Access::Missing.into(),
            Some(header) if !Token::is_bearer(header) => Access::Missing.into(),
            Some(header) => match Token::from_header(header) {
                None => Access::Unknown.into(),
                Some(token) => self.look_up(&token).await,
            },
        };
        json!({"isAuthorized": true, "context": {CONTEXT: known.access, CALLER: known.name}})
    }

    async fn look_up(&self, token: &Token) -> Known {
        let hash = token.hash();
        let key = hash.to_string();
        if let Some(known) = self.remembered(&key) {
            return known;
        }
        match timeout(LONGEST_LOOK_UP, self.store.for_request().token(&hash)).await {
            Ok(Ok(Some(token))) => {
                let known = Known { access: Access::Granted(token.scope), name: token.name, since: Timestamp::now() };
                self.remember(key, known.clone());
                known
            }
            // Not remembered: a token works from the moment it is made.
            Ok(Ok(None)) => Access::Unknown.into(),
            Ok(Err(_)) | Err(_) => Access::Unavailable.into(),
        }
    }

    fn remembered(&self, key: &str) -> Option<Known> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        known.filter(|known| known.is_good_at(Timestamp::now()))
    }

    fn remember(&self, key: String, known: Known) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_token_is_looked_up_again_within_a_minute() {
        let known = Known::from(Access::Unknown);
        let after = |seconds| known.since.shifted(Duration::seconds(seconds)).expect("a time");
        assert!(known.is_good_at(known.since) && known.is_good_at(after(49)));
        assert!(!known.is_good_at(after(50)) && !known.is_good_at(after(-1)));
        assert!(CACHE_TIME < Duration::minutes(1));
    }
}
