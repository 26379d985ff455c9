//! What is asked of the feed, and what it is asked to tell.

use http::Method;
use serde_json::Value as Json;

use super::body::{self, InvalidBody};
use super::draft::Draft;
use super::headers::IdempotencyKey;
use super::payload::Payload;
use super::query;
use super::received::Request;
use crate::error::{Error, Result, Violation};
use crate::resources::{self, Member};
use crate::schema::{Field, Id, Key, MAX_INTEGER, Resource, Timestamp};

/// The most entries in one answer.
pub const MOST_ENTRIES: u64 = 100;
/// The member of an alert that is tried out.
pub const TEST: &str = "test";
const NO_IMAGE: &str = "What is tried out is stored nowhere, and has no new image: refer to a record that has one.";

/// Which entries are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedQuery {
    /// Those after this number; none, where only the last number is asked for.
    pub after: Option<u64>,
    /// At most so many.
    pub limit: u64,
}

impl FeedQuery {
    /// Reads a query.
    ///
    /// # Errors
    /// 400 with all that is wrong with it.
    pub fn parse(text: &str) -> Result<Self> {
        let (mut asked, mut violations) = (Self { after: None, limit: MOST_ENTRIES }, Vec::new());
        for (name, value) in query::parameters(text)? {
            match name.as_str() {
                "after" => {
                    asked.after = number(&value);
                    if asked.after.is_none() {
                        violations.push(Violation::parameter(name, "Give the number of an entry, or 0."));
                    }
                }
                "limit" => {
                    let limit = Id::parse(&value).map(Id::number);
                    asked.limit = limit.filter(|limit| *limit <= MOST_ENTRIES).unwrap_or_default();
                    if asked.limit == 0 {
                        let detail = format!("Give a number of entries from 1 to {MOST_ENTRIES}.");
                        violations.push(Violation::parameter(name, detail));
                    }
                }
                _ => violations.push(Violation::parameter(name, "The feed takes after and limit.")),
            }
        }
        if violations.is_empty() { Ok(asked) } else { Err(Error::bad_parameters(violations)) }
    }
}

/// The number of an entry, as it is written in the feed or without its zeros.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok().filter(|number| *number <= MAX_INTEGER.unsigned_abs()))?
}

/// What an alert is about.
#[derive(Debug)]
pub enum Alert {
    /// A record, which is told again.
    Record(Key),
    /// What is tried out, and stored nowhere else.
    Test(Box<Draft>),
    /// Nothing: this is wrong with what is tried out, and this with the rest.
    InvalidBody(InvalidBody, Vec<Violation>),
}

/// The resource whose records alerts are about, and what one has that is tried out.
fn alerted(now: Timestamp) -> Result<(&'static Resource, Json)> {
    let alerted = resources::ALL.into_iter().find_map(|resource| Some((resource, resource.feed.test_defaults?(now))));
    alerted.ok_or_else(Error::fault)
}

impl Alert {
    /// Reads the body of a request, and its key.
    ///
    /// # Errors
    /// 400, 405, 413 and 415; 422 where it is about nothing, or about two things.
    pub async fn parse(request: Request, now: Timestamp) -> Result<(Self, Option<IdempotencyKey>)> {
        super::allowed(&request.method, &[Method::POST])?;
        query::refuse(&query::parameters(&request.query)?)?;
        let (resource, test_defaults) = alerted(now)?;
        let (headers, method, path) = (request.headers.clone(), request.method.clone(), request.path.clone());
        let payload = Payload::read(resource, request).await?;
        let key = IdempotencyKey::read(&headers, &method, &path, &payload)?;
        let alert = body::run_blocking(move || Self::of(resource, test_defaults, payload.json)).await?;
        Ok((alert, key))
    }

    fn of(resource: &'static Resource, test_defaults: Json, json: Json) -> Result<Self> {
        let id = resource.id.name;
        let either = format!("Send {id}, to tell a record again, or {TEST}, with the fields of one to try out.");
        let Json::Object(mut object) = json else { return Err(Error::invalid(vec![Violation::at("", either)])) };
        object.retain(|_, value| !value.is_null());
        let (record, test) = (object.shift_remove(id), object.shift_remove(TEST));
        let unknown = |name: &String| {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            Violation::at(format!("/{escaped}"), "There is no such field in an alert: leave it out.")
        };
        let mut violations: Vec<_> = object.keys().map(unknown).collect();
        match (record, test) {
            (Some(record), None) => match record.as_u64().and_then(Id::new) {
                Some(known) if violations.is_empty() => return Ok(Self::Record(Key::new(resource, known))),
                Some(_) => {}
                None => violations.push(Violation::at(format!("/{id}"), "Send an identifier: a positive integer.")),
            },
            (None, Some(test)) => {
                let mut json = with_stand_in(resource, test, test_defaults);
                for name in with_image(resource) {
                    let given = json.as_object_mut().and_then(|test| test.shift_remove(name));
                    if given.is_some_and(|given| !given.is_null()) {
                        violations.push(Violation::at(format!("/{TEST}/{name}"), NO_IMAGE));
                    }
                }
                match body::to_create(resource, Payload { json, file: None }, None)? {
                    Ok(draft) if violations.is_empty() => return Ok(Self::Test(Box::new(draft))),
                    Ok(_) => {}
                    Err(broken) => return Ok(Self::InvalidBody(broken, violations)),
                }
            }
            _ => violations.push(Violation::at("", either)),
        }
        Err(Error::invalid(violations))
    }
}

/// The members of a resource that have an image inside.
fn with_image(resource: &Resource) -> impl Iterator<Item = &'static str> {
    resources::members(resource).iter().filter_map(|member| match member {
        Member::OnParent(child, embedded) if child.resource.fields.iter().any(Field::is_image) => Some(embedded.field),
        _ => None,
    })
}

/// What is tried out, with what it leaves open.
fn with_stand_in(resource: &Resource, test: Json, test_defaults: Json) -> Json {
    let (Json::Object(mut test), Json::Object(test_defaults)) = (test.clone(), test_defaults) else { return test };
    let whole = resource.belongs_to.as_ref().and_then(|relation| Some((relation.by.name, relation.embedded.as_ref()?)));
    for (name, value) in test_defaults {
        // Who refers to a holder gives none.
        let is_given = |name: &str| test.get(name).is_some_and(|value| !value.is_null());
        let referred = whole.is_some_and(|(by, embedded)| embedded.field == name && is_given(by));
        if !is_given(&name) && !referred {
            test.insert(name, value);
        }
    }
    Json::Object(test)
}
