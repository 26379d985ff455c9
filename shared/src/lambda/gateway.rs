//! Converts the events of API Gateway to requests, and responses to the gateway's format.
//!
//! The conversions of `lambda_http` do not suffice. Its response decodes all character sets, and its request panics
//! on an invalid URI.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::HeaderName;
use lambda_http::Body;
use lambda_http::aws_lambda_events::apigw::{ApiGatewayV2httpRequest, ApiGatewayV2httpResponse};

use super::access::Caller;
use crate::request::Request;

/// Header with the scheme of the request to the gateway: `http` or `https`.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// A request, and the reports of the gateway and the authorizer about it.
#[derive(Debug)]
pub struct GatewayRequest {
    /// The parts that operations need.
    pub request: Request,
    pub caller: Caller,
    /// Scheme and host of the request's URL, as the gateway reports them.
    pub origin: String,
    /// Identifier of the request, as in the gateway's access log.
    pub id: String,
    /// Identifier of the invocation of the function. `None` if the gateway's process answers.
    pub lambda_request_id: Option<String>,
}

impl From<ApiGatewayV2httpRequest> for GatewayRequest {
    fn from(event: ApiGatewayV2httpRequest) -> Self {
        let context = event.request_context;
        let scheme = event.headers.get(FORWARDED_PROTO).and_then(|scheme| scheme.to_str().ok());
        let scheme = scheme.filter(|scheme| ["http", "https"].contains(scheme)).unwrap_or("https");
        let origin = format!("{scheme}://{}", context.domain_name.unwrap_or_default());
        let mut path = event.raw_path.unwrap_or_default();
        if !path.starts_with('/') {
            path.insert(0, '/');
        }
        let body = event.body.unwrap_or_default();
        // Only the gateway encodes bodies, so a body in base64 is always valid.
        let body = if event.is_base64_encoded { STANDARD.decode(body).unwrap_or_default() } else { body.into() };
        Self {
            caller: Caller::from_context(|name| context.authorizer.as_ref()?.fields.get(name)),
            origin,
            id: context.request_id.unwrap_or_default(),
            lambda_request_id: None,
            request: Request {
                method: context.http.method,
                path,
                query: event.raw_query_string.unwrap_or_default(),
                headers: event.headers,
                body: Bytes::from(body),
            },
        }
    }
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
