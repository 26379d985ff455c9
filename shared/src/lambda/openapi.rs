//! The OpenAPI 3.1 document, generated from the resources and the routes.

mod connections;
mod economy;
mod entries;
mod examples;
mod operations;
mod schemas;
mod service;
mod statistics;

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use crate::economy::TRANSFERS;
use crate::error::{Code, ERRORS};
use crate::feed::FEED;
use crate::operations::TOKENS;
use crate::request::every_path;
use crate::resources;
use crate::statistics::{AS_OF, LEADERBOARDS, STATISTICS, TIME_ZONE, TOTALS};
use crate::webhooks::twitch;
use crate::webhooks::twitch::connection::CONNECTION;

pub use entries::{EntryType, types as entry_types};
pub(super) use schemas::keep_used;

/// Path of the list of connected overlays.
pub(super) const CONNECTED_OVERLAYS: &str = "/connections/overlays";
/// Tag of operations that do not belong to a resource.
const SERVICE: &str = "service";

/// Returns the document of a service. `needs_token` is true if the service requires tokens.
pub fn document(base: &str, needs_token: bool) -> Json {
    let mut paths = Map::new();
    for path in every_path() {
        paths.insert(path.template(), operations::of(&path));
    }
    let health = json!({"title": "Health", "type": "object", "required": ["status"], "properties": {"status": {"title": "HealthStatus", "enum": ["ok", "damaged"], "type": "string", "examples": ["ok"], "description": "`ok`, or on one machine `damaged` once a part of the table could not be read."}, "socket": {"type": "string", "description": "The URL of the WebSocket, if the service has one."}}});
    paths.insert(
        "/health".to_owned(),
        plain("get_health", "health status", "Does not use the store. No token is required.", &health),
    );
    paths.insert(
        "/openapi.json".to_owned(),
        plain("get_openapi", "OpenAPI document", "This document.", &json!({"type": "object"})),
    );
    paths.insert(
        "/asyncapi.json".to_owned(),
        plain(
            "get_asyncapi",
            "AsyncAPI document of the feed",
            "Describes the entries of the feed and the socket.",
            &json!({"type": "object"}),
        ),
    );
    paths.insert(FEED.to_owned(), service::feed());
    paths.insert("/alerts".to_owned(), service::alerts());
    paths.insert(STATISTICS.to_owned(), statistics::channel());
    paths.insert(TOTALS.to_owned(), statistics::totals());
    paths.insert(format!("{LEADERBOARDS}/{{board}}"), statistics::leaderboard());
    paths.insert(TOKENS.to_owned(), service::tokens());
    paths.insert(format!("{TOKENS}/{{token_id}}"), service::token());
    paths.insert(TRANSFERS.to_owned(), economy::transfers());
    paths.insert(CONNECTION.to_owned(), connections::twitch());
    paths.insert(CONNECTED_OVERLAYS.to_owned(), connections::overlays());
    paths.insert("/images/{name}".to_owned(), service::image());
    paths.insert(
        "/".to_owned(),
        plain(
            "get_root",
            "addresses of the pages and documents",
            "Browsers are redirected to the console. No token is required.",
            &json!({"type": "object"}),
        ),
    );
    for path in ["/", "/health"] {
        let public = &mut paths[path]["get"];
        public["security"] = json!([]);
        if let Some(responses) = public["responses"].as_object_mut() {
            responses.retain(|status, _| !matches!(status.as_str(), "401" | "403" | "429"));
        }
        public["x-codes"] = json!(["invalid_parameter", "method_not_allowed", "store_unavailable"]);
    }
    paths["/"]["get"]["responses"]["302"] = json!({
        "description": "A redirect of browsers to the console.",
        "headers": {"Location": {"$ref": "#/components/headers/Location"}},
    });
    paths.insert(twitch::PATH.to_owned(), service::webhook());
    paths.insert(ERRORS.to_owned(), service::errors());
    paths.insert(format!("{ERRORS}/{{code}}"), service::error());
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
            "headers": headers(),
            "parameters": parameters(),
            "securitySchemes": {"token": {
                "type": "http",
                "scheme": "bearer",
                "description": "The scope `read` allows GET and HEAD, except of /tokens. `overlay` allows GET and HEAD of /feed, /events, /events/{event_id}, /overlays/{overlay_id}, /users/{user_id}/specimen, /statistics, /totals and /leaderboards/{board}. `viewer` belongs to one user: it allows GET and HEAD of /users/{user_id}, of /specimen, /specimens, /inventory, /transactions, /purchases, /events and /statistics below it, and of /products, and POST of /users/{user_id}/purchases and /users/{user_id}/transfers, each with the identifier of that user. `write` allows every request but PUT of one record, and POST and DELETE of /connections/twitch. `import` allows every request. On one machine, the service requires tokens only with --require-token.",
            }},
        },
    });
    if !needs_token && let Some(components) = document["components"].as_object_mut() {
        components.shift_remove("securitySchemes");
    }
    examples::add(&mut document);
    name_schemas(&mut document);
    document
}

