//! Fuzzes forms that contain a file of arbitrary bytes.
#![no_main]

use http::Method;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|form: &[u8]| {
    fuzz::parse(Method::POST, "/documents", "", "multipart/form-data; boundary=x", form);
});
