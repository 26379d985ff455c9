//! Two requests to the functions' code. `docs/request_path.py` follows their calls.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::lambda::http::{Service, handle_event};
use end_to_end::memory::Memory;
use end_to_end::samples;
use lambda_http::LambdaEvent;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// Answers a gateway event and returns the status.
fn answer(runtime: &Runtime, service: &Service, event: &Value) -> i64 {
    let event = serde_json::from_value(event.clone()).expect("an event");
    let answer = handle_event(service.clone(), LambdaEvent::new(event, lambda_http::Context::default()));
    runtime.block_on(answer).expect("a response").status_code
}

/// Does the same under a name that lets the tool find the calls of one request.
#[inline(never)]
fn measured_request(runtime: &Runtime, service: &Service, event: &Value) -> i64 {
    answer(runtime, service, event)
}

#[test]
#[ignore = "docs/request_path.py runs it"]
fn one_request() {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let store = Memory::new().store(|table| table);
    let service = Service::from_variables(store, |_| None).expect("a service");
    let event = |method: &str, query: &str, body: &Value| {
        json!({
            "version": "2.0", "rawPath": "/events", "rawQueryString": query,
            "headers": {"content-type": "application/json"},
            "requestContext": {
                "stage": "$default", "domainName": "localhost", "http": {"method": method, "path": "/events"},
                "authorizer": {"lambda": {"access": "write"}},
            },
            "body": body.to_string(), "isBase64Encoded": false,
        })
    };
    let create = |viewer: &str| {
        let document = json!({"document_data": STANDARD.encode(samples::png(2, 2)), "seal": 7});
        let user = json!({"platform_id": viewer, "name": "Ann"});
        event("POST", "", &samples::event(&json!({"document": document, "user": user})))
    };
    let list = event("GET", "event_type=plain&limit=10", &Value::Null);
    let posts = std::env::var("REQUEST").is_ok_and(|request| request == "POST");
    // Calls that only the first request makes are already done here.
    assert_eq!(answer(&runtime, &service, &create("1")), 201);
    assert_eq!(answer(&runtime, &service, &list), 200);
    let status = measured_request(&runtime, &service, &if posts { create("2") } else { list });
    assert_eq!(status, if posts { 201 } else { 200 });
}
