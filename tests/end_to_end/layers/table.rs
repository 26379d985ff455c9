//! Unit tests of `shared/src/table`.

use std::collections::BTreeSet;

use capture_core::error::{Code, Error};
use capture_core::request::Draft;
use capture_core::resources::{self, EVENTS, SPECIMENS, events, specimens};
use capture_core::schema::scalar::{Identifier, Integer};
use capture_core::schema::{Attr, Filter, Id, Key, Operator, Record, Resource, Role, StoredValue, Timestamp};
use capture_core::table::{
    CommitError, Condition, DedupKey, IdempotencyRecord, IdempotentRequest, Item, LIFETIME, MAX_INLINE_BYTES, MESSAGES,
    StoredReport, StoredResponse, Write, WriteKind, WriteSet, attribute, escaped_len, fill_missing_fields, flag,
    from_item, number, to_item,
};
use time::Duration;

#[test]
fn identifiers_are_deterministic_per_source() {
    let now = Timestamp::now();
    let ids = |source: &str| {
        let mut key = DedupKey::new(source, now);
        let mut nth = |attempt| {
            key.attempt = attempt;
            key.id()
        };
        [nth(0), nth(1), nth(2)]
    };
    assert_eq!(ids("twitch message 1"), ids("twitch message 1"));
    assert!(ids("twitch message 1").iter().all(|id| !ids("twitch message 2").contains(id)));
    assert_ne!(ids("x")[0], ids("x")[1]);
}

fn existing(source: &str, time: Timestamp) -> StoredReport {
    let mut record = Record::new(Key::new(&EVENTS, Id::new(5).expect("an identifier")));
    record.set(&events::OCCURRED_AT, time);
    StoredReport {
        source: source.to_owned(),
        record: Some(record),
        messages: None,
        completed_at: None,
        is_redacted: false,
    }
}

#[test]
fn collisions_and_expired_windows_yield_another_identifier() {
    let now = Timestamp::now();
    let mut collided = DedupKey::new("a", now);
    assert!(!collided.identifies_or_advances(&existing("", now)) && collided.attempt == 1);
    assert!(collided.identifies_or_advances(&existing(&collided.source.clone(), now)));
    let mut reused = DedupKey::new("a", now).with_second_source(Duration::days(1), "b");
    let source = reused.source.clone();
    let ago = |days: i64| now.checked_add(Duration::days(-days)).expect("a time");
    assert!(reused.identifies_or_advances(&existing(&source, now)));
    assert!(!reused.identifies_or_advances(&existing(&source, ago(2))));
    assert_eq!(reused.source, DedupKey::new("b", now).source);
    let again = reused.source.clone();
    assert!(reused.identifies_or_advances(&existing(&again, ago(2))), "a message is itself at any time");
}

#[test]
fn second_message_fills_missing_fields_once() {
    let now = Timestamp::now();
    let mut stored = existing("", now);
    stored.record.as_mut().expect("a record").set(&events::TIER, 2);
    let draft = Draft::new(&EVENTS).with(&events::TIER, 3).with(&events::MESSAGE, "hello");
    let other = DedupKey::new("a", now).with_message("two");
    let written = |stored: &StoredReport| {
        let mut write_set = WriteSet::default();
        fill_missing_fields(stored, &draft, &other, &mut write_set);
        write_set.writes.into_values().next().map(|write| write.set)
    };
    let set = written(&stored).expect("a write");
    assert_eq!(set.keys().collect::<Vec<_>>(), ["completed_at", "message", MESSAGES]);
    stored.messages = set.get(MESSAGES).and_then(StoredValue::text).map(str::to_owned);
    assert!(written(&stored).is_none(), "the text was cleared in between, and the message is redelivered");
    stored.messages = None;
    stored.is_redacted = true;
    assert!(written(&stored).is_none(), "the text was redacted");
    stored.is_redacted = false;
    stored.record.as_mut().expect("a record").set(&events::MESSAGE, "hi");
    assert!(written(&stored).is_none(), "nothing is missing");
}

