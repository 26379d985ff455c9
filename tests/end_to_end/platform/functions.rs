//! Tests of the resource groups: each serves its own routes, and `template.yaml` deploys it with its routes and rights.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use capture_core::lambda::http::{Service, handle};
use capture_core::resources;
use capture_core::schema::Role;
use end_to_end::Api;
use event_capture::template::{Function, Template};
use functions::groups::{self, ALL, Group};
use lambda_http::Body;
use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;
use serde_json::{Value, json};

use super::template::{named, written};

/// The binary that serves every group except the pages.
const API: &str = "api";
const READS: [&str; 2] = ["dynamodb:BatchGetItem", "dynamodb:GetItem"];
const WRITES: [&str; 4] = ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"];

/// Returns the template's functions that serve HTTP, by name.
fn http_functions(template: &Template) -> BTreeMap<&str, &Function> {
    let serves = |function: &&Function| template.routes.iter().any(|route| route.function == function.name);
    template.functions.iter().filter(serves).map(|function| (function.name.as_str(), function)).collect()
}

/// Returns the first key segments on which a function may perform one of these actions.
fn keys<'a>(function: &'a Function, actions: &[&str]) -> BTreeSet<&'a str> {
    let statements = function.policy.iter().filter(|statement| {
        statement.resources.iter().any(|resource| resource == "TableArn.Value")
            && statement.actions.iter().any(|action| actions.contains(&action.as_str()))
    });
    statements.flat_map(|statement| &statement.keys).filter_map(|key| key.strip_suffix("/*")).collect()
}

/// Returns the indexes that a function may query.
fn indexes(function: &Function) -> BTreeSet<&'static str> {
    let may_query = |index: &&str| function.may("dynamodb:Query", &format!("${{TableArn.Value}}/index/{index}"), "");
    Role::ALL.iter().map(|role| role.index().name).filter(may_query).collect()
}

/// Returns true if a function may perform an action on images.
fn may_access_images(function: &Function, action: &str) -> bool {
    function.may(action, "arn:${AWS::Partition}:s3:::${Bucket}/images/*", "")
}

/// Returns a path that matches a route.
fn path_of(route: &str) -> String {
    route.replace("{proxy+}", "1")
}

/// Returns the status and the error code of a group function's response to a GET.
async fn get(group: &Group, service: &Service, path: &str) -> (u16, Value) {
    get_with(&json!({}), group, service, path).await
}

async fn get_with(headers: &Value, group: &Group, service: &Service, path: &str) -> (u16, Value) {
    let event = json!({
        "version": "2.0",
        "rawPath": path,
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {"stage": "$default", "domainName": "localhost", "http": {"method": "GET", "path": path},
            "authorizer": {"lambda": {"access": "write"}}},
    });
    let service = Service { routes: Some(group.routes), ..service.clone() };
    let event: ApiGatewayV2httpRequest = serde_json::from_value(event).expect("an event");
    let response = handle(service, event.into()).await;
    let code = match response.body() {
        Body::Text(text) => serde_json::from_str::<Value>(text).map(|body| body["code"].clone()).unwrap_or_default(),
        _ => Value::Null,
    };
    (response.status().as_u16(), code)
}

