//! Checks every call to the table against the policy of the function that makes it, as the platform does.

use std::sync::{Arc, Mutex, PoisonError};

use local_stack::template::{Function, Template};
use serde_json::{Map, Value};

/// The calls that a policy has denied, of all functions of this process.
static DENIED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records a call that a policy has denied.
pub fn deny(what: &str) {
    DENIED.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_owned());
}

/// Fails the first test that calls this after a policy has denied a call.
///
/// # Panics
/// If a policy has denied a call.
pub fn check_none_denied() {
    let denied = std::mem::take(&mut *DENIED.lock().unwrap_or_else(PoisonError::into_inner));
    assert!(denied.is_empty(), "the template's policies do not allow: {denied:?}");
}

/// The right to a call: the action, the resource and the partition key.
type Right = (String, String, String);

/// The rights of all functions.
#[derive(Clone, Debug)]
pub struct Rights {
    functions: Arc<[Function]>,
}

impl Rights {
    /// Reads the rights from the template.
    ///
    /// # Panics
    /// If there is no template.
    pub fn of_the_template() -> Self {
        Self { functions: Template::read().expect("a template").functions.into() }
    }

    /// Checks that a caller may make a call, whose body has the keys.
    ///
    /// # Errors
    /// Names the caller and the missing right.
    ///
    /// # Panics
    /// If the call is not one of DynamoDB's.
    pub fn check(&self, who: &str, operation: &str, body: &[u8]) -> Result<(), String> {
        // The owner of the machine: the tools, and the tests themselves.
        if who == "local" {
            return Ok(());
        }
        let body = serde_json::from_slice(body).expect("a call");
        let needed = needed(operation, &body);
        assert!(!needed.is_empty(), "{operation} needs a right");
        let function = self.functions.iter().find(|function| function.name == who);
        let missing = needed
            .into_iter()
            .find(|(action, resource, key)| !function.is_some_and(|function| function.may(action, resource, key)));
        missing.map_or(Ok(()), |missing| Err(format!("{who} must not do {missing:?}")))
    }
}

/// Returns the rights that a call needs, one for each of its items.
fn needed(action: &str, body: &Value) -> Vec<Right> {
    let on_item = |action: &str, item: &Value| {
        let key = item["pk"]["S"].as_str().unwrap_or_default().to_owned();
        (format!("dynamodb:{action}"), "TableArn.Value".to_owned(), key)
    };
    let tables = |name: &str| body[name].as_object().into_iter().flat_map(Map::values).cloned();
    match action {
        "Query" => {
            let index = body["IndexName"].as_str().unwrap_or_default();
            vec![("dynamodb:Query".to_owned(), format!("${{TableArn.Value}}/index/{index}"), String::new())]
        }
        "BatchGetItem" => {
            let keys = tables("RequestItems").flat_map(|table| table["Keys"].as_array().cloned().unwrap_or_default());
            keys.map(|key| on_item(action, &key)).collect()
        }
        "BatchWriteItem" => {
            let writes = tables("RequestItems").flat_map(|table| table.as_array().cloned().unwrap_or_default());
            writes.map(|write| on_item(action, &write["DeleteRequest"]["Key"])).collect()
        }
        "TransactWriteItems" => {
            let items = body["TransactItems"].as_array().into_iter().flatten();
            items
                .map(|item| {
                    let (kind, write) = item.as_object().and_then(|item| item.iter().next()).expect("one write");
                    let action = if kind == "ConditionCheck" { "ConditionCheckItem" } else { &format!("{kind}Item") };
                    on_item(action, if kind == "Put" { &write["Item"] } else { &write["Key"] })
                })
                .collect()
        }
        "GetSecretValue" => {
            vec![("secretsmanager:GetSecretValue".to_owned(), "TwitchSecretArn".to_owned(), String::new())]
        }
        "PutItem" => vec![on_item(action, &body["Item"])],
        _ => vec![on_item(action, &body["Key"])],
    }
}
