//! Parses requests for alerts: replays of stored events, tests, and controls.

use bytes::Bytes;
use serde_json::{Value as Json, json};

use super::{Draft, IdempotencyKey, InvalidBody, Payload, Request, Shape, body};
use crate::error::{Error, Result, Violation, ViolationCode, pointer_to};
use crate::resources::{self, Member, PURCHASE_ALERT};
use crate::schema::scalar::{Identifier, Scalar};
use crate::schema::{Field, Input, Key, Resource, Timestamp, Value};

/// Member of an alert that contains a test record.
pub const TEST: &str = "test";
/// Member of a test that contains a purchase instead of an event.
pub const PURCHASE: &str = "purchase";
/// Member of an alert that names a control.
pub const CONTROL: &str = "control";
/// Member of a control with the number of a feed entry.
pub const ENTRY: &str = "entry";
/// Control that drops the alert of one entry.
pub const SKIP: &str = "skip";
/// Control that drops the alerts of all earlier entries.
pub const CLEAR: &str = "clear";
const NO_IMAGE: &str = "Not settable. A test event does not store an image. Refer to a document that has one.";

/// An alert: a request to append an entry to the feed.
#[derive(Debug)]
pub enum Alert {
    /// A stored record to replay.
    Record(Key),
    /// A test record. Only the feed stores it.
    Test(Box<Draft>),
    /// A test alert of a purchase: its content as JSON.
    Purchase(String),
    /// A control for the alerts in overlays: its name, and the body as JSON.
    Control(&'static str, Json),
    /// An invalid test record, and the violations in the rest of the body.
    InvalidBody(InvalidBody, Vec<Violation>),
}

/// Finds the resource that has alerts, and the default members of its test records.
fn with_alerts(now: Timestamp) -> Result<(&'static Resource, Json)> {
    let with_alerts =
        resources::ALL.into_iter().find_map(|resource| Some((resource, resource.feed.test_defaults?(now))));
    with_alerts.ok_or_else(Error::fault)
}

impl Alert {
    /// Parses the body of a request and its idempotency key.
    ///
    /// # Errors
    /// 400, 413 and 415. 422 if the body has neither a record nor a test record, or both.
    pub fn parse(request: Request, now: Timestamp) -> Result<(Self, Option<IdempotencyKey>)> {
        let (resource, test_defaults) = with_alerts(now)?;
        let (headers, method, path) = (request.headers.clone(), request.method.clone(), request.path.clone());
        let payload = Payload::parse(resource, request, Shape::Record)?;
        let key = IdempotencyKey::parse(&headers, &method, &path, &payload)?;
        Ok((Self::of(resource, test_defaults, payload)?, key))
    }

