//! The routes. Those of records follow from the resources; [`SERVICE`] declares all others.

use http::Method;

use crate::error::{Error, Result};
use crate::request::Path;
use crate::schema::Key;
use crate::statistics::boards;
use crate::store::Scope;

/// Catch-all route of the gateway.
const DEFAULT: &str = "$default";
/// Folders of the pages, and of the files that they share.
const PAGES: [&str; 5] = ["console", "overlay", "viewer", "docs", "shared"];

/// Icon that browsers request for any document, such as a JSON response.
pub const FAVICON: &str = "/favicon.ico";
/// Path below which the leaderboards are. It has no list of them.
const LEADERBOARDS: &str = "/leaderboards";

const READ: &[Method] = &[Method::GET, Method::HEAD];
const POST: &[Method] = &[Method::POST];

/// A route that does not belong to a resource.
#[derive(Debug)]
pub struct ServiceRoute {
    pub name: Name,
    /// Path. Its last segment may be a parameter: a name in braces.
    pub path: &'static str,
    pub methods: &'static [Method],
    pub scopes: Scopes,
    /// Whether it has query parameters. Without any, every parameter is an error.
    pub has_query: bool,
}

/// The name of a route that does not belong to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// Entry point: redirects browsers to the console, and lists the documents for programs.
    Root,
    Health,
    OpenApi,
    AsyncApi,
    Errors,
    Error,
    Feed,
    /// Replays of stored events, test alerts, and controls.
    Alerts,
    Statistics,
    Totals,
    Leaderboard,
    Transfers,
    Tokens,
    Token,
    Image,
    TwitchWebhook,
    TwitchConnection,
    ConnectedOverlays,
}

/// The lowest scopes that a route requires. `None` without a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes {
    pub reading: Option<Scope>,
    pub writing: Option<Scope>,
}

/// The scopes of most routes.
pub const FOR_READERS: Scopes = Scopes::new(Scope::Read, Scope::Write);
/// The scopes of routes for overlays.
pub const FOR_OVERLAYS: Scopes = Scopes::new(Scope::Overlay, Scope::Write);
/// The scopes of routes without a token.
pub const PUBLIC: Scopes = Scopes { reading: None, writing: None };
const FOR_WRITERS: Scopes = Scopes::new(Scope::Write, Scope::Write);
/// A login at Twitch decides which channel's events are stored.
const LOGIN: Scopes = Scopes::new(Scope::Read, Scope::Import);

impl Scopes {
    const fn new(reading: Scope, writing: Scope) -> Self {
        Self { reading: Some(reading), writing: Some(writing) }
    }
}

/// All routes that do not belong to a resource. Twitch signs its messages, and the name of an image is a secret.
pub static SERVICE: [ServiceRoute; 18] = [
    ServiceRoute::new(Name::Root, "/", READ, PUBLIC),
    ServiceRoute::new(Name::Health, "/health", READ, PUBLIC),
    ServiceRoute::new(Name::OpenApi, "/openapi.json", READ, FOR_READERS),
    ServiceRoute::new(Name::AsyncApi, "/asyncapi.json", READ, FOR_READERS),
    ServiceRoute::new(Name::Errors, "/errors", READ, PUBLIC),
    ServiceRoute::new(Name::Error, "/errors/{code}", READ, PUBLIC),
    ServiceRoute::new(Name::Feed, "/feed", READ, FOR_OVERLAYS).with_query(),
    ServiceRoute::new(Name::Alerts, "/alerts", POST, FOR_READERS),
    ServiceRoute::new(Name::Statistics, "/statistics", READ, FOR_OVERLAYS).with_query(),
    ServiceRoute::new(Name::Totals, "/totals", READ, FOR_OVERLAYS).with_query(),
    ServiceRoute::new(Name::Leaderboard, "/leaderboards/{board}", READ, FOR_OVERLAYS).with_query(),
    ServiceRoute::new(Name::Transfers, "/transfers", POST, FOR_READERS).with_query(),
    ServiceRoute::new(Name::Tokens, "/tokens", &[Method::GET, Method::HEAD, Method::POST], FOR_WRITERS),
    ServiceRoute::new(Name::Token, "/tokens/{token_id}", &[Method::DELETE], FOR_WRITERS),
    ServiceRoute::new(Name::Image, "/images/{name}", READ, PUBLIC),
    ServiceRoute::new(Name::TwitchWebhook, "/webhooks/twitch", POST, PUBLIC).with_query(),
    ServiceRoute::new(
        Name::TwitchConnection,
        "/connections/twitch",
        &[Method::GET, Method::HEAD, Method::POST, Method::DELETE],
        LOGIN,
    ),
    ServiceRoute::new(Name::ConnectedOverlays, "/connections/overlays", READ, FOR_READERS),
];

