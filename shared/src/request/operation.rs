//! Operations on records, as parsed from requests.
//!
//! An operation holds the input of a verb. The verbs do not depend on HTTP.

use headers::{HeaderMapExt, IfNoneMatch};
use http::Method;
use serde_json::{Map, Value as Json};

use super::Request;
use super::body::{self, InvalidBody, UnboundChange};
use super::draft::Draft;
use super::headers::{EtagPreconditions, IdempotencyKey};
use super::payload::{Payload, Shape};
use super::query::{self, ListQuery};
use super::route::{Path, Target};
use crate::error::{Error, Result, Violation, ViolationCode, pointer_to};
use crate::schema::{Key, Resource};

/// An operation on records.
#[derive(Debug)]
pub enum Operation {
    /// Read one record or one value, unless it still has one of these ETags.
    Read(Path, Option<IfNoneMatch>),
    /// List records.
    List(Path, ListQuery),
    /// Create a record and its embedded records. Idempotent if the request has a key.
    Create(Path, Draft, Option<IdempotencyKey>),
    /// Create a list of records. Idempotent if the request has a key.
    CreateMany(Path, Vec<Draft>, Option<IdempotencyKey>),
    /// Store a complete record under its identifier, unless it is already stored.
    Import(Key, Draft, Option<IdempotencyKey>),
    /// Change a record, if its ETag allows it.
    Change(Path, UnboundChange, Option<EtagPreconditions>),
    /// Delete a record and its children, if its ETag allows it.
    Delete(Path, Option<EtagPreconditions>),
    /// Anonymize a record and redact its children. Idempotent if the request has a key.
    Anonymize(Path, Option<IdempotencyKey>),
    /// Report violations of the path, the query and the body.
    Reject(InvalidBody),
}

impl Operation {
    /// Parses a request with a parsed path.
    ///
    /// # Errors
    /// The errors that do not depend on stored records: 400, 405, 413 and 415.
    pub fn parse(mut path: Path, request: Request) -> Result<Self> {
        let mut violations = std::mem::take(&mut path.violations);
        let methods = path.methods();
        if let Err(error) = check_method(&request.method, &methods) {
            let error = match path.way_to_change() {
                Some(way) => Error::cannot_be_changed(names(&methods), &way),
                None => match path.target() {
                    Target::Many(resource) if request.method != Method::POST => {
                        error.with_hint(&format!("A single record is at /{}/{{{}}}.", resource.name, resource.id.name))
                    }
                    _ => error,
                },
            };
            return Err(if violations.is_empty() { error } else { Error::invalid_parameters(violations) });
        }
        if let (Target::Many(resource), &Method::GET | &Method::HEAD) = (path.target(), &request.method) {
            let list = ListQuery::new(resource, &request.path);
            return match list.with(&request.query, path.bound_on_creation()) {
                Ok(list) if violations.is_empty() => Ok(Self::List(path, list)),
                list => {
                    violations.extend(list.err().into_iter().flatten());
                    Err(Error::invalid_parameters(violations))
                }
            };
        }
        violations.extend(query::unexpected_parameters(&request.query));
        match Self::parse_body(path, request) {
            operation if violations.is_empty() => operation,
            Ok(operation) => {
                let mut invalid = operation.into_invalid()?;
                invalid.violations.splice(..0, violations);
                Ok(Self::Reject(invalid))
            }
            Err(_) => Err(Error::invalid_parameters(violations)),
        }
    }

