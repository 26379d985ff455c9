//! The web pages from `web/`: the console, the overlay, the viewer's page and the API reference.
//!
//! A separate function serves them, which keeps the other functions small. A page loads its files from a folder named
//! after their digest, such as `/console/0123456789abcdef/console/start.js`. Browsers cache it until the next release.

mod files;
mod sources;

// For unit tests.
pub use files::PAGE;
#[doc(hidden)]
pub use files::{File, is_current, link_to, split_version};
#[doc(hidden)]
pub use sources::FOLDERS;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use headers::{HeaderMapExt, IfNoneMatch};
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, LOCATION, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Response, StatusCode};
use lambda_http::Body;
use lambda_http::aws_lambda_events::apigw::{ApiGatewayV2httpRequest, ApiGatewayV2httpResponse};
use sha2::{Digest, Sha256};

use super::access::ProxySecret;
use super::gateway::{GatewayRequest, to_event};
use super::http::{REQUEST_ID, base_path, refused, set, socket, take_base_path, without_body};
use super::log::RequestLog;
use crate::error::{Error, Result};
use crate::request::{Request, check_method};
use crate::response::if_none_match_matches;
use crate::store::Cost;

/// Host of Twitch's emotes. Only the emotes page may load from it.
pub const EMOTE_HOST: &str = "https://static-cdn.jtvnw.net";
const EMOTES: &str = "overlay/emotes/";
/// Cache control of a file with a version in its path, which never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Settings of the pages.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// Prefix of all paths under a custom domain, such as `/v1`. Empty for none.
    base_path: Arc<str>,
    /// URL of the socket, or its path if it is on the same host. Empty for none.
    socket: Arc<str>,
    /// Origin that image URLs redirect to.
    images: Arc<str>,
    /// Custom domain. Its responses require browsers to use HTTPS. Empty for none.
    domain: Arc<str>,
    /// Secret of the proxy in front of the service.
    proxy_secret: ProxySecret,
    /// Folder with the sources of the pages, which replace the joined files while someone works on them.
    sources: Option<Arc<Path>>,
}

impl Pages {
    /// Reads the settings from the environment variables of the template.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| Arc::from(variable(name).unwrap_or_default());
        Self {
            base_path: base_path(&text("BASE_PATH")),
            socket: text("SOCKET_URL"),
            images: text("PAGE_IMAGES"),
            domain: text("DOMAIN_NAME"),
            proxy_secret: ProxySecret(text("PROXY_SECRET")),
            sources: variable("WEB_SOURCES").map(|folder| Path::new(&folder).into()),
        }
    }

    /// Responds to a request for a file.
    pub fn handle(&self, request: GatewayRequest) -> Response<Body> {
        let started = Instant::now();
        let GatewayRequest { mut request, origin, id, .. } = request;
        let prefix = take_base_path(&mut request.path, &self.base_path);
        let base = format!("{origin}{prefix}");
        let answered = self.find(&request, prefix, &base);
        let mut response = answered.unwrap_or_else(|error| refused(&error, &request.method, &base, &id));
        if !self.domain.is_empty() && origin == format!("https://{}", self.domain) {
            set(&mut response, STRICT_TRANSPORT_SECURITY, "max-age=31536000");
        }
        set(&mut response, REQUEST_ID, &id);
        let route = route(&request.path);
        let (status, duration, cost) = (response.status(), started.elapsed(), &Cost::default());
        RequestLog { method: &request.method, route: &route, endpoint: &route, status, duration, cost }.log();
        response
    }

    /// Finds the file. Returns a 304 if the browser has its current version, or a redirect that adds the trailing slash
    /// of a folder, which the relative links of a page need.
    fn find(&self, request: &Request, prefix: &str, base: &str) -> Result<Response<Body>> {
        self.proxy_secret.check(&request.headers)?;
        check_method(&request.method, &[Method::GET, Method::HEAD])?;
        let path = request.path.trim_start_matches('/');
        let name = if path.ends_with('/') { format!("{path}{PAGE}") } else { path.to_owned() };
        let (name, version) = split_version(&name);
        let read = |name: &str| File::read(name, self.sources.as_deref());
        let Some(file) = read(name) else {
            read(&format!("{name}/{PAGE}")).filter(|_| version.is_none()).ok_or_else(Error::no_route)?;
            let mut response = without_body(StatusCode::MOVED_PERMANENTLY);
            set(&mut response, LOCATION, &format!("{prefix}/{path}/"));
            return Ok(response);
        };
        let file = file.for_request(&request.headers);
        let is_compressed = file.is_compressed;
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&file.data)[..16]));
        let known: Option<IfNoneMatch> = request.headers.typed_get();
        let mut response = if if_none_match_matches(known.as_ref(), &etag) {
            without_body(StatusCode::NOT_MODIFIED)
        } else {
            let mut response = Response::new(body(name, file));
            set(&mut response, CONTENT_TYPE, content_type(name).unwrap_or_default());
            if is_compressed {
                set(&mut response, CONTENT_ENCODING, "gzip");
            }
            response
        };
        set(&mut response, ETAG, &etag);
        set(&mut response, VARY, "accept-encoding");
        set(&mut response, CACHE_CONTROL, if is_current(version) { IMMUTABLE } else { "no-cache" });
        set(&mut response, CONTENT_SECURITY_POLICY, &self.policy(name, base));
        set(&mut response, REFERRER_POLICY, "no-referrer");
        set(&mut response, X_CONTENT_TYPE_OPTIONS, "nosniff");
        Ok(response)
    }

    /// Returns the Content-Security-Policy of a page: it may load the service's files and images, and use the socket.
    fn policy(&self, name: &str, base: &str) -> String {
        let socket = socket(&self.socket, base).unwrap_or_default();
        let own = format!(
            "default-src 'none'; script-src 'self'; connect-src 'self' {socket}; font-src 'self'; base-uri 'none'; form-action 'none'"
        );
        let images = format!("img-src 'self' data: {}", self.images);
        let strict = "style-src 'self'; require-trusted-types-for 'script'";
        match name.split('/').next() {
            // The console shows the overlay in a frame.
            Some("overlay") => {
                let emotes = if name.starts_with(EMOTES) { EMOTE_HOST } else { "" };
                format!("{own}; {images} {emotes}; media-src data:; {strict}; frame-ancestors 'self'")
            }
            // Scalar sets styles, and the guides parse HTML.
            Some("docs") => {
                format!("{own}; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
            }
            _ => format!("{own}; {images}; media-src data:; {strict}; frame-src 'self'; frame-ancestors 'none'"),
        }
    }
}

/// Handles an event of the gateway.
pub fn handle_event(pages: &Pages, event: ApiGatewayV2httpRequest) -> ApiGatewayV2httpResponse {
    to_event(pages.handle(event.into()))
}

/// Returns the label of a path in the log: the folder, without the name of the file.
fn route(path: &str) -> String {
    format!("/{}/{{file}}", path.split('/').nth(1).unwrap_or_default())
}

/// Returns the body of a response. API Gateway takes bytes other than UTF-8 only in base64, as the adapter sends them.
fn body(name: &str, file: File) -> Body {
    let kind = content_type(name).unwrap_or_default();
    if file.is_compressed || kind.starts_with("font/") {
        return Body::Binary(file.data.into_owned());
    }
    Body::Text(String::from_utf8_lossy(&file.data).into_owned())
}

/// Returns the content type of a page's file. `None` for pictures, sounds and unknown files.
pub fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "md" => "text/markdown; charset=utf-8",
        "svg" => "image/svg+xml",
        "LICENSE" | "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        _ => return None,
    })
}
