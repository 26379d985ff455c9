//! An in-memory bucket that implements the S3 operations of the service, with the same faults as the table.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use event_capture::schema::Timestamp;
use http::{Method, StatusCode};
use tokio::net::TcpListener;

use super::{Fault, State};

/// The header with the record that an image was uploaded for.
const RECORD: &str = "x-amz-meta-record";
/// The largest request body, in bytes.
const MAX_BODY: usize = 10_000_000;

/// The upload time and the record of each object, by the object's key.
type Objects = BTreeMap<String, (Timestamp, String)>;

/// Starts a bucket, and returns its endpoint.
pub async fn start(state: Arc<Mutex<State>>) -> String {
    let objects = Arc::new(Mutex::new(Objects::new()));
    let answer = move |request: Request| answer(Arc::clone(&state), Arc::clone(&objects), request);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    format!("http://{address}")
}

async fn answer(state: Arc<Mutex<State>>, objects: Arc<Mutex<Objects>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = String::from_utf8_lossy(&to_bytes(body, MAX_BODY).await.expect("a body")).into_owned();
    let path = parts.uri.path().trim_start_matches('/');
    let key = path.split_once('/').map(|(_, key)| key.to_owned()).unwrap_or_default();
    let operation = match (&parts.method, key.is_empty()) {
        (&Method::PUT, false) => "PutObject",
        (&Method::HEAD, false) => "HeadObject",
        (&Method::GET, false) => "GetObject",
        (&Method::POST, true) => "DeleteObjects",
        (&Method::GET, true) => "ListObjectsV2",
        other => panic!("{other:?} of {path}"),
    };
    let fault = state.lock().expect("a lock").next(operation);
    match fault {
        Some(Fault::Throttled) => return response(503, "<Error><Code>SlowDown</Code></Error>"),
        Some(Fault::LostBefore) => return lost(),
        Some(Fault::KilledBefore) => {
            drop(state.lock().expect("a lock").victim.take());
            return lost();
        }
        _ => {}
    }
    let mut objects = objects.lock().expect("a lock");
    let done = match operation {
        "PutObject" => {
            let record = parts.headers[RECORD].to_str().expect("a record").to_owned();
            objects.insert(key, (Timestamp::now(), record));
            response(200, "")
        }
        "HeadObject" => match objects.get(&key) {
            Some((_, record)) => {
                let mut found = response(200, "");
                found.headers_mut().insert(RECORD, record.parse().expect("a record"));
                found
            }
            None => response(404, ""),
        },
        // Every image of the tests is the same.
        "GetObject" if objects.contains_key(&key) => Response::new(Body::from(end_to_end::samples::png(2, 2))),
        "GetObject" => response(404, "<Error><Code>NoSuchKey</Code></Error>"),
        "DeleteObjects" => {
            for part in body.split("<Key>").skip(1) {
                objects.remove(part.split("</Key>").next().expect("a key"));
            }
            response(200, "<DeleteResult/>")
        }
        _ => {
            let query = parts.uri.query().unwrap_or_default().replace("%2F", "/");
            let after = query.split('&').find_map(|pair| pair.strip_prefix("start-after=")).unwrap_or_default();
            let later = objects.iter().filter(|(key, _)| key.as_str() > after);
            let entries = later.map(|(key, (uploaded_at, _))| {
                format!("<Contents><Key>{key}</Key><LastModified>{uploaded_at}</LastModified></Contents>")
            });
            response(200, &format!("<ListBucketResult>{}</ListBucketResult>", entries.collect::<String>()))
        }
    };
    match fault {
        Some(Fault::LostAfter) => lost(),
        Some(Fault::KilledAfter) => {
            drop(state.lock().expect("a lock").victim.take());
            lost()
        }
        _ => done,
    }
}

fn lost() -> Response {
    response(500, "<Error><Code>InternalError</Code></Error>")
}

fn response(status: u16, body: &str) -> Response {
    let mut response = Response::new(Body::from(body.to_owned()));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
}
