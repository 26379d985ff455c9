//! The operations of the economy: transfers, and the codes that only purchases have.

use http::Method;
use serde_json::{Value as Json, json};

use super::schemas::{self, Body};
use super::{BODY_CODES, COMMON_CODES, NO_QUERY_CODES, TAG, TOKEN_CODES, with_codes, with_headers};
use crate::error::Code;
use crate::resources::{PURCHASES, TRANSACTIONS, TRANSFER};
use crate::schema::Resource;
use crate::schema::scalar::{Identifier, Scalar};

/// Returns the operation of the route that names both users in the body.
pub(super) fn transfers() -> Json {
    json!({"post": transfer("create_transfer", TAG, None)})
}

/// Returns the operation that creates a transfer. The path sets the field `bound`, if any.
pub(super) fn transfer(id: &str, tag: &str, bound: Option<&'static str>) -> Json {
    let is_bound = bound.is_some();
    let mut transfer_id = Identifier::describe();
    transfer_id["examples"] = json!([77]);
    let mut from = schemas::reference(&TRANSACTIONS, Body::Response);
    from["description"] = json!("Transaction of the payer.");
    let mut to = schemas::object(&TRANSACTIONS, Body::Response, None);
    to["description"] = json!("Transaction of the recipient. Without `user` for a token of the scope `viewer`.");
    to["title"] = json!("ReceivedTransaction");
    if let Some(required) = to["required"].as_array_mut() {
        required.retain(|name| name != "user");
    }
    let mut body = schemas::object(&TRANSFER, Body::Creates(bound), None);
    body["title"] = json!(if is_bound { "NewTransferOfUser" } else { "NewTransfer" });
    let response = json!({
        "title": "Transfer",
        "type": "object",
        "required": ["transfer_id", "from", "to"],
        "properties": {"transfer_id": transfer_id, "from": from, "to": to},
    });
    let operation = json!({
        "operationId": id,
        "tags": [tag],
        "summary": if is_bound { "Transfer currency from a user to another user" } else { "Transfer currency between two users" },
        "description": "Both transactions are stored, or none. Their `cause` is `transfers/` with the identifier of the transfer, which is not a record. To retry safely, send the same `Idempotency-Key`.",
        "parameters": [{"$ref": "#/components/parameters/Idempotency-Key"}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": body}}},
        "responses": {"201": {
            "description": "The two new transactions.",
            "headers": with_headers(&["Idempotent-Replayed"]),
            "content": {"application/json": {"schema": response}},
        }},
    });
    let own = [Code::InvalidHeader, Code::IdempotencyKeyReused, Code::InsufficientBalance];
    let in_path = [Code::RecordNotFound, Code::PathTooLong];
    let in_path: &[Code] = if is_bound { &in_path } else { &[] };
    with_codes(operation, &[&NO_QUERY_CODES, &BODY_CODES, &own, in_path, &TOKEN_CODES, &COMMON_CODES])
}

/// Lists the codes of the conflicts that only purchases have.
pub(super) fn conflicts(method: &Method, resource: &Resource) -> Vec<Code> {
    let status = resource.status.as_ref().map(|status| status.refused);
    match *method {
        Method::POST if resource == &PURCHASES => vec![
            Code::ProductDisabled,
            Code::PriceChanged,
            Code::OutOfStock,
            Code::OnCooldown,
            Code::LimitReached,
            Code::InsufficientBalance,
        ],
        Method::PATCH => status.into_iter().collect(),
        _ => Vec::new(),
    }
}
