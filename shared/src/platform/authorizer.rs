//! The authorizer: what the token of a request may do.
//!
//! The gateway asks before every request, in its format 2.0 with simple responses, and hands the context of
//! the answer on to the function. It keeps no answers itself: a cache there needs the header to be present,
//! and a request without it would be refused in the gateway's own way. Answers are kept here instead.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use time::Duration;
use tokio::time::timeout;

use super::access::Access;
use crate::schema::Timestamp;
use crate::store::{Store, StoredToken, Token, TokenHash};

/// A revoked token works no longer than this: the contract allows 60 seconds.
const CACHE_TIME: Duration = Duration::seconds(50);
/// The name under which the answer reaches the function, in the request's context.
pub const CONTEXT: &str = "access";

/// Who has the token, as it was called when it was made: for the log.
pub const CALLER: &str = "caller";
/// What names the token: keys of requests are kept apart by it.
pub const TOKEN: &str = "token";
/// The gateway waits for 10 seconds, and refuses in its own way after that.
const LONGEST_LOOK_UP: std::time::Duration = std::time::Duration::from_secs(5);
/// What is only noted or counted must not take what is left of that.
const LONGEST_NOTE: std::time::Duration = std::time::Duration::from_secs(2);

/// A token's last use is noted no more often than this.
const USE_NOTED: Duration = Duration::hours(1);
/// Of a token's requests of a minute, so many parts are taken at a time: each process counts its part alone.
const PARTS: u32 = 20;

/// Looks tokens up, and remembers the good ones for a while, by their hashes.
#[derive(Debug)]
pub struct Authorizer {
    store: Store,
    /// How many requests a token may send in a minute; any number, for 0.
    limit: u32,
    known: Mutex<HashMap<String, CachedAccess>>,
    /// One part is taken at a time: who waits finds requests left of it.
    taking: tokio::sync::Mutex<()>,
}

/// What is known of a token.
#[derive(Clone, Debug)]
struct CachedAccess {
    access: Access,
    token: Option<StoredToken>,
    /// By the time of day: other clocks may stand still while the platform keeps the process frozen.
    since: Timestamp,
    /// When its use was noted last.
    noted: Option<Timestamp>,
    /// The minute that requests are counted of, and how many of the part taken are left.
    left: (i128, u32),
    /// The minute of which no more are to be had.
    spent: i128,
}

impl From<Access> for CachedAccess {
    fn from(access: Access) -> Self {
        Self { access, token: None, since: Timestamp::now(), noted: None, left: (0, 0), spent: 0 }
    }
}

impl CachedAccess {
    /// Whether this may still be told: not for long after the look-up, not where the clock was put back, and not after the
    /// token's end.
    fn is_good_at(&self, now: Timestamp) -> bool {
        let ended = self.token.as_ref().is_some_and(|token| token.has_ended(now));
        self.since <= now && self.since.shifted(CACHE_TIME) > Some(now) && !ended
    }

    /// Takes one of the requests that are left of a minute. Answers whether there was one, if that is known here.
    fn take_one(&mut self, minute: i128) -> Option<bool> {
        let one = self.left.0 == minute && self.left.1 > 0;
        self.left.1 -= u32::from(one);
        (one || self.spent == minute).then_some(one)
    }
}

impl Authorizer {
    /// An authorizer that has not seen a token yet. Each token may send so many requests in a minute; any number, for 0.
    pub fn new(store: Store, limit: u32) -> Self {
        Self { store, limit, known: Mutex::default(), taking: tokio::sync::Mutex::default() }
    }

