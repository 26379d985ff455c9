//! The OpenAPI 3.1 document, derived from the catalogue and the routes.

mod operations;
mod schemas;

use serde_json::{Map, Value as Json, json};

use crate::execute::{FEED, TOKENS};
use crate::request::{MOST_ENTRIES, TEST, every_path};
use crate::resources;
use crate::schema::scalar::{self, Scalar};
use crate::schema::{MAX_INTEGER, Resource, Timestamp};
use crate::webhooks::twitch;

/// The tag of what is about no resource.
const SERVICE: &str = "service";

/// The whole document, of a service that answers at a base URL.
pub fn document(base: &str) -> Json {
    let mut paths = Map::new();
    for path in every_path() {
        paths.insert(path.template(), operations::of(&path));
    }
    let health = json!({"type": "object", "required": ["status"], "properties": {"status": {"const": "ok", "type": "string"}, "socket": {"type": "string", "description": "where the socket is, if there is one"}}});
    paths.insert("/health".to_owned(), plain("get_health", "Whether the service is there", &health));
    paths.insert("/openapi.json".to_owned(), plain("get_openapi", "This document", &json!({"type": "object"})));
    paths.insert(
        "/asyncapi.json".to_owned(),
        plain("get_asyncapi", "The AsyncAPI document of the feed", &json!({"type": "object"})),
    );
    paths.insert(FEED.to_owned(), feed());
    paths.insert("/alerts".to_owned(), alerts());
    paths.insert(TOKENS.to_owned(), tokens());
    paths.insert(format!("{TOKENS}/{{token_id}}"), token());
    paths.insert("/images/{name}".to_owned(), image());
    for method in ["get", "head"] {
        let health = &mut paths["/health"][method];
        health["security"] = json!([]);
        if let Some(responses) = health["responses"].as_object_mut() {
            responses.retain(|status, _| !matches!(status.as_str(), "401" | "403" | "429"));
        }
    }
    paths.insert(twitch::PATH.to_owned(), webhook());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Event capture for live streams",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE")},
            "description": "Events, viewers and images of a channel. Routes chain: any link that follows one record may be followed by that record's links, at most 16 in all, as in /events/{event_id}/user/specimen/owner; what ends there has the methods of what it is. /user/{user_id}/… is the same as /users/{user_id}/….",
        },
        "servers": [{"url": base, "description": "where this document came from"}],
        "tags": tags(),
        "paths": paths,
        "security": [{"token": []}],
        "components": {
            "schemas": schemas::all(),
            "responses": responses(),
            "headers": headers(),
            "parameters": parameters(),
            "securitySchemes": {"token": {
                "type": "http",
                "scheme": "bearer",
                "description": "With the scope `read` for GET and HEAD, with `overlay` for those of /feed alone, with `write` for everything. On one machine only asked for with --require-token.",
            }},
        },
    })
}

/// The schemas of all resources, by name.
pub(super) fn schemas() -> Json {
    schemas::all()
}

/// A reference to the schema of a record as a GET shows it.
pub(super) fn rendered(resource: &Resource) -> Json {
    schemas::reference(resource, schemas::Body::Visibility)
}

fn tags() -> Json {
    let resources =
        resources::ALL.iter().map(|resource| json!({"name": resource.name, "description": resource.summary}));
    let service = json!({"name": SERVICE, "description": "The service itself, images, and what Twitch calls."});
    resources.chain([service]).collect()
}

/// What answers with a document that is the same for everybody.
fn plain(id: &str, summary: &str, schema: &Json) -> Json {
    let mut responses = errors(&["400", "401", "403", "405", "429", "503"]);
    responses["200"] = json!({"description": summary, "content": {"application/json": {"schema": schema}}});
    let get = json!({"operationId": id, "tags": [SERVICE], "summary": summary, "responses": responses});
    json!({"head": head_of(&get), "get": get})
}

/// The HEAD of a GET: the same answers, with no bodies.
fn head_of(get: &Json) -> Json {
    let mut head = get.clone();
    let id = get["operationId"].as_str().unwrap_or_default();
    head["operationId"] = json!(format!("head_{}", id.strip_prefix("get_").unwrap_or(id)));
    for response in head["responses"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(response) = response.as_object_mut().filter(|response| !response.contains_key("$ref")) {
            response.remove("content");
            response.remove("links");
        }
    }
    head
}

