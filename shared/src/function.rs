//! Running as a Lambda function: clients built once, before the first event.

use std::time::{Duration, Instant};

use lambda_http::{Error, service_fn};
use lambda_runtime::LambdaEvent;
use serde_json::Value;

use crate::store::Store;
use crate::{http, upkeep};

/// The upkeep stops a little before the platform would stop it.
const MARGIN: Duration = Duration::from_secs(10);

/// Serves HTTP requests. All functions can reach every resource; the template gives each its own routes.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn serve() -> Result<(), Error> {
    start_logs();
    let store = Store::from_env().await?;
    lambda_http::run(service_fn(|request| http::handle(store.clone(), request))).await
}

/// Runs the upkeep at every event of the schedule.
///
/// # Errors
/// When the environment is not set up, or the platform goes away.
pub async fn keep_up() -> Result<(), Error> {
    start_logs();
    let store = Store::from_env().await?;
    lambda_runtime::run(service_fn(|event: LambdaEvent<Value>| {
        let store = store.clone();
        async move {
            let left = event.context.deadline().elapsed().map_or_else(|early| early.duration(), |_| Duration::ZERO);
            let deadline = Instant::now() + left.saturating_sub(MARGIN);
            upkeep::run(&store, deadline).await.map_err(Error::from)
        }
    }))
    .await
}

fn start_logs() {
    lambda_http::tracing::init_default_subscriber();
}
