//! Unit tests of `shared/src/webhooks`.

use std::collections::BTreeSet;

use capture_core::schema::{MAX_INTEGER, Timestamp};
use capture_core::webhooks::twitch::read::{Words, count_or_zero, decimal, json as parse};
use capture_core::webhooks::twitch::signature::{PREFIX, sign, verify};
use capture_core::webhooks::twitch::{
    CachedSecrets, MAX_CACHE_AGE, MIN_RELOAD_INTERVAL, parse_secrets, without_user, without_users,
};
use serde_json::json;
use time::Duration;

#[test]
fn payload_loses_a_user_wherever_it_is_named() {
    let event = json!({
        "chatter_user_id": "5", "chatter_user_name": "Ann", "chatter_user_login": "ann", "broadcaster_user_id": "1",
        "message": {"text": "hi"}, "sub_gift": {"recipient_user_id": "6", "recipient_user_name": "Bob"},
    });
    let without = without_users(&event, &BTreeSet::from(["6".to_owned()]));
    assert_eq!(without["sub_gift"], json!({"recipient_is_anonymous": true}));
    assert_eq!(without["chatter_user_name"], "Ann");
    let without = without_user(&event, "5").to_string();
    assert!(!without.contains("nn\"") && !without.contains("hi") && without.contains("Bob"), "{without}");
}

#[test]
fn lone_surrogate_is_replaced_and_a_pair_is_decoded() {
    for (input, expected) in [
        (r#""\ud83d""#, "\u{FFFD}"),
        (r#""a\ud83db\uDE00c""#, "a\u{FFFD}b\u{FFFD}c"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (r#""\\ud83d""#, r"\ud83d"),
        (r#""\\\ud83d""#, "\\\u{FFFD}"),
        (r#""\"\u00e9""#, "\"é"),
    ] {
        assert_eq!(parse(input.as_bytes()).expect(input), json!(expected), "{input}");
    }
    assert_eq!(parse(b"\"\xff\"").expect("a text"), json!("\u{FFFD}"));
    for invalid in [r#""\ud83"#, r#""\u"#, "\"\\", "\\"] {
        assert!(parse(invalid.as_bytes()).is_err(), "{invalid}");
    }
}

#[test]
fn counts_parse_from_any_number_or_numeric_string() {
    for (bits, expected) in [
        (json!(5), 5),
        (json!(5.0), 5),
        (json!("5"), 5),
        (json!(-5), 0),
        (json!(1e300), MAX_INTEGER),
        (json!(null), 0),
        (json!("many"), 0),
    ] {
        assert_eq!(count_or_zero(&json!({"bits": bits}), "/bits"), expected, "{bits}");
    }
}

#[test]
fn emotes_have_the_positions_of_their_characters() {
    let text = |text: &str| json!({"type": "text", "text": text, "emote": null});
    let emote = |text: &str, id: &str| json!({"type": "emote", "text": text, "emote": {"id": id}});
    let fragments = [text("é "), emote("Kappa", "25"), text(" "), emote("LUL", "425618")];
    let expected = json!([{"id": "25", "begin": 2, "end": 6}, {"id": "425618", "begin": 8, "end": 10}]);
    let words = Words::of(&json!({"text": "é Kappa LUL", "fragments": fragments}));
    assert_eq!((words.text.as_deref(), words.is_action, &words.emotes), (Some("é Kappa LUL"), None, &expected));
    // An action's control frame is not part of the text, but may be in the fragments.
    let framed = "\u{1}ACTION é Kappa LUL\u{1}";
    let with_frame = [text("\u{1}ACTION é "), emote("Kappa", "25"), text(" "), emote("LUL", "425618"), text("\u{1}")];
    for fragments in [json!(fragments), json!(with_frame)] {
        let words = Words::of(&json!({"text": framed, "fragments": fragments}));
        assert_eq!((words.text.as_deref(), words.is_action), (Some("é Kappa LUL"), Some(true)));
        assert_eq!(words.emotes, expected);
    }
    // Fragments of another text do not match positions in this text.
    for sent in [json!({"text": "Kappa", "fragments": fragments}), json!({"fragments": fragments})] {
        assert_eq!(Words::of(&sent).emotes, json!(null));
    }
    assert_eq!(Words::of(&json!({"fragments": null})).emotes, json!([]));
}

#[test]
fn money_is_rendered_with_the_decimals_of_its_currency() {
    assert_eq!(decimal(&json!({"value": 10_000, "decimal_places": 2})).as_deref(), Some("100.00"));
    assert_eq!(decimal(&json!({"value": 5, "decimal_place": 2})).as_deref(), Some("0.05"));
    assert_eq!(decimal(&json!({"value": 500, "decimal_places": 0})).as_deref(), Some("500"));
    assert_eq!(decimal(&json!(null)), None);
}

#[test]
fn secrets_are_fresh_for_their_age_and_not_in_the_future() {
    let now = Timestamp::now();
    let read_ago =
        |seconds| CachedSecrets { read_at: now.checked_add(-Duration::seconds(seconds)), ..CachedSecrets::default() };
    assert!(read_ago(0).is_fresh(MIN_RELOAD_INTERVAL, now) && read_ago(9).is_fresh(MIN_RELOAD_INTERVAL, now));
    assert!(!read_ago(10).is_fresh(MIN_RELOAD_INTERVAL, now) && read_ago(10).is_fresh(MAX_CACHE_AGE, now));
    assert!(!read_ago(300).is_fresh(MAX_CACHE_AGE, now));
    assert!(!read_ago(-1).is_fresh(MAX_CACHE_AGE, now) && !CachedSecrets::default().is_fresh(MAX_CACHE_AGE, now));
}

#[test]
fn stored_secret_needs_a_current_secret_of_10_to_100_characters() {
    assert_eq!(parse_secrets(r#"{"current": "0123456789"}"#), Some(vec!["0123456789".to_owned()]));
    for invalid in ["", "{}", r#"{"current": "short"}"#, r#"{"current": "", "previous": ""}"#] {
        assert_eq!(parse_secrets(invalid), None, "{invalid}");
    }
}

// RFC 4231, test case 2, with the data split into three parts.
const RFC_4231: &str = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

#[test]
fn signature_is_the_hmac_of_the_concatenated_parts() {
    assert_eq!(sign("Jefe", "what do ", "ya want", b" for nothing?"), RFC_4231);
    assert!(verify("Jefe", "what do ", "ya want", b" for nothing?", RFC_4231));
}

#[test]
fn malformed_signatures_are_rejected_without_a_panic() {
    let is_rejected = |signature: &str| !verify("Jefe", "what do ", "ya want", b" for nothing?", signature);
    let digits = RFC_4231.strip_prefix(PREFIX).expect("a prefix");
    for signature in
        ["", PREFIX, digits, "sha256=5b", "sha256=5", "sha256=é", &format!("{RFC_4231}00"), &"z".repeat(71)]
    {
        assert!(is_rejected(signature), "{signature}");
    }
    assert!(is_rejected(&RFC_4231.replace("5bdc", "5bdd")));
    assert!(is_rejected(&RFC_4231[..RFC_4231.len() - 2]));
}
