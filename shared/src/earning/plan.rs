//! Plans payments: which rule pays which viewer for which event, and how much.

use std::collections::BTreeMap;

use crate::request::Draft;
use crate::resources::{TRANSACTIONS, events, rules, transactions};
use crate::schema::{Id, MAX_INTEGER, Record};

/// A payment that is due for an event.
#[derive(Debug)]
pub struct RulePayment {
    /// Identifier of the transaction, derived from the rule and the event, or from the rule, the user and the window.
    pub id: Id,
    /// User to pay.
    pub user_id: Id,
    /// Transaction to create.
    pub draft: Draft,
}

/// Lists the payments that rules owe for new events, without duplicates. In a window, a rule pays for the first event.
pub fn due_payments(rules: &[Record], events: &[Record]) -> Vec<RulePayment> {
    let mut payments = BTreeMap::new();
    for event in events {
        for rule in rules.iter().filter(|rule| pays(rule, event)) {
            if let Some(payment) = payment(rule, event) {
                payments.entry(payment.id).or_insert(payment);
            }
        }
    }
    payments.into_values().collect()
}

/// Returns true if the rule pays for the event. Events that were stored before the rule was enabled do not pay.
fn pays(rule: &Record, event: &Record) -> bool {
    let is_new = rule.get(&rules::ENABLED_AT) <= event.get(&events::CREATED_AT);
    let fits = |expected: Option<&str>, value: Option<&str>| expected.is_none() || expected == value;
    rule.get(&rules::ENABLED) == Some(true)
        && is_new
        && fits(rule.get(&rules::EVENT_TYPE), event.get(&events::EVENT_TYPE))
        && fits(rule.get(&rules::SOURCE), event.get(&events::SOURCE))
        && fits(rule.get(&rules::REFERENCE), event.get(&events::REFERENCE))
}

/// Plans a rule's payment for an event. Returns `None` if the amount is 0 or too large.
fn payment(rule: &Record, event: &Record) -> Option<RulePayment> {
    let units = match event.get(&events::EVENT_TYPE) {
        Some("cheer") => event.get(&events::AMOUNT),
        Some("raid") => event.get(&events::VIEWER_COUNT),
        _ => Some(1),
    };
    let [amount, per_unit] = [&rules::AMOUNT, &rules::PER_UNIT].map(|field| rule.get(field).unwrap_or_default());
    let total = i128::from(amount) + i128::from(per_unit) * i128::from(units.unwrap_or_default());
    let total = i64::try_from(total).ok().filter(|total| (1..=MAX_INTEGER).contains(total))?;
    let user_id = event.get(&events::USER_ID)?;
    let (cause, reference) = (rule.key.to_string(), event.key.to_string());
    let occurrence = match rule.get(&rules::EVERY) {
        None => reference.clone(),
        Some(every) => {
            let seconds = event.get(&events::OCCURRED_AT)?.unix_millis().div_euclid(1_000);
            format!("users/{user_id} {every} {}", seconds.div_euclid(i128::from(every)))
        }
    };
    let draft = Draft::new(&TRANSACTIONS)
        .with(&transactions::USER_ID, user_id)
        .with(&transactions::AMOUNT, total)
        .with(&transactions::DESCRIPTION, rule.get(&rules::NAME)?)
        .with(&transactions::REFERENCE, &reference)
        .with(&transactions::CAUSE, &cause);
    Some(RulePayment { id: Id::derived(&format!("{cause} {occurrence}")), user_id, draft })
}
