//! Access control: the scopes of tokens, and the check that every request has to pass.
//!
//! The authorizer function reports the access of a request's token to the gateway, and the gateway forwards it with
//! the request. This module then accepts or rejects the request. The gateway never rejects one itself, because its
//! own responses are no problem documents (docs/adr/0005-authorizer-adds-context.md). A request without
//! a reported access is rejected.

use http::Method;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::feed::FEED;
use crate::operations::TOKENS;
use crate::request::Path;
use crate::resources::{EVENTS, OVERLAYS};
use crate::schema::{Resource, Timestamp};
use crate::statistics::{LEADERBOARDS, STATISTICS};
use crate::store::Scope;

/// The access of a request's sender, as the authorizer reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// The request has no token.
    Missing,
    /// The token is invalid, revoked or expired.
    Unknown,
    /// The token could not be looked up.
    Unavailable,
    /// The token has used up its requests of this minute.
    Limited,
    /// The token is valid and has this scope.
    #[serde(untagged)]
    Granted(Scope),
}

impl Access {
    /// Checks that the sender may make a request.
    ///
    /// # Errors
    /// 401, 403 and 429; 503 if the token could not be looked up.
    pub fn check(self, method: &Method, path: &str, now: Timestamp) -> Result<()> {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        match self {
            Self::Granted(Scope::Import) => Ok(()),
            Self::Granted(_) if is_import(method, path) => Err(Error::forbidden(Scope::Import.name())),
            Self::Granted(Scope::Write) => Ok(()),
            // The scope `read` does not include the list of tokens.
            Self::Granted(Scope::Read) if reads && !path.starts_with(TOKENS) => Ok(()),
            Self::Granted(Scope::Overlay) if reads && is_for_overlays(path) => Ok(()),
            Self::Granted(Scope::Overlay) if reads && !path.starts_with(TOKENS) => {
                Err(Error::forbidden(Scope::Read.name()))
            }
            Self::Granted(_) => Err(Error::forbidden(Scope::Write.name())),
            Self::Missing => Err(Error::unauthorized(false)),
            Self::Unknown => Err(Error::unauthorized(true)),
            Self::Unavailable => Err(Error::unavailable()),
            Self::Limited => Err(Error::rate_limited(seconds_left(now))),
        }
    }
}

/// Returns true if a request stores a record under a given identifier.
fn is_import(method: &Method, path: &str) -> bool {
    *method == Method::PUT && Path::parse(path).is_ok_and(|path| path.record().is_some())
}

/// Returns true if the scope `overlay` includes a path: the feed, the statistics of the channel, a leaderboard, the list of
/// events, one event or one overlay. Links of an event are not included.
fn is_for_overlays(path: &str) -> bool {
    let is_below = |route: &str| {
        let name = path.strip_prefix(route).and_then(|rest| rest.strip_prefix('/'));
        name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
    };
    let is_of = |resource: &Resource| is_below(&format!("/{}", resource.name));
    path == FEED
        || path == STATISTICS
        || is_below(LEADERBOARDS)
        || path.strip_prefix('/') == Some(EVENTS.name)
        || is_of(&EVENTS)
        || is_of(&OVERLAYS)
}

/// Returns the seconds until the next minute, when the request count starts again. At least 1.
fn seconds_left(now: Timestamp) -> u32 {
    u32::try_from(60 - now.unix_millis() / 1_000 % 60).unwrap_or(60)
}