/// What has happened, in one order.
fn feed() -> Json {
    let mut responses = errors(&["400", "401", "405", "410", "429", "503"]);
    let event = json!({
        "type": "object",
        "required": ["specversion", "id", "sequence", "source", "type", "subject", "time", "datacontenttype"],
        "properties": {
            "specversion": {"const": "1.0", "type": "string"},
            "id": {"type": "string", "pattern": "^[0-9]{16}$"},
            "sequence": {"type": "string", "pattern": "^[0-9]{16}$"},
            "source": {"const": FEED, "type": "string"},
            "type": {"type": "string"},
            "subject": {"type": "string"},
            "time": {"type": "string", "format": "date-time"},
            "datacontenttype": {"const": "application/json", "type": "string"},
            "data": {"type": "object"},
        },
    });
    responses["200"] = json!({
        "description": "What comes after `after`, oldest first; nothing, without it",
        "headers": with_headers(&["Link", "feed-head"]),
        "content": {"application/cloudevents-batch+json": {"schema": {"type": "array", "items": event}}},
    });
    let number = |name: &str, least: u64, most: u64, description: &str| {
        let schema = json!({"type": "integer", "minimum": least, "maximum": most});
        json!({"name": name, "in": "query", "schema": schema, "description": description})
    };
    let get = json!({
        "operationId": "get_feed",
        "tags": [SERVICE],
        "summary": "What has happened since",
        "description": "In one order that never changes, numbered without gaps, kept for 7 days. /asyncapi.json describes what is told.",
        "parameters": [
            number("after", 0, MAX_INTEGER.unsigned_abs(), "the last number that is known"),
            number("limit", 1, MOST_ENTRIES, "how many at most"),
        ],
        "responses": responses,
    });
    json!({"head": head_of(&get), "get": get})
}

/// What the feed is asked to tell.
fn alerts() -> Json {
    let mut responses = errors(&["400", "401", "403", "405", "409", "413", "415", "422", "429", "503"]);
    let identifier = (scalar::Identifier::CODEC.describe)();
    responses["202"] = json!({
        "description": "It will be told",
        "headers": with_headers(&["Idempotent-Replayed"]),
        "content": {"application/json": {"schema": {
            "type": "object",
            "required": ["alert_id"],
            "properties": {"alert_id": identifier},
        }}},
    });
    let alerted: Vec<_> = resources::ALL.iter().filter(|resource| resource.feed.test_defaults.is_some()).collect();
    let records = alerted.iter().map(|resource| {
        json!({
            "type": "object",
            "title": "tells a record again",
            "required": [resource.id.name],
            "properties": {resource.id.name: identifier},
            "additionalProperties": false,
        })
    });
    let tests = alerted.iter().filter_map(|resource| Some((resource, resource.feed.test_defaults?(Timestamp::now()))));
    let tests = tests.map(|(resource, test_defaults)| {
        json!({
            "type": "object",
            "title": "tries out what is shown",
            "required": [TEST],
            "properties": {TEST: schemas::test_schema(resource, &test_defaults)},
            "additionalProperties": false,
        })
    });
    let schemas: Vec<_> = records.chain(tests).collect();
    json!({"post": {
        "operationId": "create_alert",
        "tags": [SERVICE],
        "summary": "Have the feed tell an event again, or one that is stored nowhere",
        "parameters": [{"$ref": "#/components/parameters/Idempotency-Key"}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"oneOf": schemas}}}},
        "responses": responses,
    }})
}

/// A token, as it is shown; with itself, where it was just made.
fn token_schema(is_new: bool) -> Json {
    let time = json!({"type": ["string", "null"], "format": "date-time"});
    let mut schema = json!({
        "type": "object",
        "required": ["token_id", "name", "scope", "created_at", "expires_at", "used_at"],
        "properties": {
            "token_id": {"type": "string"},
            "name": {"type": "string"},
            "scope": {"type": "string", "enum": ["read", "write", "overlay"]},
            "created_at": {"type": "string", "format": "date-time"},
            "expires_at": time,
            "used_at": time,
        },
    });
    if is_new {
        schema["properties"]["token"] = json!({"type": "string", "description": "shown this once"});
    }
    schema
}

/// All tokens, and how one for an overlay is made.
fn tokens() -> Json {
    let answer = |description: &str, schema: &Json| json!({"description": description, "headers": with_headers(&[]), "content": {"application/json": {"schema": schema}}});
    let mut listed = errors(&["400", "401", "403", "405", "429", "503"]);
    listed["200"] = answer("All tokens, the oldest first", &json!({"type": "array", "items": token_schema(false)}));
    let get = json!({"operationId": "list_tokens", "tags": [SERVICE], "summary": "List tokens", "responses": listed});
    let mut made = errors(&["400", "401", "403", "405", "413", "415", "422", "429", "503"]);
    made["201"] = answer("The token", &token_schema(true));
    let body = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 100},
            "expires_at": {"type": ["string", "null"], "format": "date-time"},
        },
        "additionalProperties": false,
    });
    json!({
        "head": head_of(&get),
        "get": get,
        "post": {
            "operationId": "create_token",
            "tags": [SERVICE],
            "summary": "Make a token for an overlay",
            "description": "With the scope `overlay`, shown this once. Others are made by the command.",
            "requestBody": {"required": true, "content": {"application/json": {"schema": body}}},
            "responses": made,
        },
    })
}

