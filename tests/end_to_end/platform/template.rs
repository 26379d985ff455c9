//! Tests that `template.yaml` declares exactly the resources that the code uses.

use std::collections::{BTreeMap, BTreeSet};

use capture_core::feed::head::FEED_HEAD;
use capture_core::lambda::routes::SERVICE;
use capture_core::lambda::stream::EventName::{self, Insert, Modify, Remove};
use capture_core::resources::{self, ALL, EVENTS, LinkTarget};
use capture_core::schema::{ParentData, Resource, Role};
use capture_core::statistics::HEARTBEAT;
use capture_core::table::{CONTENT, EXPIRES_AT};
use event_capture::template::{Key, Pattern, Template};
use functions::groups;

fn key(hash: &[&str], range: &[&str]) -> Vec<Key> {
    let part = |kind: &'static str| move |name: &&str| Key { attribute: (*name).to_owned(), kind: kind.to_owned() };
    hash.iter().map(part("HASH")).chain(range.iter().map(part("RANGE"))).collect()
}

#[test]
fn template_indexes_equal_those_of_the_catalogue() {
    let template = Template::read().expect("a template");
    let declared: BTreeMap<_, _> = template
        .indexes
        .iter()
        .map(|index| (index.name.as_str(), (index.key.clone(), index.projection.as_str())))
        .collect();
    let used: BTreeMap<_, _> = Role::ALL
        .iter()
        .map(|role| role.index())
        .map(|index| (index.name, (key(index.hash, index.range), if index.keys_only { "KEYS_ONLY" } else { "ALL" })))
        .collect();
    assert_eq!(declared, used);
    assert_eq!(template.key, key(&["pk"], &[]));
}

#[test]
fn only_key_attributes_are_defined_and_each_once() {
    let template = Template::read().expect("a template");
    let defined: Vec<_> = template.attributes.iter().map(|(name, _)| name.as_str()).collect();
    let keys = template.indexes.iter().flat_map(|index| &index.key).chain(&template.key);
    let used: BTreeSet<_> = keys.map(|key| key.attribute.as_str()).collect();
    assert_eq!(defined.iter().copied().collect::<BTreeSet<_>>(), used);
    assert_eq!(defined.len(), used.len());
    // An attribute without an index may be longer than a key. As a key, it would be rejected.
    assert!(!used.contains(CONTENT), "{CONTENT} is not a key");
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
    expected.insert(("$default".to_owned(), "service".to_owned()));
    expected.insert(("/shared/{proxy+}".to_owned(), "pages".to_owned()));
    for page in ["console", "overlay", "viewer", "docs"] {
        for path in [format!("/{page}"), format!("/{page}/{{proxy+}}")] {
            expected.insert((path, "pages".to_owned()));
        }
    }
    expected.extend(SERVICE.iter().map(|route| {
        let function = match route.path.split('/').nth(1) {
            Some("transfers") => "transactions",
            Some("webhooks") => "events",
            Some("images") => "documents",
            Some("alerts") => "feed",
            Some("totals" | "leaderboards") => "statistics",
            Some(name @ ("tokens" | "connections" | "statistics" | "feed")) => name,
            _ => "service",
        };
        let prefix = route.path.split_once('{').map(|(prefix, _)| format!("{prefix}{{proxy+}}"));
        (prefix.unwrap_or_else(|| route.path.to_owned()), function.to_owned())
    }));
    assert_eq!(routes, expected);
    assert_eq!(template.schedules.iter().map(|schedule| schedule.function.as_str()).collect::<Vec<_>>(), ["upkeep"]);
}

/// Returns the resources that are reachable from a resource, including itself.
fn reachable(from: &'static Resource) -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::from([from.name]);
    let mut open = vec![from];
    while let Some(resource) = open.pop() {
        for to in resources::links(resource).iter().filter_map(|link| link.target().resource()) {
            if reached.insert(to.name) {
                open.push(to);
            }
        }
    }
    reached
}

/// Returns the indexes used by a resource's lists and by the deletion of its records' children.
fn indexes_of(resource: &Resource) -> BTreeSet<&'static str> {
    let mut roles: BTreeSet<_> = resources::filters(resource).iter().filter_map(|filter| filter.role).collect();
    roles.insert(Role::Time);
    roles.extend(resource.secondary_time.map(|_| Role::SecondaryTime));
    let by_owner = resources::children(resource).iter().any(|child| !child.relation.is_complete());
    roles.extend(by_owner.then_some(Role::Owner));
    roles.into_iter().map(|role| role.index().name).collect()
}

