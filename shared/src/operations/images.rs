//! Images. The image URL in a document redirects to the bucket.

use http::StatusCode;

use super::{Execution, Response};
use crate::error::{Error, Result};

/// Seconds that a browser may cache the redirect. Must be less than the lifetime of the presigned URL.
const MAX_AGE: u32 = 120;

impl Execution {
    /// Redirects to a presigned URL of an image, for GET or, with `head`, for HEAD. The URL works without credentials.
    ///
    /// # Errors
    /// 404 if no document has an image with this name.
    pub async fn image(&self, name: &str, head: bool) -> Result<Response> {
        let gone = || Error::not_found("Image not found. It was replaced or deleted.");
        let is_name = name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let url = if is_name { self.store.image_url(name, head).await? } else { None };
        let location = Some(url.ok_or_else(gone)?);
        // A redirect that a browser cached while displaying the image must not be reused for a page of another origin
        // that reads the image.
        let headers = vec![("vary", "origin".to_owned())];
        let status = StatusCode::TEMPORARY_REDIRECT;
        Ok(Response { status, location, max_age: Some(MAX_AGE), headers, ..Response::no_content() })
    }
}
