//! The OpenAPI 3.1 document, generated from the resources and the routes.

mod alerts;
mod economy;
mod entries;
mod examples;
mod operations;
mod schemas;
mod statistics;

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Map, Value as Json, json};

use super::access;
use super::routes::{PUBLIC, SERVICE, Scopes};
use crate::error::Code;
use crate::request::every_path;
use crate::resources;
use crate::store::Scope;

pub use entries::{EntryType, types as entry_types};
pub(super) use schemas::keep_used;

/// The paths without a resource, and components for all paths. An operation behind a token lists only its specific codes.
const FIXED: &str = include_str!("openapi/fixed.json");
/// Tag of operations that do not belong to a resource.
const TAG: &str = "service";

/// Returns the document of a service. `needs_token` is true if the service requires tokens.
pub fn document(base: &str, needs_token: bool) -> Json {
    let mut paths = Map::new();
    for path in every_path() {
        paths.insert(path.template(), operations::path_item(&path));
    }
    paths.insert("/alerts".to_owned(), alerts::create());
    paths.insert("/statistics".to_owned(), statistics::channel());
    paths.insert("/totals".to_owned(), statistics::totals());
    paths.insert("/leaderboards/{board}".to_owned(), statistics::leaderboard());
    paths.insert("/transfers".to_owned(), economy::transfers());
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Event capture for live streams",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE")},
            "description": "Stores the events, viewers and images of a channel. Paths can be chained: a link to a single record can be followed by a link of that record, up to 16 links in all. Example: /events/{event_id}/user/specimen/owner. A chained path has the methods of the resource at its end. /user/{user_id}/… is an alias of /users/{user_id}/…. HEAD works wherever GET does, and returns the same headers. Every response has the headers `request-id`, its identifier in the log, and `store-cost`, the round trips, read units and write units that it cost.",
        },
        "servers": [{"url": base, "description": "The service that returned this document."}],
        "tags": tags(),
        "paths": paths,
        "security": if needs_token { json!([{"token": []}]) } else { json!([]) },
        "components": {
            "schemas": schemas(),
            "responses": responses(),
            "securitySchemes": {"token": {
                "type": "http",
                "scheme": "bearer",
                "description": scopes(),
            }},
        },
    });
    if !needs_token && let Some(components) = document["components"].as_object_mut() {
        components.shift_remove("securitySchemes");
    }
    add_fixed(&mut document);
    examples::add(&mut document);
    name_schemas(&mut document);
    document
}

/// Describes what the scopes allow.
fn scopes() -> String {
    let list = |is_listed: fn(&Scopes) -> bool| {
        let routes = SERVICE.iter().filter(|route| is_listed(&route.scopes));
        routes.map(|route| route.path).collect::<Vec<_>>().join(", ")
    };
    let hidden = list(|scopes| scopes.reading == Some(Scope::Write));
    let logins = list(|scopes| scopes.writing == Some(Scope::Import));
    let overlay = access::overlay_routes().join(", ");
    let [viewed, created] = [Method::GET, Method::POST].map(|method| access::viewer_routes(&method).join(", "));
    format!(
        "The scope `read` allows GET and HEAD of all routes except {hidden}. `overlay` allows GET and HEAD of {overlay}. `viewer` belongs to one user. With that user's identifier, it allows GET and HEAD of {viewed}, and POST of {created}. `write` allows every request except PUT of one record, and POST and DELETE of {logins}. `import` allows every request. On one machine, the service requires tokens only with --require-token."
    )
}

/// Moves each schema with a title to the components. Otherwise, client generators create a type for each of its uses.
fn name_schemas(document: &mut Json) {
    let mut named = Map::new();
    take_named(&mut document["paths"], &mut named);
    for schema in document["components"]["schemas"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        take_named(schema, &mut named);
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.extend(named);
    }
}

fn take_named(json: &mut Json, named: &mut Map<String, Json>) {
    match json {
        Json::Array(elements) => elements.iter_mut().for_each(|element| take_named(element, named)),
        Json::Object(members) => {
            members.values_mut().for_each(|member| take_named(member, named));
            let is_schema = members.get("type").is_some_and(|kind| kind == "object" || kind == "string")
                || members.contains_key("oneOf");
            if is_schema && let Some(Json::String(name)) = members.remove("title") {
                let reference = json!({"$ref": format!("#/components/schemas/{name}")});
                named.insert(name, std::mem::replace(json, reference));
            }
        }
        _ => {}
    }
}

/// Returns the schemas of all resources, errors and feed entries, by name.
pub(super) fn schemas() -> Map<String, Json> {
    let mut schemas = schemas::all();
    entries::add_schemas(&mut schemas);
    schemas
}

fn tags() -> Json {
    let resources =
        resources::ALL.iter().map(|resource| json!({"name": resource.name, "description": resource.summary}));
    let service = json!({"name": TAG, "description": "The feed, alerts, tokens, images, the webhook of Twitch, the health check and the API documents."});
    resources.chain([service]).collect()
}

