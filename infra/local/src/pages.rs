//! The folder of `--pages`: pages of one's own at `/pages/`. They have the service's origin, so they need no CORS, and
//! no token if the service requires none.

use std::path::Path;

use axum::body::Body;
use axum::response::{IntoResponse, Redirect, Response};
use capture_core::error::{Error as Problem, Result};
use capture_core::lambda::pages::{PAGE, content_type};
use capture_core::request::check_method;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderValue, Method};

/// First segment of the paths.
const PREFIX: &str = "/pages";

/// Returns the name of a file in the folder: empty for the folder itself, without its trailing slash. `None` for other
/// paths.
pub(crate) fn name_of(path: &str) -> Option<&str> {
    path.strip_prefix(PREFIX).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Responds with a file, or with the page `index.html` of a folder.
pub(crate) async fn handle(folder: &Path, parts: &Parts, name: &str) -> Result<Response> {
    check_method(&parts.method, &[Method::GET, Method::HEAD])?;
    let is_plain = |segment: &str| !segment.starts_with('.') && !segment.contains(['\\', ':', '\0']);
    if !name.split('/').all(is_plain) {
        return Err(not_found());
    }
    let mut path = folder.join(name.trim_start_matches('/'));
    if tokio::fs::metadata(&path).await.is_ok_and(|file| file.is_dir()) {
        if !name.ends_with('/') {
            return Ok(Redirect::temporary(&format!("{}/", parts.uri.path())).into_response());
        }
        path.push(PAGE);
    }
    // A link in the folder may lead out of it.
    let real = tokio::fs::canonicalize(&path).await.map_err(|_| not_found())?;
    let root = tokio::fs::canonicalize(folder).await.map_err(|_| not_found())?;
    let is_inside =
        real.strip_prefix(root).is_ok_and(|inside| inside.iter().all(|name| name.to_str().is_some_and(is_plain)));
    if !is_inside {
        return Err(not_found());
    }
    let data = tokio::fs::read(real).await.map_err(|_| not_found())?;
    let mut response = Response::new(Body::from(data));
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Browsers recognize pictures, sounds and videos by their content.
    if let Some(kind) = path.to_str().and_then(content_type) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    Ok(response)
}

fn not_found() -> Problem {
    Problem::no_route_with_hint("The folder of --pages has no such file.")
}
