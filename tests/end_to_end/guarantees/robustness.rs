//! Tests that no input makes a parser panic.

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use capture_core::lambda::http::{self, Service};
use capture_core::lambda::routes::Route;
use capture_core::request::body::parse_create;
use capture_core::request::image;
use capture_core::request::query::parameters;
use capture_core::request::{EtagPreconditions, IdempotencyKey, ListQuery, Payload};
use capture_core::resources::ALL;
use end_to_end::{Api, samples};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Generates arbitrary JSON, often with real field names.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
        Just(json!("2026-11-20T16:53:02Z")),
        Just(json!("data:,")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let fields: Vec<_> = ALL.iter().flat_map(|resource| resource.fields).map(|field| field.name).collect();
        let name = prop_oneof![4 => prop::sample::select(fields).prop_map(str::to_owned), 1 => any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..12)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_path_parses_or_is_rejected(path in ".*", tail in "(/(users|events|user|[0-9]{1,20}|specimen|owner|wallet))*") {
        let _ = Route::parse(&path);
        let _ = Route::parse(&tail);
    }

    #[test]
    fn any_query_parses_or_is_rejected(query in ".*", name in "[a-z_]+", value in ".*", which in 0..ALL.len()) {
        let _ = parameters(&query);
        let filters = ALL[which].filters.iter().map(|filter| filter.name);
        let encoded = reqwest::Url::parse_with_params("http://x", filters.chain(["limit", "order", "cursor", name.as_str()]).map(|name| (name, &value)));
        let encoded = encoded.expect("a URL");
        for query in [encoded.query().expect("a query"), &query] {
            let _ = ListQuery::new(ALL[which], "/").with(query, None);
        }
    }

    #[test]
    fn any_body_parses_or_is_rejected(json in any_json(), which in 0..ALL.len()) {
        let read = parse_create(ALL[which], Payload { json, file: None, text: Bytes::new() }, None);
        let broken = read.as_ref().ok().and_then(|read| read.as_ref().err());
        prop_assert!(broken.is_none_or(|broken| !broken.violations.is_empty()));
        prop_assert!(read.is_ok(), "nothing is too large");
    }

    #[test]
    fn any_damaged_image_is_decoded_or_rejected(which in 0..5usize, at in any::<prop::sample::Index>(), bit in 0..8u8, cut in any::<prop::sample::Index>()) {
        let whole = [samples::png(9, 9), samples::jpeg(), samples::gif(), samples::webp(), samples::animated_png(false)][which].clone();
        let mut damaged = whole.clone();
        damaged[at.index(whole.len())] ^= 1 << bit;
        let _ = image::inspect(&damaged);
        let _ = image::inspect(&whole[..cut.index(whole.len())]);
        let _ = image::inspect(&Bytes::from(damaged[..cut.index(whole.len())].to_vec()));
    }
}

/// Returns the configuration of the tests below. `INPUTS=100000 cargo test robustness` generates 100,000 inputs for
/// each.
fn inputs(usual: u32) -> ProptestConfig {
    let cases = std::env::var("INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(usual);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns a service and a runtime for its requests.
fn service() -> &'static (Service, tokio::runtime::Runtime) {
    static SERVICE: OnceLock<(Service, tokio::runtime::Runtime)> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let (_, store) = Api::start_with_store();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        (Service::from_variables(store, |_| None).expect("a service"), runtime)
    })
}

/// Generates damaged copies of a valid input, with up to five changes each.
fn damaged(whole: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..3u8);
    prop::collection::vec(change, 0..6).prop_map(move |changes| {
        let mut bytes = whole.to_vec();
        for (position, byte, how) in changes.into_iter().filter(|_| !whole.is_empty()) {
            let position = position.index(bytes.len().max(1)).min(bytes.len());
            match how {
                0 => bytes.insert(position, byte),
                1 => bytes.truncate(position + 1),
                _ => bytes.get_mut(position).into_iter().for_each(|old| *old = byte),
            }
        }
        bytes
    })
}

