//! A table and a bucket outside this process: Amazon's DynamoDB Local, or other stores that speak the protocols of AWS
//! over plain HTTP. The functions reach them through the SDK. Creating the table and reading its stream takes only a
//! few calls in JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use capture_core::lambda::stream::ItemRecord;
use capture_core::schema::digest;
use capture_core::store::{Bucket, Call, Refusal, Reply, Table};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::Uri;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::template::{Key, Template};
use crate::{Error, OWNER};

/// Maximum number of records per read of the stream.
const MAX_PAGE: usize = 1_000;

/// A table at an endpoint.
#[derive(Clone, Debug)]
pub struct RemoteTable {
    endpoint: String,
    name: String,
    http: Client<HttpConnector, Full<Bytes>>,
    /// Notified of this process's writes.
    written: watch::Sender<()>,
}

/// A bucket at an endpoint.
#[derive(Clone, Debug)]
pub(crate) struct RemoteBucket(pub(crate) String);

/// The clients of the SDK.
#[cfg(feature = "aws")]
mod sdk {
    use capture_core::store::aws::{self, DynamoDb, S3};

    use crate::BUCKET;

    pub(super) fn table(endpoint: &str, access_key: &str, name: &str, write_shards: u64) -> DynamoDb {
        DynamoDb::new(&aws::emulator(endpoint, access_key, "secret"), name.to_owned(), write_shards)
    }

    pub(super) fn bucket(endpoint: &str) -> S3 {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let (key, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"));
        S3::new(&aws::emulator(endpoint, &key, &secret), BUCKET.to_owned())
    }
}

/// Without the SDK, [`check_sdk`] rejects the endpoints.
#[cfg(not(feature = "aws"))]
mod sdk {
    use embedded::{EmbeddedBucket, EmbeddedTable};

    pub(super) fn table(_: &str, _: &str, _: &str, _: u64) -> EmbeddedTable {
        unreachable!("an endpoint was refused")
    }

    pub(super) fn bucket(_: &str) -> EmbeddedBucket {
        unreachable!("an endpoint was refused")
    }
}

impl RemoteBucket {
    pub(crate) fn client(&self) -> Arc<dyn Bucket> {
        Arc::new(sdk::bucket(&self.0))
    }
}

/// A client of a table that notifies of writes.
#[derive(Debug)]
struct Notifying<T> {
    inner: T,
    written: watch::Sender<()>,
}

impl<T: Table> Table for Notifying<T> {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        async move {
            let answer = self.inner.send(call).await;
            if call.writes() {
                self.written.send_replace(());
            }
            answer
        }
        .boxed()
    }
}

/// Checks that this program can reach stores other than the embedded ones.
pub(crate) fn check_sdk() -> Result<(), Error> {
    if cfg!(feature = "aws") {
        return Ok(());
    }
    let options = "--dynamodb-endpoint, --s3-endpoint and --lambda";
    let cause = "need the AWS SDK, which this program was built without";
    Err(format!("{options} {cause}. Build it with `--features aws`.").into())
}

/// Returns the name of the table for a data folder's secret. Other services may use the same endpoint.
pub(crate) fn table_name(secret: &str) -> String {
    format!("event-capture-{}", digest(secret))
}

/// Returns the access key of a caller. DynamoDB Local accepts only letters and digits in it.
fn access_key(caller: &str) -> String {
    caller.replace('-', "")
}

