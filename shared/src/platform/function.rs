//! Running as a Lambda function: clients built once, and the connection to the table opened, before the first event.

use std::time::{Duration, Instant};

use lambda_http::{Error, service_fn};
use lambda_runtime::LambdaEvent;
use serde_json::Value;

use super::authorizer::Authorizer;
use super::http::Service;
use super::{http, log, sequencer, socket, upkeep};
use crate::schema::Timestamp;
use crate::store::{Names, Store};

/// The upkeep stops a little before the platform would stop it.
const MARGIN: Duration = Duration::from_secs(10);

/// Serves HTTP requests. The template gives each function its own routes and rights.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn serve() -> Result<(), Error> {
    let cheap_read = std::env::var("WARM_UP_KEY").ok().filter(|key| !key.is_empty());
    let store = start(cheap_read.as_deref()).await?;
    let service = Service::from_variables(store, |name| std::env::var(name).ok())?;
    if let Some(twitch) = &service.twitch {
        twitch.warm_up(&service.store.for_request()).await;
    }
    lambda_runtime::run(service_fn(|event| http::answer_event(service.clone(), event))).await
}

/// Tells the gateway what the tokens of its requests may do.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn authorize() -> Result<(), Error> {
    let limit = std::env::var("TOKEN_REQUESTS_PER_MINUTE").ok().and_then(|limit| limit.parse().ok());
    let authorizer = Authorizer::new(start(Some("tokens/0")).await?, limit.unwrap_or_default());
    let authorizer = &authorizer;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        Ok::<_, Error>(authorizer.answer(&event.payload).await)
    }))
    .await
}

/// Runs the upkeep at every event of the schedule.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn run_upkeep() -> Result<(), Error> {
    let store = start(Some("stamps/0")).await?;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| {
        let store = store.clone();
        async move {
            let left = event.context.deadline().elapsed().map_or_else(|early| early.duration(), |_| Duration::ZERO);
            let deadline = Instant::now() + left.saturating_sub(MARGIN);
            upkeep::run(&store, Timestamp::now(), deadline).await.map_err(Error::from)
        }
    }))
    .await
}

/// Has the feed tell of what the table's stream brings.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn run_sequencer() -> Result<(), Error> {
    let store = start(Some("feed/0")).await?;
    let store = &store;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        sequencer::run(store, &event.payload, Timestamp::now()).await.map_err(Error::from)
    }))
    .await
}

/// Answers what happens to the connections of the socket.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn run_socket() -> Result<(), Error> {
    let store = start(Some("feed/0")).await?;
    let store = &store;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| async move {
        socket::answer(&store.for_request(), &event.payload, Timestamp::now()).await.map_err(Error::from)
    }))
    .await
}

/// The log, the clients, and their connection to the table, opened by a read that the function has the right to.
async fn start(cheap_read: Option<&str>) -> Result<Store, String> {
    log::start();
    let store = Store::in_function(Names::from_env()?);
    if let Some(pk) = cheap_read {
        store.for_request().warm_up(pk).await;
    }
    Ok(store)
}
