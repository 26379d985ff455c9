//! Tests of filters and pages against a naive oracle, with random records of every resource, filters, orders and
//! limits.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use capture_core::resources::{self, ALL, PRODUCTS, products};
use capture_core::schema::scalar::Kind;
use capture_core::schema::{Field, Input, Operator, ParentData, Resource, Timestamp};
use end_to_end::catalogue::{matches_filter, matching_operand, parents_first, path_through_parent, takes_several};
use end_to_end::{Api, amount, samples};
use fastrand::Rng;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

/// The number of records per resource.
const RECORDS: usize = 100;
/// The number of records per resource with a unique field.
const UNIQUE_RECORDS: usize = 12;

/// A service and its random records. Fields have few distinct values, so filters match some records and not all.
struct World {
    api: Api,
    records: BTreeMap<&'static str, Vec<Value>>,
}

async fn build() -> World {
    let api = Api::start();
    let mut random = Rng::with_seed(7);
    let mut created: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for resource in parents_first() {
        let count = if resource.unique.is_some() { UNIQUE_RECORDS } else { RECORDS };
        let mut new = Vec::new();
        for position in 0..resource.limits.records.map_or(count, |max| max.min(count)) {
            let (path, body) = new_record(resource, &created, &mut random, position);
            let reply = api.post(&path, &body).await;
            // The parent may already have its only child.
            if reply.status != 409 {
                new.push(reply.created());
            }
        }
        assert!(
            new.len() * 3 > count || resource.limits.records == Some(new.len()),
            "most records of {} are created",
            resource.name
        );
        created.insert(resource.name, new);
    }
    let mut records = BTreeMap::new();
    for resource in ALL {
        records.insert(resource.name, api.list(&format!("/{}", resource.name)).await);
    }
    World { api, records }
}

/// Returns the path and the body of a new record. Every field has one of a few values, and optional fields are
/// sometimes omitted.
fn new_record(
    resource: &'static Resource,
    created: &BTreeMap<&str, Vec<Value>>,
    random: &mut Rng,
    position: usize,
) -> (String, Value) {
    let variant =
        resource.variant.and_then(|name| resource.field(name)).map(|field| random.choice(field.codec.variants));
    let variant = variant.flatten().copied();
    let ending = resource.belongs_to.as_ref().and_then(|relation| relation.while_unset).map(|attribute| attribute.name);
    let mut body = Map::new();
    for field in resource.fields {
        let input = field.input_for(variant).filter(|input| !input.is_assigned() && !matches!(input, Input::Expected));
        let Some(input) = input else { continue };
        // Where a parent may have only one active child, most children have ended. Otherwise they would be rejected.
        let is_only_child =
            resource.belongs_to.as_ref().is_some_and(|relation| matches!(relation.parent_data, ParentData::One { .. }));
        let ends = Some(field.name) == ending && is_only_child && random.u8(0..10) > 0;
        let may_be_left_out = !ends && !matches!(input, Input::Required | Input::Now);
        if may_be_left_out && random.u8(0..3) == 0 {
            continue;
        }
        let value = match resource.variant {
            Some(name) if name == field.name => json!(variant),
            _ if resource.unique.is_some_and(|unique| unique.attribute.name == field.name) => {
                // `!` begins the name of a command.
                json!(format!("!unique_{position}"))
            }
            _ => few(field, Some(field.name) == ending, random),
        };
        if !value.is_null() {
            body.insert(field.name.to_owned(), value);
        }
    }
    if resource == &PRODUCTS {
        // Users without money can buy most products any number of times.
        body.insert(products::PRICE.name.to_owned(), json!(0));
        for limit in ["stock", "max_per_user", "cooldown", "user_cooldown", "question"] {
            body.remove(limit);
        }
    }
    for reference in resource.references {
        let others = &created[reference.target.name];
        let enabled: Vec<_> = others.iter().filter(|other| other["enabled"] != false).collect();
        let other = random.choice(&enabled).expect("a record");
        body.insert(reference.foreign_key.name.to_owned(), other[reference.target.id.name].clone());
    }
    let mut body = samples::with_rules(resource, body);
    let Some(relation) = &resource.belongs_to else { return (format!("/{}", resource.name), Value::Object(body)) };
    let parent = random.choice(&created[relation.parent.name]).expect("a parent");
    let id = &parent[relation.parent.id.name];
    match path_through_parent(resource) {
        Some((to, link)) if random.u8(0..4) > 0 => (format!("/{}/{id}/{link}", to.name), Value::Object(body)),
        Some(_) => (format!("/{}", resource.name), Value::Object(body)),
        None => {
            body.insert(relation.foreign_key.name.to_owned(), id.clone());
            (format!("/{}", resource.name), Value::Object(body))
        }
    }
}