/// Returns the resources with records that a request starting at a resource may write.
pub(crate) fn written(root: &'static Resource) -> BTreeSet<&'static str> {
    let mut written = reachable(root);
    // A purchase also writes the product.
    let referred: Vec<_> =
        written.iter().flat_map(|name| named(name).references).map(|reference| reference.target.name).collect();
    written.extend(referred);
    // A parent stores its children's identifiers, so writing a child also writes the parent.
    while let Some(parent) = written
        .iter()
        .filter_map(|name| named(name).belongs_to.as_ref())
        .filter(|relation| !matches!(relation.parent_data, ParentData::Nothing))
        .map(|relation| relation.parent.name)
        .find(|parent| !written.contains(parent))
    {
        written.insert(parent);
    }
    written
}

pub(crate) fn named(name: &str) -> &'static Resource {
    resources::by_name(name).expect("a resource")
}

#[test]
fn functions_may_query_only_the_indexes_of_their_paths() {
    let template = Template::read().expect("a template");
    for root in ALL {
        let function = template.functions.iter().find(|function| function.name == root.name).expect("its function");
        let listed = reachable(root).into_iter().filter(|name| {
            let linked_as_many = reachable(root)
                .into_iter()
                .flat_map(|from| resources::links(named(from)))
                .any(|link| matches!(link.target, LinkTarget::Many(child) if child.resource.name == *name));
            linked_as_many || *name == root.name
        });
        let group = groups::from_variable(Some(root.name)).expect("a group");
        let queried = group.queries.iter().map(|role| role.index().name);
        let expected: BTreeSet<_> = listed.flat_map(|name| indexes_of(named(name))).chain(queried).collect();
        let allowed: BTreeSet<_> = Role::ALL
            .iter()
            .map(|role| role.index().name)
            .filter(|name| function.may("dynamodb:Query", &format!("${{TableArn.Value}}/index/{name}"), ""))
            .collect();
        assert_eq!(allowed, expected, "{}", root.name);
    }
}

/// The upkeep finds children by their parents, tombstones by time, and withdrawn events by all filters of such a list.
#[test]
fn upkeep_may_query_the_indexes_of_deletions_and_withdrawals() {
    let template = Template::read().expect("a template");
    let upkeep = template.functions.iter().find(|function| function.name == "upkeep").expect("its function");
    let allowed: BTreeSet<_> = Role::ALL
        .into_iter()
        .filter(|role| upkeep.may("dynamodb:Query", &format!("${{TableArn.Value}}/index/{}", role.index().name), ""))
        .collect();
    let withdrawn = ["source", "user_id", "occurred_after", "occurred_before"];
    let roles = resources::filters(&EVENTS).iter().filter(|filter| withdrawn.contains(&filter.name));
    let expected = roles.filter_map(|filter| filter.role).chain([Role::Time, Role::Owner]);
    assert_eq!(allowed, expected.collect());
}

#[test]
fn functions_may_access_only_the_records_of_their_paths() {
    let template = Template::read().expect("a template");
    for function in &template.functions {
        assert_eq!(
            function.may("secretsmanager:GetSecretValue", "TwitchSecretArn", ""),
            function.name == "events",
            "{}",
            function.name
        );
        let may_get = |key: &str| function.may("dynamodb:GetItem", "TableArn.Value", key);
        let looks_tokens_up = ["authorizer", "socket", "tokens"].contains(&function.name.as_str());
        assert_eq!(may_get("tokens/1"), looks_tokens_up, "{}", function.name);
        let Some(root) = ALL.into_iter().find(|resource| resource.name == function.name) else { continue };
        let mut expected = written(root);
        let group = groups::from_variable(Some(root.name)).expect("a group");
        expected.extend(group.writes.iter().filter(|name| resources::by_name(name).is_some()));
        let allowed: BTreeSet<_> =
            ALL.into_iter().map(|resource| resource.name).filter(|name| may_get(&format!("{name}/1"))).collect();
        assert_eq!(allowed, expected, "{}", function.name);
    }
}

#[test]
fn table_ttl_uses_the_expiry_attribute() {
    let template = include_str!("../../../template.yaml");
    let declared = format!("TimeToLiveSpecification: {{AttributeName: {EXPIRES_AT}, Enabled: true}}");
    assert!(template.contains(&declared), "template.yaml should have {declared}");
}

