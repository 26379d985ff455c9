//! The operations of the routes without a resource: the feed, alerts, tokens, images and the webhook.
//!
//! They are written by hand. No declaration describes them.

use serde_json::{Map, Value as Json, json};

use super::schemas::{self, Body, pascal_case};
use super::{ALWAYS, BEHIND_TOKEN, SERVICE, WITH_BODY, WITHOUT_QUERY, with_codes, with_headers};
use crate::error::{Code, Explanation};
use crate::request::{CLEAR, CONTROL, ENTRY, MAX_ENTRIES, PURCHASE, SKIP, TEST};
use crate::resources;
use crate::schema::scalar::{self, Scalar};
use crate::schema::{MAX_INTEGER, Timestamp};

/// Describe the operations of the feed.
pub(super) fn feed() -> Json {
    let responses = json!({"200": {
        "description": "The entries after `after`, oldest first. An empty list without `after`.",
        "headers": with_headers(&["Link", "feed-head"]),
        "content": {"application/cloudevents-batch+json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}}}},
    }});
    let number = |name: &str, minimum: u64, maximum: u64, description: &str| {
        let schema = json!({"type": "integer", "minimum": minimum, "maximum": maximum});
        json!({"name": name, "in": "query", "schema": schema, "description": description})
    };
    let get = json!({
        "operationId": "get_feed",
        "tags": [SERVICE],
        "summary": "List feed entries",
        "description": "Entries are in one order that never changes, and are numbered without gaps. They expire after 7 days. /asyncapi.json describes each type of entry.",
        "parameters": [
            number("after", 0, MAX_INTEGER.unsigned_abs(), "The sequence number of the last entry that you know. Without it, the list is empty, and `feed-head` is the last sequence number."),
            number("limit", 1, MAX_ENTRIES, "The maximum number of entries to return. The default is 100."),
        ],
        "responses": responses,
    });
    let own = [Code::InvalidParameter, Code::TokenMissing, Code::TokenInvalid, Code::EntriesExpired];
    let get = with_codes(get, &[&own, &ALWAYS]);
    json!({"get": get})
}

/// Describe the operation that creates an alert.
pub(super) fn alerts() -> Json {
    let identifier = |example: &str| {
        let mut schema = (scalar::Identifier::CODEC.describe)();
        schema["examples"] = json!([serde_json::from_str::<Json>(example).unwrap_or_default()]);
        schema
    };
    let responses = json!({"202": {
        "description": "The alert is accepted and will be appended to the feed.",
        "headers": with_headers(&["Idempotent-Replayed"]),
        "content": {"application/json": {"schema": {
            "title": "AcceptedAlert",
            "type": "object",
            "required": ["alert_id"],
            "properties": {"alert_id": identifier("8120")},
        }}},
    }});
    let with_alerts: Vec<_> = resources::ALL.iter().filter(|resource| resource.feed.test_defaults.is_some()).collect();
    let records = with_alerts.iter().map(|resource| {
        json!({
            "type": "object",
            "title": pascal_case(&format!("replay of {}", resource.singular)),
            "required": [resource.id.name],
            "properties": {resource.id.name: identifier(resource.id.example)},
            "additionalProperties": false,
        })
    });
    let tests =
        with_alerts.iter().filter_map(|resource| Some((resource, resource.feed.test_defaults?(Timestamp::now()))));
    let tests = tests.map(|(resource, test_defaults)| {
        json!({
            "type": "object",
            "title": pascal_case(&format!("test alert of {}", resource.singular)),
            "required": [TEST],
            "properties": {TEST: schemas::test_schema(resource, &test_defaults)},
            "additionalProperties": false,
        })
    });
    let mut purchase_alert = schemas::object(&resources::PURCHASE_ALERT, Body::Creates(None), None);
    purchase_alert["title"] = json!("PurchaseAlert");
    let purchase = json!({
        "type": "object",
        "title": "TestAlertOfPurchase",
        "required": [TEST],
        "properties": {TEST: {
            "title": "TestPurchase",
            "type": "object",
            "required": [PURCHASE],
            "properties": {PURCHASE: purchase_alert},
            "additionalProperties": false,
        }},
        "additionalProperties": false,
    });
    let control = |title: &str, properties: Json| {
        let required: Vec<_> = properties.as_object().into_iter().flat_map(Map::keys).cloned().collect();
        let (object, closed) = ("object", false);
        json!({"type": object, "title": title, "required": required, "properties": properties, "additionalProperties": closed})
    };
    let word = |word: &str| json!({"type": "string", "const": word});
    let controls = [
        control("SkipOfAlert", json!({CONTROL: word(SKIP), ENTRY: identifier("1")})),
        control("ClearingOfAlerts", json!({CONTROL: word(CLEAR)})),
    ];
    let schemas: Vec<_> = records.chain(tests).chain([purchase]).chain(controls).collect();
    let post = json!({
        "operationId": "create_alert",
        "tags": [SERVICE],
        "summary": "Replay a stored event, send a test alert, or control the alerts of overlays",
        "description": "The feed reports the alert to all overlays. A test alert stores no record.",
        "parameters": [{"$ref": "#/components/parameters/Idempotency-Key"}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"title": "NewAlert", "oneOf": schemas}}}},
        "responses": responses,
    });
    let own = [Code::InvalidHeader, Code::IdempotencyKeyReused];
    json!({"post": with_codes(post, &[&WITHOUT_QUERY, &WITH_BODY, &own, &BEHIND_TOKEN, &ALWAYS])})
}

