//! Access control: the scopes of tokens, and the check that every request has to pass.
//!
//! The authorizer function reports the access of a request's token to the gateway, which forwards it with the request.
//! This module then admits or rejects the request. The gateway never rejects a request itself. Its responses are not
//! problem documents (docs/adr/0005-authorizer-adds-context.md). A request without a reported access is rejected.

use std::sync::Arc;

use http::{HeaderMap, Method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::routes::{FOR_OVERLAYS, FOR_READERS, Route, SERVICE};
use crate::error::{Error, Result};
use crate::request::{Path, PathStep, every_path};
use crate::resources::{EVENTS, OVERLAYS, SPECIMENS, USER, USERS};
use crate::schema::{Id, Timestamp};
use crate::store::{Scope, StoredToken};

/// Header with which a proxy in front of the service proves that a request came through it.
pub const PROXY_SECRET: &str = "proxy-secret";

/// Secret of the proxy in front of the service, such as a `CloudFront` distribution. Empty without a proxy.
#[derive(Clone, Debug, Default)]
pub struct ProxySecret(pub Arc<str>);

impl ProxySecret {
    /// Checks that a request came through the proxy and its limits. The service's hostname is in public certificate
    /// logs, so clients could otherwise bypass the proxy.
    ///
    /// # Errors
    /// 403 if the request did not.
    pub fn check(&self, headers: &HeaderMap) -> Result<()> {
        let sent = headers.get(PROXY_SECRET).map(http::HeaderValue::as_bytes).unwrap_or_default();
        let came_through = self.0.is_empty() || bool::from(sent.ct_eq(self.0.as_bytes()));
        if came_through { Ok(()) } else { Err(Error::not_through_the_proxy()) }
    }
}

/// Key of the access in the context that the authorizer adds to a request.
pub const ACCESS: &str = "access";
/// Key of the token's name.
const NAME: &str = "caller";
/// Key of the token's identifier.
const TOKEN: &str = "token";

/// Lists that viewers may read, below their user.
const VIEWER_LISTS: [&str; 6] = ["specimens", "inventory", "transactions", "purchases", "events", "statistics"];
/// Records that viewers may create, below their user.
const VIEWER_CREATES: [&str; 2] = ["purchases", "transfers"];
/// List that every viewer may read.
const PRODUCTS: &str = "products";

/// The access of a request, as the authorizer reports it: one text, such as `read` or `viewer/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Access {
    /// The service requires no tokens: every request is allowed.
    Open,
    /// The request came without a token.
    Missing,
    /// The token is invalid, revoked or expired.
    Unknown,
    /// The token could not be looked up.
    Unavailable,
    /// The token has used up its requests for this minute.
    Limited,
    /// The token is valid and has this scope.
    Granted(Scope),
    /// The token is valid and belongs to the viewer with this `user_id`.
    Viewer(Id),
}

impl From<Access> for String {
    fn from(access: Access) -> Self {
        match access {
            Access::Open => "open".to_owned(),
            Access::Missing => "missing".to_owned(),
            Access::Unknown => "unknown".to_owned(),
            Access::Unavailable => "unavailable".to_owned(),
            Access::Limited => "limited".to_owned(),
            Access::Granted(scope) => scope.name().to_owned(),
            Access::Viewer(user_id) => format!("{}/{user_id}", Scope::Viewer.name()),
        }
    }
}

impl TryFrom<String> for Access {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "open" => Ok(Self::Open),
            "missing" => Ok(Self::Missing),
            "unknown" => Ok(Self::Unknown),
            "unavailable" => Ok(Self::Unavailable),
            "limited" => Ok(Self::Limited),
            text => {
                let user_id = text.strip_prefix(Scope::Viewer.name()).and_then(|rest| rest.strip_prefix('/'));
                let viewer = user_id.and_then(Id::parse).map(Self::Viewer);
                viewer.or_else(|| Scope::named(text).map(Self::Granted)).ok_or("not an access")
            }
        }
    }
}

impl From<&StoredToken> for Access {
    fn from(token: &StoredToken) -> Self {
        token.user_id.map_or(Self::Granted(token.scope), Self::Viewer)
    }
}

/// The sender of a request, as the authorizer reports it.
#[derive(Clone, Debug)]
pub struct Caller {
    pub access: Access,
    /// Name of the token, for the log.
    pub token_name: Option<String>,
    /// Identifier of the token. Each token has its own idempotency keys. Empty without a token.
    pub token_id: String,
}

impl From<Access> for Caller {
    fn from(access: Access) -> Self {
        Self { access, token_name: None, token_id: String::new() }
    }
}

impl Caller {
    /// Returns the context that the authorizer adds to a request.
    pub fn to_context(&self) -> Value {
        json!({ACCESS: self.access, NAME: self.token_name.as_deref().unwrap_or_default(), TOKEN: self.token_id})
    }

    /// Reads the context of a request. Without one, the access is [`Access::Missing`].
    pub fn from_context<'a>(value: impl Fn(&str) -> Option<&'a Value>) -> Self {
        let text = |name| value(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let access = value(ACCESS).and_then(|access| Access::deserialize(access).ok());
        Self {
            access: access.unwrap_or(Access::Missing),
            token_name: text(NAME),
            token_id: text(TOKEN).unwrap_or_default(),
        }
    }
}

