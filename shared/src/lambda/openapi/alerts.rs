//! The operation that creates an alert.

use serde_json::{Map, Value as Json, json};

use super::schemas::{self, Body, pascal_case};
use super::{BODY_CODES, COMMON_CODES, NO_QUERY_CODES, TAG, TOKEN_CODES, with_codes, with_headers};
use crate::error::Code;
use crate::request::{CLEAR, CONTROL, ENTRY, PURCHASE, SKIP, TEST};
use crate::resources;
use crate::schema::Timestamp;
use crate::schema::scalar::{self, Scalar};

/// Describes the operation that creates an alert.
pub(super) fn create() -> Json {
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
        "tags": [TAG],
        "summary": "Replay a stored event, send a test alert, or control the alerts of overlays",
        "description": "The feed reports the alert to all overlays. A test alert stores no record.",
        "parameters": [{"$ref": "#/components/parameters/Idempotency-Key"}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"title": "NewAlert", "oneOf": schemas}}}},
        "responses": responses,
    });
    let own = [Code::InvalidHeader, Code::IdempotencyKeyReused];
    json!({"post": with_codes(post, &[&NO_QUERY_CODES, &BODY_CODES, &own, &TOKEN_CODES, &COMMON_CODES])})
}
