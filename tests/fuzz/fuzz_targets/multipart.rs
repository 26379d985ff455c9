//! Fuzzes forms with a file with any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|form: &[u8]| {
    fuzz::answer(fuzz::event("POST", "/documents", "", "multipart/form-data; boundary=x", form));
});
