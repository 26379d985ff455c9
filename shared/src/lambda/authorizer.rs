//! The Lambda authorizer: determines the access of a request's token.
//!
//! The gateway calls it before every request, in payload format 2.0 with simple responses, and forwards the context of
//! the response to the function. The gateway's cache is off. With it, the gateway itself would reject every request
//! without an `Authorization` header. This module caches tokens instead.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use time::Duration;
use tokio::time::timeout;

use super::access::{Access, Caller};
use crate::error::Result;
use crate::schema::Timestamp;
use crate::store::{Scope, Store, StoredToken, Token, TokenHash};

/// Cache time of a token, after which a revoked token stops working. `docs/api.md` promises 60 seconds.
pub const CACHE_TIME: Duration = Duration::seconds(50);
/// Time limit for looking up a token. The gateway waits for 10 seconds, then rejects the request itself.
const LOOK_UP_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);
/// Time limit for recording a token's use, and for counting a request. Both have to fit into the remaining time.
const USAGE_WRITE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(2);

/// Number of parts into which a token's limit is divided. Each process reserves one part at a time in the table,
/// and counts it down locally.
const PARTS: u32 = 20;

/// The Lambda authorizer, with a cache of valid tokens by their hashes.
#[derive(Debug)]
pub struct Authorizer {
    store: Store,
    /// Maximum number of requests of a token per minute. 0 for no limit.
    limit: u32,
    cache: Mutex<HashMap<String, CachedAccess>>,
    /// Held while a part is reserved. A task that waited for it finds requests left in that part.
    reserving: tokio::sync::Mutex<()>,
}

/// A cached token, with its access and its request count.
#[derive(Clone, Debug)]
pub struct CachedAccess {
    access: Access,
    token: Option<StoredToken>,
    /// Wall-clock time of the look-up. A monotonic clock may stop while the platform freezes the process.
    pub since: Timestamp,
    /// Time of the last write of the token's use by this process.
    recorded_at: Option<Timestamp>,
    /// Minute of the reserved part, counted from 1970, and the number of requests that remain in the part.
    reserved: (i128, u32),
    /// Last minute for which the table had no requests left.
    exhausted_minute: i128,
}

/// Returns the minimum interval between two writes of a token's last use. An overlay that has stopped should be noticed
/// within a minute.
pub fn usage_interval(scope: Scope) -> Duration {
    if scope == Scope::Overlay { Duration::ZERO } else { Duration::hours(1) }
}

impl From<Access> for CachedAccess {
    fn from(access: Access) -> Self {
        Self { access, token: None, since: Timestamp::now(), recorded_at: None, reserved: (0, 0), exhausted_minute: 0 }
    }
}

impl CachedAccess {
    /// Returns true if this may still be used: within [`CACHE_TIME`] of the look-up, and before the token expires.
    /// False if the clock was set back.
    pub fn is_good_at(&self, now: Timestamp) -> bool {
        let ended = self.token.as_ref().is_some_and(|token| token.has_expired(now));
        self.since <= now && self.since.checked_add(CACHE_TIME) > Some(now) && !ended
    }

    /// Takes one of a minute's reserved requests. Returns true if one was left, false if the limit is used up, and
    /// `None` if only the table can tell.
    fn take_one(&mut self, minute: i128) -> Option<bool> {
        let is_granted = self.reserved.0 == minute && self.reserved.1 > 0;
        self.reserved.1 -= u32::from(is_granted);
        (is_granted || self.exhausted_minute == minute).then_some(is_granted)
    }
}

impl Authorizer {
    /// Creates an authorizer with an empty cache. `limit` is the number of requests per token and minute, 0 for no
    /// limit.
    pub fn new(store: Store, limit: u32) -> Self {
        Self { store, limit, cache: Mutex::default(), reserving: tokio::sync::Mutex::default() }
    }

    /// Handles an authorizer event. `isAuthorized` is always true: the function itself rejects requests, see
    /// [`super::access`].
    pub async fn handle(&self, event: &Value) -> Value {
        let headers = event["headers"].as_object().into_iter().flatten();
        let mut authorization = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let caller = self.caller(authorization.next().and_then(|(_, value)| value.as_str())).await;
        json!({"isAuthorized": true, "context": caller.to_context()})
    }

