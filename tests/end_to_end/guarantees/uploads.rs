//! Tests of clients that send a body slowly, partially, or without permission: they do not delay other clients.

use std::time::Duration;

use end_to_end::{Api, samples, stack_in, stack_with_tokens};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::api::tokens::make;

/// The time limit for requests that need milliseconds. A service that waits for another client needs at least 30
/// seconds.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Sends the head of a POST of 10 MB and the first bytes of its body. Returns the connection.
async fn begin_upload(api: &Api, path: &str, more_headers: &str, sent: usize) -> TcpStream {
    let address = api.base().strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n{more_headers}\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is open");
    stream.write_all(&vec![b' '; sent]).await.expect("it is open");
    stream
}

/// Reads a response until the connection ends. Returns its head and body.
async fn response(mut stream: TcpStream) -> (String, Value) {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(MAX_WAIT, stream.read_to_end(&mut answer)).await;
    read.expect("the connection is closed").expect("it is readable");
    let answer = String::from_utf8(answer).expect("a text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a response");
    (head.to_owned(), serde_json::from_str(body).expect("JSON"))
}

/// Stores an event of 99 KB, while `idle` connections stay open.
async fn upload(api: &Api, idle: Vec<TcpStream>) {
    let body = samples::event(&json!({"user": samples::user(), "message": "x".repeat(99_000)}));
    let stored = tokio::time::timeout(MAX_WAIT, api.post("/events", &body)).await;
    stored.expect("the upload waits for no other client").created();
    drop(idle);
}

#[tokio::test(flavor = "multi_thread")]
async fn incomplete_uploads_delay_no_other_upload() {
    let api = Api::start();
    for sent in [1, 4_000_000] {
        let idle = (0..8).map(|_| begin_upload(&api, "/events", "", sent));
        let idle = futures_util::future::join_all(idle).await;
        upload(&api, idle).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn incomplete_uploads_delay_no_chunked_body() {
    let api = Api::start();
    let idle = [begin_upload(&api, "/events", "", 1).await, begin_upload(&api, "/events", "", 1).await];
    let body = json!({"platform_id": "1", "name": "Ann"}).to_string();
    let address = api.base().strip_prefix("http://").expect("an address");
    let request = format!(
        "POST /users HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("it is open");
    let (head, user) = response(stream).await;
    assert!(head.starts_with("HTTP/1.1 201"), "{head}");
    assert_eq!(user["name"], "Ann");
    drop(idle);
}

#[tokio::test(flavor = "multi_thread")]
async fn upload_without_permission_is_refused_before_its_body_arrives() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = stack_in(folder.path(), |options| options.require_token = true);
    let (read, write) = (make(folder.path(), "read"), make(folder.path(), "write"));
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let mut idle = Vec::new();
    for (path, headers, status) in [
        ("/events", String::new(), "401"),
        ("/events", bearer("unknown"), "401"),
        ("/events", bearer(&read), "403"),
        ("/nothing", bearer(&write), "404"),
        ("/webhooks/twitch", "Origin: https://evil.example\r\n".to_owned(), "403"),
        // The client would send the body when allowed to, but it is not.
        ("/events", "Expect: 100-continue\r\n".to_owned(), "401"),
    ] {
        let mut stream = begin_upload(&api, path, &headers, usize::from(!headers.starts_with("Expect"))).await;
        let mut answer = [0; 12];
        let read = tokio::time::timeout(MAX_WAIT, stream.read_exact(&mut answer)).await;
        read.expect("the response does not wait for the body").expect("it is open");
        assert_eq!(String::from_utf8_lossy(&answer), format!("HTTP/1.1 {status}"), "{path} {headers}");
        idle.push(stream);
    }
    let request = api.request(Method::POST, "/users").header("Authorization", format!("Bearer {write}"));
    api.send(request.json(&samples::user())).await.created();
    drop(idle);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_client_that_still_sends_gets_the_response() {
    let (api, _folder) = stack_with_tokens();
    for size in [100_000, 9_000_000, 30_000_000] {
        api.post("/users", &json!({"name": "x".repeat(size)})).await.refused(401);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn upload_that_does_not_progress_is_dropped() {
    let api = stack_in(&end_to_end::folder(), |options| options.client_silence = 2);
    let silent = response(begin_upload(&api, "/events", "", 100_000).await);
    let slow = async {
        let stream = begin_upload(&api, "/events", "", 1).await;
        let (mut receiving, mut sending) = stream.into_split();
        let sender = tokio::spawn(async move {
            while sending.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        let mut answer = [0; 12];
        let read = tokio::time::timeout(MAX_WAIT, receiving.read_exact(&mut answer)).await;
        read.expect("the service does not wait").expect("a response");
        sender.await.expect("the connection is closed");
        String::from_utf8_lossy(&answer).into_owned()
    };
    let ((head, problem), slow) = tokio::join!(silent, slow);
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
    assert_eq!(problem["code"], "malformed_body");
    assert_eq!(slow, "HTTP/1.1 400");
}
