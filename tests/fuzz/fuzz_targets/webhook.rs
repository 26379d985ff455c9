//! Fuzzes messages that Twitch has signed with any bytes: each is acknowledged.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, &[u8])| {
    let (is_notification, body) = input;
    fuzz::deliver(if is_notification { "notification" } else { "revocation" }, body);
});
