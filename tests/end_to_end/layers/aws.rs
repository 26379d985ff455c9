//! Tests of `shared/src/store/aws` with canned responses: how each response from AWS appears at the port.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use capture_core::schema::Id;
use capture_core::store::aws::{self, DynamoDb, S3};
use capture_core::store::{Bucket, Call, Consistency, Refusal, Store, StoreSettings, Table};
use capture_core::table::{Condition, Write, WriteKind};
use serde_json::json;
use tokio::net::TcpListener;

/// Serves one response to each request. Returns the endpoint and the number of requests.
async fn canned(status: u16, body: &str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (count, body) = (Arc::<AtomicUsize>::default(), body.to_owned());
    let counted = Arc::clone(&count);
    let answer = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let response = Response::builder().status(status).body(Body::from(body.clone())).expect("a response");
        async move { response }
    };
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    (format!("http://{address}"), count)
}

fn table(endpoint: &str) -> DynamoDb {
    DynamoDb::new(&aws::emulator(endpoint, "local", "secret"), "table".to_owned(), 2)
}

fn error(code: &str, more: &str) -> String {
    format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"why"{more}}}"#)
}

fn reasons(codes: &[&str]) -> String {
    let reasons: Vec<_> =
        codes.iter().map(|code| json!({"Code": code, "Item": {"pk": {"S": "a"}, "n": {"N": "1"}}})).collect();
    error("TransactionCanceledException", &format!(r#","CancellationReasons":{}"#, json!(reasons)))
}

fn kind(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Conditions(_) => "conditions",
        Refusal::Conflict => "conflict",
        Refusal::Busy(_) => "busy",
        Refusal::Unknown(_) => "unknown",
        Refusal::Invalid(_) => "invalid",
    }
}

#[tokio::test]
async fn answers_of_dynamodb_become_refusals() {
    let mut delete = Write { kind: WriteKind::Delete, ..Write::default() };
    delete.require(Condition::Exists);
    let writes = [("a".to_owned(), delete.clone()), ("b".to_owned(), delete.clone())].into();
    let single = Call::Write { pk: "a", write: &delete };
    let several = Call::Transact { writes: &writes, token: "token" };
    let pks = ["a".to_owned(), "b".to_owned()];
    let read = Call::Get { pks: &pks, consistency: Consistency::Strong };
    let failed = error("ConditionalCheckFailedException", r#","Item":{"pk":{"S":"a"},"n":{"N":"1"}}"#);
    let cases = [
        (single, 400, failed, "conditions"),
        (single, 400, error("TransactionConflictException", ""), "busy"),
        (single, 400, error("ThrottlingException", ""), "busy"),
        (single, 400, error("ProvisionedThroughputExceededException", ""), "busy"),
        (single, 400, error("RequestLimitExceeded", ""), "busy"),
        (single, 400, error("ValidationException", ""), "invalid"),
        (single, 400, error("AccessDeniedException", ""), "invalid"),
        (single, 500, error("InternalServerError", ""), "unknown"),
        (single, 503, String::new(), "unknown"),
        (single, 200, "no JSON".to_owned(), "unknown"),
        (several, 400, reasons(&["None", "ConditionalCheckFailed"]), "conditions"),
        (several, 400, reasons(&["TransactionConflict", "ConditionalCheckFailed"]), "conditions"),
        (several, 400, reasons(&["None", "TransactionConflict"]), "conflict"),
        (several, 400, reasons(&["ThrottlingError", "TransactionConflict"]), "conflict"),
        (several, 400, reasons(&["ProvisionedThroughputExceeded", "None"]), "conflict"),
        (several, 400, reasons(&["ValidationError", "ConditionalCheckFailed"]), "invalid"),
        (several, 400, error("TransactionInProgressException", ""), "busy"),
        (several, 400, error("IdempotentParameterMismatchException", ""), "invalid"),
        (several, 500, error("InternalServerError", ""), "unknown"),
        (read, 400, error("ProvisionedThroughputExceededException", ""), "busy"),
        (read, 400, error("ResourceNotFoundException", ""), "invalid"),
        (read, 502, String::new(), "unknown"),
    ];
    for (call, status, body, expected) in cases {
        let (endpoint, count) = canned(status, &body).await;
        let refusal = table(&endpoint).send(call).await.expect_err("a refusal");
        assert_eq!(kind(&refusal), expected, "{} {status} {body}: {refusal:?}", call.operation());
        assert_eq!(count.load(Ordering::Relaxed), 1, "the adapter repeats nothing: {body}");
        if let Refusal::Conditions(failed) = refusal {
            let (_, item) = failed.last().expect("a failed condition");
            assert_eq!(item.as_ref().map(std::collections::BTreeMap::len), Some(1), "without its key: {item:?}");
        }
    }
    let refusal = table("http://127.0.0.1:1").send(single).await.expect_err("a refusal");
    assert_eq!(kind(&refusal), "unknown", "no server listens: {refusal:?}");
}

#[tokio::test]
async fn unprocessed_keys_are_returned() {
    let pks = ["a".to_owned(), "b".to_owned()];
    let keys = json!([{"pk": {"S": "b"}}]);
    let body = json!({"Responses": {"table": [{"pk": {"S": "a"}, "n": {"N": "1"}}]},
        "UnprocessedKeys": {"table": {"Keys": keys}}, "ConsumedCapacity": [{"CapacityUnits": 1.5}]});
    let (endpoint, _) = canned(200, &body.to_string()).await;
    let reply =
        table(&endpoint).send(Call::Get { pks: &pks, consistency: Consistency::Eventual }).await.expect("a reply");
    assert_eq!((reply.items.len(), &reply.items[0].0[..], &reply.unprocessed[..]), (1, "a", &["b".to_owned()][..]));
    assert!((reply.units - 1.5).abs() < f64::EPSILON);
    let deleted = json!([{"DeleteRequest": {"Key": {"pk": {"S": "a"}}}}]);
    let (endpoint, _) = canned(200, &json!({"UnprocessedItems": {"table": deleted}}).to_string()).await;
    let reply = table(&endpoint).send(Call::Delete { pks: &pks }).await.expect("a reply");
    assert_eq!(reply.unprocessed, ["a"]);
}

#[tokio::test]
async fn answers_of_s3_become_images_and_refusals() {
    let name = "0".repeat(32);
    let bucket = |endpoint: &str| S3::new(&aws::emulator(endpoint, "local", "secret"), "bucket".to_owned());
    // Without `s3:ListBucket`, S3 answers HEAD of a missing image with 403 and no body.
    for (status, body) in [(403, ""), (404, "")] {
        let (endpoint, _) = canned(status, body).await;
        assert_eq!(bucket(&endpoint).record_of(&name).await.expect("an answer"), None, "{status}");
        let settings = StoreSettings::default();
        let store = Store::new(Arc::new(table(&endpoint)), Some(Arc::new(bucket(&endpoint))), None, settings);
        assert_eq!(store.image_url(&name, true).await.expect("an answer"), None, "{status}");
    }
    let (endpoint, _) = canned(404, "<Error><Code>NoSuchKey</Code></Error>").await;
    assert_eq!(bucket(&endpoint).get(&name).await.expect("an answer"), None);
    for (status, code, expected) in
        [(503, "SlowDown", "unknown"), (403, "AccessDenied", "invalid"), (500, "InternalError", "unknown")]
    {
        let (endpoint, count) = canned(status, &format!("<Error><Code>{code}</Code></Error>")).await;
        let refusal = bucket(&endpoint).get(&name).await.expect_err("a refusal");
        assert_eq!((kind(&refusal), count.load(Ordering::Relaxed)), (expected, 1), "{code}");
    }
    let failed = "<DeleteResult><Error><Key>images/x</Key><Code>InternalError</Code></Error></DeleteResult>";
    let (endpoint, _) = canned(200, failed).await;
    let refusal = bucket(&endpoint).delete(std::slice::from_ref(&name)).await.expect_err("a refusal");
    assert_eq!(kind(&refusal), "unknown");
}

/// Only calls that fail for a transient reason are retried, up to three attempts in total.
#[tokio::test]
async fn store_repeats_calls_above_the_port() {
    for (status, code, attempts) in
        [(500, "InternalServerError", 3), (400, "ThrottlingException", 3), (400, "ValidationException", 1)]
    {
        let (endpoint, count) = canned(status, &error(code, "")).await;
        let bucket = S3::new(&aws::emulator(&endpoint, "local", "secret"), "bucket".to_owned());
        let store = Store::new(Arc::new(table(&endpoint)), Some(Arc::new(bucket)), None, StoreSettings::default());
        let user = capture_core::resources::user_key(Id::new(5).expect("an identifier"));
        assert!(store.get(user).await.is_err());
        assert_eq!(count.load(Ordering::Relaxed), attempts, "{code}");
    }
}