impl Access {
    /// Parses the path of a request, and checks that its sender may make it. Authorization and dispatch use the same
    /// route, so they cannot disagree. A request can be rejected before its body is received.
    ///
    /// # Errors
    /// 401, 403 and 429; 503 if the token could not be looked up. Only then those of [`Route::parse`]: without a valid
    /// token, a client cannot find out which routes exist.
    pub fn admit(self, method: &Method, path: &str, now: Timestamp) -> Result<Route> {
        let route = Route::parse(path);
        let parsed = route.as_ref().ok();
        if !parsed.is_some_and(Route::is_public) {
            self.check(method, path, parsed, now)?;
        }
        route
    }

    /// Returns true if the caller may start a login at Twitch and see its code.
    pub(super) fn may_log_in(self) -> bool {
        matches!(self, Self::Open | Self::Granted(Scope::Import))
    }

    /// Returns true for the token of a viewer, who may not see the names of others.
    pub(super) fn is_viewer(self) -> bool {
        matches!(self, Self::Viewer(_))
    }

    /// Returns the scope of a valid token.
    fn scope(self, now: Timestamp) -> Result<Scope> {
        match self {
            Self::Open => Ok(Scope::Import),
            Self::Granted(scope) => Ok(scope),
            Self::Viewer(_) => Ok(Scope::Viewer),
            Self::Missing => Err(Error::token_missing()),
            Self::Unknown => Err(Error::token_invalid()),
            Self::Unavailable => Err(Error::unavailable()),
            Self::Limited => Err(Error::rate_limited(seconds_left(now))),
        }
    }

    /// Checks that the token's scope covers a request. `route` is `None` if its path is not a route.
    fn check(self, method: &Method, path: &str, route: Option<&Route>, now: Timestamp) -> Result<()> {
        let scope = self.scope(now)?;
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let scopes = match route {
            Some(Route::Service(route, _)) => route.scopes,
            Some(Route::Records(path)) if is_for_overlays(path) => FOR_OVERLAYS,
            _ => FOR_READERS,
        };
        let is_readable = reads && scopes.reading != Some(Scope::Write);
        let needed = match scope {
            Scope::Import => return Ok(()),
            _ if *method == Method::PUT && route.is_some_and(|route| route.record().is_some()) => Scope::Import,
            _ if !reads && scopes.writing == Some(Scope::Import) => Scope::Import,
            Scope::Write => return Ok(()),
            Scope::Read if is_readable => return Ok(()),
            Scope::Overlay if reads && scopes.reading == Some(Scope::Overlay) => return Ok(()),
            Scope::Viewer if self.is_for_viewer(method, path) => return Ok(()),
            Scope::Overlay | Scope::Viewer if is_readable => Scope::Read,
            Scope::Read | Scope::Overlay | Scope::Viewer => Scope::Write,
        };
        Err(Error::forbidden(needed.name()))
    }

    /// Returns true if this is a viewer's access and covers a request. The path is compared segment by segment, which
    /// keeps a viewer from following a chain of links.
    fn is_for_viewer(self, method: &Method, path: &str) -> bool {
        let Self::Viewer(user_id) = self else { return false };
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let is_user = |first: &str| [USERS.name, USER].contains(&first);
        match path.split('/').collect::<Vec<_>>()[..] {
            ["", PRODUCTS] => reads,
            ["", first, id, ref links @ ..] if is_user(first) && Id::parse(id) == Some(user_id) => match links {
                [] | ["specimen"] => reads,
                [link] if reads => VIEWER_LISTS.contains(link),
                [link] => *method == Method::POST && VIEWER_CREATES.contains(link),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Returns true if the scope `overlay` covers a path of records: the list of events, one event, one overlay or the active
/// specimen of a user. It covers no other links.
fn is_for_overlays(path: &Path) -> bool {
    match path.steps[..] {
        [] => path.root == &EVENTS,
        [PathStep::Id(_)] => [&EVENTS, &OVERLAYS].contains(&path.root),
        [PathStep::Id(_), PathStep::Link(link)] => path.root == &USERS && link.name == SPECIMENS.singular,
        _ => false,
    }
}

/// Returns the routes that a token with the scope `overlay` may read.
pub fn overlay_routes() -> Vec<String> {
    let service = SERVICE.iter().filter(|route| route.scopes == FOR_OVERLAYS).map(|route| route.path.to_owned());
    service.chain(every_path().iter().filter(|path| is_for_overlays(path)).map(Path::template)).collect()
}

/// Returns the routes that a viewer's token allows a method for.
pub fn viewer_routes(method: &Method) -> Vec<String> {
    let Some(id) = Id::new(1) else { return Vec::new() };
    let user_id = format!("{{{}}}", USERS.id.name);
    let is_allowed = |path: &String| Access::Viewer(id).is_for_viewer(method, &path.replace(&user_id, &id.to_string()));
    every_path().iter().map(Path::template).filter(is_allowed).collect()
}

/// Returns the seconds until the next minute, when the request count restarts. At least 1.
fn seconds_left(now: Timestamp) -> u32 {
    u32::try_from(60 - now.unix_millis() / 1_000 % 60).unwrap_or(60)
}