    fn of(resource: &'static Resource, test_defaults: Json, payload: Payload) -> Result<Self> {
        let id = resource.id.name;
        let either = format!(
            "Send one of {id}, to replay an event, {TEST}, with the fields of a test event, or {CONTROL}, to skip or clear alerts."
        );
        let Json::Object(mut object) = payload.json else {
            return Err(Error::invalid(vec![Violation::at_pointer(
                "",
                ViolationCode::WrongType.invalid_value(either),
            )]));
        };
        object.retain(|_, value| !value.is_null());
        let [record, test, control] = [id, TEST, CONTROL].map(|name| object.shift_remove(name));
        let entry = if control.is_some() { object.shift_remove(ENTRY) } else { None };
        let unknown = |name: &String| {
            Violation::at_pointer(
                pointer_to("", name),
                ViolationCode::UnknownField.invalid_value("Unknown field. An alert has event_id, or test, or control."),
            )
        };
        let mut violations: Vec<_> = object.keys().map(unknown).collect();
        match (record, test, control) {
            (Some(record), None, None) => match (Identifier::CODEC.from_json)(record) {
                Ok(Value::Id(id)) if violations.is_empty() => return Ok(Self::Record(Key::new(resource, id))),
                Ok(_) => {}
                Err(invalid) => violations.push(Violation::at_pointer(format!("/{id}"), invalid)),
            },
            (None, None, Some(control)) => match parse_control(&control, entry) {
                Ok(alert) if violations.is_empty() => return Ok(alert),
                Ok(_) => {}
                Err(violation) => violations.push(violation),
            },
            (None, Some(test), None) if test.get(PURCHASE).is_some_and(|purchase| !purchase.is_null()) => {
                match parse_purchase(test, payload.text)? {
                    Ok(content) if violations.is_empty() => return Ok(Self::Purchase(content)),
                    Ok(_) => {}
                    Err(invalid) => violations.extend(invalid),
                }
            }
            (None, Some(test), None) => {
                let mut json = with_test_defaults(resource, test, test_defaults);
                for name in with_image(resource) {
                    let value = json.as_object_mut().and_then(|test| test.shift_remove(name));
                    if value.is_some_and(|value| !value.is_null()) {
                        violations.push(Violation::at_pointer(
                            format!("/{TEST}/{name}"),
                            ViolationCode::NotSettable.invalid_value(NO_IMAGE),
                        ));
                    }
                }
                match body::parse_test(resource, Payload { json, ..payload }, &pointer_to("", TEST))? {
                    Ok(draft) if violations.is_empty() => return Ok(Self::Test(Box::new(draft))),
                    Ok(_) => {}
                    Err(invalid) => return Ok(Self::InvalidBody(invalid, violations)),
                }
            }
            (None, None, None) => {
                violations.push(Violation::at_pointer("", ViolationCode::Required.invalid_value(either)));
            }
            _ => violations.push(Violation::at_pointer("", ViolationCode::MutuallyExclusive.invalid_value(either))),
        }
        Err(Error::invalid(violations))
    }
}

/// Parses a test alert of a purchase. Returns its content as JSON, or its violations.
fn parse_purchase(test: Json, sent: Bytes) -> Result<Result<String, Vec<Violation>>> {
    let Json::Object(mut test) = test else { return Err(Error::fault()) };
    let json = test.shift_remove(PURCHASE).unwrap_or_default();
    test.retain(|_, value| !value.is_null());
    let base = format!("/{TEST}/{PURCHASE}");
    let unknown = |name: &String| {
        let detail = "Unknown field. A test of a purchase has only `purchase`.";
        Violation::at_pointer(pointer_to(&format!("/{TEST}"), name), ViolationCode::UnknownField.invalid_value(detail))
    };
    let mut violations: Vec<_> = test.keys().map(unknown).collect();
    let draft = match body::parse_test(&PURCHASE_ALERT, Payload { json, file: None, text: sent }, &base)? {
        Ok(draft) => draft,
        Err(invalid) => {
            let invalid = Error::invalid(invalid.violations).prefix_pointers(PURCHASE).prefix_pointers(TEST);
            violations.extend(invalid.violations().iter().cloned());
            return Ok(Err(violations));
        }
    };
    if !violations.is_empty() {
        return Ok(Err(violations));
    }
    let member = |field: &Field| {
        let value = draft.values.get(field.name).cloned().flatten();
        let default = if let Input::Default(default) = field.input { Some(default.into()) } else { None };
        format!("\"{}\":{}", field.name, value.or(default).map_or("null".to_owned(), |value: Value| value.to_json()))
    };
    let members: Vec<_> = PURCHASE_ALERT.fields.iter().map(member).collect();
    Ok(Ok(format!("{{{}}}", members.join(","))))
}

/// Parses a control.
fn parse_control(control: &Json, entry: Option<Json>) -> Result<Alert, Violation> {
    let violation = |member: &str, code: ViolationCode, detail: &str| {
        Violation::at_pointer(pointer_to("", member), code.invalid_value(detail))
    };
    match (control.as_str(), entry) {
        (Some(SKIP), Some(entry)) => match (Identifier::CODEC.from_json)(entry) {
            Ok(Value::Id(entry)) => Ok(Alert::Control(SKIP, json!({CONTROL: SKIP, ENTRY: entry.number()}))),
            Ok(_) => Err(violation(ENTRY, ViolationCode::WrongType, "Must be the number of a feed entry.")),
            Err(invalid) => Err(Violation::at_pointer(pointer_to("", ENTRY), invalid)),
        },
        (Some(SKIP), None) => {
            Err(violation(ENTRY, ViolationCode::Required, "Required. Send the number of the feed entry to skip."))
        }
        (Some(CLEAR), None) => Ok(Alert::Control(CLEAR, json!({CONTROL: CLEAR}))),
        (Some(CLEAR), Some(_)) => {
            Err(violation(ENTRY, ViolationCode::UnknownField, "Unknown field. The control clear takes no entry."))
        }
        (Some(_), _) => Err(violation(CONTROL, ViolationCode::OutOfRange, "Must be skip or clear.")),
        (None, _) => Err(violation(CONTROL, ViolationCode::WrongType, "Must be skip or clear.")),
    }
}

/// Returns the members of a resource that contain an image.
fn with_image(resource: &Resource) -> impl Iterator<Item = &'static str> {
    resources::members(resource).iter().filter_map(|member| match member {
        Member::OnParent(child, embedded) if child.resource.fields.iter().any(Field::is_image) => Some(embedded.field),
        _ => None,
    })
}

/// Fills in the defaults of a test record.
fn with_test_defaults(resource: &Resource, test: Json, test_defaults: Json) -> Json {
    let (Json::Object(mut test), Json::Object(test_defaults)) = (test.clone(), test_defaults) else { return test };
    let whole = resource
        .belongs_to
        .as_ref()
        .and_then(|relation| Some((relation.foreign_key.name, relation.embedded.as_ref()?)));
    for (name, value) in test_defaults {
        // A record that refers to its parent by identifier has no embedded parent.
        let is_given = |name: &str| test.get(name).is_some_and(|value| !value.is_null());
        let referred = whole.is_some_and(|(by, embedded)| embedded.field == name && is_given(by));
        if !is_given(&name) && !referred {
            test.insert(name, value);
        }
    }
    Json::Object(test)
}
