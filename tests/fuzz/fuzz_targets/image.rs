//! Fuzzes images with arbitrary bytes.
#![no_main]

use event_capture::request::image;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = image::inspect(bytes);
});
