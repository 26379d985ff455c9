//! Requests in, responses out: alone in knowing `lambda_http`.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{ALLOW, CONTENT_TYPE, HeaderName, LINK, LOCATION, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};
use lambda_http::{Body, RequestExt};
use tokio::time::timeout;

use crate::error::{Error, Result};
use crate::execute::{Execution, Reply};
use crate::operation::{Operation, Request};
use crate::store::{Cost, Store};
use crate::value::Timestamp;

/// A request that takes longer is given up: the gateway would, after 30 seconds.
const LONGEST_REQUEST: Duration = Duration::from_secs(26);
/// What the request cost: round trips one after another, read and write units.
const STORE_COST: HeaderName = HeaderName::from_static("store-cost");

/// Answers one request. Every function and the local gateway end here. The answer to a HEAD has the body
/// that a GET would have: it is the server's part to send its length alone.
///
/// # Errors
/// Never: what goes wrong is a response, too.
pub async fn handle(store: Store, request: lambda_http::Request) -> std::result::Result<Response<Body>, Infallible> {
    let store = store.for_request();
    let execution = Execution { store: store.clone(), now: Timestamp::now() };
    let request = parse(request);
    let (method, path) = (request.method.clone(), request.path.clone());
    let mut route = "none".to_owned();
    let answer = answer(&execution, request, &mut route).await;
    let status = answer.as_ref().map_or_else(Error::status, |reply| reply.status);
    tracing::info!(%method, route, status = status.as_u16(), round_trips = store.cost().round_trips(), "answered");
    let mut response = match answer {
        Ok(reply) => success(reply, &path),
        Err(error) => problem(&error),
    };
    set(&mut response, STORE_COST, &cost(store.cost()));
    Ok(response)
}

/// Whatever happens, there is an answer, and before the gateway gives up. `route` is told which it was.
async fn answer(execution: &Execution, request: Request, route: &mut String) -> Result<Reply> {
    let run = async {
        let operation = Operation::parse(request).await?;
        *route = operation.route();
        execution.run(operation).await
    };
    match timeout(LONGEST_REQUEST, AssertUnwindSafe(run).catch_unwind()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            tracing::error!("a request panicked");
            Err(Error::fault())
        }
        Err(_) => {
            tracing::error!("a request took too long");
            Err(Error::unavailable())
        }
    }
}

fn parse(request: lambda_http::Request) -> Request {
    let path = request.raw_http_path().to_owned();
    let (parts, body) = request.into_parts();
    let body = match body {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    let query = parts.uri.query().unwrap_or_default().to_owned();
    Request { method: parts.method, path, query, headers: parts.headers, body }
}

fn success(reply: Reply, path: &str) -> Response<Body> {
    let mut response = json(reply.status, "application/json", reply.body);
    if let Some(location) = reply.location {
        set(&mut response, LOCATION, &location);
    }
    if let Some(query) = reply.next_page {
        set(&mut response, LINK, &format!("<{path}?{query}>; rel=\"next\""));
    }
    response
}

/// Every error, from whatever layer, in one form.
pub fn problem(error: &Error) -> Response<Body> {
    let mut response = json(error.status(), "application/problem+json", error.to_problem().to_string());
    if !error.allow().is_empty() {
        set(&mut response, ALLOW, &error.allow().join(", "));
    }
    if let Some(seconds) = error.retry_after() {
        set(&mut response, RETRY_AFTER, &seconds.to_string());
    }
    response
}

fn json(status: StatusCode, content_type: &'static str, body: String) -> Response<Body> {
    let mut response = Response::new(Body::Text(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn set(response: &mut Response<Body>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn cost(cost: &Cost) -> String {
    format!("round-trips={}, read-units={}, write-units={}", cost.round_trips(), cost.read_units(), cost.write_units())
}
