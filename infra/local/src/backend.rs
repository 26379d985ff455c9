//! The backends of the table and the bucket. They answer the SDK's clients in this process, without a port.

use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::config::auth::{self, ResolveAuthScheme};
use aws_sdk_dynamodb::config::endpoint::{self, Endpoint, EndpointFuture, ResolveEndpoint};
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Builder, ConfigBag, Region, RuntimeComponents, SharedHttpClient, StalledStreamProtectionConfig,
};
use aws_smithy_runtime_api::client::auth::{AuthSchemeId, AuthSchemeOptionsFuture};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
pub use emulator::{Call, CallResponse};
use futures_util::future::BoxFuture;
use http::HeaderValue;
use http::header::HOST;
use http_body_util::BodyExt;
use s3s::service::S3Service;

/// Region that clients need to have.
pub(crate) const REGION: &str = "us-east-1";
/// Header with the operation of a call: `DynamoDB_20120810.GetItem`.
pub(crate) const TARGET: &str = "x-amz-target";

/// A backend that answers calls as DynamoDB does.
pub trait Backend: Send + Sync + fmt::Debug {
    /// Answer one call.
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse>;
}

/// A backend that several clients share.
pub type SharedBackend = Arc<dyn Backend>;

/// Configure the SDK's client for the table. Its calls need no endpoint, no signature, and no watch over the speed of
/// the network, because they stay in this process.
pub(crate) fn table_config(backend: SharedBackend, caller: &str) -> Builder {
    Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static(REGION))
        .endpoint_resolver(NoEndpoint)
        .auth_scheme_resolver(NoSignature)
        .allow_no_auth()
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(table_client(backend, caller))
}

/// Build an HTTP client of the SDK whose calls the table's backend answers.
fn table_client(backend: SharedBackend, caller: &str) -> SharedHttpClient {
    let connector = SharedHttpConnector::new(TableConnector { backend, caller: Arc::from(caller) });
    http_client_fn(move |_, _| connector.clone())
}

/// Build an HTTP client of the SDK for the bucket.
pub(crate) fn bucket_client(bucket: S3Service) -> SharedHttpClient {
    let connector = SharedHttpConnector::new(BucketConnector(bucket));
    http_client_fn(move |_, _| connector.clone())
}

#[derive(Debug)]
struct NoEndpoint;

impl ResolveEndpoint for NoEndpoint {
    fn resolve_endpoint<'a>(&'a self, _: &'a endpoint::Params) -> EndpointFuture<'a> {
        EndpointFuture::ready(Ok(Endpoint::builder().url("http://table").build()))
    }
}

#[derive(Debug)]
struct NoSignature;

impl ResolveAuthScheme for NoSignature {
    fn resolve_auth_scheme<'a>(
        &'a self,
        _: &'a auth::Params,
        _: &'a ConfigBag,
        _: &'a RuntimeComponents,
    ) -> AuthSchemeOptionsFuture<'a> {
        AuthSchemeOptionsFuture::ready(Ok(vec![AuthSchemeId::from("noAuth").into()]))
    }
}

#[derive(Debug)]
struct TableConnector {
    backend: SharedBackend,
    caller: Arc<str>,
}

impl HttpConnector for TableConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get(TARGET).unwrap_or_default();
        let body = Bytes::copy_from_slice(request.body().bytes().unwrap_or_default());
        let response = self.backend.call(Call::new(target, Arc::clone(&self.caller), body));
        HttpConnectorFuture::new(async move {
            // As over a network: concurrent calls are all sent before the first response arrives.
            tokio::task::yield_now().await;
            let CallResponse { status, body } = response.await;
            let builder = http::Response::builder().status(status).header("content-type", "application/x-amz-json-1.0");
            to_sdk_response(builder.body(SdkBody::from(body)))
        })
    }
}

struct BucketConnector(S3Service);

impl fmt::Debug for BucketConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BucketConnector")
    }
}

impl HttpConnector for BucketConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let bucket = self.0.clone();
        HttpConnectorFuture::new(async move {
            let failed = |error: Box<dyn std::error::Error + Send + Sync>| ConnectorError::other(error, None);
            let (mut parts, body) = request.try_into_http1x().map_err(|error| failed(error.into()))?.into_parts();
            let is_head = parts.method == http::Method::HEAD;
            // The signature covers the Host header, which a connection would add.
            let host = parts.uri.authority().and_then(|authority| HeaderValue::from_str(authority.as_str()).ok());
            parts.headers.extend(host.map(|host| (HOST, host)));
            let body = body.collect().await.map_err(failed)?.to_bytes();
            let response = bucket.call(http::Request::from_parts(parts, s3s::Body::from(body))).await;
            let (parts, body) = response.map_err(|error| failed(format!("{error:?}").into()))?.into_parts();
            // Over a network, a response to HEAD has no body.
            let body = if is_head { Bytes::new() } else { body.collect().await.map_err(failed)?.to_bytes() };
            to_sdk_response(Ok(http::Response::from_parts(parts, SdkBody::from(body))))
        })
    }
}

pub(crate) fn to_sdk_response(response: http::Result<http::Response<SdkBody>>) -> Result<HttpResponse, ConnectorError> {
    let response = response.map_err(|error| ConnectorError::other(error.into(), None))?;
    HttpResponse::try_from(response).map_err(|error| ConnectorError::other(error.into(), None))
}
