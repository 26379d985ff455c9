//! Stored responses to requests with an `Idempotency-Key`.

use super::{Store, in_parallel};
use crate::error::Result;
use crate::schema::Timestamp;
use crate::table::{IdempotencyRecord, KeyedRequest, StoredResponse};

impl Store {
    /// Returns the fingerprint of the request that used an `Idempotency-Key` first, and the stored response.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn response(&self, keyed: &KeyedRequest, now: Timestamp) -> Result<Option<(String, StoredResponse)>> {
        let item = self.get_item(&keyed.pk).await?;
        let Some(known) = item.and_then(|item| IdempotencyRecord::load(&item, now)) else { return Ok(None) };
        let pks = keyed.parts(&known);
        let parts = in_parallel(pks.iter().map(|pk| self.get_item(pk))).await?;
        let request = known.request.clone();
        Ok(Some((request, known.response(&parts)?)))
    }
}
