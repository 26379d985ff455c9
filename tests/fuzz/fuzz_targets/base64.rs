//! Fuzzes an image's base64 with arbitrary text.
#![no_main]

use http::Method;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|text: &str| {
    let body = json!({"document_data": text, "seal": 1}).to_string();
    fuzz::parse(Method::POST, "/documents", "", "application/json", body.as_bytes());
});
