//! The functions, called as the platform calls them: with an event, in JSON both ways.

use event_capture::store::Store;
use event_capture::{http, upkeep};
use lambda_http::request::LambdaRequest;
use lambda_http::{Adapter, LambdaEvent, Service, service_fn};
use serde_json::Value;

use crate::Error;

/// The binary of the function that runs on a schedule; all others serve HTTP.
const SCHEDULED: &str = "upkeep";
const LONGEST_UPKEEP: std::time::Duration = std::time::Duration::from_mins(5);

/// The deployed functions' code, in this process.
#[derive(Clone)]
pub(crate) struct Functions {
    store: Store,
}

impl Functions {
    pub(crate) fn new(store: &Store) -> Self {
        Self { store: store.clone() }
    }

    /// Calls a function by the name of its binary.
    pub(crate) async fn call(&self, binary: &str, event: String) -> Result<Value, Error> {
        if binary == SCHEDULED {
            let deadline = std::time::Instant::now() + LONGEST_UPKEEP;
            let report = upkeep::run(&self.store, deadline).await?;
            return Ok(serde_json::to_value(report)?);
        }
        let store = self.store.clone();
        // A panic in a function is that request's alone, as it is where each has a process.
        let called = tokio::spawn(async move {
            let request: LambdaRequest = serde_json::from_str(&event)?;
            let mut function = Adapter::from(service_fn(move |request| http::handle(store.clone(), request)));
            let response = function.call(LambdaEvent::new(request, lambda_http::Context::default())).await?;
            Ok::<_, Error>(serde_json::to_value(response)?)
        });
        called.await?
    }
}
