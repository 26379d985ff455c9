//! Parses bodies into drafts. One pass finds all violations, so a client has to correct a body only once.

mod parser;

pub use self::parser::ANONYMIZED;
use self::parser::{Parser, Purpose};
use super::draft::Draft;
use super::payload::{Payload, Shape};
use crate::error::{Error, Result, Violation};
use crate::schema::{Id, Key, Record, Resource};

/// An invalid body, as far as it could be parsed.
#[derive(Debug)]
pub struct InvalidBody {
    /// Drafts that could be parsed. Their references may also be invalid.
    pub drafts: Vec<Draft>,
    pub shape: Shape,
    /// Whether the body is a complete record to import. It may refer to records that do not exist.
    pub is_import: bool,
    pub violations: Vec<Violation>,
}

/// The body of a PATCH before its record is read.
///
/// The variant of the stored record determines which fields the body may have. [`Self::bind`] completes the parsing
/// when the record has been read.
#[derive(Debug)]
pub struct UnboundChange {
    payload: Payload,
    bound_field: Option<&'static str>,
}

impl UnboundChange {
    /// Wraps a body. The path sets the field `bound_field`, which keeps its value.
    pub fn new(payload: Payload, bound_field: Option<&'static str>) -> Self {
        Self { payload, bound_field }
    }

    /// Returns the size of the body, in bytes.
    pub fn size(&self) -> usize {
        self.payload.text.len() + self.payload.file.as_ref().map_or(0, bytes::Bytes::len)
    }

    /// Parses the body against the stored record.
    ///
    /// # Errors
    /// 413 if an image is too large.
    pub fn bind(self, record: &Record) -> Result<Result<Draft, InvalidBody>> {
        Parser::record(Purpose::Change(record), record.key.resource, self.payload, self.bound_field)
    }

    /// Parses the body without its record, to report as much as possible in a request that is rejected anyway. Fields
    /// of single variants are not checked.
    ///
    /// # Errors
    /// 413 if an image is too large.
    pub fn bind_unknown(self, resource: &'static Resource) -> Result<Result<Draft, InvalidBody>> {
        let id = Id::new(1).ok_or_else(Error::fault)?;
        self.bind(&Record::new(Key::new(resource, id)))
    }
}

/// Parses a body that creates one record. The path sets the field `bound_field`.
///
/// # Errors
/// 413 if an image is too large.
pub fn parse_create(
    resource: &'static Resource,
    payload: Payload,
    bound_field: Option<&'static str>,
) -> Result<Result<Draft, InvalidBody>> {
    Parser::record(Purpose::Create, resource, payload, bound_field)
}

/// Parses a body that creates a list of records. The path sets the field `bound_field`.
///
/// # Errors
/// 413 if an image is too large.
pub fn parse_create_many(
    resource: &'static Resource,
    payload: Payload,
    bound_field: Option<&'static str>,
) -> Result<Result<Vec<Draft>, InvalidBody>> {
    Parser::list(Purpose::Create, resource, payload, bound_field)
}

/// Parses a complete record to store under this key. Unlike the body of a POST, it may have the fields that the service
/// would assign, and reserved values. It may not embed other records.
///
/// # Errors
/// 413 if an image is too large.
pub fn parse_import(key: Key, payload: Payload) -> Result<Result<Draft, InvalidBody>> {
    Parser::record(Purpose::Import(key), key.resource, payload, None)
}

/// Parses a test record, which is not stored. `pointer` is its location in the body.
///
/// # Errors
/// 413 if an image is too large.
pub fn parse_test(resource: &'static Resource, payload: Payload, pointer: &str) -> Result<Result<Draft, InvalidBody>> {
    Parser::record(Purpose::Test { pointer }, resource, payload, None)
}
