//! The gateway: passes HTTP requests to the functions as API Gateway does, within its limits.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::response::Response;
use bytes::Bytes;
use capture_core::error::Error as Problem;
use capture_core::lambda::access::{Access, Caller};
use capture_core::lambda::gateway::GatewayRequest;
use capture_core::lambda::http::{REQUEST_ID, base_path, problem as http_problem};
use capture_core::request::{Request as ServiceRequest, check_method};
use capture_core::schema::Timestamp;
use capture_core::store::SocketSender;
use embedded::EmbeddedBucket;
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use percent_encoding::percent_decode_str;
use serde_json::json;
use tokio::sync::watch;

use crate::bodies::{Bodies, discard};
use crate::event::{MAX_EVENT, X_FORWARDED_PROTO, is_too_large};
use crate::functions::Functions;
use crate::images;
use crate::origins::{Origins, is_loopback, is_public_name, parse_authority, valid_authority};
use crate::pages;
use crate::sockets::SOCKET_PATH;
use crate::stores::{BucketBackend, Stores};
use crate::table::IMAGES;
use crate::template::{Cors, Route, Template};
use crate::{BUCKET, Error, Options};

/// Maximum length of the path and the query, in bytes. It leaves room for a host in the longest possible URI.
pub(crate) const MAX_TARGET: usize = 60_000;

#[derive(Clone)]
struct Gateway {
    routes: Arc<[Route]>,
    functions: Functions,
    stores: Stores,
    require_token: bool,
    origins: Origins,
    base_path: Arc<str>,
    cors: Arc<Cors>,
    stopped: watch::Receiver<bool>,
    bodies: Bodies,
    /// Folder of the user's pages.
    pages: Option<Arc<Path>>,
}

/// Creates the router for all requests to the port: the template's routes, and the bucket under its own name.
pub(crate) fn router(
    template: Template,
    functions: Functions,
    stores: &Stores,
    options: &Options,
    stopped: watch::Receiver<bool>,
) -> Result<Router, Error> {
    if !template.routes.iter().any(|route| route.path == "$default") {
        return Err("template.yaml has no $default route".into());
    }
    let cors = Arc::new(template.cors);
    let Options { require_token, allow_origin, pages, .. } = options.clone();
    let origins = Origins { allowed: allow_origin, port: stores.address.port() };
    let base_path = base_path(&options.base_path);
    let (routes, stores) = (template.routes.into(), stores.clone());
    let client_silence = Duration::from_secs(options.client_silence);
    let bodies = Bodies::in_folder(&EmbeddedBucket::unfinished(&options.data_dir.join(IMAGES)), client_silence);
    if let Some(folder) = pages.iter().find(|folder| !folder.is_dir()) {
        return Err(format!("{} is not a folder. Set --pages to the folder of your pages.", folder.display()).into());
    }
    if let Some(folder) = &pages
        && options.data_dir.canonicalize()?.starts_with(folder.canonicalize()?)
    {
        let text = "The data folder is inside the folder of --pages, which everyone can read. Move one of them.";
        return Err(text.into());
    }
    let pages = pages.map(Arc::from);
    let gateway =
        Gateway { routes, functions, stores, require_token, origins, base_path, cors, stopped, bodies, pages };
    Ok(Router::new().fallback(handle).with_state(gateway))
}

