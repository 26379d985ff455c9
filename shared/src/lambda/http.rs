//! The HTTP interface: authorizes and routes each request, and adds the headers of every response.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, LINK, LOCATION, RETRY_AFTER,
    STRICT_TRANSPORT_SECURITY, WWW_AUTHENTICATE,
};
use http::{HeaderValue, Method, StatusCode};
use lambda_http::aws_lambda_events::apigw::{ApiGatewayV2httpRequest, ApiGatewayV2httpResponse};
use lambda_http::{Body, LambdaEvent};
use tokio::time::timeout;
use tracing::Instrument;

use super::access::{Access, Caller, ProxySecret};
use super::compression::{accepts_gzip, compress};
use super::gateway::{GatewayRequest, to_event};
use super::log::RequestLog;
use super::router::{self, Context};
use super::routes::{Route, is_served};
use crate::error::{Code, Error, Result};
use crate::feed::zero_padded;
use crate::operations::Execution;
use crate::request::Request;
use crate::response::Response;
use crate::schema::Timestamp;
use crate::store::{Cost, Store};
use crate::webhooks::twitch::Twitch;
use crate::webhooks::twitch::connection::Connection;

/// Time limit of a request. The gateway's limit is 30 seconds.
const MAX_REQUEST: Duration = Duration::from_secs(26);
/// Header with the cost of the request: sequential round trips, read units and write units.
const STORE_COST: HeaderName = HeaderName::from_static("store-cost");
/// `true` if this is the stored response to an earlier, identical request.
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Sequence number of the feed's last entry, padded with zeros as in the feed.
const FEED_HEAD: HeaderName = HeaderName::from_static("feed-head");
/// Identifier of the request, as in every log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

/// The stores and settings that requests are served with.
#[derive(Clone, Debug)]
pub struct Service {
    /// The stores.
    pub store: Store,
    /// Routes of the function, written as in the template. `None` serves every route.
    pub routes: Option<&'static [&'static str]>,
    /// Receiver of Twitch's webhook, if it is enabled.
    pub twitch: Option<Arc<Twitch>>,
    /// Connection to Twitch that this process holds. `None` in a deployed service.
    pub connection: Option<Arc<dyn Connection>>,
    /// Prefix of all paths under a custom domain, such as `/v1`. Empty for none.
    pub base_path: Arc<str>,
    /// URL of the socket, or its path if it is on the same host. Empty for none.
    pub socket: Arc<str>,
    /// Custom domain. Its responses require browsers to use HTTPS. Empty for none.
    pub domain: Arc<str>,
    /// Secret of the proxy in front of the service.
    pub proxy_secret: ProxySecret,
}

impl Service {
    /// Creates the service from the environment variables of the template.
    ///
    /// # Errors
    /// If a variable is invalid. The error names it.
    pub fn from_variables(store: Store, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let text = |name: &str| Arc::from(variable(name).unwrap_or_default());
        Ok(Self {
            store,
            routes: None,
            twitch: Twitch::from_variables(&variable)?.map(Arc::new),
            connection: None,
            base_path: base_path(&text("BASE_PATH")),
            socket: text("SOCKET_URL"),
            domain: text("DOMAIN_NAME"),
            proxy_secret: ProxySecret(text("PROXY_SECRET")),
        })
    }
}

/// Handles an event of the gateway.
///
/// # Errors
/// Never. Every failure is a response.
pub async fn handle_event(
    service: Service,
    event: LambdaEvent<ApiGatewayV2httpRequest>,
) -> std::result::Result<ApiGatewayV2httpResponse, Infallible> {
    let lambda_request_id = Some(event.context.request_id);
    let request = GatewayRequest { lambda_request_id, ..event.payload.into() };
    Ok(to_event(handle(service, request).await))
}

