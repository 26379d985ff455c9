//! Shared code of the fuzz targets: parses requests like the service, without stores.

use bytes::Bytes;
use capture_core::error::Result;
use capture_core::request::{Operation, Path, Request};
use http::{HeaderMap, HeaderValue, Method, header};

/// Parses a request with this content type and body.
///
/// # Panics
/// If the service would return a status of 500 or above.
pub fn parse(method: Method, path: &str, query: &str, content_type: &'static str, body: &[u8]) {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    let (path, query, body) = (path.to_owned(), query.to_owned(), Bytes::copy_from_slice(body));
    if let Err(error) = operation(Request { method, path, query, headers, body }) {
        assert!(error.status().is_client_error(), "{error:?}");
    }
}

fn operation(request: Request) -> Result<Operation> {
    Operation::parse(Path::parse(&request.path)?, request)
}
