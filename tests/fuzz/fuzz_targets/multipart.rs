//! Any bytes as a form with a file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|form: &[u8]| {
    fuzz::answer(fuzz::event("POST", "/documents", "", "multipart/form-data; boundary=x", form));
});