#[test]
fn stream_filters_match_the_handled_changes() {
    let template = Template::read().expect("a template");
    assert_eq!(template.stream_view, "NEW_AND_OLD_IMAGES");
    let [sequencer, follower] = &template.streams[..] else { panic!("two functions follow the stream") };
    assert_eq!((sequencer.function.as_str(), follower.function.as_str()), ("sequencer", "follower"));
    let pattern = |events: &[EventName], part: &str, attribute: &str, texts: &[&str], prefixes: &[&str]| Pattern {
        events: events.to_vec(),
        part: part.to_owned(),
        attribute: attribute.to_owned(),
        texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        prefixes: prefixes.iter().map(|prefix| (*prefix).to_owned()).collect(),
    };
    let head = pattern(&[Insert, Modify], "Keys", "pk", &[FEED_HEAD], &[]);
    assert_eq!(follower.patterns, [head, pattern(&[Insert], "NewImage", "resource", &[EVENTS.name], &[])]);
    assert!(sequencer.windowed, "else no batch has its shard");
    let reported =
        ALL.into_iter().filter(|resource| resource.feed.created || resource.feed.updated || resource.feed.deleted);
    let reported: Vec<_> = reported.map(|resource| resource.name).collect::<BTreeSet<_>>().into_iter().collect();
    assert!(reported.contains(&resources::counted_resource().name), "the statistics see every change");
    let expected = [
        pattern(&[Insert, Modify], "NewImage", "resource", &reported, &[]),
        pattern(&[Remove], "OldImage", "resource", &reported, &[]),
        // An expiring alert is not a change.
        pattern(&[Insert], "Keys", "pk", &[], &["alerts/"]),
        pattern(&[Insert, Modify], "Keys", "pk", &[], &[HEARTBEAT]),
    ];
    assert_eq!(sequencer.patterns, expected);
    let feed = template.functions.iter().find(|function| function.name == "feed").expect("the feed's function");
    for right in &feed.policy {
        let writes = right
            .actions
            .iter()
            .any(|action| !["dynamodb:BatchGetItem", "dynamodb:GetItem"].contains(&action.as_str()));
        assert!(!writes || right.keys == ["alerts/*", "keys/*"], "the feed's function may change {:?}", right.keys);
    }
}

#[test]
fn no_function_may_scan_and_authorizer_changes_no_token() {
    let template = Template::read().expect("a template");
    for function in &template.functions {
        for statement in &function.policy {
            assert!(statement.resources.iter().all(|resource| !resource.starts_with('*')), "{}", function.name);
            for action in &statement.actions {
                let (service, verb) = action.split_once(':').expect("an action");
                let secret = ["secretsmanager", "kms"].contains(&service) && function.name == "events";
                let push = service == "execute-api" && ["socket", "follower"].contains(&function.name.as_str());
                assert!(["dynamodb", "s3"].contains(&service) || secret || push, "{action}");
                assert!(!verb.contains('*') && verb != "Scan", "{} may {action}", function.name);
                let table_itself = statement.resources.iter().any(|resource| resource == "TableArn.Value");
                assert!(!table_itself || !statement.keys.is_empty(), "{} is not kept to its keys", function.name);
            }
        }
    }
    let authorizer = template.functions.iter().find(|function| function.name == "authorizer").expect("an authorizer");
    let rights: Vec<_> =
        authorizer.policy.iter().map(|right| (right.actions.join(" "), right.keys.join(" "))).collect();
    let expected = [("dynamodb:GetItem", "tokens/* users/*"), ("dynamodb:UpdateItem", "token-uses/*")];
    assert_eq!(rights, expected.map(|(action, keys)| (action.to_owned(), keys.to_owned())), "it changes no token");
}

#[test]
fn every_function_is_a_binary_of_one_package_with_tls() {
    let template = Template::read().expect("a template");
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let binaries: BTreeSet<_> = std::fs::read_dir(root.join("functions/src/bin"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    assert_eq!(template.functions.iter().map(|function| function.binary.clone()).collect::<BTreeSet<_>>(), binaries);
    for function in &template.functions {
        assert_eq!(function.folder, "functions", "{}", function.name);
    }
    // `sam build` uses the default features. The local process does not use TLS.
    let manifest = |path: &str| std::fs::read_to_string(root.join(path)).expect("a manifest");
    assert!(manifest("functions/Cargo.toml").contains("default = [\"tls\"]\ntls = [\"capture-core/tls\"]\n"));
    assert!(manifest("Cargo.toml").contains("functions = { path = \"functions\", default-features = false }"));
}
