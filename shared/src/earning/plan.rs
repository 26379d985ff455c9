//! Plans payments: which rule pays for which event, to whom and how much.

use std::collections::BTreeMap;

use crate::request::Draft;
use crate::resources::{TRANSACTIONS, events, rules, transactions};
use crate::schema::{Id, MAX_INTEGER, Record};

/// A payment that an event is due.
#[derive(Debug)]
pub struct Payment {
    /// Identifier of its transaction. It derives from the rule and the event, or from the rule, the user and the window.
    pub id: Id,
    /// User who is paid.
    pub user_id: Id,
    /// Transaction.
    pub draft: Draft,
}

/// List the payments that rules owe for new events, each once. Of several events in one window of a rule, the first pays.
pub fn due(rules: &[Record], events: &[Record]) -> Vec<Payment> {
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

/// Tell if a rule pays for an event. An event that was stored before the rule was created, or enabled, does not pay.
fn pays(rule: &Record, event: &Record) -> bool {
    let is_new = rule.get(&rules::ENABLED_AT) <= event.get(&events::CREATED_AT);
    let fits = |expected: Option<&str>, value: Option<&str>| expected.is_none() || expected == value;
    rule.get(&rules::ENABLED) == Some(true)
        && is_new
        && fits(rule.get(&rules::EVENT_TYPE), event.get(&events::EVENT_TYPE))
        && fits(rule.get(&rules::SOURCE), event.get(&events::SOURCE))
        && fits(rule.get(&rules::REFERENCE), event.get(&events::REFERENCE))
}

/// Plan the payment of a rule for an event. None if the amount is 0 or too large.
fn payment(rule: &Record, event: &Record) -> Option<Payment> {
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
    Some(Payment { id: Id::derived(&format!("{cause} {occurrence}")), user_id, draft })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{EVENTS, RULES};
    use crate::schema::{Key, Timestamp};

    fn id(number: u64) -> Id {
        Id::new(number).expect("an identifier")
    }

    fn time(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a time")
    }

    fn rule(amount: i64, per_unit: i64) -> Record {
        let mut rule = Record::new(Key::new(&RULES, id(3)));
        rule.set(&rules::NAME, "rule");
        rule.set(&rules::ENABLED, true);
        rule.set(&rules::AMOUNT, amount);
        rule.set(&rules::PER_UNIT, per_unit);
        rule.set(&rules::ENABLED_AT, time("2026-01-01T00:00:00Z"));
        rule
    }

    fn event(number: u64, occurred_at: &str) -> Record {
        let mut event = Record::new(Key::new(&EVENTS, id(number)));
        event.set(&events::USER_ID, id(5));
        event.set(&events::EVENT_TYPE, "plain");
        event.set(&events::OCCURRED_AT, time(occurred_at));
        event.set(&events::CREATED_AT, time("2026-01-01T00:00:00Z"));
        event
    }

    fn amounts(rule: Record, events: &[Record]) -> Vec<i64> {
        due(&[rule], events).iter().filter_map(|payment| payment.draft.get(&transactions::AMOUNT)).collect()
    }

    #[test]
    fn units_are_bits_viewers_or_one() {
        let mut cheer = event(1, "2026-01-01T00:00:00Z");
        cheer.set(&events::EVENT_TYPE, "cheer");
        cheer.set(&events::AMOUNT, 100);
        let mut raid = event(2, "2026-01-01T00:00:00Z");
        raid.set(&events::EVENT_TYPE, "raid");
        raid.set(&events::VIEWER_COUNT, 0);
        assert_eq!(amounts(rule(5, 2), &[cheer.clone()]), [205]);
        assert_eq!(amounts(rule(5, 2), &[raid.clone()]), [5]);
        assert!(amounts(rule(0, 2), &[raid]).is_empty(), "a payment of 0 is none");
        assert_eq!(amounts(rule(5, 2), &[event(3, "2026-01-01T00:00:00Z")]), [7]);
        assert_eq!(amounts(rule(MAX_INTEGER, 0), &[cheer.clone()]), [MAX_INTEGER]);
        assert!(amounts(rule(1, MAX_INTEGER), &[cheer]).is_empty(), "beyond the largest integer");
    }

    #[test]
    fn window_pays_once_and_ends_on_a_multiple_of_its_length() {
        let mut every = rule(1, 0);
        every.set(&rules::EVERY, 300);
        let count = |times: &[&str]| {
            let events: Vec<_> = times.iter().zip(1..).map(|(time, number)| event(number, time)).collect();
            amounts(every.clone(), &events).len()
        };
        assert_eq!(count(&["2026-01-01T00:00:00Z", "2026-01-01T00:04:59.999999999Z"]), 1);
        assert_eq!(count(&["2026-01-01T00:04:59Z", "2026-01-01T00:05:00Z"]), 2);
        assert_eq!(count(&["1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z"]), 2, "windows before 1970 end there, too");
        assert_eq!(count(&["1969-12-31T23:55:00Z", "1969-12-31T23:59:59.9Z"]), 1);
    }

    #[test]
    fn earlier_events_and_disabled_rules_pay_nothing() {
        let mut early = event(1, "2026-02-01T00:00:00Z");
        early.set(&events::CREATED_AT, time("2025-12-31T23:59:59.999999999Z"));
        assert!(amounts(rule(1, 0), &[early]).is_empty());
        let mut disabled = rule(1, 0);
        disabled.set(&rules::ENABLED, false);
        assert!(amounts(disabled, &[event(1, "2026-01-01T00:00:00Z")]).is_empty());
    }

    #[test]
    fn identifier_derives_from_rule_and_event() {
        let ids =
            |rule: Record, event: Record| due(&[rule], &[event]).iter().map(|payment| payment.id).collect::<Vec<_>>();
        let first = ids(rule(1, 0), event(1, "2026-01-01T00:00:00Z"));
        assert_eq!(first, ids(rule(9, 0), event(1, "2026-03-01T00:00:00Z")), "amounts and times do not matter");
        assert_ne!(first, ids(rule(1, 0), event(2, "2026-01-01T00:00:00Z")));
    }
}
