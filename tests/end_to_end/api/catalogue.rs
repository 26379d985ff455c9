//! Tests that iterate over the catalogue, so they also cover new resources: every filter, link and method.

use std::collections::BTreeMap;
use std::time::Duration;

use capture_core::request::every_path;
use capture_core::resources::{self, ALL, LinkTarget};
use capture_core::schema::scalar::Kind;
use end_to_end::catalogue::{
    body_for, matches_filter, matching_operand, nonmatching_operand, parents_first, path_through_parent, referred,
};
use end_to_end::{Api, samples};
use reqwest::Method;
use serde_json::{Value, json};

/// Creates one record of every resource, linked to the others where possible. Returns each as finally rendered.
async fn one_of_each(api: &Api) -> BTreeMap<&'static str, Value> {
    let mut records: BTreeMap<&str, Value> = BTreeMap::new();
    for resource in parents_first() {
        let parent = resource.belongs_to.as_ref().map(|relation| &records[relation.parent.name]);
        let path = match path_through_parent(resource) {
            Some((to, link)) => format!("/{}/{}/{link}", to.name, records[to.name][to.id.name]),
            None => format!("/{}", resource.name),
        };
        let references = referred(resource, |to| records[to.name][to.id.name].clone());
        let body = samples::merged(body_for(resource, parent), &references);
        let created = api.post(&path, &body).await.created();
        records.insert(resource.name, created);
    }
    for resource in ALL {
        let path = format!("/{}/{}", resource.name, records[resource.name][resource.id.name]);
        let current = api.get(&path).await.ok();
        records.insert(resource.name, current);
    }
    records
}

#[tokio::test]
async fn every_link_of_every_resource_resolves() {
    let api = Api::shared();
    let records = one_of_each(&api).await;
    // A new service answers 503 until its first statistics are computed.
    while api.get("/statistics").await.status == 503 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for resource in ALL {
        let here = format!("/{}/{}", resource.name, records[resource.name][resource.id.name]);
        for link in resources::links(resource) {
            if matches!(link.target, LinkTarget::Action | LinkTarget::Anonymize(_)) {
                api.get(&format!("{here}/{}", link.name)).await.refused(405);
                continue;
            }
            let rendered = api.get(&format!("{here}/{}", link.name)).await.ok();
            let path = format!("{here}/{}", link.name);
            match link.target {
                LinkTarget::Parent(relation) => {
                    let to = relation.parent;
                    assert_eq!(rendered[to.id.name], records[to.name][to.id.name], "{path}");
                }
                LinkTarget::One(child) => {
                    let to = child.resource;
                    assert_eq!(rendered[to.id.name], records[to.name][to.id.name], "{path}");
                }
                LinkTarget::Many(child) => {
                    let (to, rendered) = (child.resource, rendered.as_array().expect("a list"));
                    let id = &records[to.name][to.id.name];
                    assert!(rendered.iter().any(|record| record[to.id.name] == *id), "{path}");
                }
                LinkTarget::Sum(_) => assert_eq!(rendered[link.name], records[resource.name][link.name], "{path}"),
                LinkTarget::Action | LinkTarget::Anonymize(_) => {}
                LinkTarget::Statistics(_) => assert_eq!(rendered.as_array().map(Vec::len), Some(31), "{path}"),
            }
        }
    }
}

#[tokio::test]
async fn every_filter_includes_matches_and_excludes_others() {
    let api = Api::start();
    let records = one_of_each(&api).await;
    // A second record of each resource that the filters must exclude.
    one_of_each(&api).await;
    for resource in ALL {
        let record = &records[resource.name];
        for filter in resources::filters(resource) {
            let matching = matching_operand(resource, filter, record);
            let nonmatching = Some(nonmatching_operand(resource, filter, record));
            for (value, is_found) in [(matching, true), (nonmatching, false)] {
                let Some(value) = value else { continue };
                let request = api.request(Method::GET, &format!("/{}", resource.name));
                let list = api.send(request.query(&[(filter.name, &value)])).await.ok();
                let list = list.as_array().expect("a list");
                let position = format!("/{}?{}={value}", resource.name, filter.name);
                assert!(
                    list.iter().all(|found| matches_filter(resource, filter, &value, found)),
                    "{position}: {list:?}"
                );
                let is_there = list.iter().any(|found| found[resource.id.name] == record[resource.id.name]);
                assert_eq!(is_there, is_found, "{position}");
            }
        }
    }
}

#[tokio::test]
async fn deleting_a_parent_deletes_all_its_descendants() {
    let api = Api::shared();
    for parent in ALL.into_iter().filter(|resource| resource.is_deletable()) {
        let records = one_of_each(&api).await;
        api.delete(&format!("/{}/{}", parent.name, records[parent.name][parent.id.name])).await.ok();
        let mut gone = vec![parent];
        while let Some(parent) = gone.pop() {
            for child in resources::children(parent) {
                let path = format!("/{}/{}", child.resource.name, records[child.resource.name][child.resource.id.name]);
                assert_eq!(api.get(&path).await.status, 404, "{path} with its {}", parent.singular);
                gone.push(child.resource);
            }
        }
    }
}

#[tokio::test]
async fn every_route_accepts_exactly_its_methods() {
    let api = Api::shared();
    for path in every_path() {
        let template = path.template();
        let segments = template.split('/').map(|segment| if segment.starts_with('{') { "5" } else { segment });
        let url = segments.collect::<Vec<_>>().join("/");
        let methods = path.methods();
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
async fn every_field_rejects_values_of_another_type() {
    let api = Api::shared();
    for resource in ALL {
        let base = samples::minimal(resource);
        for field in resource.fields.iter().filter(|field| base.contains_key(field.name)) {
            let other = if matches!(field.codec.kind, Kind::Integer | Kind::Float) { json!("5") } else { json!(5) };
            for wrong in [json!({"x": 1}), json!([]), json!(true), other] {
                let mut body = base.clone();
                body.insert(field.name.to_owned(), wrong.clone());
                let places = api.post(&format!("/{}", resource.name), &Value::Object(body)).await.refused(422);
                let (resource, field) = (resource.name, field.name);
                assert!(places.contains(&format!("/{field}")), "{resource} {field}={wrong}: {places:?}");
            }
        }
    }
}
