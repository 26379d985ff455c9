//! Fuzzes the body of a POST to each resource with arbitrary bytes.
#![no_main]

use capture_core::resources::ALL;
use http::Method;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (which, body) = input;
    let resource = ALL[usize::from(which) % ALL.len()];
    fuzz::parse(Method::POST, &format!("/{}", resource.name), "", "application/json", body);
});