async fn handle(State(gateway): State<Gateway>, mut request: Request) -> Response {
    let id = format!("{:016x}", fastrand::u64(..));
    // HTTP/1.0 does not have a Host header (RFC 1945). Some load balancers use it for health checks.
    if request.version() == Version::HTTP_10
        && let Ok(own) = HeaderValue::from_str(&gateway.stores.address.to_string())
    {
        request.headers_mut().entry(header::HOST).or_insert(own);
    }
    let origin =
        request.headers().get(header::ORIGIN).filter(|origin| gateway.origins.allowed.contains(origin)).cloned();
    let host = request.headers().get(header::HOST).cloned();
    let refused = |error: Problem| error_response(&error, &gateway.base_url(host.as_ref()), &id);
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    let routed = request.uri().path().strip_prefix(&*gateway.base_path);
    let mut response = if routed == Some(SOCKET_PATH)
        && request.method() == Method::GET
        && request.headers().contains_key(header::UPGRADE)
    {
        return gateway.open_socket(request).await.unwrap_or_else(refused);
    } else if first == BUCKET {
        gateway.serve_image(request).await
    } else if let Some(id) = gateway.posted_connection(request.uri().path()) {
        gateway.post_to_connection(&id, request).await
    } else {
        let (parts, body) = request.into_parts();
        let mut body = Some(body);
        let response = gateway.invoke(&parts, &mut body, &id).await;
        if let Some(unread) = body {
            discard(unread, &parts.headers);
        }
        response
    }
    .unwrap_or_else(refused);
    if let Some(origin) = origin {
        gateway.cors.add_headers(origin, response.headers_mut());
    }
    response
}

impl Cors {
    /// Adds the CORS headers for a web page of an allowed origin. API Gateway adds them to every response.
    fn add_headers(&self, origin: HeaderValue, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        let headers_and_values = [
            (header::ACCESS_CONTROL_ALLOW_METHODS, self.methods.join(",")),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, self.headers.join(",")),
            (header::ACCESS_CONTROL_EXPOSE_HEADERS, self.exposed.join(",")),
            (header::ACCESS_CONTROL_MAX_AGE, self.max_age.to_string()),
        ];
        for (name, value) in headers_and_values {
            headers.extend(HeaderValue::from_str(&value).map(|value| (name, value)));
        }
    }
}

impl Gateway {
    /// Returns the base URL for the `Host` header of a request.
    fn base_url(&self, host: Option<&HeaderValue>) -> String {
        let named = host.and_then(|host| parse_authority(host.to_str().ok()?));
        let authority = named.map_or_else(|| self.stores.address.to_string(), |authority| authority.to_string());
        format!("http://{authority}{}", self.base_path)
    }

    /// Opens a socket connection, as WebSocket APIs do.
    async fn open_socket(&self, request: Request) -> Result<Response, Problem> {
        if self.stores.deployed.is_some() {
            // A connection would be stored. Clients without one poll the feed.
            return Err(Problem::no_route());
        }
        let (mut parts, _) = request.into_parts();
        let Some(authority) = valid_authority(&parts) else {
            return Err(Problem::invalid_header("Send a Host header."));
        };
        let mut context = json!({"domainName": authority.host()});
        if !self.require_token {
            // Browsers do not apply CORS to WebSockets, so the origin is checked as for a write.
            parts.method = Method::POST;
            self.check_origin(&parts, authority.host(), true)?;
            parts.method = Method::GET;
            context["authorizer"] = Caller::from(Access::Open).to_context();
        }
        let headers = parts.headers.clone();
        let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await;
        let upgrade = upgrade.map_err(|_| Problem::invalid_header("The request is not a WebSocket handshake."))?;
        let accepted =
            self.stores.sockets.accept(upgrade, &headers, context, &self.functions, self.stopped.clone()).await;
        let accepted = accepted.map_err(|error| {
            tracing::error!(%error, "the socket's function failed");
            Problem::fault()
        })?;
        accepted.map_err(|status| match status {
            StatusCode::UNAUTHORIZED if headers.contains_key(header::SEC_WEBSOCKET_PROTOCOL) => {
                Problem::token_invalid()
            }
            StatusCode::UNAUTHORIZED => Problem::token_missing(),
            _ => Problem::unavailable(),
        })
    }

    /// Returns the connection that a function's process posts to with this path. Only such a process knows the path's
    /// secret.
    fn posted_connection(&self, path: &str) -> Option<String> {
        let id = path.strip_prefix(&self.stores.callback_path)?.strip_prefix("/@connections/")?;
        Some(percent_decode_str(id).decode_utf8_lossy().into_owned())
    }