    /// Determines the sender of a request with this `Authorization` header.
    pub async fn caller(&self, authorization: Option<&str>) -> Caller {
        let (access, token) = match authorization {
            None => (Access::Missing, None),
            Some(header) if !Token::is_bearer(header) => (Access::Missing, None),
            Some(header) => match Token::from_header(header) {
                None => (Access::Unknown, None),
                Some(token) => self.authorize(&token.hash(), Timestamp::now()).await,
            },
        };
        match token {
            Some(token) => Caller { access, token_name: Some(token.name), token_id: token.id },
            None => access.into(),
        }
    }

    /// Determines the access of a token. Also returns the token if it is stored.
    async fn authorize(&self, hash: &TokenHash, now: Timestamp) -> (Access, Option<StoredToken>) {
        let key = hash.to_string();
        let mut entry = match self.cached(&key, now) {
            Some(entry) => entry,
            None => self.look_up(hash, now).await,
        };
        if let Some(token) = entry.token.clone() {
            if self.limit > 0 && !self.count(&key, &token.id, now).await {
                entry.access = Access::Limited;
            }
            return (entry.access, Some(token));
        }
        (entry.access, None)
    }

    async fn look_up(&self, hash: &TokenHash, now: Timestamp) -> CachedAccess {
        let store = self.store.for_request();
        match timeout(LOOK_UP_TIMEOUT, valid_token(&store, hash, now)).await {
            Ok(Ok(Some(token))) => {
                let key = hash.to_string();
                let counted = self.cache().get(&key).cloned();
                let counted = counted.unwrap_or_else(|| Access::Unknown.into());
                let mut entry = CachedAccess { access: Access::from(&token), since: now, ..counted };
                if entry
                    .recorded_at
                    .is_none_or(|recorded_at| recorded_at.checked_add(usage_interval(token.scope)) < Some(now))
                {
                    // If this fails, the next look-up tries again.
                    let written = timeout(USAGE_WRITE_TIMEOUT, store.record_use(&token.id, now)).await;
                    entry.recorded_at = matches!(written, Ok(Ok(()))).then_some(now);
                }
                entry.token = Some(token);
                self.cache().insert(key, entry.clone());
                entry
            }
            // Not cached, which lets a token work as soon as it is created.
            Ok(Ok(None)) => Access::Unknown.into(),
            Ok(Err(_)) | Err(_) => Access::Unavailable.into(),
        }
    }

    /// Counts a request of a token. Returns true if the token is within its limit. The table counts for all processes,
    /// and each process reserves one part at a time. If the table cannot be reached, every request is allowed.
    async fn count(&self, key: &str, id: &str, now: Timestamp) -> bool {
        let minute = now.unix_millis() / 60_000;
        let take_one = || self.cache().get_mut(key).and_then(|entry| entry.take_one(minute));
        if let Some(is_granted) = take_one() {
            return is_granted;
        }
        let _turn = self.reserving.lock().await;
        if let Some(is_granted) = take_one() {
            return is_granted;
        }
        let part = self.limit.div_ceil(PARTS);
        let store = self.store.for_request();
        let reserved = timeout(USAGE_WRITE_TIMEOUT, store.take_requests(id, minute, part, self.limit, now)).await;
        let Ok(Ok(is_reserved)) = reserved else { return true };
        if let Some(entry) = self.cache().get_mut(key) {
            if is_reserved {
                entry.reserved = (minute, part - 1);
            } else {
                entry.exhausted_minute = minute;
            }
        }
        is_reserved
    }

    fn cached(&self, key: &str, now: Timestamp) -> Option<CachedAccess> {
        self.cache().get(key).filter(|entry| entry.is_good_at(now)).cloned()
    }

    fn cache(&self) -> MutexGuard<'_, HashMap<String, CachedAccess>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a token. `None` if it has expired, or if the user that it belongs to does not exist.
async fn valid_token(store: &Store, hash: &TokenHash, now: Timestamp) -> Result<Option<StoredToken>> {
    let Some(token) = store.token(hash).await?.filter(|token| !token.has_expired(now)) else { return Ok(None) };
    Ok(store.has_user_of(&token).await?.then_some(token))
}
