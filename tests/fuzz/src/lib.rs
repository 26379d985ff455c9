//! Shared code of the fuzz targets: the service on stores that are empty and accept every write.

use std::sync::{Arc, OnceLock};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use event_capture::platform::http::{self, Service};
use event_capture::store::{Names, Shards, Store};
use event_capture::webhooks::twitch::Twitch;
use event_capture::webhooks::twitch::signature::sign;
use lambda_http::LambdaEvent;
use lambda_http::request::LambdaRequest;
use serde_json::{Value, json};

const SECRET: &str = "s3cRe7-of-fuzzers";
/// The broadcaster's identifier.
pub const CHANNEL: &str = "1337";

/// A connector that answers every call as an empty store does.
#[derive(Debug)]
struct Empty;

impl HttpConnector for Empty {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        let answer = lambda_http::http::Response::builder().status(200).body(SdkBody::from("{}")).expect("a response");
        HttpConnectorFuture::ready(Ok(HttpResponse::try_from(answer).expect("a response")))
    }
}

/// Returns the service, and a runtime for its requests.
fn service() -> &'static (Service, tokio::runtime::Runtime) {
    static SERVICE: OnceLock<(Service, tokio::runtime::Runtime)> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let connector = SharedHttpConnector::new(Empty);
        let config = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::from_static("us-east-1"))
            .credentials_provider(SharedCredentialsProvider::new(Credentials::new("a", "b", None, None, "fuzzer")))
            .endpoint_url("http://nowhere")
            .http_client(http_client_fn(move |_, _| connector.clone()))
            .build();
        let names = Names { shards: Shards::both(1), ..Names::new("table", "bucket") };
        let store = Store::new(&config, &config, &config, names);
        let variable = |name: &str| match name {
            "TWITCH_SECRET" => Some(SECRET.to_owned()),
            "TWITCH_BROADCASTER_ID" => Some(CHANNEL.to_owned()),
            _ => None,
        };
        let twitch = Twitch::from_variables(variable).expect("variables").map(Arc::new);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        (Service { twitch, ..Service::from_variables(store, |_| None).expect("a service") }, runtime)
    })
}

/// Returns a gateway event for a request with this content type and body.
pub fn event(method: &str, path: &str, query: &str, kind: &str, body: &[u8]) -> Value {
    json!({
        "version": "2.0",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {"host": "localhost", "content-type": kind},
        "requestContext": {"stage": "$default", "requestId": "r", "domainName": "localhost",
            "http": {"method": method, "path": path}, "authorizer": {"lambda": {"access": "write"}}},
        "body": STANDARD.encode(body),
        "isBase64Encoded": true,
    })
}

/// Sends an event to the service, and returns the status. It is 0 if the input is not an event.
///
/// # Panics
/// If the status is 500 or above.
pub fn answer(event: Value) -> u64 {
    let Ok(event) = serde_json::from_value::<LambdaRequest>(event) else { return 0 };
    let (service, runtime) = service();
    let event = LambdaEvent::new(event, lambda_http::Context::default());
    let answer = runtime.block_on(http::answer_event(service.clone(), event)).expect("an answer");
    let answer = serde_json::to_value(answer).expect("JSON");
    let status = answer["statusCode"].as_u64().expect("a status");
    assert!(status < 500, "{status}: {}", answer["body"]);
    status
}

/// Sends a message with Twitch's signature to the service.
///
/// # Panics
/// If the service does not acknowledge it. A message of another channel may return 403.
pub fn deliver(kind: &str, body: &[u8]) {
    let (id, time) = ("fuzzed", event_capture::schema::Timestamp::now().to_string());
    let mut event = event("POST", "/webhooks/twitch", "", "application/json", body);
    for (name, value) in [
        ("id", id),
        ("retry", "0"),
        ("type", kind),
        ("timestamp", time.as_str()),
        ("signature", sign(SECRET, id, &time, body).as_str()),
    ] {
        event["headers"][format!("twitch-eventsub-message-{name}")] = json!(value);
    }
    let status = answer(event);
    assert!((200..300).contains(&status) || status == 403, "{status}");
}