/// Handles a request of the API. The response to a HEAD has the body of a GET; the server sends only its length. Every
/// failure is a response.
pub async fn handle(service: Service, request: GatewayRequest) -> http::Response<Body> {
    let started = Instant::now();
    let store = service.store.for_request();
    let GatewayRequest { mut request, caller, origin, id, lambda_request_id } = request;
    let Caller { access, token_name, token_id } = caller;
    let span = tracing::error_span!("request", request_id = id, lambda_request_id, caller = token_name);
    let accepts_gzip = accepts_gzip(&request.headers);
    let prefix = take_base_path(&mut request.path, &service.base_path);
    let base = format!("{origin}{prefix}");
    let execution = Execution { store: store.clone(), now: Timestamp::now(), base, token_id };
    let (method, path) = (request.method.clone(), request.path.clone());
    let mut labels = RouteLabels::default();
    let answering = respond(&execution, &service, request, access, &mut labels);
    let mut response = match answering.instrument(span.clone()).await {
        Ok(reply) => success(reply, &execution.base, &path),
        Err(error) => refused(&error, &method, &execution.base, &id),
    };
    let answered = RequestLog {
        method: &method,
        route: &labels.route,
        endpoint: &labels.endpoint,
        status: response.status(),
        duration: started.elapsed(),
        cost: store.cost(),
    };
    span.in_scope(|| answered.log());
    if !service.domain.is_empty() && origin == format!("https://{}", service.domain) {
        set(&mut response, STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    set(&mut response, STORE_COST, &cost(store.cost()));
    set(&mut response, REQUEST_ID, &id);
    compress(&mut response, accepts_gzip);
    response
}

/// Labels of a request's route in the log. `none` until the route is parsed.
struct RouteLabels {
    route: String,
    endpoint: String,
}

impl Default for RouteLabels {
    fn default() -> Self {
        Self { route: "none".to_owned(), endpoint: "none".to_owned() }
    }
}

/// Responds within the gateway's time limit, even if a handler panics. Sets `labels` to those of the route.
async fn respond(
    execution: &Execution,
    service: &Service,
    request: Request,
    access: Access,
    labels: &mut RouteLabels,
) -> Result<Response> {
    let run = async {
        if is_preflight(&request) {
            return Ok(Response::no_content());
        }
        service.proxy_secret.check(&request.headers)?;
        // OPTIONS needs no token: it only returns the methods of the route.
        let route = match request.method {
            Method::OPTIONS => Route::parse(&request.path)?,
            _ => access.admit(&request.method, &request.path, execution.now)?,
        };
        // The gateway sends such a request only if the template has a mistake. It would otherwise show only where the
        // function lacks a permission.
        if service.routes.is_some_and(|routes| !is_served(&request.path, routes)) {
            return Err(Error::no_route());
        }
        *labels = RouteLabels { route: route.template(), endpoint: route.endpoint() };
        let socket = socket(&service.socket, &execution.base);
        let context = Context {
            execution,
            twitch: service.twitch.as_deref(),
            connection: service.connection.as_deref(),
            socket: socket.as_deref(),
            sees_login: access.may_log_in(),
            sees_users: !access.is_viewer(),
            needs_token: access != Access::Open,
        };
        router::handle(route, request, context).await
    };
    match timeout(MAX_REQUEST, AssertUnwindSafe(Box::pin(run)).catch_unwind()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            tracing::error!("the handler of a request panicked");
            Err(Error::fault())
        }
        Err(_) => {
            tracing::error!("a request timed out");
            Err(Error::unavailable())
        }
    }
}

/// Returns the URL of the socket. A path is relative to the service's base URL. `None` for an empty string.
pub(super) fn socket(url: &str, base: &str) -> Option<String> {
    match url {
        "" => None,
        path if path.starts_with('/') => Some(format!("{}{path}", base.replacen("http", "ws", 1))),
        url => Some(url.to_owned()),
    }
}

/// Returns the prefix of paths for a name with or without surrounding slashes. Empty for an empty name.
pub fn base_path(name: &str) -> Arc<str> {
    match name.trim_matches('/') {
        "" => Arc::from(""),
        name => Arc::from(format!("/{name}")),
    }
}

/// Removes the base path from a path, and returns the removed part. Requests to the gateway's domain do not have it.
pub(super) fn take_base_path<'a>(path: &mut String, base_path: &'a str) -> &'a str {
    match path.strip_prefix(base_path).map(str::to_owned) {
        Some(rest) if rest.starts_with('/') && !base_path.is_empty() => {
            *path = rest;
            base_path
        }
        _ => "",
    }
}

/// Returns true for a CORS preflight request, which has no token. The gateway adds the headers that allow the origins
/// of the deployment.
fn is_preflight(request: &Request) -> bool {
    request.method == Method::OPTIONS && request.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

pub(super) fn without_body(status: StatusCode) -> http::Response<Body> {
    let mut response = http::Response::new(Body::Empty);
    *response.status_mut() = status;
    response
}

fn success(parts: Response, base: &str, path: &str) -> http::Response<Body> {
    let mut response = match parts.content_type {
        Some(content_type) => with_body(parts.status, content_type, parts.body),
        None => without_body(parts.status),
    };
    if let Some(location) = parts.location {
        // The location of an image is an absolute URL of the bucket.
        let base = if location.starts_with('/') { base } else { "" };
        set(&mut response, LOCATION, &format!("{base}{location}"));
    }
    if let Some(etag) = parts.etag {
        set(&mut response, ETAG, &etag);
    }
    for (name, value) in parts.headers {
        set(&mut response, HeaderName::from_static(name), &value);
    }
    if let Some(head) = parts.feed_head {
        set(&mut response, FEED_HEAD, &zero_padded(head));
    }
    if parts.is_replayed {
        set(&mut response, IDEMPOTENT_REPLAYED, "true");
    }
    if let Some(seconds) = parts.max_age {
        set(&mut response, CACHE_CONTROL, &format!("private, max-age={seconds}"));
    }
    if let Some(query) = parts.next_page {
        set(&mut response, LINK, &format!("<{base}{path}?{query}>; rel=\"next\""));
    }
    response
}

/// Returns the response for an error. An OPTIONS request gets the methods of the route.
pub(super) fn refused(error: &Error, method: &Method, base: &str, request_id: &str) -> http::Response<Body> {
    if *method != Method::OPTIONS || error.code() != Code::MethodNotAllowed {
        return problem(error, base, request_id);
    }
    let mut response = without_body(StatusCode::NO_CONTENT);
    set(&mut response, ALLOW, &error.allow().join(", "));
    response
}

/// Returns the response for an error, as `application/problem+json`.
pub fn problem(error: &Error, base: &str, request_id: &str) -> http::Response<Body> {
    let problem = error.to_problem(base, request_id).to_string();
    let mut response = with_body(error.status(), "application/problem+json", problem);
    if !error.allow().is_empty() {
        set(&mut response, ALLOW, &error.allow().join(", "));
    }
    if let Some(head) = error.feed_head() {
        set(&mut response, FEED_HEAD, &zero_padded(head));
    }
    if let Some(challenge) = error.challenge() {
        set(&mut response, WWW_AUTHENTICATE, &challenge);
    }
    if let Some(seconds) = error.retry_after() {
        set(&mut response, RETRY_AFTER, &seconds.to_string());
    }
    response
}

fn with_body(status: StatusCode, content_type: &'static str, body: String) -> http::Response<Body> {
    let mut response = http::Response::new(Body::Text(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

pub(super) fn set(response: &mut http::Response<Body>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn cost(cost: &Cost) -> String {
    format!("round-trips={}, read-units={}, write-units={}", cost.round_trips(), cost.read_units(), cost.write_units())
}