/// Describe a token.
fn token_schema() -> Json {
    let time = |meaning: &str| json!({"type": ["string", "null"], "format": "date-time", "examples": ["2027-11-20T18:30:00Z"], "description": meaning});
    json!({
        "title": "Token",
        "type": "object",
        "required": ["token_id", "name", "scope", "user_id", "created_at", "expires_at", "used_at"],
        "properties": {
            "token_id": {"type": "string", "examples": ["tk_7Qm2"], "description": "Identifier of the token, which is not a secret."},
            "name": {"type": "string", "examples": ["main scene"], "description": "Name of the token."},
            "scope": {"title": "Scope", "type": "string", "enum": ["read", "write", "import", "overlay", "viewer"], "examples": ["overlay"], "description": "Requests that the token allows."},
            "user_id": {"type": ["integer", "null"], "format": "int64", "minimum": 1, "maximum": MAX_INTEGER, "examples": [415], "description": "Identifier of the user that a token with the scope `viewer` belongs to, or null."},
            "created_at": {"type": "string", "format": "date-time", "examples": ["2026-11-20T18:30:00Z"], "description": "Time of creation."},
            "expires_at": time("Time of expiry, or null."),
            "used_at": time("Time of the last use, or null."),
        },
    })
}

/// Describe a new token, which contains the token itself.
fn created_token_schema() -> Json {
    let mut schema = token_schema();
    schema["title"] = json!("CreatedToken");
    schema["properties"]["token"] = json!({"type": "string", "description": "The token itself. Returned only once.", "examples": ["ec_overlay_5yq0…"]});
    schema
}

/// Describe the operations of the list of tokens.
pub(super) fn tokens() -> Json {
    let response = |description: &str, schema: &Json| json!({"description": description, "headers": with_headers(&[]), "content": {"application/json": {"schema": schema}}});
    let listed = response("All tokens, oldest first.", &json!({"type": "array", "items": token_schema()}));
    let get = json!({"operationId": "list_tokens", "tags": [SERVICE], "summary": "List tokens", "description": "The secrets are not stored and not returned.", "responses": {"200": listed}});
    let get = with_codes(get, &[&WITHOUT_QUERY, &BEHIND_TOKEN, &ALWAYS]);
    let body = json!({
        "title": "NewToken",
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 100, "examples": ["main scene"], "description": "Name of the token."},
            "expires_at": {"type": ["string", "null"], "format": "date-time", "description": "Time of expiry. Without it, a token with `user_id` expires after 30 days. Other tokens do not expire."},
            "user_id": {"type": ["integer", "null"], "format": "int64", "minimum": 1, "maximum": MAX_INTEGER, "examples": [415], "description": "Identifier of an existing user. The token then has the scope `viewer`, and works as long as the user exists."},
        },
        "additionalProperties": false,
    });
    let post = json!({
        "operationId": "create_token",
        "tags": [SERVICE],
        "summary": "Create a token for an overlay or a viewer",
        "description": "The token has the scope `overlay`, or `viewer` with `user_id`. It is returned only in this response. Create tokens with other scopes with the command `token create`.",
        "requestBody": {"required": true, "content": {"application/json": {"schema": body}}},
        "responses": {"201": response("The new token.", &created_token_schema())},
    });
    let post = with_codes(post, &[&WITHOUT_QUERY, &WITH_BODY, &BEHIND_TOKEN, &ALWAYS]);
    json!({"get": get, "post": post})
}

