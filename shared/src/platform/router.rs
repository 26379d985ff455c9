//! The routes: what a path leads to, and who answers.

use headers::{HeaderMapExt, IfNoneMatch};
use http::Method;

use super::pages::{File, PageConfig};
use super::{asyncapi, openapi};
use crate::error::{Error, Result};
use crate::execute::{Execution, FEED, Reply, TOKENS};
use crate::request::{Alert, FeedQuery, Operation, Path, Request, allowed, query};
use crate::webhooks::twitch::{self, Twitch};

const HEALTH: &str = "/health";
const OPENAPI: &str = "/openapi.json";
const ASYNCAPI: &str = "/asyncapi.json";
const ALERTS: &str = "/alerts";
const IMAGES: &str = "/images/";

/// Where a request goes.
#[derive(Debug)]
pub enum Route {
    /// Whether the service is there.
    Health,
    /// The OpenAPI document.
    OpenApi,
    /// The AsyncAPI document.
    AsyncApi,
    /// The feed.
    Feed,
    /// What the feed is to tell.
    Alerts,
    /// All tokens.
    Tokens,
    /// The token of this name.
    Token(String),
    /// The image of this name.
    Image(String),
    /// A file of a page.
    Page(File),
    /// What Twitch calls.
    Twitch,
    /// Records.
    Records(Path),
}

impl Route {
    /// Parses a path.
    ///
    /// # Errors
    /// 404 for what is no route, 400 for one with bad identifiers or too many links.
    pub fn parse(path: &str) -> Result<Self> {
        match path {
            HEALTH => Ok(Self::Health),
            OPENAPI => Ok(Self::OpenApi),
            ASYNCAPI => Ok(Self::AsyncApi),
            FEED => Ok(Self::Feed),
            ALERTS => Ok(Self::Alerts),
            TOKENS => Ok(Self::Tokens),
            twitch::PATH => Ok(Self::Twitch),
            _ => match (path.strip_prefix(IMAGES), File::at(path), token_at(path)) {
                (Some(name), ..) => Ok(Self::Image(name.to_owned())),
                (_, Some(file), _) => Ok(Self::Page(file)),
                (.., Some(id)) => Ok(Self::Token(id.to_owned())),
                _ => Path::parse(path).map(Self::Records),
            },
        }
    }

    /// Whether a path is open to everybody, with no token. Twitch signs what it sends; the name of an image is a secret; the
    /// pages show nothing before they are given a token.
    pub fn is_public(path: &str) -> bool {
        path == HEALTH || File::at(path).is_some() || path == twitch::PATH || path.starts_with(IMAGES)
    }

    /// The route with every identifier replaced by its name: one text for each route, for the log.
    pub fn template(&self) -> String {
        match self {
            Self::Health => HEALTH.to_owned(),
            Self::OpenApi => OPENAPI.to_owned(),
            Self::AsyncApi => ASYNCAPI.to_owned(),
            Self::Feed => FEED.to_owned(),
            Self::Alerts => ALERTS.to_owned(),
            Self::Tokens => TOKENS.to_owned(),
            Self::Token(_) => format!("{TOKENS}/{{token_id}}"),
            Self::Image(_) => format!("{IMAGES}{{name}}"),
            Self::Page(file) => file.template(),
            Self::Twitch => twitch::PATH.to_owned(),
            Self::Records(path) => path.template(),
        }
    }

    /// The same, with all that has more than one link under one name: as many texts as a metric may have values.
    pub fn endpoint(&self) -> String {
        match self {
            Self::Records(path) => path.endpoint(),
            route => route.template(),
        }
    }

    /// Answers a request.
    ///
    /// # Errors
    /// Whatever the contract says.
    pub async fn answer(
        self,
        execution: &Execution,
        twitch: Option<&Twitch>,
        outside: &PageConfig,
        request: Request,
    ) -> Result<Reply> {
        match self {
            Self::Records(path) => execution.run(Operation::parse(path, request).await?).await,
            Self::Twitch => {
                allowed(&request.method, &[Method::POST])?;
                let twitch = twitch.ok_or_else(Error::unsigned)?;
                twitch.receive(execution, &request.headers, &request.body).await
            }
            Self::Feed => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                execution.feed(FeedQuery::parse(&request.query)).await
            }
            Self::Tokens => {
                allowed(&request.method, &[Method::GET, Method::HEAD, Method::POST])?;
                execution.tokens(&request).await
            }
            Self::Token(id) => execution.revoke_token(&id, &request).await,
            Self::Alerts => {
                let (alert, key) = Alert::parse(request, execution.now).await?;
                execution.alert(alert, key).await
            }
            Self::Health | Self::OpenApi | Self::AsyncApi | Self::Image(_) | Self::Page(_) => {
                allowed(&request.method, &[Method::GET, Method::HEAD])?;
                // What an address of a page has behind its path is the browser's own matter.
                if !matches!(self, Self::Page(_)) {
                    query::refuse(&query::parameters(&request.query)?)?;
                }
                match self {
                    Self::Health => {
                        let mut health = serde_json::json!({"status": "ok"});
                        if let Some(socket) = &outside.socket {
                            health["socket"] = socket.clone().into();
                        }
                        Ok(Reply::json(&health))
                    }
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

/// The name of the token at a path.
fn token_at(path: &str) -> Option<&str> {
    path.strip_prefix(TOKENS)?.strip_prefix('/').filter(|id| !id.is_empty() && !id.contains('/'))
}
