//! Operations on records, as parsed from requests.

use headers::{HeaderMapExt, IfMatch, IfNoneMatch};
use http::Method;

use super::body::{self, InvalidBody};
use super::draft::Draft;
use super::headers::IdempotencyKey;
use super::payload::Payload;
use super::query::{self, List};
use super::received::Request;
use super::route::{Path, Target};
use crate::error::{Error, Result};
use crate::schema::{Key, Resource};

/// An operation on records.
#[derive(Debug)]
pub enum Operation {
    /// Read one record or one value, unless it has one of these ETags.
    Read(Path, Option<IfNoneMatch>),
    /// List records.
    List(Path, List),
    /// Create a record and its nested records. Idempotent if the request has a key.
    Create(Path, Draft, Option<IdempotencyKey>),
    /// Create a list of records. Idempotent if the request has a key.
    CreateMany(Path, Vec<Draft>, Option<IdempotencyKey>),
    /// Store a complete record under its identifier, unless it is stored already.
    Import(Key, Draft, Option<IdempotencyKey>),
    /// Change a record, if it has one of these ETags.
    Change(Path, Payload, Option<IfMatch>),
    /// Delete a record and its children, if it has one of these ETags.
    Delete(Path, Option<IfMatch>),
    /// Report the violations of a body.
    Reject(InvalidBody),
}

impl Operation {
    /// Parses a request. The caller has parsed its path.
    ///
    /// # Errors
    /// The errors that do not depend on stored records: 400, 405, 413 and 415.
    pub fn parse(path: Path, request: Request) -> Result<Self> {
        let target = path.target();
        allowed(&request.method, &path.methods())?;
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if let (Target::Many(resource), true) = (target, reads) {
            let list =
                List::new(resource, &request.path).with(query::parameters(&request.query), path.bound_on_creation())?;
            return Ok(Self::List(path, list));
        }
        query::reject_parameters(&request.query)?;
        let Some(resource) = target.resource() else { return Ok(Self::Read(path, None)) };
        let bound = path.bound_on_creation();
        Ok(match request.method {
            Method::POST => {
                let (payload, key) = keyed(resource, request, false)?;
                let read = body::to_create(resource, payload, bound)?;
                read.map_or_else(Self::Reject, |draft| Self::Create(path, draft, key))
            }
            Method::PUT => {
                let record = path.record();
                let (payload, key) = keyed(resource, request, record.is_none())?;
                if let Some(record) = record {
                    let read = body::to_import(record, payload)?;
                    return Ok(read.map_or_else(Self::Reject, |draft| Self::Import(record, draft, key)));
                }
                let read = body::to_create_many(resource, payload, bound)?;
                read.map_or_else(Self::Reject, |drafts| Self::CreateMany(path, drafts, key))
            }
            Method::PATCH => {
                let tags = request.headers.typed_get();
                Self::Change(path, Payload::read(resource, request, false)?, tags)
            }
            Method::DELETE => Self::Delete(path, request.headers.typed_get()),
            _ => Self::Read(path, request.headers.typed_get()),
        })
    }
}

/// Parses the body of a request and its idempotency key.
fn keyed(resource: &Resource, request: Request, is_list: bool) -> Result<(Payload, Option<IdempotencyKey>)> {
    let (headers, method, path) = (request.headers.clone(), request.method.clone(), request.path.clone());
    let payload = Payload::read(resource, request, is_list)?;
    let key = IdempotencyKey::read(&headers, &method, &path, &payload)?;
    Ok((payload, key))
}

/// Checks that a route supports a method.
///
/// # Errors
/// 405 with the supported methods.
pub fn allowed(method: &Method, methods: &[Method]) -> Result<()> {
    if methods.contains(method) {
        return Ok(());
    }
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    let names = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    let allow = known.iter().zip(names).filter(|(method, _)| methods.contains(method)).map(|(_, name)| name);
    Err(Error::method_not_allowed(allow.collect()))
}