    /// Parses the headers and the body, after the path and the query.
    fn parse_body(path: Path, request: Request) -> Result<Self> {
        let Some(resource) = path.target().resource() else { return Ok(Self::Read(path, None)) };
        let bound_field = path.bound_on_creation();
        if matches!(request.method, Method::POST | Method::PUT) {
            EtagPreconditions::reject(&request.headers)?;
        }
        if let Target::Anonymize(_) = path.target() {
            return parse_action(path, request);
        }
        Ok(match (&request.method, path.record()) {
            (&Method::POST, _) => {
                let (payload, key) = parse_creation(resource, request, Shape::Record)?;
                let draft = body::parse_create(resource, payload, bound_field)?;
                draft.map_or_else(Self::Reject, |draft| Self::Create(path, draft, key))
            }
            (&Method::PUT, Some(record)) => {
                let (payload, key) = parse_creation(resource, request, Shape::Record)?;
                let draft = body::parse_import(record, payload)?;
                draft.map_or_else(Self::Reject, |draft| Self::Import(record, draft, key))
            }
            (&Method::PUT, None) => {
                let (payload, key) = parse_creation(resource, request, Shape::List)?;
                let drafts = body::parse_create_many(resource, payload, bound_field)?;
                drafts.map_or_else(Self::Reject, |drafts| Self::CreateMany(path, drafts, key))
            }
            (&Method::PATCH, _) => {
                let if_tag = EtagPreconditions::parse(&request.headers)?;
                let change =
                    UnboundChange::new(Payload::parse(resource, request, Shape::Record)?, path.bound_on_change());
                Self::Change(path, change, if_tag)
            }
            (&Method::DELETE, _) => Self::Delete(path, EtagPreconditions::parse(&request.headers)?),
            _ => Self::Read(path, request.headers.typed_get()),
        })
    }

    /// Collects the violations in the body of an operation that is rejected for its path or query.
    fn into_invalid(self) -> Result<InvalidBody> {
        let is_import = matches!(self, Self::Import(..));
        let valid = |drafts, shape| InvalidBody { drafts, shape, is_import, violations: Vec::new() };
        Ok(match self {
            Self::Reject(invalid) => invalid,
            Self::Create(_, draft, _) | Self::Import(_, draft, _) => valid(vec![draft], Shape::Record),
            Self::CreateMany(_, drafts, _) => valid(drafts, Shape::List),
            Self::Change(path, change, _) => {
                let resource = path.target().resource().ok_or_else(Error::fault)?;
                change.bind_unknown(resource)?.map_or_else(|invalid| invalid, |draft| valid(vec![draft], Shape::Record))
            }
            Self::Read(..) | Self::List(..) | Self::Delete(..) | Self::Anonymize(..) => {
                valid(Vec::new(), Shape::Record)
            }
        })
    }
}

/// Parses the body of a request and its idempotency key.
fn parse_creation(resource: &Resource, request: Request, shape: Shape) -> Result<(Payload, Option<IdempotencyKey>)> {
    let (headers, method, path) = (request.headers.clone(), request.method.clone(), request.path.clone());
    let payload = Payload::parse(resource, request, shape)?;
    let key = IdempotencyKey::parse(&headers, &method, &path, &payload)?;
    Ok((payload, key))
}

/// Parses the body of an action, which must be empty or an empty object.
fn parse_action(path: Path, request: Request) -> Result<Operation> {
    let resource = path.target().resource().ok_or_else(Error::fault)?;
    let (headers, method, url) = (request.headers.clone(), request.method.clone(), request.path.clone());
    let payload = if request.body.is_empty() {
        Payload { json: Json::Object(Map::new()), file: None, text: request.body }
    } else {
        // Like a list, an action takes no file.
        Payload::parse(resource, request, Shape::List)?
    };
    let violations: Vec<_> = match &payload.json {
        Json::Object(members) => members
            .keys()
            .map(|name| {
                Violation::at_pointer(
                    pointer_to("", name),
                    ViolationCode::UnknownField.invalid_value("Unknown field. Send none."),
                )
            })
            .collect(),
        _ => vec![Violation::at_pointer(
            "",
            ViolationCode::WrongType.invalid_value("Must be an empty object, or no body."),
        )],
    };
    let key = IdempotencyKey::parse(&headers, &method, &url, &payload)?;
    if violations.is_empty() {
        return Ok(Operation::Anonymize(path, key));
    }
    Ok(Operation::Reject(InvalidBody { drafts: Vec::new(), shape: Shape::Record, is_import: false, violations }))
}

/// Checks that a route supports a method.
///
/// # Errors
/// 405 with the supported methods.
pub fn check_method(method: &Method, methods: &[Method]) -> Result<()> {
    if methods.contains(method) {
        return Ok(());
    }
    Err(Error::method_not_allowed(names(methods)))
}

/// Returns the names of methods in a fixed order.
fn names(methods: &[Method]) -> Vec<&'static str> {
    let names = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    let is_allowed = |name: &&str| methods.iter().any(|method| method.as_str() == *name);
    names.into_iter().filter(is_allowed).collect()
}