#[test]
fn stored_response_of_any_length_is_readable_for_24_hours() {
    let now = Timestamp::now();
    let request = IdempotentRequest::new("me", "key", "request");
    for length in [10, 3_000_000] {
        // Random text, which does not compress well.
        let body: String = (0..length).map(|_| fastrand::alphanumeric()).collect();
        let response = StoredResponse { status: 201, location: Some("/users/5".to_owned()), etag: None, body };
        let mut write_set = WriteSet::default();
        request.store_response(&response, now, &mut write_set).expect("it is kept");
        let item = |pk: &str| write_set.writes.get(pk).map(|write| write.set.clone());
        let record = IdempotencyRecord::load(&item(&request.pk).expect("an item"), now).expect("it is known");
        assert_eq!(record.request, "request");
        let parts: Vec<_> = request.parts(&record).iter().map(|pk| item(pk)).collect();
        assert_eq!(parts.len() + 1, write_set.writes.len());
        assert_eq!(record.response(&parts).expect("an outcome"), response);
        let tomorrow = now.checked_add(LIFETIME + Duration::seconds(2)).expect("a time");
        assert_eq!(IdempotencyRecord::load(&item(&request.pk).expect("an item"), tomorrow), None);
    }
    assert_ne!(request.pk, IdempotentRequest::new("you", "key", "request").pk);
}

fn event(occurred: &str, created: &str) -> Record {
    let mut event = Record::new(Key::new(&EVENTS, Id::new(7).expect("an identifier")));
    event.set(&events::USER_ID, Id::new(5).expect("an identifier"));
    event.set(&events::EVENT_TYPE, "cheer");
    event.set(&events::AMOUNT, 100);
    event.set(&events::OCCURRED_AT, Timestamp::parse(occurred).expect("a time"));
    event.set(&events::CREATED_AT, Timestamp::parse(created).expect("a time"));
    event
}

#[test]
fn record_round_trips_through_an_item() {
    let event = event("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:01Z");
    let mut item = to_item(&event);
    assert_eq!(from_item(|name| item.remove(name)), Some(event));
}

