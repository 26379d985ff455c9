//! Tests that follow the catalogue, and so cover tomorrow's resource: every filter, link and method.

use std::collections::BTreeMap;

use end_to_end::{Api, samples};
use event_capture::openapi::every_path;
use event_capture::resource::{Access, Kind, Leads, Resource, Test};
use event_capture::resources::{ALL, INDEXES};
use event_capture::route::{Route, Step};
use event_capture::value::Id;
use reqwest::Method;
use serde_json::{Map, Value, json};

/// One record of every resource, each belonging to the others as far as it can.
async fn one_of_each(api: &Api) -> BTreeMap<&'static str, Value> {
    let mut records = BTreeMap::new();
    // A parent comes before its children: as long as somebody's parent is there, there is somebody to create.
    while records.len() < ALL.len() {
        let before = records.len();
        for resource in ALL {
            if !records.contains_key(resource.name) && has_parents(resource, &records) {
                let body = with_references(resource, samples::of(resource), &records);
                let path = creation_path(resource, &records);
                records.insert(resource.name, api.post(&path, &Value::Object(body)).await.created());
            }
        }
        assert!(records.len() > before, "a resource has a parent that cannot be created");
    }
    for resource in ALL {
        let path = format!("/{}/{}", resource.name, records[resource.name][resource.id]);
        let current = api.get(&path).await.ok();
        records.insert(resource.name, current);
    }
    records
}

fn has_parents(resource: &Resource, records: &BTreeMap<&str, Value>) -> bool {
    resource.parent.as_ref().is_none_or(|parent| records.contains_key(parent.resource.name))
}

/// Where a record is created so that it fills its parent's slot, if the body cannot say which parent.
fn creation_path(resource: &Resource, records: &BTreeMap<&str, Value>) -> String {
    let through_parent = resource.parent.as_ref().and_then(|parent| {
        let link =
            parent.resource.links.iter().find(|link| matches!(link.leads, Leads::Slot { to, .. } if to == resource))?;
        let holder = parent.resource;
        Some(format!("/{}/{}/{}", holder.name, records[holder.name][holder.id], link.name))
    });
    through_parent.unwrap_or_else(|| format!("/{}", resource.name))
}

fn with_references(
    resource: &Resource,
    mut body: Map<String, Value>,
    records: &BTreeMap<&str, Value>,
) -> Map<String, Value> {
    if let Some(parent) = &resource.parent
        && resource.field(parent.by).is_some_and(|field| !matches!(field.shown, event_capture::resource::Shown::Never))
    {
        body.insert(parent.by.to_owned(), records[parent.resource.name][parent.resource.id].clone());
    }
    body
}

#[tokio::test]
async fn every_link_of_every_resource_resolves() {
    let api = Api::shared();
    let records = one_of_each(&api).await;
    for resource in ALL {
        let here = format!("/{}/{}", resource.name, records[resource.name][resource.id]);
        for link in resource.links {
            let shown = api.get(&format!("{here}/{}", link.name)).await.ok();
            match link.leads {
                Leads::One { to, .. } | Leads::Slot { to, .. } => {
                    assert_eq!(shown[to.id], records[to.name][to.id], "{here}/{}", link.name);
                }
                Leads::Many { to, .. } => assert_eq!(shown[0][to.id], records[to.name][to.id], "{here}/{}", link.name),
                Leads::Value { field } => assert_eq!(shown[field], records[resource.name][field]),
            }
        }
    }
}

#[tokio::test]
async fn every_filter_of_every_resource_finds_and_refuses() {
    let api = Api::shared();
    let records = one_of_each(&api).await;
    for resource in ALL {
        let record = &records[resource.name];
        let own = format!("{}={}", resource.id, record[resource.id]);
        for filter in resource.filters.iter().filter(|filter| filter.name != resource.id) {
            let value = match filter.test {
                Test::Holds(held) => records[held.name][filter.field].clone(),
                _ => record.get(filter.field).cloned().unwrap_or_else(|| records["documents"]["seal"].clone()),
            };
            let (matching, other) = values(filter.test, &value);
            for (value, found) in [(matching, 1), (other, 0)] {
                let Some(value) = value else { continue };
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                let request =
                    api.request(Method::GET, &format!("/{}?{own}", resource.name)).query(&[(filter.name, &value)]);
                let list = api.send(request).await.ok();
                assert_eq!(list.as_array().expect("a list").len(), found, "{}?{}={value}", resource.name, filter.name);
            }
        }
    }
}