    /// Answers one question of the gateway. The gateway is always told to go on: see [`super::access`].
    pub async fn answer(&self, event: &Value) -> Value {
        let headers = event["headers"].as_object().into_iter().flatten();
        let mut authorization = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let (access, token) = match authorization.next().and_then(|(_, value)| value.as_str()) {
            None => (Access::Missing, None),
            Some(header) if !Token::is_bearer(header) => (Access::Missing, None),
            Some(header) => match Token::from_header(header) {
                None => (Access::Unknown, None),
                Some(token) => self.judge(&token.hash(), Timestamp::now()).await,
            },
        };
        let (id, name) = token.map(|token| (token.id, token.name)).unwrap_or_default();
        json!({"isAuthorized": true, "context": {CONTEXT: access, CALLER: name, TOKEN: id}})
    }

    /// What a token may do now, and what is known of it.
    async fn judge(&self, hash: &TokenHash, now: Timestamp) -> (Access, Option<StoredToken>) {
        let key = hash.to_string();
        let known = self.remembered(&key, now);
        let mut known = match known {
            Some(known) => known,
            None => self.look_up(hash, now).await,
        };
        if let Some(token) = known.token.clone() {
            if self.limit > 0 && !self.count(&key, &token.id, now).await {
                known.access = Access::Limited;
            }
            return (known.access, Some(token));
        }
        (known.access, None)
    }

    async fn look_up(&self, hash: &TokenHash, now: Timestamp) -> CachedAccess {
        let store = self.store.for_request();
        match timeout(LONGEST_LOOK_UP, store.token(hash)).await {
            Ok(Ok(Some(token))) if token.has_ended(now) => Access::Unknown.into(),
            Ok(Ok(Some(token))) => {
                let key = hash.to_string();
                let before = self.locked().get(&key).cloned();
                let counted = before.unwrap_or_else(|| Access::Unknown.into());
                let mut known = CachedAccess { access: Access::Granted(token.scope), since: now, ..counted };
                if known.noted.is_none_or(|noted| noted.shifted(USE_NOTED) < Some(now)) {
                    // Should this fail, the next one notes it.
                    let done = timeout(LONGEST_NOTE, store.note_use(&token.id, now)).await;
                    known.noted = matches!(done, Ok(Ok(()))).then_some(now);
                }
                known.token = Some(token);
                self.locked().insert(key, known.clone());
                known
            }
            // Not remembered: a token works from the moment it is made.
            Ok(Ok(None)) => Access::Unknown.into(),
            Ok(Err(_)) | Err(_) => Access::Unavailable.into(),
        }
    }

    /// Counts a request of a token, and answers whether it may be sent. The table counts for all processes, of which each
    /// takes a part at a time; where it cannot be asked, nobody is kept from anything.
    async fn count(&self, key: &str, id: &str, now: Timestamp) -> bool {
        let minute = now.unix_millis() / 60_000;
        let take_one = || self.locked().get_mut(key).and_then(|known| known.take_one(minute));
        if let Some(taken) = take_one() {
            return taken;
        }
        let _turn = self.taking.lock().await;
        if let Some(taken) = take_one() {
            return taken;
        }
        let part = self.limit.div_ceil(PARTS);
        let store = self.store.for_request();
        let taken = timeout(LONGEST_NOTE, store.take_requests(id, minute, part, self.limit, now)).await;
        let Ok(Ok(taken)) = taken else { return true };
        if let Some(known) = self.locked().get_mut(key) {
            if taken {
                known.left = (minute, part - 1);
            } else {
                known.spent = minute;
            }
        }
        taken
    }

    fn remembered(&self, key: &str, now: Timestamp) -> Option<CachedAccess> {
        self.locked().get(key).filter(|known| known.is_good_at(now)).cloned()
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, CachedAccess>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_token_is_looked_up_again_within_a_minute() {
        let known = CachedAccess::from(Access::Unknown);
        let after = |seconds| known.since.shifted(Duration::seconds(seconds)).expect("a time");
        assert!(known.is_good_at(known.since) && known.is_good_at(after(49)));
        assert!(!known.is_good_at(after(50)) && !known.is_good_at(after(-1)));
        assert!(CACHE_TIME < Duration::minutes(1));
    }
}
