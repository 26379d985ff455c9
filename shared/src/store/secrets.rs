//! Secrets in Secrets Manager.

use super::Store;
use super::fault::fault;
use crate::error::{Error, Result};

impl Store {
    /// Returns the text of the secret with this ARN.
    ///
    /// # Errors
    /// 503 if it cannot be read.
    pub async fn secret(&self, arn: &str) -> Result<String> {
        let _trip = self.cost.trip();
        let client = aws_sdk_secretsmanager::Client::new(&self.clients.secrets);
        let request = client.get_secret_value().secret_id(arn);
        let secret = request.send().await.map_err(|error| fault(&error))?;
        secret.secret_string.ok_or_else(Error::unavailable)
    }
}
