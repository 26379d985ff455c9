//! Fuzzes notifications with arbitrary JSON: each is parsed or ignored.
#![no_main]

use capture_core::webhooks::twitch::{mapping, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(message) = read::json(bytes) else { return };
    let name = message["subscription"]["type"].as_str().unwrap_or_default();
    if let Some(mapping) = mapping::find(name, |_| true) {
        let _ = mapping.parse(&message["event"]);
    }
});
