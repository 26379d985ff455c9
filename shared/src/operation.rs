//! A request, as what it wants done. Pure: everything that can be refused without reading is refused here.

use bytes::Bytes;
use http::{HeaderMap, Method, header};
use serde_json::{Map, Value as Json};

use crate::body::{self, Draft, Payload};
use crate::error::{Error, Result, Violation};
use crate::query::{self, List};
use crate::resource::{Kind, Resource};
use crate::route::{Path, Route, Target};
use crate::twitch::{Delivery, Twitch};
use crate::value::Timestamp;

/// The largest body, in bytes: with its base64 and its envelope it must fit into the platform's 6 MB.
pub const MAX_BODY: usize = 6_000_000;

/// A request as it came.
#[derive(Debug)]
pub struct Request {
    /// GET, POST and so on.
    pub method: Method,
    /// The path, as it was sent.
    pub path: String,
    /// The query string, as it was sent.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub body: Bytes,
}

/// What is to be done.
#[derive(Debug)]
pub enum Operation {
    /// Say that the service is there.
    Health,
    /// Show the OpenAPI document.
    OpenApi,
    /// Carry out what Twitch has sent.
    Receive(Delivery),
    /// Show one record, or one value.
    Read(Path),
    /// Show many records.
    List(Path, List),
    /// Create a record, and what the draft has inside.
    Create(Path, Draft),
    /// Create a list of records.
    CreateMany(Path, Vec<Draft>),
    /// Change a record.
    Change(Path, Payload),
    /// Delete a record, and what belongs to it.
    Delete(Path),
}

impl Operation {
    /// Parses a request, whose route is parsed already.
    ///
    /// # Errors
    /// Whatever can be told without reading a record: 400, 403, 405, 413, 415 and 422.
    pub async fn parse(route: Route, request: Request, twitch: Option<&Twitch>) -> Result<Self> {
        match route {
            Route::Twitch => {
                check_method(&request.method, &[Method::POST])?;
                let twitch = twitch.ok_or_else(Error::unsigned)?;
                let delivery = twitch.receive(&request.headers, &request.body, Timestamp::now())?;
                query::refuse(&query::parameters(&request.query)?)?;
                Ok(Self::Receive(delivery))
            }
            Route::Health => only_get(&request).map(|()| Self::Health),
            Route::OpenApi => only_get(&request).map(|()| Self::OpenApi),
            Route::Records(path) => Self::on_records(path, request).await,
        }
    }

    async fn on_records(path: Path, request: Request) -> Result<Self> {
        let target = path.target();
        check_method(&request.method, &target.methods())?;
        let parameters = query::parameters(&request.query)?;
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if let (Target::Many(resource), true) = (target, reads) {
            let list = List::new(resource, &request.path).with(parameters, path.bound_on_creation())?;
            return Ok(Self::List(path, list));
        }
        query::refuse(&parameters)?;
        let (Target::Many(resource) | Target::One(resource) | Target::Slot(resource)) = target else {
            return Ok(Self::Read(path));
        };
        let bound = path.bound_on_creation();
        Ok(match request.method {
            Method::POST => {
                let payload = payload(resource, request).await?;
                Self::Create(path, aside(move || body::to_create(resource, payload, bound)).await?)
            }
            Method::PUT => {
                let payload = payload(resource, request).await?;
                Self::CreateMany(path, body::to_create_many(resource, payload, bound)?)
            }
            Method::PATCH => Self::Change(path, payload(resource, request).await?),
            Method::DELETE => Self::Delete(path),
            _ => Self::Read(path),
        })
    }
}

/// Runs what may decode an image where it keeps no other request waiting.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "reading a body failed");
        Err(Error::fault())
    })
}

fn only_get(request: &Request) -> Result<()> {
    check_method(&request.method, &[Method::GET, Method::HEAD])?;
    query::refuse(&query::parameters(&request.query)?)
}

fn check_method(method: &Method, allowed: &[Method]) -> Result<()> {
    if allowed.contains(method) {
        return Ok(());
    }
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    let names = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    let allow = known.iter().zip(names).filter(|(method, _)| allowed.contains(method)).map(|(_, name)| name);
    Err(Error::method_not_allowed(allow.collect()))
}

/// Reads the body by its content type.
async fn payload(resource: &Resource, request: Request) -> Result<Payload> {
    if request.body.len() > MAX_BODY {
        return Err(Error::too_large(format!("Send a body of at most {MAX_BODY} bytes.")));
    }
    let content_type =
        request.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let takes_files = resource.fields.iter().any(|field| matches!(field.kind, Kind::Image));
    match media_type.as_str() {
        "application/json" => json(&request.body).map(|json| Payload { json, file: None }),
        "multipart/form-data" if takes_files && request.method != Method::PUT => {
            form(resource, content_type, request.body).await
        }
        _ if takes_files => Err(Error::unsupported_type("Send application/json or multipart/form-data.")),
        _ => Err(Error::unsupported_type("Send application/json.")),
    }
}

fn json(body: &[u8]) -> Result<Json> {
    serde_json::from_slice(body).map_err(|error| {
        // Correct JSON all the same: the number is what is wrong.
        if error.to_string().starts_with("number out of range") {
            return Error::invalid(vec![Violation::at("", "A number in the body is out of range.")]);
        }
        let (line, column) = (error.line(), error.column());
        let place = if body.is_empty() {
            "the body is empty".to_owned()
        } else {
            format!("it ends at line {line}, column {column}")
        };
        Error::bad_request(format!("Send one JSON value in UTF-8, nested at most 127 levels deep: {place}."))
    })
}

/// A form: text parts as an object's fields, the image apart.
async fn form(resource: &Resource, content_type: &str, body: Bytes) -> Result<Payload> {
    let unreadable = |_| Error::bad_request("Send a well-formed multipart/form-data body.");
    let boundary = multer::parse_boundary(content_type).map_err(unreadable)?;
    let stream = futures_util::stream::once(async move { Ok::<_, std::convert::Infallible>(body) });
    let mut parts = multer::Multipart::new(stream, boundary);
    let (mut object, mut file) = (Map::new(), None);
    while let Some(part) = parts.next_field().await.map_err(unreadable)? {
        let name = part.name().unwrap_or_default().to_owned();
        let content = part.bytes().await.map_err(unreadable)?;
        let kind = resource.field(&name).map(|field| &field.kind);
        let given_before = object.contains_key(&name) || (matches!(kind, Some(Kind::Image)) && file.is_some());
        if given_before {
            return Err(Error::bad_request(format!("Give the part «{name}» once.")));
        }
        if let Some(Kind::Image) = kind {
            file = Some(content);
            continue;
        }
        let text = match String::from_utf8(content.to_vec()) {
            Ok(text) => text,
            // What the part is named is wrong already.
            Err(_) if kind.is_none() => String::new(),
            Err(_) => return Err(Error::bad_request(format!("Send the part «{name}» in UTF-8."))),
        };
        let value = match kind {
            // What is no JSON stays a text, and is refused as one.
            Some(Kind::Many { .. } | Kind::Integer(_)) => serde_json::from_str(&text).unwrap_or(Json::String(text)),
            _ => Json::String(text),
        };
        object.insert(name, value);
    }
    Ok(Payload { json: Json::Object(object), file })
}
