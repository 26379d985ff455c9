//! A table outside this process: Amazon's DynamoDB Local, or another DynamoDB-compatible store over plain HTTP.

use bytes::Bytes;
use emulator::{Call, CallResponse};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::Uri;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::watch;

use crate::Error;
use crate::backend::{Backend, REGION, TARGET};

/// A backend that forwards calls to an endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Remote {
    endpoint: Uri,
    client: Client<HttpConnector, Full<Bytes>>,
    written: watch::Sender<()>,
}

impl Remote {
    /// Create a backend for an endpoint such as `http://127.0.0.1:8000`. Notifies `written` of this process's writes.
    pub(crate) fn new(endpoint: &str, written: watch::Sender<()>) -> Result<Self, Error> {
        let endpoint: Uri = endpoint.parse().map_err(|error| format!("Invalid endpoint {endpoint}: {error}."))?;
        Ok(Self { endpoint, client: Client::builder(TokioExecutor::new()).build_http(), written })
    }

    async fn forward(&self, call: Call) -> Result<CallResponse, Error> {
        let of_stream = ["DescribeStream", "GetShardIterator", "GetRecords"].contains(&call.operation.as_str());
        let service = if of_stream { "DynamoDBStreams_20120810" } else { "DynamoDB_20120810" };
        let request = http::Request::post(self.endpoint.clone())
            .header(TARGET, format!("{service}.{}", call.operation))
            .header("authorization", signature(&call.caller))
            .header("content-type", "application/x-amz-json-1.0")
            .body(Full::new(call.body))?;
        let (parts, body) = self.client.request(request).await?.into_parts();
        Ok(CallResponse { status: parts.status.as_u16(), body: body.collect().await?.to_bytes() })
    }
}

/// Get a signature in the form that emulators require.
fn signature(caller: &str) -> String {
    // DynamoDB Local accepts only letters and digits in an access key.
    let access_key = caller.replace('-', "");
    let scope = format!("{access_key}/20260101/{REGION}/dynamodb/aws4_request");
    format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0")
}

impl Backend for Remote {
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse> {
        let remote = self.clone();
        async move {
            let writes = call.writes();
            let result = remote.forward(call).await;
            if writes {
                remote.written.send_replace(());
            }
            result.unwrap_or_else(|error| {
                tracing::error!(%error, "the table cannot be reached");
                CallResponse { status: 503, body: r#"{"__type":"InternalServerError"}"#.into() }
            })
        }
        .boxed()
    }
}
