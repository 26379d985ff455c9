//! What `template.yaml` declares is what the code uses.

use std::collections::{BTreeMap, BTreeSet};

use event_capture::resources::{ALL, INDEXES};
use local_stack::template::{Key, Template};

fn key(hash: &[&str], range: &[&str]) -> Vec<Key> {
    let part = |kind: &'static str| move |name: &&str| Key { attribute: (*name).to_owned(), kind: kind.to_owned() };
    hash.iter().map(part("HASH")).chain(range.iter().map(part("RANGE"))).collect()
}

#[test]
fn the_indexes_of_the_template_are_those_of_the_catalogue() {
    let template = Template::read().expect("a template");
    let declared: BTreeMap<_, _> = template
        .indexes
        .iter()
        .map(|index| (index.name.as_str(), (index.key.clone(), index.projection.as_str())))
        .collect();
    let used: BTreeMap<_, _> =
        INDEXES.iter().map(|index| (index.name, (key(index.hash, index.range), "ALL"))).collect();
    assert_eq!(declared, used);
    assert_eq!(template.key, key(&["pk"], &[]));
}

#[test]
fn every_attribute_of_a_key_is_defined_once_and_no_other() {
    let template = Template::read().expect("a template");
    let defined: Vec<_> = template.attributes.iter().map(|(name, _)| name.as_str()).collect();
    let keys = template.indexes.iter().flat_map(|index| &index.key).chain(&template.key);
    let used: BTreeSet<_> = keys.map(|key| key.attribute.as_str()).collect();
    assert_eq!(defined.iter().copied().collect::<BTreeSet<_>>(), used);
    assert_eq!(defined.len(), used.len());
}

#[test]
fn every_resource_has_its_routes_and_its_function() {
    let template = Template::read().expect("a template");
    let routes: BTreeSet<_> =
        template.routes.iter().map(|route| (route.path.clone(), route.function.clone())).collect();
    let mut expected: BTreeSet<_> = ALL
        .iter()
        .flat_map(|resource| {
            let function = resource.name.to_owned();
            [(format!("/{}", resource.name), function.clone()), (format!("/{}/{{proxy+}}", resource.name), function)]
        })
        .collect();
    expected.insert(("/user/{proxy+}".to_owned(), "users".to_owned()));
    for path in ["/health", "/openapi.json", "$default"] {
        expected.insert((path.to_owned(), "service".to_owned()));
    }
    assert_eq!(routes, expected);
    assert_eq!(template.schedules.iter().map(|schedule| schedule.function.as_str()).collect::<Vec<_>>(), ["upkeep"]);
}
