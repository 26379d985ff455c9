//! The environment variables of the functions' processes.

use capture_core::store::StoreSettings;

use crate::BUCKET;
use crate::options::Options;
use crate::stores::{Stores, TableBackend};

/// Returns the environment variables that give a process the access of a caller to the stores at the endpoints of the
/// options.
pub(crate) fn environment(stores: &Stores, options: &Options, caller: &str) -> Vec<(String, String)> {
    let endpoint = |endpoint: &Option<String>| endpoint.clone().unwrap_or_default();
    let StoreSettings { shards, tokens_not_before, calendar, chat_retention, .. } = &stores.settings;
    let table = if let TableBackend::Remote(table) = &stores.table { table.name() } else { "" };
    let variables = [
        ("TABLE_NAME", table.to_owned()),
        ("BUCKET_NAME", BUCKET.to_owned()),
        ("READ_SHARDS", shards.read.to_string()),
        ("WRITE_SHARDS", shards.write.to_string()),
        ("TOKENS_NOT_BEFORE", tokens_not_before.map(|time| time.to_string()).unwrap_or_default()),
        ("TIME_ZONE", calendar.name().to_owned()),
        ("CHAT_RETENTION_DAYS", chat_retention.unwrap_or_default().to_string()),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", caller.replace('-', "")),
        ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
        ("AWS_ENDPOINT_URL_DYNAMODB", endpoint(&options.dynamodb_endpoint)),
        // The tests' proxy in front of a table also serves Secrets Manager.
        ("AWS_ENDPOINT_URL_SECRETS_MANAGER", endpoint(&options.dynamodb_endpoint)),
        ("AWS_ENDPOINT_URL_S3", endpoint(&options.s3_endpoint)),
        ("SOCKET_ENDPOINT", format!("http://{}{}", stores.address, stores.callback_path)),
        ("METRICS_STACK", "local".to_owned()),
    ];
    variables.map(|(name, value)| (name.to_owned(), value)).to_vec()
}
