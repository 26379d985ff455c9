//! Rules that pay viewers for events. Every batch of new events reads all rules, so their number is limited to 20.

use super::events::EventType;
use crate::error::ViolationCode;
use crate::schema::scalar::{Boolean, Count, Enum, Identifier, NonEmptyText, Seconds, ShortText, Time};
use crate::schema::{Attr, Contradiction, DefaultValue, Filter, Input, Limits, Resource, Role, Values};

/// Maximum number of rules, including disabled and imported rules.
pub const MAX_RULES: usize = 20;

pub const RULE_ID: Attr<Identifier> = Attr::new("rule_id", "Unique identifier of the rule").example("3");
pub const NAME: Attr<NonEmptyText> =
    Attr::new("name", "Name of the rule, used as the `description` of its payments").example("\"watching the stream\"");
pub const ENABLED: Attr<Boolean> =
    Attr::new("enabled", "True while the rule pays for new events; true by default").example("true");
pub const EVENT_TYPE: Attr<Enum<EventType>> =
    Attr::new("event_type", "Type of the events that pay, or null for any type").example("\"plain\"");
/// Stored as `origin`, as in events: the attribute `source` has another meaning.
pub const SOURCE: Attr<ShortText> =
    Attr::new("source", "`source` of the events that pay, or null for any source; may start with `twitch/`")
        .stored_as("origin")
        .example("\"twitch/channel.chat.message\"");
pub const REFERENCE: Attr<ShortText> =
    Attr::new("reference", "`reference` of the events that pay, or null for any value").example("\"hydrate-2026-11\"");
pub const AMOUNT: Attr<Count> = Attr::new("amount", "Fixed part of a payment; 0 by default").example("10");
pub const PER_UNIT: Attr<Count> = Attr::new(
    "per_unit",
    "Part of a payment for each bit of a cheer and each viewer of a raid, and once for every other event; 0 by default",
)
.example("0");
pub const EVERY: Attr<Seconds<86_400>> = Attr::new(
    "every",
    "Length of a window in seconds: the rule pays a user once per window. If null, it pays for each event",
)
.example("300");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");
/// Time of the request that created the rule or last enabled it. The rule does not pay for earlier events.
pub const ENABLED_AT: Attr<Time> = Attr::new("enabled_at", "");

pub static RULES: Resource = Resource {
    summary: "A rule that pays viewers for events.",
    time: Some(&CREATED_AT),
    fields: &[
        RULE_ID.assigned(),
        NAME.required().changeable(),
        ENABLED.input(Input::Default(DefaultValue::Boolean(true))).changeable(),
        EVENT_TYPE.optional(),
        SOURCE.optional(),
        REFERENCE.optional(),
        AMOUNT.input(Input::Default(DefaultValue::Integer(0))).changeable(),
        PER_UNIT.input(Input::Default(DefaultValue::Integer(0))).changeable(),
        EVERY.optional(),
        CREATED_AT.input(Input::Now),
        ENABLED_AT.since(&ENABLED),
    ],
    filters: &[
        Filter::equals(&ENABLED, Role::State),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    limits: Limits { records: Some(MAX_RULES), bulk: None },
    contradictions: Some(contradictions),
    ..Resource::new("rules", "rule", &RULE_ID)
};

/// Lists the contradictions of a rule: it names no events, pays nothing, or pays for units once per window.
fn contradictions(rule: &Values) -> Vec<Contradiction> {
    let (amount, per_unit) = (rule.get(&AMOUNT).unwrap_or_default(), rule.get(&PER_UNIT).unwrap_or_default());
    let mut contradictions = Vec::new();
    if rule.get(&EVENT_TYPE).is_none() && rule.get(&SOURCE).is_none() && rule.get(&REFERENCE).is_none() {
        let detail = "Required. Send event_type, source or reference to select the events that pay.";
        let fields = &[EVENT_TYPE.name, SOURCE.name, REFERENCE.name];
        contradictions.push(Contradiction { fields, invalid: ViolationCode::Required.invalid_value(detail) });
    }
    if amount == 0 && per_unit == 0 {
        let detail = "Must be above 0 if per_unit is 0. Otherwise the rule pays nothing.";
        let fields = &[AMOUNT.name, PER_UNIT.name];
        contradictions.push(Contradiction { fields, invalid: ViolationCode::OutOfRange.invalid_value(detail) });
    }
    if rule.get(&EVERY).is_some() && per_unit > 0 {
        let detail = "Must be omitted if per_unit is above 0. Send amount: a payment per window has no units.";
        let fields = &[EVERY.name, PER_UNIT.name];
        contradictions.push(Contradiction { fields, invalid: ViolationCode::MutuallyExclusive.invalid_value(detail) });
    }
    contradictions
}
