//! The routes: maps a path to its handler.

use headers::{HeaderMapExt, IfNoneMatch};
use http::{HeaderMap, Method, StatusCode};

use super::pages::{File, PageConfig};
use super::{asyncapi, errors, openapi};
use crate::error::{ERRORS, Error, Result};
use crate::feed::{Alert, FEED, FeedQuery};
use crate::operations::{Execution, Reply, TOKENS, run_blocking};
use crate::request::{Operation, Path, Request, Target, allowed, query};
use crate::statistics::{LEADERBOARDS, STATISTICS};
use crate::webhooks::twitch::{self, Twitch};

const ROOT: &str = "/";
const HEALTH: &str = "/health";
const OPENAPI: &str = "/openapi.json";
const ASYNCAPI: &str = "/asyncapi.json";
const ALERTS: &str = "/alerts";
const IMAGES: &str = "/images/";

/// The target of a request.
#[derive(Debug)]
pub enum Route {
    /// The entry: a redirect to the console for browsers, and the addresses of the documents for programs.
    Root,
    /// The health check.
    Health,
    /// The OpenAPI document.
    OpenApi,
    /// The AsyncAPI document.
    AsyncApi,
    /// The feed.
    Feed,
    /// Alerts: replays of stored events, and test alerts.
    Alerts,
    /// The statistics of the channel.
    Statistics,
    /// The leaderboard with this name.
    Leaderboard(String),
    /// All tokens.
    Tokens,
    /// The token with this identifier.
    Token(String),
    /// The image with this name.
    Image(String),
    /// The explanation of this error code, or all of them.
    ErrorCode(String),
    /// A file of a page.
    Page(File),
    /// The webhook of Twitch.
    Twitch,
    /// Records, or a value of one.
    Records(Path),
}

impl Route {
    /// Parses a path.
    ///
    /// # Errors
    /// 404 if the path is no route, 400 if it has invalid identifiers or too many links.
    pub fn parse(path: &str) -> Result<Self> {
        match path {
            ROOT => Ok(Self::Root),
            HEALTH => Ok(Self::Health),
            OPENAPI => Ok(Self::OpenApi),
            ASYNCAPI => Ok(Self::AsyncApi),
            FEED => Ok(Self::Feed),
            ALERTS => Ok(Self::Alerts),
            STATISTICS => Ok(Self::Statistics),
            TOKENS => Ok(Self::Tokens),
            ERRORS => Ok(Self::ErrorCode(String::new())),
            twitch::PATH => Ok(Self::Twitch),
            _ if below(LEADERBOARDS, path).is_some() => {
                Ok(Self::Leaderboard(path[LEADERBOARDS.len() + 1..].to_owned()))
            }
            _ if below(ERRORS, path).is_some() => Ok(Self::ErrorCode(path[ERRORS.len() + 1..].to_owned())),
            _ => match (path.strip_prefix(IMAGES), File::at(path), below(TOKENS, path)) {
                (Some(name), ..) => Ok(Self::Image(name.to_owned())),
                (_, Some(file), _) => Ok(Self::Page(file)),
                (.., Some(id)) => Ok(Self::Token(id.to_owned())),
                _ => Path::parse(path).map(Self::Records),
            },
        }
    }

    /// True if a path needs no token. Twitch signs its messages, the name of an image is a secret, and the pages show
    /// no data before the user enters a token.
    pub fn is_public(path: &str) -> bool {
        path == ROOT
            || path == HEALTH
            || File::at(path).is_some()
            || path == twitch::PATH
            || path.starts_with(IMAGES)
            || path.strip_prefix(ERRORS).is_some_and(|rest| rest.starts_with('/'))
            || path == ERRORS
    }

    /// Returns the route with every identifier replaced by its name. The log uses it as the label of the route.
    pub fn template(&self) -> String {
        match self {
            Self::Root => ROOT.to_owned(),
            Self::Health => HEALTH.to_owned(),
            Self::OpenApi => OPENAPI.to_owned(),
            Self::AsyncApi => ASYNCAPI.to_owned(),
            Self::Feed => FEED.to_owned(),
            Self::Alerts => ALERTS.to_owned(),
            Self::Statistics => STATISTICS.to_owned(),
            Self::Leaderboard(_) => format!("{LEADERBOARDS}/{{board}}"),
            Self::Tokens => TOKENS.to_owned(),
            Self::Token(_) => format!("{TOKENS}/{{token_id}}"),
            Self::Image(_) => format!("{IMAGES}{{name}}"),
            Self::ErrorCode(_) => format!("{ERRORS}/{{code}}"),
            Self::Page(file) => file.template(),
            Self::Twitch => twitch::PATH.to_owned(),
            Self::Records(path) => path.template(),
        }
    }

