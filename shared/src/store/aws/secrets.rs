//! The secrets in Secrets Manager. Most functions never read one, so every read creates its client.

use aws_config::SdkConfig;
use aws_sdk_secretsmanager::Client;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::fault::refusal;
use crate::store::{Fault, Refusal, Secrets};

#[derive(Debug)]
pub(super) struct SecretsManager(pub(super) SdkConfig);

impl Secrets for SecretsManager {
    fn read<'a>(&'a self, arn: &'a str) -> BoxFuture<'a, Result<String, Refusal>> {
        async move {
            let request = Client::new(&self.0).get_secret_value().secret_id(arn);
            let secret = request.send().await.map_err(|error| refusal(&error))?;
            secret.secret_string.ok_or_else(|| Refusal::Unknown(Fault::new("the secret has no text")))
        }
        .boxed()
    }
}
