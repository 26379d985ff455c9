//! The events of API Gateway: converts them to requests, and responses to the gateway's own.
//!
//! These conversions stand here and not in a library, because the library's response decodes all character sets, and its
//! request panics if a URI is invalid.

use bytes::Bytes;
use http::HeaderValue;
use http::header::{HOST, HeaderName};
use lambda_http::aws_lambda_events::apigw::{ApiGatewayV2httpRequest, ApiGatewayV2httpResponse};
use lambda_http::request::{LambdaRequest, RequestContext};
use lambda_http::{Body, RequestExt};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;

use super::access::Access;
use super::authorizer;
use crate::request::Request;

/// Scheme of the request to the gateway: `http` or `https`.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Characters that are invalid in the query of a URI. An event may contain them, as the client sent them.
const NOT_IN_QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`');

/// Convert an event of the gateway to a request with a valid URI. An invalid one would make the conversion panic. The
/// host is fixed, because links begin with the domain name in the event's context instead.
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

/// Convert a response to the one that the gateway expects.
pub fn to_event(response: http::Response<Body>) -> ApiGatewayV2httpResponse {
    let (parts, body) = response.into_parts();
    let mut event = ApiGatewayV2httpResponse::default();
    event.status_code = parts.status.as_u16().into();
    event.headers = parts.headers;
    event.is_base64_encoded = matches!(body, Body::Binary(_));
    event.body = (!matches!(body, Body::Empty)).then_some(body);
    event
}

/// Split a request into the parts that operations need.
pub fn parse(request: lambda_http::Request) -> Request {
    let path = request.raw_http_path().to_owned();
    let (parts, body) = request.into_parts();
    let body = match body {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    let query = parts.uri.query().unwrap_or_default().to_owned();
    Request { method: parts.method, path, query, headers: parts.headers, body }
}

/// Read the gateway's identifier of a request, which its access log contains, too.
pub(super) fn gateway_id(request: &lambda_http::Request) -> String {
    let Some(RequestContext::ApiGatewayV2(context)) = request.request_context_ref() else { return String::new() };
    context.request_id.clone().unwrap_or_default()
}

/// Determine the origin of the request's URL: the scheme and host that the gateway reports.
pub(super) fn origin(request: &lambda_http::Request) -> String {
    let scheme = request.headers().get(FORWARDED_PROTO).and_then(|scheme| scheme.to_str().ok()).unwrap_or("https");
    let host = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.domain_name.clone().unwrap_or_default(),
        _ => String::new(),
    };
    format!("{scheme}://{host}")
}

/// Read the access that the authorizer reported for a request, or [`Access::Missing`] without a report.
pub(super) fn access(request: &lambda_http::Request) -> Access {
    label(request, authorizer::CONTEXT).and_then(|access| Access::deserialize(access).ok()).unwrap_or(Access::Missing)
}

/// Read the name of the request's token.
pub(super) fn caller(request: &lambda_http::Request) -> Option<String> {
    label(request, authorizer::CALLER)?.as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Read the identifier of the request's token. Empty without a token.
pub(super) fn token(request: &lambda_http::Request) -> String {
    label(request, authorizer::TOKEN).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Read a label that the authorizer has added to the request's context.
fn label<'a>(request: &'a lambda_http::Request, name: &str) -> Option<&'a Value> {
    let Some(RequestContext::ApiGatewayV2(context)) = request.request_context_ref() else { return None };
    context.authorizer.as_ref()?.fields.get(name)
}
