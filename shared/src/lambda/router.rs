//! Maps each path to its handler.

use http::{HeaderMap, Method, StatusCode};

use super::{asyncapi, errors, openapi};
use crate::economy::TRANSFERS;
use crate::error::{ERRORS, Error, Result};
use crate::feed::FEED;
use crate::operations::{Execution, TOKENS, run_blocking_if_large};
use crate::request::{Alert, FeedQuery, Operation, Path, Request, Target, Transfer, check_method, query};
use crate::response::Response;
use crate::schema::Key;
use crate::statistics::{LEADERBOARDS, STATISTICS, TOTALS, boards};
use crate::store::OverlayConnections;
use crate::webhooks::twitch::connection::{self, CONNECTION, Connection};
use crate::webhooks::twitch::{self, Twitch};

const ROOT: &str = "/";
const HEALTH: &str = "/health";
const OPENAPI: &str = "/openapi.json";
const ASYNCAPI: &str = "/asyncapi.json";
const ALERTS: &str = "/alerts";
const IMAGES: &str = "/images/";
/// Catch-all route of the gateway.
const DEFAULT: &str = "$default";
/// Folders of the pages, and of the files that they share.
const PAGES: [&str; 5] = ["console", "overlay", "viewer", "docs", "shared"];

/// The route of a request.
#[derive(Debug)]
pub enum Route {
    /// Entry point: redirects browsers to the console, and lists the documents for programs.
    Root,
    /// Health check.
    Health,
    /// OpenAPI document.
    OpenApi,
    /// AsyncAPI document.
    AsyncApi,
    /// Feed.
    Feed,
    /// Alerts: replays of stored events, and test alerts.
    Alerts,
    /// Statistics of the channel.
    Statistics,
    /// Totals of the channel.
    Totals,
    /// Leaderboard with this name.
    Leaderboard(String),
    /// All tokens.
    Tokens,
    /// Token with this identifier.
    Token(String),
    /// Image with this name.
    Image(String),
    /// Explanation of this error code, or all of them.
    ErrorCode(Option<String>),
    /// Path of a page. The gateway may send the folder of a page, with a trailing slash, to the default function.
    Page(String),
    /// Webhook of Twitch.
    Twitch,
    /// Transfers between wallets.
    Transfers,
    /// Connection to Twitch.
    TwitchConnection,
    /// Overlays that are connected to the socket.
    ConnectedOverlays,
    /// Records, or a value of a record.
    Records(Path),
}

/// Routes without parameters.
const FIXED: [(&str, Route); 14] = [
    (ROOT, Route::Root),
    (HEALTH, Route::Health),
    (OPENAPI, Route::OpenApi),
    (ASYNCAPI, Route::AsyncApi),
    (FEED, Route::Feed),
    (ALERTS, Route::Alerts),
    (STATISTICS, Route::Statistics),
    (TOTALS, Route::Totals),
    (TOKENS, Route::Tokens),
    (TRANSFERS, Route::Transfers),
    (ERRORS, Route::ErrorCode(None)),
    (twitch::PATH, Route::Twitch),
    (CONNECTION, Route::TwitchConnection),
    (openapi::CONNECTED_OVERLAYS, Route::ConnectedOverlays),
];

/// Rights of the caller that affect the responses of routes.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// Whether the caller may complete a login at Twitch.
    pub sees_login: bool,
    /// Whether the caller may see other users.
    pub sees_users: bool,
    /// Whether the service requires a token.
    pub needs_token: bool,
}

