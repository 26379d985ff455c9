//! Images: the URL in a document leads to the bucket.

use http::StatusCode;

use super::{Execution, Reply};
use crate::error::{Error, Result};

/// How long a browser may keep the answer: less than the presigned URL in it is good.
const MAX_AGE: u32 = 120;

impl Execution {
    /// Where the image of this name can be fetched from, or, for `head`, asked about, without any credentials.
    ///
    /// # Errors
    /// 404 when no document has it.
    pub async fn image(&self, name: &str, head: bool) -> Result<Reply> {
        let gone = || Error::not_found("There is no such image: it was replaced or deleted.");
        let is_name = name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let url = if is_name { self.store.image_url(name, head).await? } else { None };
        let location = Some(url.ok_or_else(gone)?);
        // What a browser keeps of it for a page that shows it is not what a page of another origin may read.
        let headers = vec![("vary", "origin".to_owned())];
        let status = StatusCode::TEMPORARY_REDIRECT;
        Ok(Reply { status, location, max_age: Some(MAX_AGE), headers, ..Reply::nothing() })
    }
}