    /// Posts to a socket connection, or closes it, as API Gateway does.
    async fn post_to_connection(&self, id: &str, request: Request) -> Result<Response, Problem> {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, MAX_EVENT).await.map_err(|_| Problem::unavailable())?;
        let is_open = if parts.method == Method::DELETE {
            self.stores.sockets.close(id).await;
            true
        } else {
            self.stores.sockets.post(id, &String::from_utf8_lossy(&body)).await
        };
        let mut response = Response::new(Body::from("{}"));
        if !is_open {
            *response.status_mut() = StatusCode::GONE;
            response.headers_mut().insert("x-amzn-errortype", HeaderValue::from_static("GoneException"));
        }
        Ok(response)
    }

    /// Serves an image of the embedded bucket by its name.
    async fn serve_image(&self, request: Request) -> Result<Response, Problem> {
        let (parts, _) = request.into_parts();
        let name = parts.uri.path().rsplit_once('/').map_or("", |(_, name)| name);
        match &self.stores.bucket {
            BucketBackend::Embedded(folder) => images::handle(folder, &parts, name).await,
            BucketBackend::Remote(_) => Err(Problem::no_route()),
        }
    }

    /// Rejects requests under a foreign name, and writes from foreign pages. A token proves that its page may write.
    fn check_origin(&self, parts: &Parts, host: &str, accepts_tokens: bool) -> Result<(), Problem> {
        let needs_token = self.require_token && accepts_tokens;
        let is_rejected =
            (!self.require_token && is_public_name(host)) || (!needs_token && !self.origins.may_send(parts));
        if is_rejected { Err(Problem::origin_not_allowed()) } else { Ok(()) }
    }

    /// Answers a request with its function. Takes the body only if the sender may make the request.
    async fn invoke(&self, parts: &Parts, body: &mut Option<Body>, id: &str) -> Result<Response, Problem> {
        let Some(authority) = valid_authority(parts).filter(|_| parts.uri.path().starts_with('/')) else {
            return Err(Problem::invalid_header("Send a path, and a Host header with a name and a port."));
        };
        let path = decoded_path(parts);
        // The base path of a custom domain is part of the event's path, but not of the route.
        let routed = path.strip_prefix(&*self.base_path).filter(|rest| rest.starts_with('/')).unwrap_or(&path);
        if self.stores.deployed.is_some() {
            check_method(&parts.method, &[Method::GET, Method::HEAD])?;
        }
        let route = self.route(parts.method.as_str(), routed);
        self.check_origin(parts, authority.host(), !route.public)?;
        if let Some((folder, name)) = self.pages.as_deref().zip(pages::name_of(routed)) {
            return pages::handle(folder, parts, name).await;
        }
        if parts.uri.path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET) {
            return Err(Problem::url_too_long(MAX_TARGET));
        }
        let failed = |error: Error| {
            tracing::error!(%error, function = route.function, "a function failed");
            Problem::fault()
        };
        let mut request = GatewayRequest {
            request: ServiceRequest {
                method: parts.method.clone(),
                path: path.clone(),
                query: parts.uri.query().unwrap_or_default().to_owned(),
                headers: join_headers(&parts.headers),
                body: Bytes::new(),
            },
            caller: Access::Missing.into(),
            origin: format!("{}://{authority}", scheme(&parts.headers)),
            id: id.to_owned(),
            lambda_request_id: None,
        };
        if !route.public {
            // If tokens are not required, the sender may do everything.
            request.caller = if self.require_token {
                self.functions.caller(&request).await.map_err(failed)?
            } else {
                Access::Open.into()
            };
        }
        // A function rejects an inadmissible request without its body. The memory stays reserved until the response.
        let mut _permit = None;
        let is_admissible = || request.caller.access.admit(&parts.method, routed, Timestamp::now()).is_ok();
        if let Some(sent) = body.take_if(|body| !body.is_end_stream() && is_admissible()) {
            let received = self.bodies.receive(sent).await?;
            _permit = received.permit;
            request.request.body = received.bytes.into();
        }
        if is_too_large(&request) {
            return Err(Problem::payload_too_large("The request is too large. The platform takes at most 6 MB."));
        }
        let response = self.functions.request(&route.function, request).await.map_err(failed)?;
        Ok(self.rewrite_location(&parts.headers, response.map(to_body)))
    }

    /// Redirects to the bucket under the name of this service that the request used. Another name is another origin, to
    /// which a browser sends the origin `null`.
    fn rewrite_location(&self, headers: &HeaderMap, mut response: Response) -> Response {
        let bucket = format!("http://{}/{BUCKET}/", self.stores.address);
        let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
        let object = location.and_then(|location| location.strip_prefix(&bucket));
        if let Some((object, authority)) = object.zip(self.own_authority(headers))
            && let Ok(location) = HeaderValue::from_str(&format!("{}://{authority}/{BUCKET}/{object}", scheme(headers)))
        {
            response.headers_mut().insert(header::LOCATION, location);
        }
        response
    }

    /// Returns the host and port that a request names, if the service may go by this name: a loopback name, or any name
    /// if tokens are required.
    fn own_authority(&self, headers: &HeaderMap) -> Option<Authority> {
        let authority = parse_authority(headers.get(header::HOST)?.to_str().ok()?);
        authority.filter(|authority| self.require_token || is_loopback(authority.host()))
    }

    /// Selects the route as API Gateway does: the exact path, then the longest greedy one, then `$default`.
    fn route(&self, method: &str, path: &str) -> &Route {
        let of_method = self.routes.iter().filter(|route| route.method == "ANY" || route.method == method);
        let matching = of_method.filter_map(|route| Some((match_rank(&route.path, path)?, route)));
        matching.max_by_key(|(rank, _)| *rank).map_or(&self.routes[0], |(_, route)| route)
    }
}

