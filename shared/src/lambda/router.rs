//! Runs the handler of each route.

use http::{HeaderMap, Method, StatusCode};

use super::routes::{FAVICON, Name, Route};
use super::{asyncapi, errors, openapi};
use crate::error::{ERRORS, Error, Result};
use crate::operations::{Execution, run_blocking_if_large};
use crate::request::{Alert, FeedQuery, Operation, Path, Request, Target, Transfer, check_method, query};
use crate::response::Response;
use crate::store::OverlayConnections;
use crate::webhooks::twitch::Twitch;
use crate::webhooks::twitch::connection::{self, Connection};

/// What handlers need in addition to the request.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub execution: &'a Execution,
    /// Receiver of Twitch's webhook, if it is enabled.
    pub twitch: Option<&'a Twitch>,
    /// Connection to Twitch that this process holds. `None` in a deployed service.
    pub connection: Option<&'a dyn Connection>,
    /// URL of the socket, if there is one.
    pub socket: Option<&'a str>,
    /// Whether the caller may complete a login at Twitch.
    pub sees_login: bool,
    /// Whether the caller may see other users.
    pub sees_users: bool,
    /// Whether the service requires a token.
    pub needs_token: bool,
}

/// Handles a request.
///
/// # Errors
/// Any error of `docs/errors.md`.
pub async fn handle(route: Route, request: Request, context: Context<'_>) -> Result<Response> {
    match route {
        Route::Records(path) => records(path, request, context).await,
        Route::Page(path) => {
            check_method(&request.method, &[Method::GET, Method::HEAD])?;
            query::reject_parameters(&request.query)?;
            if path == FAVICON {
                Ok(Response::permanent_redirect("/shared/icon.svg".to_owned()))
            } else if path.ends_with('/') {
                Ok(Response::permanent_redirect(format!("{path}index.html")))
            } else {
                Err(Error::no_route())
            }
        }
        Route::Service(route, parameter) => {
            check_method(&request.method, route.methods)?;
            if !route.has_query {
                query::reject_parameters(&request.query)?;
            }
            service(route.name, &parameter, request, context).await
        }
    }
}

/// Handles a request to a path of records.
async fn records(path: Path, request: Request, context: Context<'_>) -> Result<Response> {
    let Context { execution, sees_users, .. } = context;
    match path.target() {
        Target::Statistics(_) => {
            check_method(&request.method, &path.methods())?;
            execution.user_statistics(&path, &request.query).await
        }
        Target::Action(_) => {
            check_method(&request.method, &path.methods())?;
            let size = request.body.len();
            let transfer = run_blocking_if_large(size, move || Transfer::parse(Some(path), request)).await?;
            execution.transfer(transfer, sees_users).await
        }
        Target::Many(_) | Target::One(_) | Target::Slot(_) | Target::Value(_) | Target::Anonymize(_) => {
            let size = request.body.len();
            let operation = run_blocking_if_large(size, move || Operation::parse(path, request)).await?;
            execution.run_with_economy(operation).await
        }
    }
}

/// Handles a request to a route that does not belong to a resource.
async fn service(name: Name, parameter: &str, request: Request, context: Context<'_>) -> Result<Response> {
    let Context { execution, twitch, socket, needs_token, .. } = context;
    let (base, size) = (&execution.base, request.body.len());
    match name {
        Name::Root => Ok(root(base, &request.headers)),
        Name::Health => Ok(health(execution, socket)),
        Name::OpenApi => Ok(Response::json(&openapi::document(base, needs_token))),
        Name::AsyncApi => Ok(Response::json(&asyncapi::document(base, socket, needs_token))),
        Name::Errors => errors::explain(None, base, &request.headers),
        Name::Error => errors::explain(Some(parameter), base, &request.headers),
        Name::Feed => execution.feed(FeedQuery::parse(&request.query)).await,
        Name::Alerts => {
            let now = execution.now;
            let (alert, key) = run_blocking_if_large(size, move || Alert::parse(request, now)).await?;
            execution.alert(alert, key).await
        }
        Name::Statistics => execution.statistics(&request.query).await,
        Name::Totals => execution.totals(&request.query).await,
        Name::Leaderboard => execution.leaderboard(parameter, &request.query).await,
        Name::Transfers => {
            let transfer = run_blocking_if_large(size, move || Transfer::parse(None, request)).await?;
            execution.transfer(transfer, context.sees_users).await
        }
        Name::Tokens if request.method == Method::POST => execution.create_token(&request).await,
        Name::Tokens => execution.tokens().await,
        Name::Token => execution.revoke_token(parameter).await,
        Name::Image => execution.image(parameter, request.method == Method::HEAD).await,
        Name::TwitchWebhook => {
            let twitch = twitch.ok_or_else(Error::invalid_signature)?;
            twitch.receive(execution, &request.headers, &request.body).await
        }
        Name::TwitchConnection => match context.connection {
            Some(open) => connection::handle(open, execution, context.sees_login, &request).await,
            None => connection::handle_deployed(twitch, execution, &request).await,
        },
        Name::ConnectedOverlays => connected_overlays(execution).await,
    }
}

/// Redirects browsers to the console, and lists the documents for programs.
fn root(base: &str, headers: &HeaderMap) -> Response {
    if errors::accepts_html(headers) {
        return Response {
            status: StatusCode::FOUND,
            location: Some("/console/".to_owned()),
            ..Response::no_content()
        };
    }
    let links = [("console", "/console/"), ("overlay", "/overlay/"), ("docs", "/docs/"), ("openapi", "/openapi.json")];
    let links = links.into_iter().chain([("asyncapi", "/asyncapi.json"), ("errors", ERRORS), ("health", "/health")]);
    let links = links.map(|(name, path)| (name.to_owned(), format!("{base}{path}").into()));
    Response::json(&links.collect::<serde_json::Map<_, _>>().into())
}

fn health(execution: &Execution, socket: Option<&str>) -> Response {
    let status = if execution.store.is_damaged() { "damaged" } else { "ok" };
    let mut health = serde_json::json!({"status": status});
    if let Some(socket) = socket {
        health["socket"] = socket.into();
    }
    Response::json(&health)
}

/// Lists the overlays that are connected to the socket.
async fn connected_overlays(execution: &Execution) -> Result<Response> {
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
