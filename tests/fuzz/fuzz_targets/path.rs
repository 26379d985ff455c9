//! Fuzzes paths with any text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|path: &str| {
    fuzz::answer(fuzz::event("GET", path, "", "", b""));
});
