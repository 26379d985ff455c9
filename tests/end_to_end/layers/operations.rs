//! Unit tests of `shared/src/operations`.

use capture_core::operations::{Source, refresh, search};
use capture_core::request::{Draft, ListCondition, ListQuery, Operand};
use capture_core::resources::{DOCUMENTS, EVENTS, SPECIMENS, USERS, users};
use capture_core::schema::scalar::{Count, Identifier};
use capture_core::schema::{Attr, Filter, Id, Key, Record, Resource, Role, StoredValue, Timestamp, Value};
use capture_core::table::{Condition, Range, WriteSet, flag};

fn user(name: &str) -> Record {
    let mut user = Record::new(Key::new(&USERS, Id::new(5).expect("an identifier")));
    user.set(&users::PLATFORM_ID, "1");
    user.set(&users::NAME, name);
    user
}

#[test]
fn unique_value_is_a_condition_and_is_not_written() {
    let draft = Draft::new(&USERS).with(&users::PLATFORM_ID, "2").with(&users::NAME, "Bea");
    let mut write_set = WriteSet::default();
    let after = refresh(&user("Ann"), &draft, [Timestamp::now(); 2], &mut write_set).expect("a change");
    assert_eq!((after.get(&users::PLATFORM_ID), after.get(&users::NAME)), (Some("1"), Some("Bea")));
    let write = write_set.writes.values().next().expect("a write");
    assert!(!write.set.contains_key("platform_id"));
    let found = Condition::Is("platform_id".to_owned(), Some(StoredValue::Text("1".to_owned())));
    assert!(write.conditions.iter().any(|(condition, _)| *condition == found));
}

#[test]
fn outdated_or_equal_name_writes_nothing() {
    let draft = |name| Draft::new(&USERS).with(&users::PLATFORM_ID, "1").with(&users::NAME, name);
    let time = |text| Timestamp::parse(text).expect("a time");
    let (early, late) = (time("2026-01-01T00:00:00Z"), time("2026-01-02T00:00:00Z"));
    let renamed = refresh(&user("Ann"), &draft("Bea"), [late, late], &mut WriteSet::default()).expect("a change");
    assert_eq!(renamed.get(&users::NAME), Some("Bea"));
    assert!(refresh(&renamed, &draft("Ann"), [early, late], &mut WriteSet::default()).is_none());
    // The record's time is from a clock that has been set back since.
    let set_back = refresh(&renamed, &draft("Cleo"), [early, early], &mut WriteSet::default()).expect("a change");
    assert_eq!(set_back.get(&users::NAME), Some("Cleo"));
    let mut write_set = WriteSet::default();
    assert!(refresh(&renamed, &draft("Bea"), [late, late], &mut write_set).is_none());
    assert!(write_set.writes.is_empty(), "the name is the same");
}

fn plan(resource: &'static Resource, query: &str) -> Source {
    let list = ListQuery::new(resource, "/").with(query, None).expect("a list");
    search(&list)
}

fn roles(source: &Source) -> Vec<Role> {
    match source {
        Source::Index { queries, .. } => queries.iter().map(|query| query.role).collect(),
        other => panic!("{other:?} is not an index"),
    }
}

#[test]
fn each_filter_with_a_role_adds_an_index_query() {
    assert_eq!(roles(&plan(&EVENTS, "")), [Role::Time]);
    assert_eq!(roles(&plan(&EVENTS, "occurred_after=2026-01-01T00:00:00Z")), [Role::Time]);
    assert_eq!(roles(&plan(&EVENTS, "user_id=5&event_type=raid")), [Role::Owner, Role::State]);
    assert_eq!(roles(&plan(&DOCUMENTS, "seal=1&stamp_type=x")), [Role::Number, Role::Part]);
}

fn texts(keys: &[Key]) -> Vec<String> {
    keys.iter().map(Key::to_string).collect()
}

#[test]
fn filters_by_key_use_no_index() {
    assert!(
        matches!(plan(&EVENTS, "event_id=7,8&event_type=raid"), Source::Records(keys) if texts(&keys) == ["events/7", "events/8"])
    );
    assert!(matches!(plan(&EVENTS, "document_id=7"), Source::ParentsOf(keys) if texts(&keys) == ["documents/7"]));
    assert!(matches!(plan(&USERS, "platform_id=x"), Source::Unique(_)));
}

#[test]
fn contradictory_filters_read_nothing() {
    for query in [
        "forgotten=false&forgotten_after=2026-01-01T00:00:00Z",
        "born_after=2026-01-02T00:00:00Z&born_before=2026-01-01T00:00:00Z",
        "born_after=2026-01-01T00:00:00Z&born_before=2026-01-01T00:00:00Z",
        "forgotten_after=2026-01-02T00:00:00Z&forgotten_before=2026-01-01T00:00:00Z",
    ] {
        assert!(matches!(plan(&SPECIMENS, query), Source::Nothing), "{query}");
    }
    assert!(matches!(plan(&EVENTS, "amount_min=2&amount_max=1"), Source::Nothing));
    assert!(!matches!(plan(&EVENTS, "amount_min=1&amount_max=1"), Source::Nothing));
}

#[test]
fn ranges_of_two_fields_do_not_contradict_each_other() {
    const HAT_ID: Attr<Identifier> = Attr::new("hat_id", "");
    const PRICE: Attr<Count> = Attr::new("price", "");
    const SIZE: Attr<Count> = Attr::new("size", "");
    static HATS: Resource = Resource {
        fields: &[HAT_ID.assigned(), PRICE.required(), SIZE.required()],
        ..Resource::new("hats", "hat", &HAT_ID)
    };
    let condition = |filter, number| ListCondition { filter, operand: Operand::Value(Value::Integer(number)) };
    let least_price = condition(Filter::at_least("price_min", &PRICE), 10);
    let mut list = ListQuery::new(&HATS, "/hats");
    list.conditions = vec![least_price.clone(), condition(Filter::at_most("size_max", &SIZE), 5)];
    assert!(!matches!(search(&list), Source::Nothing));
    list.conditions = vec![least_price, condition(Filter::at_most("price_max", &PRICE), 5)];
    assert!(matches!(search(&list), Source::Nothing));
}

#[test]
fn secondary_range_bounds_the_primary_time_if_near_primary() {
    let Source::Index { queries, secondary: Some(secondary) } = plan(&EVENTS, "created_after=2026-01-01T00:20:00Z")
    else {
        panic!("a range goes by an index");
    };
    assert_eq!(secondary.query.role, Role::SecondaryTime);
    assert_eq!(queries[0].range.from, Timestamp::parse("2026-01-01T00:10:00.000000001Z"));
    assert_eq!((queries[0].range.to, secondary.fallback[0].range), (None, Range::default()));
}

#[test]
fn range_on_an_optional_time_implies_that_it_is_set() {
    let source = plan(&SPECIMENS, "forgotten_before=2026-01-01T00:00:00Z");
    assert_eq!(roles(&source), [Role::State]);
    let Source::Index { queries, secondary: Some(secondary) } = source else { panic!("a range goes by an index") };
    assert_eq!(queries[0].lookups, [flag(true)]);
    // No specimen is forgotten before it is born.
    assert_eq!(queries[0].range.to, secondary.query.range.to);
}
