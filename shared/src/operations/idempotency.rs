//! Requests with an `Idempotency-Key`. Each takes effect once, and every repetition gets the same response.

use http::StatusCode;

use super::{Execution, Response};
use crate::error::{Error, Result};
use crate::table::{IdempotentRequest, StoredResponse};

impl Execution {
    /// Returns the stored response of a failed request if the same request succeeded before, or else the error.
    pub(crate) async fn replay_or(&self, error: Error, keyed: Option<&IdempotentRequest>) -> Result<Response> {
        match keyed.filter(|_| error.status().is_client_error()) {
            Some(keyed) => self.replay(keyed).await?.ok_or(error),
            None => Err(error),
        }
    }

    /// Returns the stored response to an earlier request with this key.
    pub(super) async fn replay(&self, keyed: &IdempotentRequest) -> Result<Option<Response>> {
        let Some(known) = self.store.stored_response(keyed, self.now).await? else { return Ok(None) };
        if known.0 != keyed.fingerprint {
            return Err(Error::idempotency_key_reused());
        }
        let StoredResponse { status, location, etag, body } = known.1;
        let status = StatusCode::from_u16(status).map_err(|_| Error::fault())?;
        Ok(Some(Response { status, location, etag, is_replayed: true, ..Response::new("application/json", body) }))
    }
}

/// Returns the parts of a response that are stored under its `Idempotency-Key`.
pub(super) fn to_stored_response(reply: &Response) -> StoredResponse {
    let Response { status, location, etag, body, .. } = reply;
    StoredResponse { status: status.as_u16(), location: location.clone(), etag: etag.clone(), body: body.clone() }
}