/// A value that a filter finds a record with, and one that it does not.
fn values(test: Test, value: &Value) -> (Option<Value>, Option<Value>) {
    match test {
        Test::IsSet => (Some(json!(!value.is_null())), Some(json!(value.is_null()))),
        Test::IsUnset => (Some(json!(value.is_null())), Some(json!(!value.is_null()))),
        // What has no value is never found by it.
        _ if value.is_null() && !matches!(test, Test::Equals) => (None, Some(json!("2000-01-01T00:00:00Z"))),
        Test::After => (Some(json!("2000-01-01T00:00:00Z")), Some(value.clone())),
        Test::Before => (Some(json!("2100-01-01T00:00:00Z")), Some(value.clone())),
        _ => match value {
            Value::Number(number) => (Some(value.clone()), Some(json!(number.as_i64().expect("an integer") + 1))),
            Value::String(word) if word == "plain" => (Some(value.clone()), Some(json!("raid"))),
            Value::String(_) => (Some(value.clone()), Some(json!("another"))),
            _ => (None, Some(json!("another"))),
        },
    }
}

#[tokio::test]
async fn every_route_answers_every_method_as_it_says() {
    let api = Api::shared();
    for path in every_path() {
        let url = path.template().replace(['{', '}'], "");
        let url: String = url
            .split('/')
            .map(|segment| if segment.ends_with("_id") { "5" } else { segment })
            .collect::<Vec<_>>()
            .join("/");
        let methods = path.target().methods();
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let body = if method == Method::PUT { json!([{}]) } else { json!({"surplus": 1}) };
            let reply = api.send(api.request(method.clone(), &url).json(&body)).await;
            if methods.iter().any(|known| known.as_str() == method.as_str()) {
                assert!(matches!(reply.status.as_u16(), 200 | 404 | 422), "{method} {url}: {}", reply.status);
            } else {
                reply.refused(405);
            }
        }
    }
}

#[tokio::test]
async fn every_field_refuses_what_is_not_of_its_kind() {
    let api = Api::shared();
    for resource in ALL {
        let base = samples::of(resource);
        for field in resource.fields.iter().filter(|field| base.contains_key(field.name)) {
            for wrong in [
                json!({"x": 1}),
                json!([]),
                json!(true),
                json!(if matches!(field.kind, Kind::Integer(_) | Kind::Float) { json!("5") } else { json!(5) }),
            ] {
                let mut body = base.clone();
                body.insert(field.name.to_owned(), wrong.clone());
                let places = api.post(&format!("/{}", resource.name), &Value::Object(body)).await.refused(422);
                assert!(
                    places.contains(&format!("/{}", field.name)),
                    "{} {}={wrong}: {places:?}",
                    resource.name,
                    field.name
                );
            }
        }
    }
}

#[test]
fn every_filter_has_an_index_of_the_table() {
    for resource in ALL {
        for filter in resource.filters {
            if let Access::Index(index) | Access::Through(index) | Access::Range(index) = filter.access {
                assert!(INDEXES.iter().any(|known| std::ptr::eq(*known, index)), "{}?{}", resource.name, filter.name);
            }
        }
    }
}

#[test]
fn every_route_is_parsed_back_from_its_text() {
    let one = Id::new(1).expect("an identifier");
    for path in every_path() {
        let text: Vec<_> = path
            .template()
            .split('/')
            .map(|segment| if segment.starts_with('{') { one.to_string() } else { segment.to_owned() })
            .collect();
        let Ok(Route::Records(parsed)) = Route::parse(&text.join("/")) else { panic!("{text:?}") };
        assert_eq!(parsed.template(), path.template());
        assert_eq!(
            parsed.steps.iter().filter(|step| matches!(step, Step::Id(_))).count(),
            path.steps.iter().filter(|step| matches!(step, Step::Id(_))).count()
        );
    }
}