impl Route {
    /// Parse a path.
    ///
    /// # Errors
    /// 404 if the path is not a route, 400 if it has invalid identifiers or too many links.
    pub fn parse(path: &str) -> Result<Self> {
        if let Some((_, route)) = FIXED.into_iter().find(|(fixed, _)| *fixed == path) {
            return Ok(route);
        }
        let below = |route: &str| path.strip_prefix(route)?.strip_prefix('/').map(str::to_owned);
        let segment = |route: &str| below(route).filter(|name| !name.is_empty() && !name.contains('/'));
        if is_page(path) {
            Ok(Self::Page(path.to_owned()))
        } else if let Some(name) = path.strip_prefix(IMAGES) {
            Ok(Self::Image(name.to_owned()))
        } else if let Some(name) = below(ERRORS) {
            Ok(Self::ErrorCode(Some(name)))
        } else if let Some(board) = segment(LEADERBOARDS) {
            Ok(Self::Leaderboard(board))
        } else if path == LEADERBOARDS {
            let names = boards().into_iter().map(|(name, ..)| format!("{LEADERBOARDS}/{name}"));
            Err(Error::no_route_with_hint(format!("The leaderboards are {}.", names.collect::<Vec<_>>().join(", "))))
        } else if let Some(id) = segment(TOKENS) {
            Ok(Self::Token(id))
        } else {
            Path::parse(path).map(Self::Records)
        }
    }

    /// Returns true if the route needs no token. Twitch signs its messages, and the name of an image is a secret.
    pub fn is_public(&self) -> bool {
        use Route::{ErrorCode, Health, Image, Page, Root, Twitch};
        matches!(self, Root | Health | Page(_) | Twitch | Image(_) | ErrorCode(_))
    }

    /// Returns the record that the path names directly, without a link.
    pub fn record(&self) -> Option<Key> {
        match self {
            Self::Records(path) => path.record(),
            _ => None,
        }
    }