#[tokio::test(flavor = "multi_thread")]
async fn function_returns_404_for_routes_of_other_groups() {
    let (_, store) = Api::start_with_store();
    let service = Service::from_variables(store, |_| None).expect("a service");
    let not_found = (404, json!("route_not_found"));
    let users = groups::from_variable(Some("users")).expect("a group");
    assert_eq!(get(users, &service, "/events").await, not_found);
    assert_eq!(get(users, &service, "/users").await.0, 200);
    assert_eq!(get(users, &service, "/users/1").await, (404, json!("record_not_found")));
    for group in ALL {
        for other in ALL.into_iter().filter(|other| other.name != group.name) {
            for route in other.routes.iter().filter(|route| **route != "$default") {
                assert_eq!(get(group, &service, &path_of(route)).await, not_found, "{}: {route}", group.name);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_avoid_the_proxy_are_refused() {
    let (_, store) = Api::start_with_store();
    let variable = |name: &str| (name == "PROXY_SECRET").then(|| "from-the-proxy".to_owned());
    let service = Service::from_variables(store, variable).expect("a service");
    for (name, path) in [("service", "/health"), ("users", "/users"), ("events", "/webhooks/twitch")] {
        let group = groups::from_variable(Some(name)).expect("a group");
        for headers in [json!({}), json!({"proxy-secret": ""}), json!({"proxy-secret": "from-the-proxx"})] {
            let refused = get_with(&headers, group, &service, path).await;
            assert_eq!(refused, (403, json!("origin_not_allowed")), "{path} {headers}");
        }
        let answered = get_with(&json!({"proxy-secret": "from-the-proxy"}), group, &service, path).await;
        assert_ne!(answered.0, 403, "{path}");
    }
}

/// The template and the guide state the number of functions that reserve concurrency.
#[test]
fn guide_counts_the_functions_that_reserve_concurrency() {
    let template = include_str!("../../../template.yaml");
    let functions = template.matches("Type: AWS::Serverless::Function").count();
    let reserving = functions - template.matches("ReservedConcurrentExecutions: !Ref AWS::NoValue").count();
    assert_eq!(reserving, 19);
    assert!(template.contains("each of the nineteen HTTP functions"));
    assert!(include_str!("../../../infra/deploy").contains("needed = 19 * reserved"));
}

/// API Gateway may ignore the slash at the end of a page's path.
#[tokio::test(flavor = "multi_thread")]
async fn default_route_redirects_folders_of_pages() {
    let (_, store) = Api::start_with_store();
    let service = Service::from_variables(store, |_| None).expect("a service");
    for (name, status) in [("service", 308), ("users", 404)] {
        let group = groups::from_variable(Some(name)).expect("a group");
        for page in ["/console/", "/overlay/", "/viewer/", "/docs/"] {
            assert_eq!(get(group, &service, page).await.0, status, "{name}: {page}");
        }
    }
}

#[test]
fn api_does_not_start_without_a_group() {
    for name in [None, Some(""), Some("badges-of-another-service")] {
        let error = groups::from_variable(name).expect_err("no group");
        assert!(error.contains("GROUP") && error.contains("users"), "{error}");
    }
}

#[test]
fn every_group_has_a_file_and_a_function_with_its_routes() {
    let template = Template::read().expect("a template");
    let names: BTreeSet<_> = ALL.into_iter().map(|group| group.name.to_owned()).collect();
    assert_eq!(names.len(), ALL.len(), "no name twice");
    let files = std::fs::read_dir(root().join("functions/src/groups")).expect("a folder");
    let files = files.map(|file| file.expect("an entry").path());
    let files: BTreeSet<_> =
        files.map(|path| path.file_stem().expect("a name").to_string_lossy().replace('_', "-")).collect();
    assert_eq!(names, files);

    let functions = http_functions(&template);
    assert_eq!(names, functions.keys().map(|name| (*name).to_owned()).collect());
    for function in &template.functions {
        let group = (function.binary == API).then_some(function.name.as_str());
        assert_eq!(function.group.as_deref(), group, "GROUP of {}", function.name);
    }
    for group in ALL {
        let routes = template.routes.iter().filter(|route| route.function == group.name);
        let routes: BTreeSet<_> = routes.map(|route| route.path.as_str()).collect();
        assert_eq!(routes, group.routes.iter().copied().collect(), "{}", group.name);
    }
}

#[test]
fn functions_have_exactly_the_rights_of_their_groups() {
    let template = Template::read().expect("a template");
    let functions = http_functions(&template);
    for group in ALL {
        let function = functions[group.name];
        let mut writes: BTreeSet<_> = group.writes.iter().copied().collect();
        let mut reads: BTreeSet<_> = group.reads.iter().copied().collect();
        if let Some(root) = group.records {
            let records = written(root);
            let links = || records.iter().flat_map(|name| resources::links(named(name)));
            let deletes_children = records.iter().any(|name| !resources::children(named(name)).is_empty());
            let reads_statistics = links().any(|link| matches!(link.target, resources::LinkTarget::Statistics(_)));
            writes.extend(&records);
            // The responses to requests with an idempotency key.
            writes.insert("keys");
            writes.extend(deletes_children.then_some("tombstones"));
            reads.extend(reads_statistics.then_some("rollups"));
        } else {
            let queries: BTreeSet<_> = group.queries.iter().map(|role| role.index().name).collect();
            // The queries for records follow from the catalogue: `functions_may_query_only_the_indexes_of_their_paths`.
            assert_eq!(indexes(function), queries, "queries of {}", group.name);
        }
        reads.extend(&writes);
        assert_eq!(keys(function, &WRITES), writes, "writes of {}", group.name);
        assert_eq!(keys(function, &READS), reads, "reads of {}", group.name);
        for action in ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"] {
            let deletes = group.deletes_images && action == "s3:DeleteObject";
            assert_eq!(may_access_images(function, action), group.images || deletes, "{action} of {}", group.name);
        }
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Returns the first line of a source file's documentation.
fn purpose(source: &str) -> String {
    let text = std::fs::read_to_string(root().join("functions").join(source)).expect("a source");
    let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    paragraph.trim_end_matches('.').to_owned()
}

/// Describes a function's rights in words.
fn rights(function: &Function) -> String {
    let list = |names: &BTreeSet<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let (reads, writes) = (keys(function, &READS), keys(function, &WRITES));
    let reads = reads.difference(&writes).copied().collect();
    let may = |action: &str| function.policy.iter().any(|statement| statement.actions.iter().any(|one| one == action));
    let groups = [("writes", writes), ("reads", reads), ("queries", indexes(function))];
    let groups = groups.iter().filter(|(_, names)| !names.is_empty());
    let mut rights: Vec<_> = groups.map(|(verb, names)| format!("{verb} {}", list(names))).collect();
    let images =
        ["PutObject", "GetObject", "DeleteObject"].map(|action| may_access_images(function, &format!("s3:{action}")));
    match images {
        [true, ..] => rights.push("writes images".to_owned()),
        [false, true, true] => rights.push("reads and deletes images".to_owned()),
        [false, false, true] => rights.push("deletes images".to_owned()),
        _ => {}
    }
    for (action, right) in [
        ("secretsmanager:GetSecretValue", "reads Twitch's secret"),
        ("execute-api:ManageConnections", "sends to connections"),
    ] {
        rights.extend(may(action).then(|| right.to_owned()));
    }
    if rights.is_empty() { "none".to_owned() } else { rights.join("; ") }
}

/// Returns the events that invoke a function: routes, a schedule, or the table's stream.
fn triggers(template: &Template, function: &Function) -> String {
    let routes = template.routes.iter().filter(|route| route.function == function.name);
    let routes = routes.map(|route| format!("`{}`", route.path));
    let schedules = template.schedules.iter().filter(|schedule| schedule.function == function.name);
    let schedules = schedules.map(|schedule| format!("`{}`", schedule.expression));
    let streams = template.streams.iter().filter(|stream| stream.function == function.name);
    let streams = streams.map(|_| "the table's stream".to_owned());
    let binary = match function.binary.as_str() {
        "authorizer" => Some("every route that needs a token".to_owned()),
        "socket" => Some("the WebSocket's routes".to_owned()),
        _ => None,
    };
    binary.into_iter().chain(routes).chain(schedules).chain(streams).collect::<Vec<_>>().join(", ")
}

/// Returns a function's row in the README's table.
fn row(template: &Template, function: &Function) -> String {
    let Function { name, binary, memory, .. } = function;
    let is_group = ALL.iter().any(|group| group.name == name);
    let source =
        if is_group { format!("src/groups/{}.rs", name.replace('-', "_")) } else { format!("src/bin/{binary}.rs") };
    let (purpose, triggers, rights) = (purpose(&source), triggers(template, function), rights(function));
    format!("| [{name}]({source}) | {purpose} | {triggers} | {rights} | `{binary}` | {memory} |\n")
}

#[test]
fn functions_readme_lists_every_function() {
    let template = Template::read().expect("a template");
    let head =
        "| Function | Purpose | Called by | Rights | Binary | Memory (MB) |\n| --- | --- | --- | --- | --- | --- |\n";
    let rows: String = template.functions.iter().map(|function| row(&template, function)).collect();
    let path = root().join("functions/README.md");
    let readme = std::fs::read_to_string(&path).expect("a README");
    let start = "<!-- The test `functions_readme_lists_every_function` writes this table. -->\n";
    let end = "<!-- End of the table. -->\n";
    let (before, rest) = readme.split_once(start).expect("the start of the table");
    let (_, after) = rest.split_once(end).expect("the end of the table");
    let expected = format!("{before}{start}\n{head}{rows}\n{end}{after}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, expected).expect("a file");
    } else {
        assert!(readme == expected, "functions/README.md is out of date. Run UPDATE=1 cargo test functions_readme");
    }
}
