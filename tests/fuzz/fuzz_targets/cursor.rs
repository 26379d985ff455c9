//! Fuzzes a cursor's encoded content with arbitrary bytes, and cursors with arbitrary text.
#![no_main]

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capture_core::resources::ALL;
use http::Method;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (which, bytes) = input;
    let path = format!("/{}", ALL[usize::from(which) % ALL.len()].name);
    fuzz::parse(Method::GET, &path, &format!("cursor={}", URL_SAFE_NO_PAD.encode(bytes)), "", b"");
    if let Ok(text) = std::str::from_utf8(bytes) {
        fuzz::parse(Method::GET, &path, &format!("cursor={text}"), "", b"");
    }
});
