//! Requests and responses in the format of API Gateway (payload 2.0), for functions in other processes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::lambda::gateway::GatewayRequest;
use http::{HeaderMap, HeaderName, HeaderValue, Response, header};
use lambda_http::Body;
use lambda_http::aws_lambda_events::apigw::{ApiGatewayRequestAuthorizer, ApiGatewayV2httpRequest};
use serde_json::Value;

use crate::Error;

/// The platform's limit for an event or a response, in bytes.
pub(crate) const MAX_EVENT: usize = 6 * 1024 * 1024;
/// Maximum number of bytes that a character takes in JSON.
const MAX_ESCAPED: usize = 6;
/// Header with the scheme of a request.
pub(crate) const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Converts a request to an event.
pub(crate) fn event(request: &GatewayRequest) -> Result<ApiGatewayV2httpRequest, Error> {
    let GatewayRequest { request, caller, origin, id, .. } = request;
    let (scheme, domain_name) = origin.split_once("://").unwrap_or_default();
    let mut event = ApiGatewayV2httpRequest::default();
    event.version = Some("2.0".to_owned());
    event.raw_path = Some(request.path.clone());
    event.raw_query_string = Some(request.query.clone());
    event.headers = request.headers.clone();
    event.headers.insert(X_FORWARDED_PROTO, HeaderValue::from_str(scheme)?);
    let text = std::str::from_utf8(&request.body).ok().filter(|_| is_text(&request.headers));
    event.is_base64_encoded = text.is_none();
    event.body = Some(text.map_or_else(|| STANDARD.encode(&request.body), str::to_owned));
    let mut authorizer = ApiGatewayRequestAuthorizer::default();
    authorizer.fields = serde_json::from_value(caller.to_context())?;
    let context = &mut event.request_context;
    context.authorizer = Some(authorizer);
    context.domain_name = Some(domain_name.to_owned());
    context.request_id = Some(id.clone());
    context.stage = Some("$default".to_owned());
    context.http.method = request.method.clone();
    context.http.path = Some(request.path.clone());
    Ok(event)
}

/// Returns true if the event of a request exceeds the platform's limit.
pub(crate) fn is_too_large(request: &GatewayRequest) -> bool {
    let parts = &request.request;
    let size = parts.body.len() + parts.query.len() + 2 * parts.path.len();
    size * MAX_ESCAPED > MAX_EVENT / 2
        && event(request).is_ok_and(|event| serde_json::to_string(&event).is_ok_and(|json| json.len() > MAX_EVENT))
}

/// Returns true if the gateway passes a body as text. It encodes other bodies in base64.
fn is_text(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.starts_with("text/") || content_type.starts_with("application/json")
}

/// Converts the description of a response.
pub(crate) fn to_response(described: &Value) -> Result<Response<Body>, Error> {
    let body = described["body"].as_str().unwrap_or_default();
    let body = if described["isBase64Encoded"] == true { Body::Binary(STANDARD.decode(body)?) } else { body.into() };
    let status = described["statusCode"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok())
        .ok_or("the function's response has no status")?;
    let mut response = Response::builder().status(status).body(body)?;
    for (name, value) in described["headers"].as_object().into_iter().flatten() {
        let value = HeaderValue::from_str(value.as_str().unwrap_or_default())?;
        response.headers_mut().insert(HeaderName::from_bytes(name.as_bytes())?, value);
    }
    Ok(response)
}

/// Returns the size of a body in JSON, or an upper bound if that is far below the platform's limit.
pub(crate) fn json_size(body: &Body) -> Result<usize, Error> {
    Ok(match body {
        Body::Text(text) if text.len() * MAX_ESCAPED < MAX_EVENT => text.len() * MAX_ESCAPED,
        Body::Text(text) => serde_json::to_string(text)?.len(),
        Body::Binary(bytes) => bytes.len().div_ceil(3) * 4,
        _ => 0,
    })
}
