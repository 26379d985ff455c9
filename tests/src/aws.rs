//! The parts of AWS besides Lambda that the functions' binaries need: a bucket, Secrets Manager, and a proxy in front
//! of a DynamoDB that checks each caller's rights. The access key names the caller.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use capture_core::schema::Timestamp;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

use crate::rights::{Right, Rights, on_bucket, on_index, on_item};

/// The header with the record that an image was uploaded for.
const RECORD: &str = "x-amz-meta-record";
/// The largest request body, in bytes.
const MAX_BODY: usize = 20_000_000;

/// The endpoints of the services.
#[derive(Clone, Debug)]
pub struct Aws {
    /// The endpoint of DynamoDB and Secrets Manager.
    pub dynamodb: String,
    /// The endpoint of S3.
    pub s3: String,
    /// The calls to the table.
    pub recorder: Recorder,
}

/// One caller's calls to the table since they were last taken, in rounds of parallel calls.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    caller: String,
    rounds: Vec<Vec<Value>>,
    /// The number of calls without a response.
    pending: usize,
}

impl Recorder {
    /// Selects the caller to record.
    pub fn record(&self, caller: &str) {
        caller.clone_into(&mut self.0.lock().expect("a lock").caller);
    }

    /// Removes and returns the recorded rounds.
    pub fn take(&self) -> Vec<Vec<Value>> {
        std::mem::take(&mut self.0.lock().expect("a lock").rounds)
    }

    fn begin(&self, caller: &str, operation: &str, body: &Value) -> bool {
        let mut recorded = self.0.lock().expect("a lock");
        if recorded.caller != caller {
            return false;
        }
        if recorded.pending == 0 {
            recorded.rounds.push(Vec::new());
        }
        let call = json!({"operation": operation, "body": body});
        recorded.rounds.last_mut().expect("a round").push(call);
        recorded.pending += 1;
        true
    }
}

/// The upload time, the headers and the bytes of each object, by key.
type Objects = Arc<Mutex<BTreeMap<String, (Timestamp, String, String, Bytes)>>>;

impl Aws {
    /// Starts the services in front of the DynamoDB at an endpoint.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start(endpoint: &str) -> Self {
        let (rights, recorder) = (Rights::of_the_template(), Recorder::default());
        let proxy = Proxy {
            endpoint: endpoint.to_owned(),
            client: reqwest::Client::builder().tls_certs_only([]).build().expect("a client"),
            rights: rights.clone(),
            recorder: recorder.clone(),
        };
        let dynamodb = serve(move |request| {
            let proxy = proxy.clone();
            async move { proxy.answer(request).await }
        });
        let objects = Objects::default();
        let s3 = serve(move |request| answer_s3(rights.clone(), Arc::clone(&objects), request));
        Self { dynamodb: dynamodb.await, s3: s3.await, recorder }
    }
}

/// Serves requests on a separate port and returns its URL.
async fn serve<F: Future<Output = Response> + Send + 'static>(
    answer: impl Fn(Request) -> F + Clone + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    format!("http://{address}")
}

fn response(status: u16, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
}

/// Returns a signed request's access key.
fn caller_of(request: &Request) -> String {
    let text = request.headers().get("authorization").map_or("", |value| value.to_str().unwrap_or_default());
    let key = text.split("Credential=").nth(1).and_then(|rest| rest.split('/').next());
    key.unwrap_or_default().to_owned()
}

/// A proxy in front of a DynamoDB.
#[derive(Clone)]
struct Proxy {
    endpoint: String,
    client: reqwest::Client,
    rights: Rights,
    recorder: Recorder,
}

