//! Placeholders for the names and values of DynamoDB expressions.
//!
//! An expression has only placeholders, because DynamoDB reserves more than 500 words that may not stand in it as
//! names, and takes no values in it at all.

use std::collections::HashMap;

use serde_dynamo::AttributeValue;

use crate::schema::Stored;

/// Names and values of the expressions of one call, by placeholder.
#[derive(Debug, Default)]
pub(crate) struct Placeholders {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

/// Parameters of a call with the names and the values. DynamoDB rejects empty ones, so they are then `None`.
type Parameters = (Option<HashMap<String, String>>, Option<serde_dynamo::Item>);

impl Placeholders {
    /// Add an attribute name and return its placeholder.
    pub(super) fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    /// Add a value and return its placeholder.
    pub(super) fn value(&mut self, value: &Stored) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value.into());
        placeholder
    }

    /// Render a term of an attribute, an operator and a value.
    pub(super) fn term(&mut self, attribute: &str, operator: &str, value: &Stored) -> String {
        format!("{} {operator} {}", self.name(attribute), self.value(value))
    }

    /// Convert the placeholders to the parameters of the call.
    pub(super) fn into_parameters(self) -> Parameters {
        let names = Some(self.names).filter(|names| !names.is_empty());
        (names, Some(self.values).filter(|values| !values.is_empty()).map(Into::into))
    }
}
