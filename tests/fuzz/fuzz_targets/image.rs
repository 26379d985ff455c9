//! Fuzzes images with arbitrary bytes.
#![no_main]

use capture_core::request::image;
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    // libFuzzer's hook ends the process at a decoder's panic, which `inspect` catches.
    init: std::panic::set_hook(Box::new(|_| ())),
    |bytes: &[u8]| {
        let _ = image::inspect(bytes);
    }
);
