//! Tests that detect template changes that cannot be deployed or would replace the table.
//!
//! `infra/deployed-table.json` is the last release's table. docs/upgrades.md describes the next steps. `RELEASED=1
//! cargo test upgrades` rewrites the file. Run it when the change is deployed everywhere.

use std::collections::BTreeMap;

use event_capture::template::{Key, Template};
use serde_json::{Value, json};

const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../infra/deployed-table.json");

fn key(key: &[Key]) -> Value {
    key.iter().map(|part| json!([part.kind, part.attribute])).collect()
}

fn shape(template: &Template) -> Value {
    let kinds: BTreeMap<_, _> = template.attributes.iter().map(|(name, kind)| (name, kind)).collect();
    let indexes: BTreeMap<_, _> = template
        .indexes
        .iter()
        .map(|index| (&index.name, json!({"key": key(&index.key), "projection": index.projection})))
        .collect();
    json!({"key": key(&template.key), "attributes": kinds, "indexes": indexes})
}

/// Returns the differences from the released table that cannot be deployed, or not in a single deployment.
fn obstacles(released: &Value, now: &Value) -> Vec<String> {
    let of = |shape: &Value, name: &str| shape[name].as_object().cloned().unwrap_or_default();
    let mut found = Vec::new();
    if released["key"] != now["key"] {
        found.push("the table's own key has changed: CloudFormation would replace the table, empty".to_owned());
    }
    for (attribute, kind) in of(released, "attributes") {
        if of(now, "attributes").get(&attribute).is_some_and(|now| *now != kind) {
            found.push(format!("the key attribute {attribute} has another type: give the new one another name"));
        }
    }
    let (before, after) = (of(released, "indexes"), of(now, "indexes"));
    for (name, index) in &before {
        if after.get(name).is_some_and(|now| now != index) {
            found.push(format!("the index {name} has changed, which no index can: add one of another name instead"));
        }
    }
    let added = after.keys().filter(|name| !before.contains_key(*name));
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    let operations: Vec<_> = added.chain(removed).cloned().collect();
    if operations.len() > 1 {
        found.push(format!("one deployment can add or remove one index, and these are several: {operations:?}"));
    }
    found
}

#[test]
fn template_is_deployable_over_the_released_table() {
    let now = shape(&Template::read().expect("a template"));
    if std::env::var_os("RELEASED").is_some() {
        let text = serde_json::to_string_pretty(&now).expect("JSON");
        std::fs::write(RELEASED, text + "\n").expect("a file");
    }
    let released = std::fs::read_to_string(RELEASED).expect("infra/deployed-table.json");
    let found = obstacles(&serde_json::from_str(&released).expect("JSON"), &now);
    assert!(found.is_empty(), "docs/upgrades.md says how to go on:\n{}", found.join("\n"));
}

#[test]
fn undeployable_table_changes_are_reported() {
    let released = shape(&Template::read().expect("a template"));
    let findings = |change: &dyn Fn(&mut Value)| {
        let mut now = released.clone();
        change(&mut now);
        obstacles(&released, &now).len()
    };
    let index = json!({"key": [["HASH", "resource"]], "projection": "ALL"});
    assert_eq!(findings(&|_| ()), 0);
    assert_eq!(findings(&|now| now["indexes"]["by_new"] = index.clone()), 0);
    assert_eq!(findings(&|now| now["key"] = json!([["HASH", "id"]])), 1);
    assert_eq!(findings(&|now| now["attributes"]["pk"] = json!("N")), 1);
    assert_eq!(findings(&|now| now["indexes"]["by_time"]["projection"] = json!("KEYS_ONLY")), 1);
    let several = |now: &mut Value| {
        now["indexes"]["by_new"] = index.clone();
        now["indexes"]["by_newer"] = index.clone();
    };
    assert_eq!(findings(&several), 1);
}
