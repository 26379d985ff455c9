//! The entry points of the Lambda functions. Each builds its clients once and opens the connection to the table before
//! the first event.

use std::time::{Duration, Instant};

use lambda_http::{Error, service_fn};
use lambda_runtime::LambdaEvent;
use serde_json::{Value, json};

use super::authorizer::Authorizer;
use super::http::Service;
use super::pages::{self, Pages};
use super::stream::Batch;
use super::{follower, http, log, sequencer, socket, upkeep};
use crate::schema::Timestamp;
use crate::store::{Store, aws};

/// Upkeep stops this long before Lambda's deadline.
const MARGIN: Duration = Duration::from_secs(10);

/// Serves HTTP requests to these routes, written as in `template.yaml`. Requests to other routes get a 404.
///
/// # Errors
/// If the environment is incomplete, or the Runtime API fails.
pub async fn serve(routes: &'static [&'static str]) -> Result<(), Error> {
    let cheap_read = std::env::var("WARM_UP_KEY").ok().filter(|key| !key.is_empty());
    let store = start(cheap_read.as_deref()).await?;
    let service = Service::from_variables(store, |name| std::env::var(name).ok())?;
    let service = Service { routes: Some(routes), ..service };
    if let Some(twitch) = &service.twitch {
        twitch.warm_up(&service.store.for_request()).await;
    }
    lambda_runtime::run(service_fn(|event| http::handle_event(service.clone(), event))).await
}

/// Serves the web pages.
///
/// # Errors
/// If the Runtime API fails.
pub async fn serve_pages() -> Result<(), Error> {
    log::start();
    let settings = Pages::from_variables(|name| std::env::var(name).ok());
    let settings = &settings;
    lambda_runtime::run(service_fn(|event: LambdaEvent<_>| async {
        Ok::<_, Error>(pages::handle_event(settings, event.payload))
    }))
    .await
}

/// Reports the access of each request's token to the gateway.
///
/// # Errors
/// If the environment is incomplete, or the Runtime API fails.
pub async fn authorize() -> Result<(), Error> {
    let limit = std::env::var("TOKEN_REQUESTS_PER_MINUTE").ok().and_then(|limit| limit.parse().ok());
    let authorizer =
        Authorizer::new(start_with(aws::table_only_from_env, Some("tokens/0")).await?, limit.unwrap_or_default());
    let authorizer = &authorizer;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        Ok::<_, Error>(authorizer.handle(&event.payload).await)
    }))
    .await
}

/// Runs the upkeep on its schedule.
///
/// # Errors
/// If the environment is incomplete, or the Runtime API fails.
pub async fn run_upkeep() -> Result<(), Error> {
    let store = start(Some("stamps/0")).await?;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| {
        let store = store.clone();
        async move {
            let left = event.context.deadline().elapsed().map_or_else(|early| early.duration(), |_| Duration::ZERO);
            let deadline = Instant::now() + left.saturating_sub(MARGIN);
            upkeep::run_scheduled(&store, Timestamp::now(), deadline).await.map_err(Error::from)
        }
    }))
    .await
}

/// Appends the changes of the table's stream to the feed.
///
/// # Errors
/// If the environment is incomplete, or the Runtime API fails.
pub async fn run_sequencer() -> Result<(), Error> {
    let store = start(Some("feed/0")).await?;
    let store = &store;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        sequencer::run(store, &Batch::parse(&event.payload), Timestamp::now()).await?;
        // No failures, and an empty window state.
        Ok::<_, Error>(json!({"batchItemFailures": [], "state": {}}))
    }))
    .await
}

/// Pushes changes of the feed's head, and pays for new events.
///
/// # Errors
/// If the environment is incomplete, or the Runtime API fails.
pub async fn run_follower() -> Result<(), Error> {
    let store = start(Some("feed/0")).await?;
    let store = &store;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        follower::run(store, &Batch::parse(&event.payload), Timestamp::now()).await?;
        Ok::<_, Error>(json!({"batchItemFailures": []}))
    }))
    .await
}

/// Handles the events of the socket's connections.
///
/// # Errors
/// If the environment is incomplete, or the Runtime API fails.
pub async fn run_socket() -> Result<(), Error> {
    let store = start(Some("feed/0")).await?;
    let store = &store;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        socket::handle(&store.for_request(), &event.payload, Timestamp::now()).await.map_err(Error::from)
    }))
    .await
}

/// Starts the log and builds the clients. Opens the connection to the table by reading the item `cheap_read`.
async fn start(cheap_read: Option<&str>) -> Result<Store, String> {
    start_with(aws::from_env, cheap_read).await
}

async fn start_with(create: impl FnOnce() -> Result<Store, String>, cheap_read: Option<&str>) -> Result<Store, String> {
    log::start();
    let store = create()?;
    if let Some(pk) = cheap_read {
        store.for_request().warm_up(pk).await;
    }
    Ok(store)
}
