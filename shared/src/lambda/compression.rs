//! The content coding `gzip` of responses.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use headers::HeaderMap;
use http::HeaderValue;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, VARY};
use lambda_http::Body;

/// Bodies below this size, in bytes, fit into one or two packets of the network, so that compressing gains no time.
const MIN_SIZE: usize = 2_000;

/// Tell if the headers of a request allow the content coding `gzip`.
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
    })
}

/// Compress data, quickly rather than well.
pub fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("a vector takes all data")
}

/// Compress a large text, for a request that accepts it. A response with an ETag stays as it is, because a strong tag
/// names its exact bytes, and writes compare it.
pub fn compress(response: &mut http::Response<Body>, accepts_gzip: bool) {
    let Body::Text(text) = response.body() else { return };
    if text.len() < MIN_SIZE || response.headers().contains_key(ETAG) {
        return;
    }
    if accepts_gzip {
        let data = gzip(text.as_bytes());
        // The gateway takes bytes in base64 only, and limits its size, so the body must become smaller in base64, too.
        if data.len() / 3 * 4 >= text.len() {
            return;
        }
        *response.body_mut() = Body::Binary(data);
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
}