/// Move each schema with a title to the components. Otherwise, client generators create a type for each of its uses.
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
    let service = json!({"name": SERVICE, "description": "The feed, alerts, tokens, images, the webhook of Twitch, the health check and the API documents."});
    resources.chain([service]).collect()
}

/// Returns a noun with its indefinite article: "an event", "a user".
pub(super) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Returns the operations of a path without parameters that returns a JSON object.
fn plain(id: &str, noun: &str, about: &str, schema: &Json) -> Json {
    let content = json!({"application/json": {"schema": schema}});
    let responses = json!({"200": {"description": format!("The {noun}."), "content": content}});
    let summary = format!("Retrieve the {noun}");
    let get =
        json!({"operationId": id, "tags": [SERVICE], "summary": summary, "description": about, "responses": responses});
    let get = with_codes(get, &[&WITHOUT_QUERY, &BEHIND_TOKEN, &ALWAYS]);
    json!({"get": get})
}

/// Codes of every operation that requires a token.
const BEHIND_TOKEN: [Code; 3] = [Code::TokenMissing, Code::TokenInvalid, Code::ScopeInsufficient];
/// Codes of every operation.
const ALWAYS: [Code; 3] = [Code::MethodNotAllowed, Code::TooManyRequests, Code::StoreUnavailable];
/// Codes of operations without query parameters.
const WITHOUT_QUERY: [Code; 1] = [Code::InvalidParameter];
/// Codes of operations with a JSON body.
const WITH_BODY: [Code; 4] =
    [Code::MalformedBody, Code::PayloadTooLarge, Code::UnsupportedMediaType, Code::InvalidBody];

/// Add the codes that an operation may respond with, and references to the error responses of their statuses.
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

/// Pattern of a list of ETags, or `*`.
const ETAGS: &str = r#"^(\*|(W/)?"[^"]*"(, *(W/)?"[^"]*")*)$"#;

fn parameters() -> Json {
    let header = |name: &str, description: &str, schema: Json| json!({"name": name, "in": "header", "required": false, "description": description, "schema": schema});
    json!({
        "Idempotency-Key": {
            "name": "Idempotency-Key",
            "in": "header",
            "required": false,
            "description": "To retry the request safely, send it again with the same key. The service applies it once and returns the original response for 24 hours.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
        },
        "If-Match": header("If-Match", "The request succeeds only if the record has one of these ETags. Otherwise the response is 412 and nothing changes. Send each ETag as received, with its quotes, or `*` for any.", json!({"type": "string", "pattern": ETAGS})),
        // GET ignores a value that is not a list of ETags, as RFC 9110 allows.
        "If-None-Match": header("If-None-Match", "If the record has one of these ETags, a GET returns 304 without a body, and any other request returns 412 and changes nothing. Send each ETag with its quotes, or `*` for any.", json!({"type": "string"})),
    })
}

fn headers() -> Json {
    let text = |description: &str| json!({"description": description, "schema": {"type": "string"}});
    json!({
        TIME_ZONE: text("The time zone of the buckets, as an IANA name."),
        AS_OF: {"description": "The time of acknowledgement before which all changes are included.", "schema": {"type": "string", "format": "date-time"}},
        "ETag": text("The version of the record. It changes whenever the response to a GET of the record changes."),
        "Idempotent-Replayed": text("`true` if this is the stored response to an earlier request with the same `Idempotency-Key`."),
        "feed-head": text("The sequence number of the feed's last entry, in 16 digits."),
        "Link": text("The URL of the next page, with `rel=\"next\"` (RFC 8288). Present if there is a next page."),
        "Location": {"description": "The URL of the new record or of the image.", "schema": {"type": "string", "format": "uri"}},
    })
}
