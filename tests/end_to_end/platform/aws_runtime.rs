//! The functions' binaries under AWS's own Lambda emulator and under ours, with the payloads that AWS sends.
//!
//! All other tests of the binaries use our emulator, so it must produce the same as AWS's. To run this test:
//!
//! ```sh
//! GOBIN=$PWD go install github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@latest
//! AWS_EMULATOR=$PWD/aws-lambda-rie FUNCTIONS=$PWD/target/lambda cargo test --test end_to_end -- --ignored aws_runtime
//! ```

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use end_to_end::options;
use event_capture::runtime::Environment;
use event_capture::{Options, Stack};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::process::Command;

/// The maximum duration of an invocation.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// A payload as AWS sends it.
#[derive(Deserialize)]
struct Recorded {
    name: String,
    binary: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    variables: Map<String, Value>,
    /// The size of the image in the body, which is too large for this file.
    #[serde(default)]
    image_bytes: usize,
    payload: Value,
    /// The parts that the response must have. `code` is the code of the problem in its body.
    answer: Map<String, Value>,
}

/// Returns the address of a port that was free a moment ago.
fn free_address() -> String {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|port| port.local_addr()).expect("a port").to_string()
}

/// Sends a payload to a new process of a function under AWS's emulator.
async fn answer_under_aws(emulator: &str, binary: &Path, variables: &[(String, String)], payload: &str) -> Value {
    let address = free_address();
    let _process = Command::new(emulator)
        .args(["--runtime-interface-emulator-address", &address, "--runtime-api-address", &free_address()])
        .arg(binary)
        .env_clear()
        .envs(variables.iter().cloned())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("AWS's emulator");
    let url = format!("http://{address}/2015-03-31/functions/function/invocations");
    let client = reqwest::Client::new();
    let reply = async {
        // Waits until it listens.
        loop {
            match client.post(&url).body(payload.to_owned()).send().await {
                Ok(reply) => return reply.json().await.expect("JSON"),
                Err(error) if error.is_connect() => tokio::time::sleep(Duration::from_millis(10)).await,
                Err(error) => panic!("{error}"),
            }
        }
    };
    tokio::time::timeout(TIME_LIMIT, reply).await.expect("an answer in time")
}

/// Sends a payload to a new process of a function under our emulator.
async fn answer_under_ours(binary: &Path, variables: &[(String, String)], payload: &str) -> Value {
    let mut function = Environment::start(binary, variables).await.expect("a function");
    let answer = function.invoke(payload.to_owned(), TIME_LIMIT).await.unwrap_or_else(|error| error.to_string());
    serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"))
}

/// Returns a response with a parsed body, without the parts that mark it as the response to a retry.
fn parsed(mut answer: Value) -> Value {
    if let Some(headers) = answer["headers"].as_object_mut() {
        headers.retain(|name, _| name != "store-cost" && name != "idempotent-replayed");
    }
    if let Some(Ok(body)) = answer["body"].as_str().map(serde_json::from_str::<Value>) {
        answer["code"] = body["code"].clone();
        answer["body"] = body;
    }
    answer
}

/// Returns true if a value has all the parts of another value.
fn has_parts(value: &Value, parts: &Map<String, Value>) -> bool {
    parts.iter().all(|(name, part)| match part {
        Value::Object(parts) if !parts.is_empty() => has_parts(&value[name], parts),
        part => value[name] == *part,
    })
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs AWS's emulator and the built functions; .ci/binaries runs it"]
async fn answers_are_the_same_under_aws_runtime() {
    let emulator = std::env::var("AWS_EMULATOR").expect("AWS_EMULATOR");
    let functions = PathBuf::from(std::env::var("FUNCTIONS").expect("FUNCTIONS"));
    let data = tempfile::tempdir().expect("a folder");
    let options = Options { lambda: None, ..options(&data.path().join("data")) };
    let stack = Stack::start(&options).await.expect("a service");
    let recorded: Vec<Recorded> = serde_json::from_str(include_str!("payloads.json")).expect("recorded payloads");
    for Recorded { name, binary, group, variables, image_bytes, mut payload, answer } in recorded {
        let function = if group.is_empty() { &binary } else { &group };
        let variables = variables.iter().map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned()));
        let variables: Vec<_> = stack
            .environment(&options, function)
            .into_iter()
            .chain([("GROUP".to_owned(), group.clone())])
            .chain(variables)
            .collect();
        if image_bytes > 0 {
            payload["body"] = json!({"document_data": STANDARD.encode(vec![0; image_bytes])}).to_string().into();
        }
        let (binary, payload) = (functions.join(&binary).join("bootstrap"), payload.to_string());
        let ours = parsed(answer_under_ours(&binary, &variables, &payload).await);
        assert!(has_parts(&ours, &answer), "{name}: {ours}");
        let aws = parsed(answer_under_aws(&emulator, &binary, &variables, &payload).await);
        assert_eq!(ours, aws, "{name}");
    }
    stack.stop().await.expect("stopped");
}
