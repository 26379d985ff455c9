//! Fuzzes images with arbitrary bytes.
#![no_main]

use capture_core::request::image;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = image::inspect(bytes);
});