#[test]
fn details_are_out_of_line_if_the_record_would_exceed_1_kb() {
    let stored = |message: usize, details: usize| {
        let mut event = event("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z");
        event.set(&events::MESSAGE, &"m".repeat(message));
        event.set(&events::DETAILS, &format!(r#"{{"text":"{}"}}"#, "d".repeat(details)));
        let item = to_item(&event);
        let bytes = item.iter().map(|(name, value)| name.len() + value.text().map_or(8, str::len)).sum::<usize>();
        assert!(message > MAX_INLINE_BYTES || bytes <= MAX_INLINE_BYTES, "{bytes} bytes");
        (item.contains_key("details"), item.contains_key("details_out_of_line"))
    };
    assert_eq!((stored(10, 300), stored(10, 2_000)), ((true, false), (false, true)));
    assert_eq!((stored(500, 300), stored(5_000, 300)), ((false, true), (true, false)));
}

#[test]
fn index_attributes_are_named_after_their_role() {
    let item = to_item(&event("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"));
    assert_eq!(item["owner"], number(5));
    assert_eq!(item["state"], StoredValue::Text("cheer".to_owned()));
    assert!(!item.contains_key("number"), "the amount of a cheer is in no index");
    let specimen = Record::new(Key::new(&SPECIMENS, Id::new(1).expect("an identifier")));
    assert_eq!(to_item(&specimen)["state"], flag(false));
    assert_eq!(attribute(&SPECIMENS, specimens::FORGOTTEN_AT.name), "secondary_time");
}

#[test]
fn each_attribute_has_the_value_of_one_field() {
    for resource in resources::ALL {
        let stored = resource.fields.iter().filter(|field| !field.in_state);
        let mut names: Vec<_> = stored.map(|field| attribute(resource, field.name)).collect();
        let is_flag = |filter: &&Filter| matches!(filter.operator, Operator::IsSet | Operator::IsUnset);
        names.extend(resource.filters.iter().filter(is_flag).filter_map(|filter| filter.role?.attribute()));
        let count = names.len();
        assert_eq!(names.into_iter().collect::<BTreeSet<_>>().len(), count, "{}", resource.name);
    }
}

#[test]
fn value_that_moves_to_its_role_must_still_be_as_read() {
    let mut item = to_item(&event("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"));
    let kind = item.remove("state").expect("the type of the event");
    item.insert("event_type".to_owned(), kind.clone());
    let before = from_item(|name| item.get(name).cloned()).expect("an event");
    let mut after = before.clone();
    after.set(&events::SOURCE, "bot");
    let mut write_set = WriteSet::default();
    let write = write_set.update(&before, &after);
    assert_eq!((write.set.get("state"), write.remove.contains("event_type")), (Some(&kind), true));
    let is_guarded = |(condition, _): &(Condition, Option<Error>)| {
        *condition == Condition::Is("event_type".to_owned(), Some(kind.clone()))
    };
    assert!(write.conditions.iter().any(is_guarded), "another request may change the value in between");
}

#[test]
fn field_without_its_filter_keeps_the_attribute_of_the_role() {
    const HAT_ID: Attr<Identifier> = Attr::new("hat_id", "");
    const SIZE: Attr<Integer> = Attr::new("size", "");
    static HATS: Resource = Resource {
        fields: &[HAT_ID.assigned(), SIZE.stored_as("number").optional()],
        ..Resource::new("hats", "hat", &HAT_ID)
    };
    static FILTERED: Resource = Resource {
        fields: &[HAT_ID.assigned(), SIZE.optional()],
        filters: &[Filter::equals(&SIZE, Role::Number)],
        ..Resource::new("hats", "hat", &HAT_ID)
    };
    assert_eq!([&HATS, &FILTERED].map(|hats| attribute(hats, "size")), ["number"; 2]);
}

#[test]
fn other_time_is_indexed_only_if_far_from_the_primary_time() {
    let is_indexed = |occurred, created| to_item(&event(occurred, created)).contains_key("secondary_time");
    assert!(!is_indexed("2026-01-01T00:00:00Z", "2026-01-01T00:10:00Z"));
    assert!(!is_indexed("2026-01-01T00:01:00Z", "2026-01-01T00:00:00Z"));
    assert!(is_indexed("2026-01-01T00:00:00Z", "2026-01-01T00:10:00.000000001Z"));
    assert!(is_indexed("2026-01-01T00:01:00.1Z", "2026-01-01T00:00:00Z"));
}

#[test]
fn escaped_length_equals_the_length_in_serde_json() {
    for text in ["", "plain", "\u{0}\u{1f}\"\\\u{2028}\u{10ffff}\n\t\u{7f}", "é"] {
        assert_eq!(escaped_len(text), serde_json::Value::from(text).to_string().len(), "{text:?}");
    }
}

fn duplicate() -> Error {
    Error::conflict(Code::DuplicatePlatformId, "/x", "taken")
}

#[test]
fn outdated_snapshot_is_retried_before_other_errors() {
    let mut write = Write::default();
    write.require_or(Condition::Is("a".to_owned(), None), duplicate()).require(Condition::Exists);
    assert!(matches!(write.failure(None), CommitError::Outdated));
    let item = Item::from([("a".to_owned(), number(1))]);
    assert!(matches!(write.failure(Some(&item)), CommitError::Failed(_)));
}

#[test]
fn room_and_sum_conditions_include_the_written_values() {
    let mut write = Write::default();
    write.add.insert("sum".into(), 5);
    assert!(Condition::Within("sum".into(), -10, 5).holds(&write, None));
    assert!(!Condition::Within("sum".into(), -10, 4).holds(&write, None));
    let two: BTreeSet<_> = [1, 2].into_iter().filter_map(Id::new).collect();
    write.add_members.insert("ids", two.clone());
    let item = Item::from([("ids".to_owned(), StoredValue::Ids(two))]);
    assert!(Condition::MaxMembers("ids", 4).holds(&write, Some(&item)));
    assert!(!Condition::MaxMembers("ids", 3).holds(&write, Some(&item)));
}

#[test]
fn write_with_a_lost_response_is_recognized_by_its_item() {
    let mut write = Write::default();
    write.put_attribute("a", Some(number(1))).put_attribute("b", None);
    assert!(write.is_done(Some(&Item::from([("a".to_owned(), number(1))]))));
    assert!(!write.is_done(Some(&Item::from([("a".to_owned(), number(2))]))));
    assert!(!write.is_done(None));
    assert!(Write { kind: WriteKind::Delete, ..Write::default() }.is_done(None));
}
