//! Converts the events of API Gateway to requests, and responses to the gateway's format.
//!
//! The conversions of `lambda_http` do not suffice. Its response decodes all character sets, and its request panics
//! on an invalid URI.

use bytes::Bytes;
use http::HeaderValue;
use http::header::{HOST, HeaderName};
use lambda_http::aws_lambda_events::apigw::{
    ApiGatewayV2httpRequest, ApiGatewayV2httpRequestContext, ApiGatewayV2httpResponse,
};
use lambda_http::request::{LambdaRequest, RequestContext};
use lambda_http::{Body, RequestExt};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;

use super::access::Access;
use super::authorizer;
use crate::request::Request;

/// Header with the scheme of the request to the gateway: `http` or `https`.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Characters that are invalid in the query of a URI. An event contains them if the client sent them.
const NOT_IN_QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`');

/// Converts an event of the gateway to a request with a valid URI. The conversion would panic on an invalid URI. The
/// host is fixed. Links start with the domain name in the event's context instead.
pub fn to_request(mut event: ApiGatewayV2httpRequest) -> lambda_http::Request {
    if let Some(query) = &mut event.raw_query_string {
        *query = utf8_percent_encode(query, NOT_IN_QUERY).to_string();
    }
    if let Some(path) = event.raw_path.as_mut().filter(|path| !path.starts_with('/')) {
        path.insert(0, '/');
    }
    event.headers.insert(HOST, HeaderValue::from_static("localhost"));
    if event.headers.get(FORWARDED_PROTO).is_some_and(|scheme| scheme != "http" && scheme != "https") {
        event.headers.remove(FORWARDED_PROTO);
    }
    LambdaRequest::ApiGatewayV2(event).into()
}

/// Converts a response to the format that the gateway expects.
pub fn to_event(response: http::Response<Body>) -> ApiGatewayV2httpResponse {
    let (parts, body) = response.into_parts();
    let mut event = ApiGatewayV2httpResponse::default();
    event.status_code = parts.status.as_u16().into();
    event.headers = parts.headers;
    event.is_base64_encoded = matches!(body, Body::Binary(_));
    event.body = (!matches!(body, Body::Empty)).then_some(body);
    event
}

/// A request, and the reports of the gateway and the authorizer about it.
#[derive(Debug)]
pub struct GatewayRequest {
    /// The parts that operations need.
    pub request: Request,
    /// Access that the authorizer reported, or [`Access::Missing`] without a report.
    pub access: Access,
    /// Name of the request's token.
    pub token_name: Option<String>,
    /// Identifier of the request's token. Empty without a token.
    pub token_id: String,
    /// Scheme and host of the request's URL, as the gateway reports them.
    pub origin: String,
    /// Identifier of the request, as in the gateway's access log.
    pub id: String,
    /// Identifier of the invocation of the function.
    pub lambda_request_id: Option<String>,
}

/// Splits a request of the gateway into its parts.
pub fn split_request(request: lambda_http::Request) -> GatewayRequest {
    let lambda_request_id = request.lambda_context_ref().map(|context| context.request_id.clone());
    let path = request.raw_http_path().to_owned();
    let (mut parts, body) = request.into_parts();
    let context = match parts.extensions.remove() {
        Some(RequestContext::ApiGatewayV2(context)) => context,
        _ => ApiGatewayV2httpRequestContext::default(),
    };
    let label = |name: &str| context.authorizer.as_ref()?.fields.get(name);
    let text = |name: &str| label(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let access = label(authorizer::CONTEXT).and_then(|access| Access::deserialize(access).ok());
    let scheme = parts.headers.get(FORWARDED_PROTO).and_then(|scheme| scheme.to_str().ok()).unwrap_or("https");
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let body = match body {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    GatewayRequest {
        access: access.unwrap_or(Access::Missing),
        token_name: text(authorizer::CALLER),
        token_id: text(authorizer::TOKEN).unwrap_or_default(),
        origin: format!("{scheme}://{}", context.domain_name.as_deref().unwrap_or_default()),
        id: context.request_id.clone().unwrap_or_default(),
        lambda_request_id,
        request: Request { method: parts.method, path, query, headers: parts.headers, body },
    }
}
