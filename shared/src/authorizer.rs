//! The authorizer: what the token of a request may do.
//!
//! The gateway asks before every request, in its format 2.0 with simple responses, and hands the context of
//! the answer on to the function. It keeps no answers itself: a cache there needs the header to be present,
//! and a request without it would be refused in the gateway's own way. Answers are kept here instead.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use time::Duration;

use crate::access::{Access, Token};
use crate::store::Store;
use crate::value::Timestamp;

/// A revoked token works no longer than this: the contract allows 60 seconds.
const CACHE_TIME: Duration = Duration::seconds(50);
/// The name under which the answer reaches the function, in the request's context.
pub const CONTEXT: &str = "access";

/// Looks tokens up, and remembers the good ones for a while: by their hashes, with the time of the look-up. It is the
/// time of day that counts, for other clocks may stand still while the platform keeps the process frozen.
#[derive(Debug)]
pub struct Authorizer {
    store: Store,
    known: Mutex<HashMap<String, (Access, Timestamp)>>,
}

impl Authorizer {
    /// An authorizer that has not seen a token yet.
    pub fn new(store: Store) -> Self {
        Self { store, known: Mutex::default() }
    }

    /// Answers one question of the gateway. The gateway is always told to go on: see [`crate::access`].
    pub async fn answer(&self, event: &Value) -> Value {
        let headers = event["headers"].as_object().into_iter().flatten();
        let mut authorization = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let access = match authorization.next().and_then(|(_, value)| value.as_str()) {
            None => Access::Missing,
            Some(header) => match Token::from_header(header) {
                None => Access::Unknown,
                Some(token) => self.access(&token).await,
            },
        };
        json!({"isAuthorized": true, "context": {CONTEXT: access}})
    }

    async fn access(&self, token: &Token) -> Access {
        let hash = token.hash();
        let key = hash.to_string();
        if let Some(access) = self.remembered(&key) {
            return access;
        }
        match self.store.for_request().token(&hash).await {
            Ok(Some(token)) => {
                let access = Access::Granted(token.scope);
                self.remember(key, access);
                access
            }
            // Not remembered: a token works from the moment it is made.
            Ok(None) => Access::Unknown,
            Err(_) => Access::Unavailable,
        }
    }

    fn remembered(&self, key: &str) -> Option<Access> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (access, since) = known.get(key).copied()?;
        let now = Timestamp::now();
        (since <= now && since.shifted(CACHE_TIME) > Some(now)).then_some(access)
    }

    fn remember(&self, key: String, access: Access) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (access, Timestamp::now()));
    }
}