/// Describe the operation that revokes a token.
pub(super) fn token() -> Json {
    let responses = json!({"200": {
        "description": "The revoked token. It stops working within a minute.",
        "headers": with_headers(&[]),
        "content": {"application/json": {"schema": token_schema()}},
    }});
    let delete = json!({"operationId": "revoke_token", "tags": [SERVICE], "summary": "Revoke a token", "description": "A revoked token cannot be restored.", "responses": responses});
    json!({
        "parameters": [{"name": "token_id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}, "description": "Identifier of the token, as GET /tokens returns it."}],
        "delete": with_codes(delete, &[&WITHOUT_QUERY, &[Code::RecordNotFound], &BEHIND_TOKEN, &ALWAYS]),
    })
}

/// Describe the operations of an image.
pub(super) fn image() -> Json {
    let responses = json!({"307": {
        "description": "A redirect to the bytes of the image. Its URL expires after a few minutes.",
        "headers": {"Location": {"$ref": "#/components/headers/Location"}},
    }});
    let get = json!({
        "operationId": "get_image",
        "tags": [SERVICE],
        "summary": "Retrieve an image",
        "description": "Documents contain the URLs of their images. The name of an image is its only credential: no token is required.",
        "security": [],
        "responses": responses,
    });
    let get = with_codes(get, &[&WITHOUT_QUERY, &[Code::RecordNotFound], &ALWAYS]);
    json!({
        "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}, "description": "Name of the image, from the URL in a document."}],
        "get": get,
    })
}

/// Describe the operation of Twitch's webhook. Twitch documents the request bodies.
pub(super) fn webhook() -> Json {
    let challenge = json!({"text/plain": {"schema": {"type": "string"}}});
    let responses = json!({
        "200": {"description": "The text of the challenge.", "content": challenge},
        "204": {"description": "The message was received, now or earlier."},
    });
    let post = json!({
        "operationId": "receive_twitch",
        "tags": [SERVICE],
        "summary": "Receive a Twitch EventSub message",
        "description": "Only Twitch calls this operation, and signs each message. A challenge returns 200 with its text, any other signed message 204.",
        "security": [],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": responses,
    });
    let own = [Code::SignatureInvalid, Code::WrongChannel, Code::PayloadTooLarge];
    json!({"post": with_codes(post, &[&own, &ALWAYS])})
}

/// Describe the operation that lists the codes of errors.
pub(super) fn errors() -> Json {
    let all = json!({"type": "array", "items": explanation()});
    let operation = explain("list_errors", "List the error codes", "All codes, grouped by status.", &all);
    json!({"get": with_codes(operation, &[&WITHOUT_QUERY, &ALWAYS])})
}

/// Describe the operation that explains the code of an error.
pub(super) fn error() -> Json {
    let operation = explain("get_error", "Explain an error code", "The explanation.", &explanation());
    let names = Code::ALL.map(|code| code.explanation().name).to_vec();
    json!({
        "parameters": [{"name": "code", "in": "path", "required": true, "schema": {"type": "string", "enum": names}, "description": "The `code` of a problem."}],
        "get": with_codes(operation, &[&WITHOUT_QUERY, &[Code::RouteNotFound], &ALWAYS]),
    })
}

fn explain(id: &str, summary: &str, meaning: &str, schema: &Json) -> Json {
    let content = json!({"application/json": {"schema": schema}, "text/html": {"schema": {"type": "string"}}});
    json!({
        "operationId": id,
        "tags": [SERVICE],
        "summary": summary,
        "description": "Returns a page to browsers and JSON to programs. The `type` of a problem is the URL of this operation. No token is required.",
        "security": [],
        "responses": {"200": {"description": meaning, "headers": with_headers(&[]), "content": content}},
    })
}

fn explanation() -> Json {
    let Explanation { name, status, title, fix } = Code::RecordNotFound.explanation();
    json!({
        "title": "ErrorExplanation",
        "type": "object",
        "required": ["code", "status", "title", "fix"],
        "properties": {
            "code": {"type": "string", "description": "The code in problems.", "examples": [name]},
            "status": {"type": "integer", "description": "The status of the response.", "examples": [status.as_u16()]},
            "title": {"type": "string", "description": "A summary.", "examples": [title]},
            "fix": {"type": "string", "description": "How to fix the problem.", "examples": [fix]},
        },
    })
}
