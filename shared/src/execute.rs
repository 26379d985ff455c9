//! Operations, carried out on the store. Each verb is a file, beside what they share; none of them knows a resource by name.

mod change;
mod create;
mod delete;
mod feed;
mod images;
mod json_array;
mod list;
mod matches;
mod read;
mod resolve;
mod tokens;

pub use feed::{FEED, zero_padded};
pub use tokens::TOKENS;

use std::time::Duration;

use headers::{ETag, IfNoneMatch};
use http::StatusCode;
use serde_json::Value as Json;

use crate::error::{Error, Result};
use crate::plan::{self, CommitError, ReadSet};
use crate::request::{InvalidBody, Operation};
use crate::schema::{Timestamp, digest};
use crate::store::{Consistency, Store};

/// How often a request starts again because what it had read was outdated by another one.
const ATTEMPTS: u32 = 30;
const LONGEST_WAIT_MILLIS: u64 = 200;
const ONE_WRITE_MILLIS: u64 = 20;

/// What a request is answered with.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The body.
    pub body: String,
    /// What the body is; none, for none.
    pub content_type: Option<&'static str>,
    /// Where the new record is.
    pub location: Option<String>,
    /// The query string of the next page.
    pub next_page: Option<String>,
    /// For how many seconds the answer may be kept.
    pub max_age: Option<u32>,
    /// The tag of the record as a GET shows it.
    pub etag: Option<String>,
    /// Whether this is what the request was answered with before.
    pub replayed: bool,
    /// The number of the feed's last entry.
    pub feed_head: Option<u64>,
    /// What else is told about the answer, by the names of headers.
    pub headers: Vec<(&'static str, String)>,
}

impl Reply {
    /// An answer with a body.
    pub fn with(content_type: &'static str, body: String) -> Self {
        Self { status: StatusCode::OK, body, content_type: Some(content_type), ..Self::nothing() }
    }

    /// An answer in JSON.
    pub fn json(body: &Json) -> Self {
        Self::with("application/json", body.to_string())
    }

    /// An answer with nothing in it.
    pub fn nothing() -> Self {
        let status = StatusCode::NO_CONTENT;
        Self {
            status,
            body: String::new(),
            content_type: None,
            location: None,
            next_page: None,
            max_age: None,
            etag: None,
            replayed: false,
            feed_head: None,
            headers: Vec::new(),
        }
    }

    /// The answer that nothing has changed.
    pub fn not_modified(etag: String) -> Self {
        Self { status: StatusCode::NOT_MODIFIED, etag: Some(etag), ..Self::nothing() }
    }

    /// The answer that it is elsewhere.
    pub fn moved(location: String) -> Self {
        Self { status: StatusCode::PERMANENT_REDIRECT, location: Some(location), ..Self::nothing() }
    }

    fn tagged(self, etag: String) -> Self {
        Self { etag: Some(etag), ..self }
    }

    fn created(body: &Json, location: Option<String>) -> Self {
        Self { status: StatusCode::CREATED, location, ..Self::json(body) }
    }
}

/// One request being carried out.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its handle to the stores.
    pub store: Store,
    /// The moment at which it takes place.
    pub now: Timestamp,
    /// Where the service answers, as this request has it: `https://…`, before all paths.
    pub base: String,
    /// Whose request it is: what names the token that it came with; nothing, where none is asked for.
    pub caller: String,
}

/// The tag of a record: it changes with anything that a GET shows.
fn tag_of(rendered: &str) -> String {
    format!("\"{}\"", digest(rendered))
}

/// Whether a client has the representation with this tag already.
pub fn is_known(known: Option<&IfNoneMatch>, etag: &str) -> bool {
    let etag = etag.parse::<ETag>();
    known.zip(etag.ok()).is_some_and(|(known, etag)| !known.precondition_passes(&etag))
}

impl Execution {
    /// Carries out an operation.
    ///
    /// # Errors
    /// What the contract says of what is stored: 404, 409, 422, 503.
    pub async fn run(&self, operation: Operation) -> Result<Reply> {
        match operation {
            Operation::Read(path, known) => self.read(&path, known.as_ref()).await,
            Operation::List(path, list) => self.list(&path, list).await,
            Operation::Create(path, draft, key) => self.create(&path, &[draft], false, key).await,
            Operation::CreateMany(path, drafts, key) => self.create(&path, &drafts, true, key).await,
            Operation::Change(path, payload, tags) => self.change(&path, payload, tags.as_ref()).await,
            Operation::Delete(path, tags) => self.delete(&path, tags.as_ref()).await,
            Operation::Refuse(broken) => Err(self.refusal(broken).await),
        }
    }

    /// All that is wrong with a body: its own rules, and references to what is not there.
    async fn refusal(&self, InvalidBody { drafts, listed, mut violations }: InvalidBody) -> Error {
        let references = plan::references(&drafts, listed);
        let read_set = ReadSet { records: references.iter().map(|(key, _)| *key).collect(), ..ReadSet::default() };
        // Where that cannot be told, the rest is wrong all the same.
        if let Ok(snapshot) = self.store.load(&read_set, Consistency::Strong).await {
            let absent = references.into_iter().filter(|(key, _)| !snapshot.records.contains_key(key));
            violations.extend(absent.map(|(key, pointer)| plan::no_such(key, pointer)));
        }
        Error::invalid(violations)
    }
}

/// Counts the attempts of a request that others outdate.
struct Attempts {
    made: u32,
    longest_wait_millis: u64,
}

impl Default for Attempts {
    fn default() -> Self {
        Self { made: 0, longest_wait_millis: LONGEST_WAIT_MILLIS }
    }
}

impl Attempts {
    /// Attempts that wait for as long as one write takes, at most: whoever waited longer would have to wait again.
    fn at_once() -> Self {
        Self { longest_wait_millis: ONE_WRITE_MILLIS, ..Self::default() }
    }

    /// Decides on a refusal: waits a moment for another attempt, or gives up.
    async fn again(&mut self, refusal: CommitError) -> Result<()> {
        let CommitError::Failed(error) = refusal else {
            self.made += 1;
            if self.made == ATTEMPTS {
                tracing::warn!("others outdated every attempt");
                return Err(Error::unavailable());
            }
            let longest = (1 << self.made.min(16)).min(self.longest_wait_millis);
            tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=longest))).await;
            return Ok(());
        };
        Err(error)
    }
}
