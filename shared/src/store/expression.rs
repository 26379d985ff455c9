//! A write in DynamoDB's own language: expressions with placeholders.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};

use super::changes::{Condition, Write};
use super::item::{number, text};

type Used = (Option<HashMap<String, String>>, Option<HashMap<String, AttributeValue>>);

/// Names and values of one expression, as placeholders.
#[derive(Default)]
struct Placeholders {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Placeholders {
    fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    fn value(&mut self, value: AttributeValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    fn condition(&mut self, condition: &Condition, added: &BTreeMap<String, AttributeValue>) -> String {
        match condition {
            Condition::Exists => format!("attribute_exists({})", self.name("pk")),
            Condition::Missing => format!("attribute_not_exists({})", self.name("pk")),
            Condition::Is(attribute, None) => format!("attribute_not_exists({})", self.name(attribute)),
            Condition::Is(attribute, Some(value)) => self.compare(attribute, "=", value.clone()),
            Condition::AtMost(attribute, most) => self.compare(attribute, "<=", number(most)),
            Condition::AtLeast(attribute, least) => self.compare(attribute, ">=", number(least)),
            Condition::RoomFor(attribute, most) => {
                let added = added.get(attribute).and_then(|ids| ids.as_ns().ok()).map_or(0, Vec::len);
                let (name, most) = (self.name(attribute), self.value(number(most.saturating_sub(added))));
                format!("(attribute_not_exists({name}) OR size({name}) <= {most})")
            }
        }
    }

    fn compare(&mut self, attribute: &str, operator: &str, value: AttributeValue) -> String {
        format!("{} {operator} {}", self.name(attribute), self.value(value))
    }

    /// Both, without what would be empty: an expression must not come with that.
    fn used(self) -> Used {
        ((!self.names.is_empty()).then_some(self.names), (!self.values.is_empty()).then_some(self.values))
    }
}

impl Write {
    /// The write as a part of DynamoDB's transaction.
    pub(super) fn to_request(&self, table: &str, pk: &str) -> TransactWriteItem {
        let mut held = Placeholders::default();
        let conditions: Vec<_> =
            self.conditions.iter().chain(&self.guards).map(|condition| held.condition(condition, &self.add)).collect();
        let condition = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        let on_failure = ReturnValuesOnConditionCheckFailure::AllOld;
        let request = TransactWriteItem::builder();
        let built = if self.delete {
            let (names, values) = held.used();
            let delete = Delete::builder().table_name(table).key("pk", text(pk)).set_condition_expression(condition);
            let delete = delete.set_expression_attribute_names(names).set_expression_attribute_values(values);
            delete.return_values_on_condition_check_failure(on_failure).build().map(|delete| request.delete(delete))
        } else if matches!(self.conditions[..], [Condition::Missing]) && self.guards.is_empty() && self.add.is_empty() {
            let (names, values) = held.used();
            let put = Put::builder().table_name(table).set_item(Some(self.set.clone().into_iter().collect()));
            let put = put.item("pk", text(pk)).set_condition_expression(condition);
            let put = put.set_expression_attribute_names(names).set_expression_attribute_values(values);
            put.return_values_on_condition_check_failure(on_failure).build().map(|put| request.put(put))
        } else if let Some(expression) = self.update_expression(&mut held) {
            let (names, values) = held.used();
            let update = Update::builder().table_name(table).key("pk", text(pk)).update_expression(expression);
            let update = update.set_condition_expression(condition);
            let update = update.set_expression_attribute_names(names).set_expression_attribute_values(values);
            update.return_values_on_condition_check_failure(on_failure).build().map(|update| request.update(update))
        } else {
            let (names, values) = held.used();
            let check =
                ConditionCheck::builder().table_name(table).key("pk", text(pk)).set_condition_expression(condition);
            let check = check.set_expression_attribute_names(names).set_expression_attribute_values(values);
            check
                .return_values_on_condition_check_failure(on_failure)
                .build()
                .map(|check| request.condition_check(check))
        };
        built.unwrap_or_else(|missing| unreachable!("table, key and expression are given: {missing}")).build()
    }

    /// `None` when nothing changes.
    fn update_expression(&self, held: &mut Placeholders) -> Option<String> {
        let mut clauses = Vec::new();
        let mut clause = |word: &str, terms: Vec<String>| {
            if !terms.is_empty() {
                clauses.push(format!("{word} {}", terms.join(", ")));
            }
        };
        let mut pairs = |values: &BTreeMap<String, AttributeValue>, between: &str| -> Vec<String> {
            let pair = |(name, value): (&String, &AttributeValue)| held.compare(name, between, value.clone());
            values.iter().map(pair).collect()
        };
        clause("SET", pairs(&self.set, "="));
        clause("ADD", pairs(&self.add, ""));
        clause("DELETE", pairs(&self.take, ""));
        clause("REMOVE", self.remove.iter().map(|name| held.name(name)).collect());
        (!clauses.is_empty()).then(|| clauses.join(" "))
    }
}