const FORM: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"document_data\"; filename=\"a\"\r\n\r\nGIF89a\r\n--x\r\nContent-Disposition: form-data; name=\"seal\"\r\n\r\n7\r\n--x\r\nContent-Disposition: form-data; name=\"stamps\"\r\n\r\n[{\"stamp_type\":\"x\"}]\r\n--x--\r\n";
const DOCUMENT: &[u8] = br#"{"document_data":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC","seal":1e3,"stamps":[{"stamp_type":"\\u00e9","pos_x":-0,"pos_y":1,"rotation":0.5}]}"#;
const EVENT: &[u8] = br#"{"event_type":"cheer","amount":5,"user_name":"Ann","occurred_at":"2026-11-20T16:53:02.5+01:00","user":{"platform_id":"1","name":"Ann"}}"#;
const CURSOR: &[u8] = b"limit=2&order=asc&cursor=MjAyNi0xMS0yMFQxNjo1MzowMlo";

proptest! {
    #![proptest_config(inputs(400))]

    #[test]
    fn any_gateway_event_returns_a_status_below_500(
        method in prop::sample::select(vec!["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "X"]),
        path in prop_oneof![
            prop::sample::select(vec!["/documents", "/events", "/users", "/stamps", "/events/5/user/specimen/owner", "/images/x", "/user/5/wallet", "/webhooks/twitch", "/openapi.json"]).prop_map(str::to_owned),
            ".{0,40}",
        ],
        query in prop_oneof![".{0,40}", damaged(CURSOR).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()), Just(String::new())],
        kind in prop::sample::select(vec!["application/json", "multipart/form-data; boundary=x", "multipart/form-data", "text/plain", ""]),
        body in prop_oneof![damaged(FORM), damaged(DOCUMENT), damaged(EVENT), prop::collection::vec(any::<u8>(), 0..200)],
        header in prop_oneof![Just("\"a\"".to_owned()), "[ -~]{0,30}"],
        encoded in any::<bool>(),
    ) {
        let (service, runtime) = service();
        let (text, is_encoded) = match String::from_utf8(body) {
            Ok(text) if !encoded => (text, false),
            Ok(text) => (STANDARD.encode(text), true),
            Err(error) => (STANDARD.encode(error.as_bytes()), true),
        };
        let event = json!({
            "version": "2.0",
            "rawPath": path,
            "rawQueryString": query,
            "headers": {"host": "localhost", "content-type": kind, "idempotency-key": header, "if-match": header, "if-none-match": header},
            "requestContext": {"stage": "$default", "requestId": "r", "domainName": "localhost", "http": {"method": method, "path": path},
                "authorizer": {"lambda": {"access": "write"}}},
            "body": text,
            "isBase64Encoded": is_encoded,
        });
        let event = serde_json::from_value(event).expect("an event");
        let event = lambda_http::LambdaEvent::new(event, lambda_http::Context::default());
        let answer = runtime.block_on(http::handle_event(service.clone(), event)).expect("an answer");
        let answer = serde_json::to_value(answer).expect("JSON");
        let status = answer["statusCode"].as_u64().expect("a status");
        prop_assert!(status < 500, "{status}: {}", answer["body"]);
    }

    #[test]
    fn any_etag_or_key_header_parses_or_is_rejected(text in "[ -~]{0,40}", quoted in "(W/)?\"[!-~]{0,10}\"( ?, ?\"[!-~]{0,10}\")*") {
        for text in [text, quoted] {
            let mut headers = ::http::HeaderMap::new();
            headers.insert("if-match", text.parse().expect("a header"));
            headers.insert("if-none-match", text.parse().expect("a header"));
            headers.insert("idempotency-key", text.parse().expect("a header"));
            let tags = EtagPreconditions::parse(&headers).ok().flatten();
            let _ = tags.is_some_and(|tags| tags.check_if_none_match("\"a\"").and_then(|()| tags.check_if_match("\"a\"")).is_ok());
            let payload = Payload { json: Value::Null, file: None, text: Bytes::new() };
            let _ = IdempotencyKey::parse(&headers, &::http::Method::POST, "/users", &payload);
        }
    }
}
