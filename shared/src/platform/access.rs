//! Who may call: tokens, what each may do, and the one rule that every request is held against.
//!
//! The authorizer function tells the gateway what a request's token may do; the gateway hands that on with the
//! request. That decides here, not there: the gateway's own refusals have neither the status nor the body
//! that clients are promised (docs/adr/0005-the-authorizer-tells.md). What nobody vouches for is refused.

use http::Method;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::execute::{FEED, TOKENS};
use crate::schema::Timestamp;
use crate::store::Scope;

/// What is known of who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// No token.
    Missing,
    /// A token, but none that is known.
    Unknown,
    /// The tokens could not be looked up.
    Unavailable,
    /// A token that has had its requests of this minute.
    Limited,
    /// A token that is good for this.
    #[serde(untagged)]
    Granted(Scope),
}

impl Access {
    /// Holds a request against what its sender may do.
    ///
    /// # Errors
    /// 401, 403, 429, and 503 where it cannot be told.
    pub fn check(self, method: &Method, path: &str, now: Timestamp) -> Result<()> {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        match self {
            Self::Granted(Scope::Write) => Ok(()),
            // Who may read what is stored need not know who else may.
            Self::Granted(Scope::Read) if reads && !path.starts_with(TOKENS) => Ok(()),
            Self::Granted(Scope::Overlay) if reads && path == FEED => Ok(()),
            Self::Granted(Scope::Overlay) if reads && !path.starts_with(TOKENS) => {
                Err(Error::forbidden(Scope::Read.name()))
            }
            Self::Granted(_) => Err(Error::forbidden(Scope::Write.name())),
            Self::Missing => Err(Error::unauthorized(false)),
            Self::Unknown => Err(Error::unauthorized(true)),
            Self::Unavailable => Err(Error::unavailable()),
            Self::Limited => Err(Error::too_many(seconds_left(now))),
        }
    }
}

/// How many seconds are left of the minute, by which requests are counted: at least one.
fn seconds_left(now: Timestamp) -> u32 {
    u32::try_from(60 - now.unix_millis() / 1_000 % 60).unwrap_or(60)
}