impl ServiceRoute {
    const fn new(name: Name, path: &'static str, methods: &'static [Method], scopes: Scopes) -> Self {
        Self { name, path, methods, scopes, has_query: false }
    }

    const fn with_query(self) -> Self {
        Self { has_query: true, ..self }
    }

    /// Returns the parameter of a path, which is empty if the route has none. `None` for the path of another route. All
    /// paths below a public route are public, so an unknown one is a 404 without a token.
    fn parameter<'a>(&self, path: &'a str) -> Option<&'a str> {
        let Some((prefix, _)) = self.path.split_once('{') else { return (path == self.path).then_some("") };
        let is_segment = |rest: &str| !rest.is_empty() && !rest.contains('/');
        path.strip_prefix(prefix).filter(|rest| self.scopes == PUBLIC || is_segment(rest))
    }
}

/// The route of a request.
#[derive(Debug)]
pub enum Route {
    /// A route that does not belong to a resource, and the parameter in its path.
    Service(&'static ServiceRoute, String),
    /// Path of a page. The gateway may send the folder of a page, with a trailing slash, to the default function.
    Page(String),
    /// Records, or a value of a record.
    Records(Path),
}

impl Route {
    /// Parses a path.
    ///
    /// # Errors
    /// 404 if the path is not a route, 400 if it has invalid identifiers or too many links.
    pub fn parse(path: &str) -> Result<Self> {
        let mut routes = SERVICE.iter();
        if let Some((route, parameter)) = routes.find_map(|route| Some((route, route.parameter(path)?))) {
            return Ok(Self::Service(route, parameter.to_owned()));
        }
        if is_page(path) {
            return Ok(Self::Page(path.to_owned()));
        }
        if path == LEADERBOARDS {
            let names = boards().into_iter().map(|(name, ..)| format!("{LEADERBOARDS}/{name}"));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Error::no_route_with_hint(format!("The leaderboards are {names}.")));
        }
        Path::parse(path).map(Self::Records)
    }

    /// Returns true if the route needs no token.
    pub fn is_public(&self) -> bool {
        match self {
            Self::Service(route, _) => route.scopes == PUBLIC,
            Self::Page(_) => true,
            Self::Records(_) => false,
        }
    }

    /// Returns the record that the path names directly, without a link.
    pub fn record(&self) -> Option<Key> {
        match self {
            Self::Records(path) => path.record(),
            Self::Service(..) | Self::Page(_) => None,
        }
    }

    /// Returns the route with every identifier replaced by its name, as its label in the log.
    pub fn template(&self) -> String {
        match self {
            Self::Service(route, _) => route.path.to_owned(),
            Self::Page(_) => "/{page}/".to_owned(),
            Self::Records(path) => path.template(),
        }
    }

    /// Returns the template, or one common name for all routes with several links. It is a dimension of the metrics,
    /// which may only have a limited number of values.
    pub fn endpoint(&self) -> String {
        match self {
            Self::Records(path) => path.endpoint(),
            route => route.template(),
        }
    }
}

/// Returns true if a function with these routes, written as in the template, serves a path.
///
/// The gateway has already selected the function. It sends the folder of a page to `$default` if it ignores the
/// trailing slash. No other path that [`Route::parse`] accepts takes the default route.
pub fn is_served(path: &str, routes: &[&str]) -> bool {
    routes.iter().any(|route| match route.strip_suffix("{proxy+}") {
        Some(prefix) => path.starts_with(prefix),
        None if *route == DEFAULT => is_page(path),
        None => *route == path,
    })
}

/// Returns true if a path belongs to the pages. They need no token, and show no data before the user enters one.
pub fn is_page(path: &str) -> bool {
    let first = path.strip_prefix('/').and_then(|path| path.split('/').next());
    path == FAVICON || first.is_some_and(|first| PAGES.contains(&first))
}
