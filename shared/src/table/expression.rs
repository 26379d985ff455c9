//! Placeholders for the names and values of DynamoDB expressions.
//!
//! An expression contains only placeholders. DynamoDB reserves more than 500 words that cannot be used as names, and
//! does not accept literal values.

use std::collections::HashMap;

use serde_dynamo::AttributeValue;

use crate::schema::StoredValue;

/// Names and values of the expressions of one call, by placeholder.
#[derive(Debug, Default)]
pub(crate) struct Placeholders {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

/// Parameters of a call with the names and the values. DynamoDB rejects empty maps, which become `None`.
type Parameters = (Option<HashMap<String, String>>, Option<serde_dynamo::Item>);

impl Placeholders {
    /// Adds an attribute name. Returns its placeholder.
    pub(super) fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    /// Adds a value. Returns its placeholder.
    pub(super) fn value(&mut self, value: &StoredValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value.into());
        placeholder
    }

    /// Renders a term: an attribute, an operator and a value.
    pub(super) fn term(&mut self, attribute: &str, operator: &str, value: &StoredValue) -> String {
        format!("{} {operator} {}", self.name(attribute), self.value(value))
    }

    /// Converts the placeholders to the parameters of the call.
    pub(super) fn into_parameters(self) -> Parameters {
        let names = Some(self.names).filter(|names| !names.is_empty());
        (names, Some(self.values).filter(|values| !values.is_empty()).map(Into::into))
    }
}