/// Returns a noun with its indefinite article: "an event", "a user".
pub(super) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Adds the paths and components of [`FIXED`].
fn add_fixed(document: &mut Json) {
    let mut fixed: Json = serde_json::from_str(FIXED).unwrap_or_default();
    for route in &SERVICE {
        let Some(operations) = fixed["paths"].get_mut(route.path).and_then(Json::as_object_mut) else { continue };
        for method in route.methods {
            let Some(operation) = operations.get_mut(&method.as_str().to_lowercase()) else { continue };
            let names = operation["x-codes"].as_array().into_iter().flatten().filter_map(Json::as_str);
            let mut codes: Vec<_> = names.filter_map(Code::named).collect();
            operation["tags"] = json!([TAG]);
            if route.scopes == PUBLIC {
                operation["security"] = json!([]);
            } else {
                codes.extend(TOKEN_CODES.iter().chain(&COMMON_CODES));
                codes.extend(BODY_CODES.iter().filter(|_| operation["requestBody"].is_object()));
            }
            *operation = with_codes(operation.take(), &[&codes]);
        }
    }
    let codes: Vec<_> = Code::ALL.map(|code| code.explanation().name).into();
    fixed["paths"]["/errors/{code}"]["parameters"][0]["schema"]["enum"] = json!(codes);
    extend(&mut document["paths"], &mut fixed["paths"]);
    for group in ["schemas", "headers", "parameters"] {
        extend(&mut document["components"][group], &mut fixed["components"][group]);
    }
}

/// Moves the members of a JSON object to another object, or to null.
fn extend(object: &mut Json, more: &mut Json) {
    match (object.as_object_mut(), more.as_object_mut()) {
        (Some(members), Some(more)) => members.append(more),
        _ => *object = more.take(),
    }
}

/// Codes of every operation that requires a token.
const TOKEN_CODES: [Code; 3] = [Code::TokenMissing, Code::TokenInvalid, Code::ScopeInsufficient];
/// Codes of every operation.
const COMMON_CODES: [Code; 3] = [Code::MethodNotAllowed, Code::TooManyRequests, Code::StoreUnavailable];
/// Codes of operations without query parameters.
const NO_QUERY_CODES: [Code; 1] = [Code::InvalidParameter];
/// Codes of operations with a JSON body.
const BODY_CODES: [Code; 4] =
    [Code::MalformedBody, Code::PayloadTooLarge, Code::UnsupportedMediaType, Code::InvalidBody];

/// Adds the codes that an operation may respond with, and references to the error responses of their statuses.
fn with_codes(mut operation: Json, codes: &[&[Code]]) -> Json {
    let codes: BTreeSet<_> = codes.iter().copied().flatten().copied().collect();
    for status in codes.iter().flat_map(|code| statuses(*code)) {
        let name = ERROR_RESPONSES.iter().find(|(own, ..)| *own == status).map_or("", |(_, name, ..)| name);
        operation["responses"][&status] = json!({"$ref": format!("#/components/responses/{name}")});
    }
    operation["x-codes"] = codes.iter().map(|code| code.explanation().name).collect();
    operation
}

/// Returns the statuses of responses with a code.
fn statuses(code: Code) -> Vec<String> {
    let own = code.explanation().status.as_str().to_owned();
    // A path with too many links is 400, and a URL with too many bytes is 414.
    if code == Code::PathTooLong { vec![own, "414".to_owned()] } else { vec![own] }
}

/// Error responses: status, name, meaning and specific headers.
///
/// Headers that HTTP requires and headers of every response are not listed. Generated clients would get code for each
/// of them, for each status of each operation.
const ERROR_RESPONSES: [(&str, &str, &str, &[&str]); 14] = [
    ("400", "BadRequest", "The body is not JSON, or a path or query value is invalid.", &[]),
    (
        "401",
        "Unauthorized",
        "The token is missing, invalid, revoked or expired. `WWW-Authenticate` has the challenge.",
        &[],
    ),
    ("403", "Forbidden", "The token's scope does not allow this request.", &[]),
    ("404", "NotFound", "The record, or another record in its path, does not exist.", &[]),
    ("405", "MethodNotAllowed", "The route does not support this method. `Allow` has those that it does.", &[]),
    ("409", "Conflict", "The request conflicts with stored data.", &[]),
    ("410", "Gone", "Entries after this sequence number have expired.", &["feed-head"]),
    (
        "412",
        "PreconditionFailed",
        "The record has none of the ETags in `If-Match`, or one of those in `If-None-Match`.",
        &[],
    ),
    ("413", "ContentTooLarge", "The body or the image is too large.", &[]),
    ("414", "UriTooLong", "The URL has more than 60,000 bytes.", &[]),
    ("415", "UnsupportedMediaType", "The route does not accept this content type or content encoding.", &[]),
    ("422", "UnprocessableContent", "The body violates a rule of the schema or of the resource.", &[]),
    ("429", "TooManyRequests", "Too many requests. `Retry-After` has the seconds to wait.", &[]),
    ("503", "ServiceUnavailable", "The store is throttled or unavailable. `Retry-After` has the seconds to wait.", &[]),
];

fn responses() -> Json {
    let response = |(status, name, meaning, headers): (&str, &str, &str, &[&str])| {
        let own = Code::ALL.into_iter().filter(|code| statuses(*code).contains(&status.to_owned()));
        let codes: Vec<_> = own.map(|code| code.explanation().name).collect();
        let content = json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}});
        let description = format!("{meaning} Codes: {}.", codes.join(", "));
        let mut response = json!({"description": description, "content": content, "x-codes": codes});
        if !headers.is_empty() {
            response["headers"] = with_headers(headers);
        }
        (name.to_owned(), response)
    };
    ERROR_RESPONSES.into_iter().map(response).collect::<Map<_, _>>().into()
}

/// Returns references to these headers.
fn with_headers(names: &[&str]) -> Json {
    let reference = |name: &&str| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}));
    names.iter().map(reference).collect::<Map<_, _>>().into()
}
