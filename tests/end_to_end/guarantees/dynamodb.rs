//! Tests against a DynamoDB other than the embedded table, at `EVENT_CAPTURE_DYNAMODB_ENDPOINT`.

use end_to_end::{Api, invariants, options, samples};
use event_capture::{Options, Stack};
use serde_json::{Value, json};

use crate::guarantees::crash::Process;

/// Starts a service on the other DynamoDB. Returns `None` if there is none.
async fn start(folder: &std::path::Path) -> Option<(Options, Stack, Api)> {
    let options = Options { lambda: None, ..options(folder) };
    options.dynamodb_endpoint.as_ref()?;
    let stack = Stack::start(&options).await.expect("a service");
    let api = Api::at(&format!("http://{}", stack.address));
    Some((options, stack, api))
}

fn variable(stack: &Stack, options: &Options, name: &str) -> String {
    let variables = stack.environment(options, "local").into_iter();
    variables.filter(|(variable, _)| variable == name).map(|(_, value)| value).next().expect("a variable")
}

/// Sends a call as JSON.
async fn call(options: &Options, operation: &str, body: &Value) -> Value {
    let scope = "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request";
    let request = reqwest::Client::new()
        .post(options.dynamodb_endpoint.as_ref().expect("an endpoint"))
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .header("x-amz-date", "20260101T000000Z")
        .header("authorization", format!("{scope}, SignedHeaders=host, Signature=0"))
        .header("content-type", "application/x-amz-json-1.0")
        .body(body.to_string());
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "{operation}");
    answer.json().await.expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn items_in_the_next_format_keep_their_new_attributes() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((options, stack, api)) = start(folder.path()).await else { return };
    let table = variable(&stack, &options, "TABLE_NAME");
    let event = api.event(&api.user().await).await;
    let path = format!("/events/{}", event["event_id"]);
    let key = json!({"pk": {"S": path.trim_start_matches('/')}});
    // A later release may write new attributes, types and items.
    let new = json!({":d": {"M": {"tier": {"N": "2"}}}, ":l": {"L": [{"BOOL": true}]}});
    let update = json!({"TableName": table, "Key": key, "UpdateExpression": "SET details_v2 = :d, labels_v2 = :l",
        "ExpressionAttributeValues": new});
    call(&options, "UpdateItem", &update).await;
    let other = json!({"TableName": table, "Item": {"pk": {"S": "rollups/2026"}, "resource": {"S": "rollups"},
        "shard": {"N": "0"}, "time": {"S": "2026-01-01T00:00:00.000000000Z"}, "id": {"N": "7"}}});
    call(&options, "PutItem", &other).await;
    assert_eq!(api.get(&path).await.ok(), event);
    assert_eq!(api.list("/events").await, [event]);
    assert_eq!(api.patch(&path, &json!({"message": "changed"})).await.ok()["message"], "changed");
    let stored = call(&options, "GetItem", &json!({"TableName": table, "Key": key})).await;
    let kept = (&stored["Item"]["details_v2"], &stored["Item"]["labels_v2"]);
    assert_eq!(kept, (&new[":d"], &new[":l"]), "a rollback loses nothing");
    invariants::check(&stack.store).await;
    stack.stop().await.expect("it stops");
}

#[tokio::test(flavor = "multi_thread")]
async fn deployed_table_is_served_for_reading_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((options, stack, api)) = start(folder.path()).await else { return };
    if options.s3_endpoint.is_none() {
        return;
    }
    let event = api.event(&api.user().await).await;
    let path = format!("/events/{}", event["event_id"]);
    let served = Process::start_read_only(&folder.path().join("reader"), &stack, &options);
    assert_eq!(served.api.get(&path).await.ok()["message"], event["message"]);
    assert_eq!(served.api.post("/users", &samples::user()).await.refused(405), Vec::<String>::new());
    assert_eq!(served.api.delete(&path).await.status, 405);
    stack.stop().await.expect("it stops");
}