    /// Returns the template, or one common name for all routes with more than one link. The metrics use it as a
    /// dimension, which may have only a limited number of values.
    pub fn endpoint(&self) -> String {
        match self {
            Self::Records(path) => path.endpoint(),
            route => route.template(),
        }
    }

    /// Answers a request.
    ///
    /// # Errors
    /// Any error of `docs/errors.md`.
    pub async fn answer(
        self,
        execution: &Execution,
        twitch: Option<&Twitch>,
        outside: &PageConfig,
        request: Request,
    ) -> Result<Reply> {
        match self {
            Self::Records(path) if matches!(path.target(), Target::Statistics(_)) => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                execution.user_statistics(&path, &request.query).await
            }
            Self::Records(path) if request.body.is_empty() => execution.run(Operation::parse(path, request)?).await,
            Self::Records(path) => execution.run(run_blocking(move || Operation::parse(path, request)).await?).await,
            Self::Twitch => {
                allowed(&request.method, &[Method::POST])?;
                let twitch = twitch.ok_or_else(Error::unsigned)?;
                twitch.receive(execution, &request.headers, &request.body).await
            }
            Self::Feed => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                execution.feed(FeedQuery::parse(&request.query)).await
            }
            Self::Statistics => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                execution.statistics(&request.query).await
            }
            Self::Leaderboard(name) => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                execution.leaderboard(&name, &request.query).await
            }
            Self::Tokens => {
                allowed(&request.method, &[Method::GET, Method::HEAD, Method::POST])?;
                execution.tokens(&request).await
            }
            Self::Token(id) => execution.revoke_token(&id, &request).await,
            Self::Alerts => {
                let now = execution.now;
                let (alert, key) = run_blocking(move || Alert::parse(request, now)).await?;
                execution.alert(alert, key).await
            }
            Self::Root
            | Self::Health
            | Self::OpenApi
            | Self::AsyncApi
            | Self::Image(_)
            | Self::Page(_)
            | Self::ErrorCode(_) => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                // Only the browser reads the query of a page's URL.
                if !matches!(self, Self::Page(_)) {
                    query::refuse(&request.query)?;
                }
                match self {
                    Self::Root => Ok(root(&execution.base, &request.headers)),
                    Self::Health => {
                        let mut health = serde_json::json!({"status": "ok"});
                        if let Some(socket) = &outside.socket {
                            health["socket"] = socket.clone().into();
                        }
                        Ok(Reply::json(&health))
                    }
                    Self::ErrorCode(name) => errors::explain(&name, &execution.base, &request.headers),
                    Self::Image(name) => execution.image(&name, request.method == Method::HEAD).await,
                    Self::Page(file) => {
                        let known: Option<IfNoneMatch> = request.headers.typed_get();
                        file.answer(outside, known.as_ref())
                    }
                    Self::AsyncApi => Ok(Reply::json(&asyncapi::document(&execution.base, outside.socket.as_deref()))),
                    _ => Ok(Reply::json(&openapi::document(&execution.base))),
                }
            }
        }
    }
}

/// Leads browsers to the console, and tells programs where the documents are.
fn root(base: &str, headers: &HeaderMap) -> Reply {
    if errors::accepts_html(headers) {
        return Reply { status: StatusCode::FOUND, location: Some("/console/".to_owned()), ..Reply::nothing() };
    }
    let links = [("console", "/console/"), ("overlay", "/overlay/"), ("openapi", OPENAPI), ("asyncapi", ASYNCAPI)];
    let links = links.into_iter().chain([("errors", ERRORS), ("health", HEALTH)]);
    let links = links.map(|(name, path)| (name.to_owned(), format!("{base}{path}").into()));
    Reply::json(&links.collect::<serde_json::Map<_, _>>().into())
}

/// Returns the segment of a path below a route.
fn below<'a>(route: &str, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(route)?.strip_prefix('/').filter(|id| !id.is_empty() && !id.contains('/'))
}
