//! Fuzzes gateway events with any JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(event) = serde_json::from_slice(bytes) {
        fuzz::answer(event);
    }
});