    /// Returns the route with every identifier replaced by its name, as its label in the log.
    pub fn template(&self) -> String {
        let is_own = |route: &Self| std::mem::discriminant(route) == std::mem::discriminant(self);
        match self {
            Self::Leaderboard(_) => format!("{LEADERBOARDS}/{{board}}"),
            Self::Token(_) => format!("{TOKENS}/{{token_id}}"),
            Self::Image(_) => format!("{IMAGES}{{name}}"),
            Self::ErrorCode(_) => format!("{ERRORS}/{{code}}"),
            Self::Page(_) => "/{page}/".to_owned(),
            Self::Records(path) => path.template(),
            _ => FIXED.into_iter().find(|(_, route)| is_own(route)).map_or("", |(path, _)| path).to_owned(),
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

    /// Handle a request. `connection` is the connection to Twitch of this process; a deployed service has none.
    ///
    /// # Errors
    /// Any error of `docs/errors.md`.
    pub async fn handle(
        self,
        execution: &Execution,
        twitch: Option<&Twitch>,
        connection: Option<&dyn Connection>,
        caller: Caller,
        socket: Option<&str>,
        request: Request,
    ) -> Result<Response> {
        match self {
            Self::Records(path) if matches!(path.target(), Target::Statistics(_)) => {
                check_method(&request.method, &[Method::GET, Method::HEAD])?;
                execution.user_statistics(&path, &request.query).await
            }
            Self::Records(path) if matches!(path.target(), Target::Action(_)) => {
                let size = request.body.len();
                let transfer = run_blocking_if_large(size, move || Transfer::parse(Some(path), request)).await?;
                execution.transfer(transfer, caller.sees_users).await
            }
            Self::Transfers => {
                let size = request.body.len();
                let transfer = run_blocking_if_large(size, move || Transfer::parse(None, request)).await?;
                execution.transfer(transfer, caller.sees_users).await
            }
            Self::Records(path) => {
                let operation =
                    run_blocking_if_large(request.body.len(), move || Operation::parse(path, request)).await?;
                execution.run_with_economy(operation).await
            }
            Self::Twitch => {
                check_method(&request.method, &[Method::POST])?;
                let twitch = twitch.ok_or_else(Error::invalid_signature)?;
                twitch.receive(execution, &request.headers, &request.body).await
            }
            Self::TwitchConnection => match connection {
                Some(open) => connection::handle(open, caller.sees_login, &request).await,
                None => connection::handle_deployed(twitch, execution, &request).await,
            },
            Self::Feed => {
                check_method(&request.method, &[Method::GET, Method::HEAD])?;
                execution.feed(FeedQuery::parse(&request.query)).await
            }
            Self::Statistics => {
                check_method(&request.method, &[Method::GET, Method::HEAD])?;
                execution.statistics(&request.query).await
            }
            Self::Totals => {
                check_method(&request.method, &[Method::GET, Method::HEAD])?;
                execution.totals(&request.query).await
            }
            Self::Leaderboard(name) => {
                check_method(&request.method, &[Method::GET, Method::HEAD])?;
                execution.leaderboard(&name, &request.query).await
            }
            Self::Tokens => {
                check_method(&request.method, &[Method::GET, Method::HEAD, Method::POST])?;
                execution.tokens(&request).await
            }
            Self::Token(id) => execution.revoke_token(&id, &request).await,
            Self::Alerts => {
                let now = execution.now;
                let (alert, key) =
                    run_blocking_if_large(request.body.len(), move || Alert::parse(request, now)).await?;
                execution.alert(alert, key).await
            }
            Self::Page(path) if !path.ends_with('/') => Err(Error::no_route()),
            route @ (Self::Root
            | Self::Health
            | Self::OpenApi
            | Self::AsyncApi
            | Self::Page(_)
            | Self::Image(_)
            | Self::ErrorCode(_)
            | Self::ConnectedOverlays) => {
                check_method(&request.method, &[Method::GET, Method::HEAD])?;
                query::reject_parameters(&request.query)?;
                route.handle_get(execution, caller, socket, &request).await
            }
        }
    }

    /// Handle a GET without a query on a route that does not belong to a resource.
    async fn handle_get(
        self,
        execution: &Execution,
        caller: Caller,
        socket: Option<&str>,
        request: &Request,
    ) -> Result<Response> {
        match self {
            Self::Root => Ok(root(&execution.base, &request.headers)),
            Self::Health => {
                let status = if execution.store.is_damaged() { "damaged" } else { "ok" };
                let mut health = serde_json::json!({"status": status});
                if let Some(socket) = socket {
                    health["socket"] = socket.into();
                }
                Ok(Response::json(&health))
            }
            Self::Page(path) => Ok(Response::permanent_redirect(format!("{path}index.html"))),
            Self::ErrorCode(name) => errors::explain(name.as_deref(), &execution.base, &request.headers),
            Self::ConnectedOverlays => {
                let counts = execution.store.connected_overlays(execution.now).await?.into_iter();
                let item = |(id, count): (_, OverlayConnections)| {
                    let mut item = serde_json::json!({"overlay_id": id, "connections": count.connections});
                    if count.in_obs > 0 {
                        item["in_obs"] = count.in_obs.into();
                    }
                    item
                };
                Ok(Response::json(&counts.map(item).collect::<Vec<_>>().into()))
            }
            Self::Image(name) => execution.image(&name, request.method == Method::HEAD).await,
            Self::OpenApi => Ok(Response::json(&openapi::document(&execution.base, caller.needs_token))),
            Self::AsyncApi => Ok(Response::json(&asyncapi::document(&execution.base, socket, caller.needs_token))),
            Self::Feed
            | Self::Alerts
            | Self::Statistics
            | Self::Totals
            | Self::Leaderboard(_)
            | Self::Tokens
            | Self::Token(_)
            | Self::Transfers
            | Self::Twitch
            | Self::TwitchConnection
            | Self::Records(_) => Err(Error::no_route()),
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
    path.strip_prefix('/').and_then(|path| path.split('/').next()).is_some_and(|first| PAGES.contains(&first))
}

/// Redirect browsers to the console, and list the documents for programs.
fn root(base: &str, headers: &HeaderMap) -> Response {
    if errors::accepts_html(headers) {
        return Response {
            status: StatusCode::FOUND,
            location: Some("/console/".to_owned()),
            ..Response::no_content()
        };
    }
    let links = [("console", "/console/"), ("overlay", "/overlay/"), ("docs", "/docs/"), ("openapi", OPENAPI)];
    let links = links.into_iter().chain([("asyncapi", ASYNCAPI), ("errors", ERRORS), ("health", HEALTH)]);
    let links = links.map(|(name, path)| (name.to_owned(), format!("{base}{path}").into()));
    Response::json(&links.collect::<serde_json::Map<_, _>>().into())
}