/// Returns the scheme of URLs in responses. A proxy in front of the service reports whether its clients use HTTPS.
fn scheme(headers: &HeaderMap) -> &'static str {
    if headers.get(X_FORWARDED_PROTO).is_some_and(|scheme| scheme == "https") { "https" } else { "http" }
}

/// Ranks how a route's path matches a request's: exactly, by a prefix of some length, or as the default.
fn match_rank(route: &str, path: &str) -> Option<usize> {
    match route.strip_suffix("{proxy+}") {
        _ if route == path => Some(usize::MAX),
        _ if route == "$default" => Some(0),
        Some(prefix) if path.starts_with(prefix) => Some(prefix.len()),
        _ => None,
    }
}

/// Decodes the path. API Gateway selects the route by the decoded path, and passes it to the function.
fn decoded_path(parts: &Parts) -> String {
    percent_decode_str(parts.uri.path()).decode_utf8_lossy().into_owned()
}

/// Joins the headers as API Gateway does: as UTF-8, with duplicates joined by commas.
fn join_headers(headers: &HeaderMap) -> HeaderMap {
    let value = |name: &HeaderName| {
        let values: Vec<_> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
        HeaderValue::from_bytes(String::from_utf8_lossy(&values.join(&b","[..])).as_bytes())
    };
    headers.keys().filter_map(|name| Some((name.clone(), value(name).ok()?))).collect()
}

fn to_body(body: lambda_http::Body) -> Body {
    match body {
        lambda_http::Body::Text(text) => Body::from(text),
        lambda_http::Body::Binary(bytes) => Body::from(bytes),
        _ => Body::empty(),
    }
}

/// Builds the response for an error of the gateway, in the same format as all errors.
fn error_response(problem: &Problem, base: &str, id: &str) -> Response {
    let mut response = http_problem(problem, base, id).map(|body| Body::from(body.as_ref().to_vec()));
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}