impl Proxy {
    async fn answer(&self, request: Request) -> Response {
        let caller = caller_of(&request);
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, MAX_BODY).await.expect("a body");
        let target = parts.headers.get("x-amz-target").map_or("", |value| value.to_str().unwrap_or_default());
        let operation = target.rsplit('.').next().unwrap_or_default();
        let call: Value = serde_json::from_slice(&body).unwrap_or_default();
        let is_of_owner =
            ["CreateTable", "DescribeTable"].contains(&operation) || target.starts_with("DynamoDBStreams");
        if !is_of_owner && !self.rights.allow(&caller, needed(operation, &call)) {
            eprintln!("the template's policies do not allow {caller}: {operation}");
            return response(400, r#"{"__type":"com.amazonaws.dynamodb.v20120810#AccessDeniedException"}"#);
        }
        if operation == "GetSecretValue" {
            // A secret's name is the path of its file.
            return match std::fs::read_to_string(call["SecretId"].as_str().unwrap_or_default()) {
                Ok(text) => response(200, json!({"SecretString": text}).to_string()),
                Err(_) => response(400, r#"{"__type":"ResourceNotFoundException"}"#),
            };
        }
        let is_recorded = self.recorder.begin(&caller, operation, &call);
        let mut forwarded = self.client.post(&self.endpoint).body(body);
        for name in ["x-amz-target", "x-amz-date", "authorization", "content-type"] {
            if let Some(value) = parts.headers.get(name) {
                forwarded = forwarded.header(name, value);
            }
        }
        let answer = forwarded.send().await;
        if is_recorded {
            self.recorder.0.lock().expect("a lock").pending -= 1;
        }
        match answer {
            Ok(answer) => {
                let status = answer.status().as_u16();
                response(status, answer.bytes().await.unwrap_or_default())
            }
            Err(error) => response(503, error.to_string()),
        }
    }
}

/// Returns the rights that a JSON call needs, one for each of its items.
fn needed(action: &str, body: &Value) -> Vec<Right> {
    let of = |action: &str, item: &Value| on_item(action, item["pk"]["S"].as_str().unwrap_or_default());
    let tables = |name: &str| body[name].as_object().into_iter().flat_map(Map::values).cloned();
    match action {
        "Query" => vec![on_index(body["IndexName"].as_str().unwrap_or_default())],
        "BatchGetItem" => {
            let keys = tables("RequestItems").flat_map(|table| table["Keys"].as_array().cloned().unwrap_or_default());
            keys.map(|key| of(action, &key)).collect()
        }
        "BatchWriteItem" => {
            let writes = tables("RequestItems").flat_map(|table| table.as_array().cloned().unwrap_or_default());
            writes.map(|write| of(action, &write["DeleteRequest"]["Key"])).collect()
        }
        "TransactWriteItems" => {
            let items = body["TransactItems"].as_array().into_iter().flatten();
            let right = |item: &Value| {
                let (kind, write) = item.as_object().and_then(|item| item.iter().next()).expect("one write");
                let action = if kind == "ConditionCheck" { "ConditionCheckItem" } else { &format!("{kind}Item") };
                of(action, if kind == "Put" { &write["Item"] } else { &write["Key"] })
            };
            items.map(right).collect()
        }
        "GetSecretValue" => {
            vec![("secretsmanager:GetSecretValue".to_owned(), "TwitchSecretArn".to_owned(), String::new())]
        }
        "PutItem" => vec![of(action, &body["Item"])],
        _ => vec![of(action, &body["Key"])],
    }
}

/// Answers like S3, for the service's operations and for presigned URLs.
async fn answer_s3(rights: Rights, objects: Objects, request: Request) -> Response {
    let caller = caller_of(&request);
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MAX_BODY).await.expect("a body");
    let path = parts.uri.path().trim_start_matches('/');
    let key = path.split_once('/').map(|(_, key)| key.to_owned()).unwrap_or_default();
    let query = parts.uri.query().unwrap_or_default().replace("%2F", "/");
    let operation = match (&parts.method, key.is_empty()) {
        (&Method::PUT, false) => "PutObject",
        (&Method::HEAD, false) => "HeadObject",
        (&Method::GET, false) => "GetObject",
        (&Method::POST, true) => "DeleteObjects",
        (&Method::GET, true) => "ListObjectsV2",
        other => panic!("{other:?} of {path}"),
    };
    let is_presigned = caller.is_empty() && query.contains("X-Amz-Signature=");
    if !is_presigned && !rights.allow(&caller, vec![on_bucket(operation)]) {
        eprintln!("the template's policies do not allow {caller}: {operation}");
        return response(403, "<Error><Code>AccessDenied</Code></Error>");
    }
    let header = |name: &str| parts.headers.get(name).map_or("", |value| value.to_str().expect("a text")).to_owned();
    let mut objects = objects.lock().expect("a lock");
    match operation {
        "PutObject" => {
            assert_eq!(header("x-amz-decoded-content-length"), "", "a body in chunks");
            objects.insert(key, (Timestamp::now(), header(RECORD), header("content-type"), body));
            response(200, "")
        }
        "HeadObject" | "GetObject" => match objects.get(&key) {
            Some((_, record, content_type, bytes)) => {
                let mut found = response(200, if operation == "GetObject" { bytes.clone() } else { Bytes::new() });
                for (name, value) in [(RECORD, record), ("content-type", content_type)] {
                    found.headers_mut().insert(name, value.parse().expect("a header"));
                }
                found.headers_mut().insert("etag", format!("\"{}\"", key.replace('/', "-")).parse().expect("a tag"));
                found
            }
            None if operation == "HeadObject" => response(404, ""),
            None => response(404, "<Error><Code>NoSuchKey</Code></Error>"),
        },
        "DeleteObjects" => {
            for part in String::from_utf8_lossy(&body).split("<Key>").skip(1) {
                objects.remove(part.split("</Key>").next().expect("a key"));
            }
            response(200, "<DeleteResult/>")
        }
        _ => {
            let after = query.split('&').find_map(|pair| pair.strip_prefix("start-after=")).unwrap_or_default();
            let later = objects.iter().filter(|(key, _)| key.as_str() > after);
            let entries = later.map(|(key, (uploaded_at, ..))| {
                format!("<Contents><Key>{key}</Key><LastModified>{uploaded_at}</LastModified></Contents>")
            });
            response(200, format!("<ListBucketResult>{}</ListBucketResult>", entries.collect::<String>()))
        }
    }
}
