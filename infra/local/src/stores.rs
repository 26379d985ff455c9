//! Where the embedded stores answer, and as whom each function asks them: every one has credentials of its own.

use std::net::SocketAddr;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use event_capture::store::{Names, Store};

/// The table's name.
pub(crate) const TABLE: &str = "event-capture";
/// The bucket, and the first segment of the paths that lead to it.
pub(crate) const BUCKET: &str = "event-capture-images";
/// Who is no function, and may do everything.
pub(crate) const OWNER: &str = "local";
pub(crate) const SECRET_KEY: &str = "only-for-the-loopback-address";
const REGION: &str = "us-east-1";

/// The addresses of the stores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stores {
    pub(crate) table: SocketAddr,
    pub(crate) bucket: SocketAddr,
}

impl Stores {
    /// The stores as a function, or their owner, reaches them.
    pub(crate) fn of(self, who: &str) -> Store {
        let names = Names { table: TABLE.to_owned(), bucket: BUCKET.to_owned() };
        Store::new(&sdk_config(self.table, who), &sdk_config(self.bucket, who), names)
    }

    /// The same, as the environment of a process.
    pub(crate) fn environment(self, who: &str) -> Vec<(String, String)> {
        let variables = [
            ("TABLE_NAME", TABLE.to_owned()),
            ("BUCKET_NAME", BUCKET.to_owned()),
            ("AWS_REGION", REGION.to_owned()),
            ("AWS_ACCESS_KEY_ID", who.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
            ("AWS_ENDPOINT_URL_DYNAMODB", format!("http://{}", self.table)),
            ("AWS_ENDPOINT_URL_S3", format!("http://{}", self.bucket)),
            ("METRICS_STACK", "local".to_owned()),
        ];
        variables.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }
}

/// The configuration of a client that asks this address.
pub(crate) fn sdk_config(address: SocketAddr, who: &str) -> SdkConfig {
    let credentials = Credentials::new(who, SECRET_KEY, None, None, "local stack");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static(REGION))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url(format!("http://{address}"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build()
}