/// Returns one of a few values of a field. The time that ends a record is later than the others.
fn few(field: &Field, ends: bool, random: &mut Rng) -> Value {
    let first = if ends { 4 } else { 0 };
    match field.codec.kind {
        Kind::Integer => json!(random.i64(1..4)),
        Kind::Boolean => json!(random.bool()),
        Kind::Object => json!({"b": random.u8(..), "a": null}),
        Kind::Float => json!(random.f64()),
        Kind::Text => json!(["n0", "n1", "é &="][random.usize(0..3)]),
        Kind::Enum => json!(random.choice(field.codec.variants)),
        Kind::Time => json!(format!("202{}-01-01T00:00:00.{}Z", random.u8(first..first + 4), random.u8(1..4))),
        Kind::Image => samples::document()["document_data"].clone(),
        Kind::Identifier => Value::Null,
    }
}

/// A random list request.
#[derive(Clone, Debug)]
struct ListQuery {
    resource: usize,
    filters: Vec<(usize, usize)>,
    limit: Option<usize>,
    ascending: bool,
}

fn check(world: &World, runtime: &Runtime, asked: &ListQuery) {
    let resource = ALL[asked.resource];
    let (records, filters) = (&world.records[resource.name], resources::filters(resource));
    let mut query: Vec<(&str, String)> = Vec::new();
    for (filter, choice) in &asked.filters {
        let filter = &filters[filter % filters.len()];
        let mut value = operand(resource, filter, &records[choice % records.len()], *choice);
        if takes_several(resource, filter) {
            for further in 1..choice % 4 {
                let record = &records[(choice + 7 * further) % records.len()];
                value = format!("{value},{}", operand(resource, filter, record, *choice));
            }
        }
        if query.iter().all(|(other, _)| *other != filter.name) {
            query.push((filter.name, value));
        }
    }
    // A list filtered by a name prefix is sorted by name.
    let by_name = filters
        .iter()
        .find(|filter| filter.operator == Operator::NamePrefix && query.iter().any(|(name, _)| *name == filter.name));
    let order = |record: &Value| {
        let own = resource.time.and_then(|field| record[field.name].as_str()).and_then(Timestamp::parse);
        let name = by_name.and_then(|filter| record[filter.field].as_str()).map(str::to_lowercase);
        (name, own.filter(|_| by_name.is_none()), record[resource.id.name].as_u64())
    };
    let is_found = |record: &&Value| {
        query.iter().all(|(name, wanted)| {
            let filter = filters.iter().find(|filter| filter.name == *name).expect("a filter");
            matches_filter(resource, filter, wanted, record)
        })
    };
    let mut expected: Vec<_> = records.iter().filter(is_found).collect();
    expected.sort_by_key(|record| order(record));
    if !asked.ascending {
        expected.reverse();
    }
    query.push(("order", if asked.ascending { "asc" } else { "desc" }.to_owned()));
    query.extend(asked.limit.map(|limit| ("limit", limit.to_string())));
    let found = runtime.block_on(all_pages(&world.api, resource, &query, asked.limit));
    let expected: Vec<_> = expected.iter().map(|record| record[resource.id.name].as_u64()).collect();
    assert_eq!(found, expected, "/{}?{query:?}", resource.name);
}

/// Returns a filter's operand: a record's value, a time in the middle, or a value that no record has.
fn operand(resource: &Resource, filter: &capture_core::schema::Filter, record: &Value, choice: usize) -> String {
    let is_time =
        matches!(filter.operator, capture_core::schema::Operator::After | capture_core::schema::Operator::Before);
    match matching_operand(resource, filter, record) {
        _ if is_time => format!("202{}-01-01T00:00:00.{}Z", choice % 8, choice % 5),
        _ if filter.is_flag() => choice.is_multiple_of(2).to_string(),
        Some(value) => value,
        None if filter.name.ends_with("_id") => "5".to_owned(),
        None if resource.field(filter.field).is_some_and(|field| field.codec.kind == Kind::Integer) => "7".to_owned(),
        None => "none".to_owned(),
    }
}

async fn all_pages(api: &Api, resource: &Resource, query: &[(&str, String)], limit: Option<usize>) -> Vec<Option<u64>> {
    let request = api.request(reqwest::Method::GET, &format!("/{}", resource.name)).query(query);
    let mut page = api.send(request).await;
    let mut found = Vec::new();
    loop {
        let records = page.ok().as_array().expect("a list").clone();
        found.extend(records.iter().map(|record| record[resource.id.name].as_u64()));
        let Some(next) = page.next() else { break found };
        assert_eq!(Some(records.len()), limit, "a page with more behind it is full");
        page = api.get(&next).await;
    }
}

#[test]
fn lists_with_random_filters_match_the_oracle() {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| Runtime::new().expect("a runtime"));
    let world = runtime.block_on(build());
    let strategy = (
        0..ALL.len(),
        prop::collection::vec((any::<usize>(), any::<usize>()), 0..4),
        prop_oneof![Just(None), (1usize..9).prop_map(Some), Just(Some(1000))],
        any::<bool>(),
    );
    let strategy =
        strategy.prop_map(|(resource, filters, limit, ascending)| ListQuery { resource, filters, limit, ascending });
    let config = Config {
        cases: amount("LISTS", 20, 400),
        max_shrink_iters: 64,
        failure_persistence: None,
        ..Config::default()
    };
    let tested = TestRunner::new(config).run(&strategy, |asked| {
        check(&world, runtime, &asked);
        Ok(())
    });
    if let Err(failure) = tested {
        panic!("{failure}");
    }
}
