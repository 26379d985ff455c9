//! Any bytes as what Twitch has signed: it is always acknowledged.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, &[u8])| {
    let (is_notification, body) = input;
    fuzz::deliver(if is_notification { "notification" } else { "revocation" }, body);
});