impl RemoteTable {
    /// Connects to an endpoint such as `http://127.0.0.1:8000`, and creates the table as the template declares it,
    /// unless it exists.
    ///
    /// # Errors
    /// If the endpoint cannot be reached.
    pub async fn open(
        endpoint: &str,
        name: String,
        template: &Template,
        written: watch::Sender<()>,
    ) -> Result<Self, Error> {
        check_sdk()?;
        endpoint.parse::<Uri>().map_err(|error| format!("Invalid endpoint {endpoint}: {error}."))?;
        let http = Client::builder(TokioExecutor::new()).build_http();
        let table = Self { endpoint: endpoint.to_owned(), name, http, written };
        let keys = |keys: &[Key]| -> Value {
            keys.iter().map(|key| json!({"AttributeName": key.attribute, "KeyType": key.kind})).collect()
        };
        let attributes = template.attributes.iter();
        let attributes = attributes.map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind}));
        let indexes = template.indexes.iter().map(|index| {
            let projection = json!({"ProjectionType": index.projection});
            json!({"IndexName": index.name, "KeySchema": keys(&index.key), "Projection": projection})
        });
        let description = json!({
            "TableName": table.name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": keys(&template.key),
            "AttributeDefinitions": attributes.collect::<Value>(),
            "GlobalSecondaryIndexes": indexes.collect::<Value>(),
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": template.stream_view},
        });
        match table.call("DynamoDB", "CreateTable", &description).await {
            Err(error) if !error.to_string().contains("ResourceInUseException") => Err(error),
            _ => Ok(table),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Creates the client of a caller.
    pub fn client(&self, caller: &str, write_shards: u64) -> Arc<dyn Table> {
        let inner = sdk::table(&self.endpoint, &access_key(caller), &self.name, write_shards);
        Arc::new(Notifying { inner, written: self.written.clone() })
    }

    async fn call(&self, service: &str, operation: &str, body: &Value) -> Result<Value, Error> {
        let scope = format!("{}/20260101/us-east-1/dynamodb/aws4_request", access_key(OWNER));
        let signature = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0");
        let request = http::Request::post(&self.endpoint)
            .header("x-amz-target", format!("{service}_20120810.{operation}"))
            .header("x-amz-date", "20260101T000000Z")
            .header("authorization", signature)
            .header("content-type", "application/x-amz-json-1.0")
            .body(Full::new(body.to_string().into()))?;
        let (parts, body) = self.http.request(request).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        if !parts.status.is_success() {
            return Err(format!("{operation}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok(serde_json::from_slice(&body)?)
    }
}

/// A reader of a table's stream.
pub struct RemoteStream {
    source: RemoteTable,
    /// The iterator of each shard, or `None` for a closed shard that has been read to its end.
    shards: BTreeMap<String, Option<String>>,
}

/// Records of a shard, and the iterator after them.
pub struct RemotePage {
    /// Identifier of the shard.
    pub shard: String,
    pub records: Vec<ItemRecord>,
    next: Option<String>,
}

impl RemoteStream {
    /// Reads a stream from its start.
    pub fn new(source: RemoteTable) -> Self {
        Self { source, shards: BTreeMap::new() }
    }

    /// Restarts at the beginning of the stream. An iterator may have expired.
    pub(crate) fn restart(&mut self) {
        self.shards.clear();
    }

    /// Reads the next page of each shard.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub async fn pages(&mut self) -> Result<Vec<RemotePage>, Error> {
        if self.shards.is_empty() {
            self.shards = self.open_shards().await?;
        }
        let mut pages = Vec::new();
        for (shard, iterator) in &self.shards {
            let Some(iterator) = iterator else { continue };
            let parameters = json!({"ShardIterator": iterator, "Limit": MAX_PAGE});
            let page = self.source.call("DynamoDBStreams", "GetRecords", &parameters).await?;
            let records = page["Records"].as_array().ok_or("GetRecords returned no records")?;
            let records = records.iter().filter_map(|record| ItemRecord::parse(record, Some(shard))).collect();
            let next = page["NextShardIterator"].as_str().map(str::to_owned);
            pages.push(RemotePage { shard: shard.clone(), records, next });
        }
        Ok(pages)
    }

    /// Continues after a page.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub async fn advance(&mut self, page: RemotePage) -> Result<(), Error> {
        if page.next.is_none() {
            // The shard is closed. New shards continue it.
            for (other, start) in self.open_shards().await? {
                self.shards.entry(other).or_insert(start);
            }
        }
        self.shards.insert(page.shard, page.next);
        Ok(())
    }

    /// Reads the shards, each with an iterator at its oldest record.
    async fn open_shards(&self) -> Result<BTreeMap<String, Option<String>>, Error> {
        let table = self.source.call("DynamoDB", "DescribeTable", &json!({"TableName": self.source.name})).await?;
        let arn = &table["Table"]["LatestStreamArn"];
        let described = self.source.call("DynamoDBStreams", "DescribeStream", &json!({"StreamArn": arn})).await?;
        let mut shards = BTreeMap::new();
        for shard in described["StreamDescription"]["Shards"].as_array().into_iter().flatten() {
            let id = shard["ShardId"].as_str().unwrap_or_default();
            let parameters = json!({"StreamArn": arn, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON"});
            let iterator = self.source.call("DynamoDBStreams", "GetShardIterator", &parameters).await?;
            let iterator = iterator["ShardIterator"].as_str().ok_or("GetShardIterator returned no iterator")?;
            shards.insert(id.to_owned(), Some(iterator.to_owned()));
        }
        Ok(shards)
    }
}
