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
pub(super) fn to_request(mut event: ApiGatewayV2httpRequest) -> lambda_http::Request {
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
pub(super) fn to_event(response: http::Response<Body>) -> ApiGatewayV2httpResponse {
    let (parts, body) = response.into_parts();
    let mut event = ApiGatewayV2httpResponse::default();
    event.status_code = parts.status.as_u16().into();
    event.headers = parts.headers;
    event.is_base64_encoded = matches!(body, Body::Binary(_));
    event.body = (!matches!(body, Body::Empty)).then_some(body);
    event
}

/// Split a request into the parts that operations need.
pub(super) fn parse(request: lambda_http::Request) -> Request {
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

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    #[test]
    fn responses_become_events_of_the_gateway() {
        let bodies = [
            (Body::Text("é".to_owned()), serde_json::json!("é"), false),
            (Body::Binary(vec![0, 255]), serde_json::json!("AP8="), true),
            (Body::Empty, Value::Null, false),
        ];
        for (body, text, is_encoded) in bodies {
            let mut response = http::Response::new(body);
            *response.status_mut() = StatusCode::CREATED;
            response.headers_mut().insert("request-id", HeaderValue::from_static("r"));
            let event = serde_json::to_value(to_event(response)).expect("JSON");
            assert_eq!((&event["statusCode"], &event["headers"]["request-id"]), (&201.into(), &"r".into()));
            assert_eq!((&event["body"], &event["isBase64Encoded"]), (&text, &is_encoded.into()));
        }
    }

    #[test]
    fn any_path_and_query_parse_as_a_request() {
        for (path, query) in [
            ("/users", r#"name="<x>" y#z`^|{}\\"#),
            ("/users", "é=\u{1F600}&%zz=%"),
            ("/\"<>`{}|^ \u{0}é?#", ""),
            ("", "\u{7f}\n"),
            ("no slash \u{e9}", ""),
        ] {
            let event = serde_json::json!({
                "version": "2.0",
                "rawPath": path,
                "rawQueryString": query,
                "headers": {"host": "a<b", "x-forwarded-proto": "1x"},
                "requestContext": {"stage": "$default", "domainName": "lo<<calhost", "http": {"method": "GET", "path": path}},
            });
            let request = parse(to_request(serde_json::from_value(event).expect("an event")));
            assert_eq!(request.path.trim_start_matches('/'), path.trim_start_matches('/'));
            let decoded = percent_encoding::percent_decode_str(&request.query).decode_utf8_lossy().into_owned();
            assert!(path.contains('?') || decoded == percent_encoding::percent_decode_str(query).decode_utf8_lossy());
        }
    }
}
