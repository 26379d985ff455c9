//! Fuzzes each resource's query with arbitrary text.
#![no_main]

use capture_core::resources::ALL;
use http::Method;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (which, query) = input;
    let resource = ALL[usize::from(which) % ALL.len()];
    fuzz::parse(Method::GET, &format!("/{}", resource.name), query, "", b"");
});
