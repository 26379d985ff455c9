//! Unit tests of `shared/src/request`.

use capture_core::error::Violation;
use capture_core::request::{EtagList, ListQuery, Path, every_path, parse, parse_key, text_at};
use capture_core::resources::EVENTS;
use capture_core::schema::{Id, SortKey, SortValue, Timestamp};

#[test]
fn if_match_is_any_or_a_list_of_quoted_etags() {
    let tags = |text| EtagList::of(text).map(|parsed| parsed.tags);
    assert_eq!(tags("\"a\""), Some(vec!["\"a\"".to_owned()]));
    assert_eq!(tags(" W/\"a,b\" ,\"c\""), Some(vec!["W/\"a,b\"".to_owned(), "\"c\"".to_owned()]));
    assert_eq!(EtagList::of("*"), Some(EtagList { is_any: true, tags: Vec::new() }));
    for wrong in ["", "a", "\"a", "a\"", "\"a\" \"b\"", ",", "\"a\", b", "*, \"a\"", "w/\"a\""] {
        assert_eq!(EtagList::of(wrong), None, "{wrong}");
    }
}

#[test]
fn idempotency_key_is_visible_ascii_bare_or_quoted() {
    assert_eq!(parse_key("abc-1"), Some("abc-1".to_owned()));
    assert_eq!(parse_key("\"abc-1\""), Some("abc-1".to_owned()));
    assert_eq!(parse_key(r#""a\"b\\c""#), Some(r#"a"b\c"#.to_owned()));
    assert_eq!(parse_key(&"k".repeat(255)).map(|key| key.len()), Some(255));
    for wrong in ["", "  ", "\"\"", "a b", "\"a b\"", "\"a", "\"a\"b\"", r#""a\b""#, "é", &"k".repeat(256)] {
        assert_eq!(parse_key(wrong), None, "{wrong}");
    }
}

#[test]
fn duplicate_names_in_one_object_are_rejected() {
    assert!(parse(br#"{"a": 1, "a": 1}"#).is_err());
    assert!(parse(br#"{"a": {"b": 1, "b": 2}}"#).is_err());
    assert!(parse(br#"{"a": {"a": [1, {"a": null}]}}"#).is_ok());
}

#[test]
fn error_says_what_is_wrong() {
    let deep = "[".repeat(128);
    for (body, problem) in [
        (&b""[..], "the body is empty"),
        (b"\xef\xbb\xbf{}", "it starts with a byte order mark"),
        (b"{\"a\": 1, \"a\": 2}", "an object has a duplicate name"),
        (b"{\"a\": [1", "it ends too early"),
        (b"{\"a\": 1,}", "there is a trailing comma"),
        (b"[1,]", "there is a trailing comma"),
        (b"{} {}", "more text follows the value"),
        (deep.as_bytes(), "it is nested too deeply"),
        (b"{a: 1}", "a name has no double quotes"),
        (b"{'a': 1}", "a name has no double quotes"),
        (b"{\"a\" 1}", "a colon is missing after a name"),
        (b"{\"a\": 1 \"b\": 2}", "a comma or a closing bracket is missing"),
        (b"{\"a\": None}", "true, false and null are written in lower case"),
        (b"{\"a\": }", "a value is missing or misspelled"),
        (b"{\"a\": 1.}", "a number is malformed"),
        (b"{\"a\": 01}", "a number is malformed"),
        (b"{\"a\": NaN}", "JSON has no NaN and no Infinity"),
        (b"{\"a\": \"1\n# 2\"}", "a text has an unescaped line break or control character"),
        (b"{\"a\": \"\\# 1\"}", "a text has an invalid escape"),
        (b"{\"a\": \"1\n2\"}", "a text has an unescaped line break or control character"),
        (b"{\"a\": \"\xff\"}", "it is not UTF-8"),
        (b"{\"a\": \"\\x\"}", "a text has an invalid escape"),
        (b"{\"a\": \"\\ud800\"}", "a text has an invalid escape"),
    ] {
        let detail = parse(body).expect_err("an error").to_string();
        assert!(detail.contains(problem), "{:?}: {detail}", String::from_utf8_lossy(body));
    }
}

#[test]
fn out_of_range_numbers_are_left_to_field_validation() {
    let value = |text: &str| parse(text.as_bytes()).expect(text).to_string();
    assert_eq!(value(r#"{"a":1e400,"b":-1e999,"c":[-0,-0.0,0e400]}"#), r#"{"a":true,"b":true,"c":[0,-0.0,0.0]}"#);
    assert_eq!(value(r#"{"-0":"1e400\"-0 1e400"}"#), r#"{"-0":"1e400\"-0 1e400"}"#);
    for malformed in ["1e400x", "-", "01e400", "1e400.", "\"1e400", "\"\\"] {
        assert!(parse(malformed.as_bytes()).is_err(), "{malformed}");
    }
}

#[test]
fn text_of_a_member_is_found_by_its_pointer() {
    let body = br#" {"a/b": {"details": {"x": 1.00, "y": [1e400]} }, "details": 5}"#;
    assert_eq!(text_at(body, "/a~1b/details"), Some(r#"{"x": 1.00, "y": [1e400]}"#));
    assert_eq!((text_at(body, "/details"), text_at(body, "/none")), (Some("5"), None));
}

#[test]
fn parser_agrees_with_serde_json() {
    for text in [r#"{"x": [1, -2, 0.5, -0.0, "é\u0000", true, null, {}]}"#, "5", "\"\"", " [] "] {
        assert_eq!(
            parse(text.as_bytes()).expect("JSON"),
            serde_json::from_str::<serde_json::Value>(text).expect("JSON")
        );
    }
    for text in ["", "{", "{} x", "[1,]", "nul", "\"\\ud800\"", &"[".repeat(200)] {
        assert!(parse(text.as_bytes()).is_err(), "{text}");
    }
}

fn list(query: &str) -> Result<ListQuery, Vec<Violation>> {
    ListQuery::new(&EVENTS, "/events").with(query, None)
}

#[test]
fn limit_has_the_syntax_of_an_identifier() {
    assert_eq!(list("limit=20").expect("a list").limit, Some(20));
    for wrong in ["0", "01", "+1", "-1", "1001", "x", ""] {
        assert!(list(&format!("limit={wrong}")).is_err(), "{wrong}");
    }
}

#[test]
fn cursor_is_valid_for_its_filters_and_order_only() {
    let sort_key = SortKey { order: SortValue::Time(Timestamp::now()), id: Id::new(7).expect("an identifier") };
    let next = list("event_type=raid&limit=2").expect("a list").next_page(&sort_key);
    let expected = Some(sort_key);
    assert_eq!(list(&next).expect("a list").after, expected);
    assert_eq!(list(&next.replace("limit=2", "limit=3")).expect("a list").after, expected);
    for other in [next.replace("raid", "plain"), format!("{next}&order=asc"), next.replace("cursor=", "cursor=x")] {
        assert!(list(&other).is_err(), "{other}");
    }
}

#[test]
fn every_route_round_trips_through_its_template() {
    for path in every_path() {
        let template = path.template();
        let segments = template.split('/').map(|segment| if segment.starts_with('{') { "1" } else { segment });
        let parsed = Path::parse(&segments.collect::<Vec<_>>().join("/")).expect("a route");
        assert_eq!(parsed.template(), template);
    }
}

#[test]
fn segment_is_not_percent_decoded_twice() {
    assert!(Path::parse("/%65vents").is_err());
    assert!(!Path::parse("/users/%34").expect("a route").violations.is_empty());
}

#[test]
fn collection_link_binds_the_parent_field_on_creation() {
    let bound = |path| Path::parse(path).expect("a route").bound_on_creation();
    assert_eq!(bound("/users/5/events"), Some("user_id"));
    assert_eq!(bound("/users/5/specimen"), Some("owner_id"));
    assert_eq!(bound("/events"), None);
}

#[test]
fn path_with_17_links_is_rejected() {
    let path = format!("/events/1/user{}", "/specimen/owner".repeat(7));
    assert!(Path::parse(&format!("{path}/specimen")).is_ok());
    assert!(Path::parse(&format!("{path}/specimen/owner")).is_err());
}
