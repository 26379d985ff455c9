//! Fuzzes paths with arbitrary text.
#![no_main]

use http::Method;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|path: &str| {
    fuzz::parse(Method::GET, path, "", "", b"");
});
