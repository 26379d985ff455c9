//! Unit tests of `shared/src/earning`.

use capture_core::earning::plan::due_payments;
use capture_core::resources::{EVENTS, RULES, events, rules, transactions};
use capture_core::schema::{Id, Key, MAX_INTEGER, Record, Timestamp};

fn id(number: u64) -> Id {
    Id::new(number).expect("an identifier")
}

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a time")
}

fn rule(amount: i64, per_unit: i64) -> Record {
    let mut rule = Record::new(Key::new(&RULES, id(3)));
    rule.set(&rules::NAME, "rule");
    rule.set(&rules::ENABLED, true);
    rule.set(&rules::AMOUNT, amount);
    rule.set(&rules::PER_UNIT, per_unit);
    rule.set(&rules::ENABLED_AT, time("2026-01-01T00:00:00Z"));
    rule
}

fn event(number: u64, occurred_at: &str) -> Record {
    let mut event = Record::new(Key::new(&EVENTS, id(number)));
    event.set(&events::USER_ID, id(5));
    event.set(&events::EVENT_TYPE, "plain");
    event.set(&events::OCCURRED_AT, time(occurred_at));
    event.set(&events::CREATED_AT, time("2026-01-01T00:00:00Z"));
    event
}

fn amounts(rule: Record, events: &[Record]) -> Vec<i64> {
    due_payments(&[rule], events).iter().filter_map(|payment| payment.draft.get(&transactions::AMOUNT)).collect()
}

#[test]
fn units_are_bits_viewers_or_one() {
    let mut cheer = event(1, "2026-01-01T00:00:00Z");
    cheer.set(&events::EVENT_TYPE, "cheer");
    cheer.set(&events::AMOUNT, 100);
    let mut raid = event(2, "2026-01-01T00:00:00Z");
    raid.set(&events::EVENT_TYPE, "raid");
    raid.set(&events::VIEWER_COUNT, 0);
    assert_eq!(amounts(rule(5, 2), &[cheer.clone()]), [205]);
    assert_eq!(amounts(rule(5, 2), &[raid.clone()]), [5]);
    assert!(amounts(rule(0, 2), &[raid]).is_empty(), "a payment of 0 is none");
    assert_eq!(amounts(rule(5, 2), &[event(3, "2026-01-01T00:00:00Z")]), [7]);
    assert_eq!(amounts(rule(MAX_INTEGER, 0), &[cheer.clone()]), [MAX_INTEGER]);
    assert!(amounts(rule(1, MAX_INTEGER), &[cheer]).is_empty(), "beyond the largest integer");
}

#[test]
fn window_pays_once_and_ends_on_a_multiple_of_its_length() {
    let mut every = rule(1, 0);
    every.set(&rules::EVERY, 300);
    let count = |times: &[&str]| {
        let events: Vec<_> = times.iter().zip(1..).map(|(time, number)| event(number, time)).collect();
        amounts(every.clone(), &events).len()
    };
    assert_eq!(count(&["2026-01-01T00:00:00Z", "2026-01-01T00:04:59.999999999Z"]), 1);
    assert_eq!(count(&["2026-01-01T00:04:59Z", "2026-01-01T00:05:00Z"]), 2);
    assert_eq!(count(&["1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z"]), 2, "windows before 1970 end there, too");
    assert_eq!(count(&["1969-12-31T23:55:00Z", "1969-12-31T23:59:59.9Z"]), 1);
}

#[test]
fn earlier_events_and_disabled_rules_pay_nothing() {
    let mut early = event(1, "2026-02-01T00:00:00Z");
    early.set(&events::CREATED_AT, time("2025-12-31T23:59:59.999999999Z"));
    assert!(amounts(rule(1, 0), &[early]).is_empty());
    let mut disabled = rule(1, 0);
    disabled.set(&rules::ENABLED, false);
    assert!(amounts(disabled, &[event(1, "2026-01-01T00:00:00Z")]).is_empty());
}

#[test]
fn identifier_derives_from_rule_and_event() {
    let ids = |rule: Record, event: Record| {
        due_payments(&[rule], &[event]).iter().map(|payment| payment.id).collect::<Vec<_>>()
    };
    let first = ids(rule(1, 0), event(1, "2026-01-01T00:00:00Z"));
    assert_eq!(first, ids(rule(9, 0), event(1, "2026-03-01T00:00:00Z")), "amounts and times do not matter");
    assert_ne!(first, ids(rule(1, 0), event(2, "2026-01-01T00:00:00Z")));
}