/// One token.
fn token() -> Json {
    let mut responses = errors(&["400", "401", "403", "404", "405", "429", "503"]);
    responses["200"] = json!({
        "description": "It stops working within a minute",
        "headers": with_headers(&[]),
        "content": {"application/json": {"schema": token_schema(false)}},
    });
    json!({
        "parameters": [{"name": "token_id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}],
        "delete": {"operationId": "revoke_token", "tags": [SERVICE], "summary": "Revoke a token", "responses": responses},
    })
}

/// Where an image is.
fn image() -> Json {
    let mut responses = errors(&["400", "404", "405", "429", "503"]);
    responses["307"] = json!({
        "description": "Where the bytes are, for some minutes",
        "headers": {"Location": {"$ref": "#/components/headers/Location"}},
    });
    let get = json!({
        "operationId": "get_image",
        "tags": [SERVICE],
        "summary": "Fetch an image",
        "description": "The URL that a document shows. Its name is the only credential that it needs.",
        "security": [],
        "responses": responses,
    });
    json!({
        "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
        "head": head_of(&get),
        "get": get,
    })
}

/// What Twitch calls: its own documentation says with what.
fn webhook() -> Json {
    let mut responses = errors(&["403", "405", "413", "429", "503"]);
    responses["200"] =
        json!({"description": "The challenge", "content": {"text/plain": {"schema": {"type": "string"}}}});
    responses["204"] = json!({"description": "It has come, now or before"});
    json!({"post": {
        "operationId": "receive_twitch",
        "tags": [SERVICE],
        "summary": "Receive a message of Twitch EventSub",
        "description": "For Twitch alone, which signs what it sends. A challenge is answered 200 with its text, everything else that is signed 204.",
        "security": [],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": responses,
    }})
}

/// References to the refusals with these statuses.
fn errors(statuses: &[&str]) -> Json {
    let reference = |status: &&str| ((*status).to_owned(), json!({"$ref": format!("#/components/responses/{status}")}));
    statuses.iter().map(reference).collect::<Map<_, _>>().into()
}

fn responses() -> Json {
    let meanings = [
        ("400", "The body is not JSON, or a path or query value does not parse.", &[][..]),
        ("401", "No token, or an unknown one.", &["WWW-Authenticate"]),
        ("403", "The token's scope does not allow this.", &["WWW-Authenticate"]),
        ("404", "The record, or one on the way to it, does not exist.", &[]),
        ("405", "The route has other methods.", &["Allow"]),
        ("409", "What is stored stands against it.", &[]),
        ("410", "It is kept no more.", &["feed-head"]),
        ("412", "The record has none of the ETags in If-Match.", &[]),
        ("413", "The body or the image is too large.", &[]),
        ("415", "The route does not take this content type.", &[]),
        ("422", "The body breaks a rule.", &[]),
        ("429", "Too many requests.", &["Retry-After"]),
        ("503", "The store is busy or away.", &["Retry-After"]),
    ];
    let response = |(status, meaning, names): (&str, &str, &[&str])| {
        let schema = json!({"$ref": "#/components/schemas/Problem"});
        let headers = with_headers(names);
        let content = json!({"application/problem+json": {"schema": schema}});
        (status.to_owned(), json!({"description": meaning, "headers": headers, "content": content}))
    };
    meanings.into_iter().map(response).collect::<Map<_, _>>().into()
}

/// References to these headers, and those that every answer has.
fn with_headers(names: &[&str]) -> Json {
    let all = names.iter().chain(&["request-id", "store-cost"]);
    let reference = |name: &&str| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}));
    all.map(reference).collect::<Map<_, _>>().into()
}

fn parameters() -> Json {
    // No pattern: what is no ETag is not refused, it is one that no record has.
    let header = |name: &str, description: &str| {
        let schema = json!({"type": "string"});
        json!({"name": name, "in": "header", "required": false, "description": description, "schema": schema})
    };
    json!({
        "Idempotency-Key": {
            "name": "Idempotency-Key",
            "in": "header",
            "required": false,
            "description": "Makes the request take effect once: for 24 hours, the same request with the same key is answered as the first.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
        },
        "If-Match": header("If-Match", "ETags of the record, as they were got, with their quotes, or `*`: where it has none of them by now, nothing happens, and the answer is 412."),
        "If-None-Match": header("If-None-Match", "ETags of the record, as they were got, with their quotes, or `*`: where it still has one of them, the answer is 304, with nothing in it."),
    })
}

fn headers() -> Json {
    let text = |description: &str| json!({"description": description, "schema": {"type": "string"}});
    json!({
        "Allow": text("The methods that the route has."),
        "ETag": text("Changes with anything that a GET of the record shows."),
        "Idempotent-Replayed": text("`true`, when this request had come before, and this is what it was answered with then."),
        "feed-head": text("The number of the last entry of the feed, in 16 digits."),
        "Link": text("Where the next page is, with `rel=\"next\"` (RFC 8288), when there is one."),
        "Location": {"description": "Where it is.", "schema": {"type": "string", "format": "uri-reference"}},
        "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}},
        "WWW-Authenticate": text("What to send (RFC 6750), where a token is what is missing."),
        "request-id": text("What the request is called in the log."),
        "store-cost": text("What the request took: round trips, read units, write units."),
    })
}
