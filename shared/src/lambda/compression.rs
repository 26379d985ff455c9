//! The content coding `gzip` of responses.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use headers::HeaderMap;
use http::HeaderValue;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, VARY};
use lambda_http::Body;

/// Minimum size of a body to compress, in bytes. A smaller body fits into one or two packets.
const MIN_SIZE: usize = 2_000;

/// Returns true if the headers of a request allow the content coding `gzip`.
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
    })
}

/// Compresses data, favoring speed over size.
pub fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("a vector takes all data")
}

/// Compresses a large text, if the request accepts it. A response with an ETag is not compressed. A strong ETag
/// identifies exact bytes, and writes compare it.
pub fn compress(response: &mut http::Response<Body>, accepts_gzip: bool) {
    let Body::Text(text) = response.body() else { return };
    if text.len() < MIN_SIZE || response.headers().contains_key(ETAG) {
        return;
    }
    if accepts_gzip {
        let data = gzip(text.as_bytes());
        // The gateway takes bytes only in base64, and limits its size. The body has to become smaller even in base64.
        if data.len() / 3 * 4 >= text.len() {
            return;
        }
        *response.body_mut() = Body::Binary(data);
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
}
