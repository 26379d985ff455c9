//! Parses bodies by their content type: JSON or a form.
//!
//! A form becomes JSON and a file, so all later checks are the same.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, header};
use serde_json::{Map, Value as Json};

use super::{Request, json};
use crate::error::{Error, Result};
use crate::resources::{self, Member};
use crate::schema::scalar::Kind;
use crate::schema::{Field, ParentData, Resource};

/// Maximum size of a body, in bytes. The platform limits a body to 6 MB, including its envelope and base64.
const MAX_BODY: usize = 6_000_000;

/// A parsed body: JSON, and the file part of a form.
#[derive(Debug)]
pub struct Payload {
    /// JSON, or the other fields of the form as an object.
    pub json: Json,
    /// File part of the form.
    pub file: Option<Bytes>,
    /// JSON as sent. Empty for a form.
    pub text: Bytes,
}

/// Shape of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Record,
    List,
}

impl Shape {
    /// Returns the pointer to the record at this index of the body.
    pub fn pointer(self, index: usize) -> String {
        if self == Self::List { format!("/{index}") } else { String::new() }
    }
}

impl Payload {
    /// Parses the body of a request on a resource. A list of records cannot be a form.
    ///
    /// # Errors
    /// 400 if the body is malformed, 413 if it is too large, 415 for an unsupported content type.
    pub fn parse(resource: &Resource, request: Request, shape: Shape) -> Result<Self> {
        if request.body.len() > MAX_BODY {
            return Err(Error::payload_too_large(format!("The body is too large. Send at most {MAX_BODY} bytes.")));
        }
        let (media_type, content_type) = media_type(&request.headers)?;
        let takes_files = shape == Shape::Record && resource.fields.iter().any(Field::is_image);
        match media_type.as_str() {
            "application/json" => json::parse(&request.body).map(|json| Self { json, file: None, text: request.body }),
            "multipart/form-data" if takes_files => parse_form(resource, content_type, request.body),
            "application/merge-patch+json" | "application/json-patch+json" => Err(Error::unsupported_type(
                "Send application/json with the fields to change. An object in a field is replaced as a whole.",
            )),
            _ if takes_files => Err(Error::unsupported_type("Send application/json or multipart/form-data.")),
            _ => Err(Error::unsupported_type("Send application/json.")),
        }
    }
}

/// Returns the media type of a body in lower case, and the complete `Content-Type`.
///
/// # Errors
/// 415 if the body has a content encoding, or a character set other than UTF-8. A report of malformed JSON would hide
/// the cause.
pub(super) fn media_type(headers: &HeaderMap) -> Result<(String, &str)> {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().trim().to_ascii_lowercase();
    let is_encoded = headers.get_all(header::CONTENT_ENCODING).iter().any(|encoding| text(encoding) != "identity");
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = content_type.split(';').map(|part| part.trim().to_ascii_lowercase());
    let media_type = parts.next().unwrap_or_default();
    let charset = parts.find_map(|part| Some(part.strip_prefix("charset=")?.trim_matches('"').to_owned()));
    if is_encoded || charset.is_some_and(|charset| !["utf-8", "utf8"].contains(&charset.as_str())) {
        return Err(Error::unsupported_type("Send JSON in UTF-8 without a content encoding."));
    }
    Ok((media_type, content_type))
}

/// Parses a form. The text parts become the fields of an object, and the image becomes the file.
fn parse_form(resource: &Resource, content_type: &str, body: Bytes) -> Result<Payload> {
    let malformed = |_| Error::malformed_body("Send a well-formed multipart/form-data body.");
    let boundary = multer::parse_boundary(content_type).map_err(malformed)?;
    let stream = futures_util::stream::once(async move { Ok::<_, std::convert::Infallible>(body) });
    let mut parts = multer::Multipart::new(stream, boundary);
    let (mut object, mut file, mut listed) = (Map::new(), None, BTreeMap::<String, Vec<Json>>::new());
    while let Some(part) = poll_ready(parts.next_field())?.map_err(malformed)? {
        let name = part.name().unwrap_or_default().to_owned();
        let content = poll_ready(part.bytes())?.map_err(malformed)?;
        let member = resources::members(resource).iter().find(|member| member.name() == name);
        let is_image = matches!(member, Some(Member::Field(field)) if field.is_image());
        if is_image {
            if file.replace(content).is_some() {
                return Err(repeated_part(&name));
            }
            continue;
        }
        let value = parse_text_part(&name, member, &content)?;
        if is_list(member) {
            listed.entry(name).or_default().push(value);
        } else if object.insert(name.clone(), value).is_some() {
            return Err(repeated_part(&name));
        }
    }
    // Children are one part with the list, or one part each.
    for (name, mut parts) in listed {
        let value = match parts[..] {
            [Json::Object(_)] => Json::Array(parts),
            [_] => parts.swap_remove(0),
            _ if parts.iter().any(Json::is_array) => {
                let detail = format!("Send the part «{name}» once with the list, or once for each element.");
                return Err(Error::malformed_body(detail));
            }
            _ => Json::Array(parts),
        };
        object.insert(name, value);
    }
    Ok(Payload { json: Json::Object(object), file, text: Bytes::new() })
}

fn repeated_part(name: &str) -> Error {
    Error::malformed_body(format!("Send the part «{name}» only once."))
}

fn is_list(member: Option<&Member>) -> bool {
    matches!(member, Some(Member::OnParent(child, _)) if matches!(child.relation.parent_data, ParentData::Many { .. }))
}

/// Polls a future that reads from memory and never waits.
fn poll_ready<T>(future: impl Future<Output = T>) -> Result<T> {
    future.now_or_never().ok_or_else(Error::fault)
}

fn parse_text_part(name: &str, member: Option<&Member>, content: &[u8]) -> Result<Json> {
    let text = match str::from_utf8(content) {
        Ok(text) => text.to_owned(),
        // The unknown name is reported later.
        Err(_) if member.is_none() => String::new(),
        Err(_) => return Err(Error::malformed_body(format!("Send the part «{name}» in UTF-8."))),
    };
    let is_json = match member {
        Some(Member::Field(field)) => matches!(field.codec.kind, Kind::Integer | Kind::Identifier),
        Some(Member::Parent(..) | Member::OnParent(..)) => true,
        None => false,
    };
    if !is_json {
        return Ok(Json::String(text));
    }
    match json::parse(text.as_bytes()) {
        Err(error) if json::has_duplicate(&error) => Err(error),
        // A text that is not JSON stays a text, and is rejected as such.
        parsed => Ok(parsed.unwrap_or(Json::String(text))),
    }
}
