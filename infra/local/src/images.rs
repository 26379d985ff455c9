//! Serves images of the embedded bucket to clients with a signed URL.

use std::time::SystemTime;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use capture_core::error::Error as Problem;
use embedded::EmbeddedBucket;
use futures_util::stream;
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode, header};
use tokio::io::AsyncReadExt;

/// Bytes per read.
const PIECE: usize = 64 * 1_024;

/// Parses the byte range that a header requests: `bytes=0-5`, `bytes=5-` or `bytes=-5`. Returns its first byte and the
/// one after its last, which may be equal. As in S3, a range that cannot be parsed is ignored. RFC 9110 (section 14.2)
/// allows ignoring any range.
fn requested_range(headers: &HeaderMap, length: u64) -> Option<(u64, u64)> {
    // The image never changes, so `If-Range` adds nothing to the signature.
    if headers.contains_key(header::IF_RANGE) {
        return None;
    }
    let (first, last) = headers.get(header::RANGE)?.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| -> Option<u64> {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
    };
    match (first, last) {
        ("", last) => Some((length.saturating_sub(number(last)?), length)),
        (first, "") => Some((number(first)?.min(length), length)),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then(|| (first.min(length), last.saturating_add(1).min(length)))
        }
    }
}

/// Answers a request for an image.
pub(crate) async fn handle(folder: &EmbeddedBucket, parts: &Parts, name: &str) -> Result<Response, Problem> {
    let is_signed =
        folder.is_signed(parts.method.as_str(), name, parts.uri.query().unwrap_or_default(), SystemTime::now());
    if !is_signed {
        let text = "The URL has expired or was changed. Get a new one from the service.\n";
        return Ok((StatusCode::FORBIDDEN, text).into_response());
    }
    let object = folder.open_object(name).await.map_err(capture_core::store::Refusal::into_error)?;
    let Some(object) = object else {
        return Ok((StatusCode::NOT_FOUND, "The image does not exist.\n").into_response());
    };
    let mut response = Response::new(Body::empty());
    // An image is never overwritten, so its name identifies its content.
    let tag: ETag = format!("\"{name}\"").parse().map_err(|_| Problem::fault())?;
    response.headers_mut().typed_insert(tag.clone());
    response.headers_mut().insert(header::ACCEPT_RANGES, header::HeaderValue::from_static("bytes"));
    // Browsers must use the stored content type.
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, header::HeaderValue::from_static("nosniff"));
    let known: Option<IfNoneMatch> = parts.headers.typed_get();
    if known.is_some_and(|tags| !tags.precondition_passes(&tag)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    let length = object.length;
    let range = requested_range(&parts.headers, length);
    let (first, end) = range.unwrap_or((0, length));
    if let Some((first, end)) = range {
        let (status, content_range) = if first == end {
            (StatusCode::RANGE_NOT_SATISFIABLE, format!("bytes */{length}"))
        } else {
            (StatusCode::PARTIAL_CONTENT, format!("bytes {first}-{}/{length}", end - 1))
        };
        *response.status_mut() = status;
        response.headers_mut().extend(content_range.parse().map(|range| (header::CONTENT_RANGE, range)));
        if first == end {
            return Ok(response);
        }
    }
    response.headers_mut().insert(header::CONTENT_LENGTH, (end - first).into());
    response.headers_mut().extend(object.content_type.parse().map(|kind| (header::CONTENT_TYPE, kind)));
    if parts.method == Method::GET {
        let reader = object.seek(first, end - first).await.map_err(|error| {
            tracing::error!(%error, "an image cannot be read");
            Problem::unavailable()
        })?;
        let pieces = stream::try_unfold(reader, async |mut reader| {
            let mut piece = vec![0; PIECE];
            let count = reader.read(&mut piece).await?;
            piece.truncate(count);
            Ok::<_, std::io::Error>((count > 0).then_some((piece, reader)))
        });
        *response.body_mut() = Body::from_stream(pieces);
    }
    Ok(response)
}
