//! Operations: each verb reads, decides and writes. `plan.rs` in the folder of a verb decides and does no I/O. No file names
//! a resource.

mod change;
mod create;
mod delete;
mod idempotency;
mod images;
mod import;
mod json_array;
mod list;
mod read;
mod resolve;
mod tokens;
mod withdraw;

pub(crate) use change::plan::no_such;
pub(crate) use idempotency::stored;
pub(crate) use json_array::JsonArray;
pub(crate) use read::render::render;
pub use tokens::TOKENS;

use std::time::Duration;

use headers::{ETag, IfNoneMatch};
use http::StatusCode;
use serde_json::Value as Json;

use crate::error::{Error, Result};
use crate::request::{InvalidBody, Operation};
use crate::schema::{Timestamp, digest};
use crate::store::{Consistency, Store};
use crate::table::{CommitError, ReadSet};

/// The size of a body that is parsed at once, in bytes. Even an image in it takes only milliseconds.
const SMALL_BODY: usize = 4096;
/// The number of attempts of a request whose reads are outdated by concurrent requests.
const ATTEMPTS: u32 = 30;
const LONGEST_WAIT_MILLIS: u64 = 200;
const ONE_WRITE_MILLIS: u64 = 20;

/// A response to a request, independent of HTTP.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The body.
    pub body: String,
    /// The media type of the body. None for an empty body.
    pub content_type: Option<&'static str>,
    /// The `Location` header: the path of a new record, or the target of a redirect.
    pub location: Option<String>,
    /// The query string of the next page.
    pub next_page: Option<String>,
    /// The number of seconds for which the response may be cached.
    pub max_age: Option<u32>,
    /// The ETag of the record as GET renders it.
    pub etag: Option<String>,
    /// True if this is a stored response to an earlier request with the same `Idempotency-Key`.
    pub replayed: bool,
    /// The sequence number of the feed's last entry.
    pub feed_head: Option<u64>,
    /// Further headers of the response, by name.
    pub headers: Vec<(&'static str, String)>,
}

impl Reply {
    /// Creates a response with a body.
    pub fn with(content_type: &'static str, body: String) -> Self {
        Self { status: StatusCode::OK, body, content_type: Some(content_type), ..Self::nothing() }
    }

    /// Creates a response with a JSON body.
    pub fn json(body: &Json) -> Self {
        Self::with("application/json", body.to_string())
    }

    /// Creates a response without a body (204).
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

    /// Creates the response to a conditional GET of an unchanged record (304).
    pub fn not_modified(etag: String) -> Self {
        Self { status: StatusCode::NOT_MODIFIED, etag: Some(etag), ..Self::nothing() }
    }

    /// Creates a permanent redirect (308).
    pub fn moved(location: String) -> Self {
        Self { status: StatusCode::PERMANENT_REDIRECT, location: Some(location), ..Self::nothing() }
    }

    fn tagged(self, etag: String) -> Self {
        Self { etag: Some(etag), ..self }
    }

    /// Creates a response with a record, as JSON text.
    fn record(rendered: String) -> Self {
        Self::with("application/json", rendered)
    }

    fn created(rendered: String, location: Option<String>) -> Self {
        Self { status: StatusCode::CREATED, location, ..Self::record(rendered) }
    }
}

/// The execution of one request.
///
/// ```no_run
/// use event_capture::operations::Execution;
/// use event_capture::request::{Operation, Path};
/// use event_capture::schema::Timestamp;
/// use event_capture::store::Store;
///
/// # async fn example(store: &Store) -> Result<(), event_capture::error::Error> {
/// let (base, caller) = ("https://api.example".to_owned(), String::new());
/// let execution = Execution { store: store.for_request(), now: Timestamp::now(), base, caller };
/// // The handle of the request counts the cost of the operation.
/// let reply = execution.run(Operation::Read(Path::parse("/users/5")?, None)).await?;
/// println!("{} for {} read units", reply.status, execution.store.cost().read_units());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Execution {
    /// The request's handle to the stores.
    pub store: Store,
    /// The time of the request.
    pub now: Timestamp,
    /// The base URL of the service in this request: `https://…`, before all paths.
    pub base: String,
    /// The identifier of the caller's token. Empty if the service requires no tokens.
    pub caller: String,
}

/// Returns the ETag of a record. It changes with everything that GET renders.
fn tag_of(rendered: &str) -> String {
    format!("\"{}\"", digest(rendered))
}

/// True if the client already has the representation with this ETag.
pub fn is_known(known: Option<&IfNoneMatch>, etag: &str) -> bool {
    let etag = etag.parse::<ETag>();
    known.zip(etag.ok()).is_some_and(|(known, etag)| !known.precondition_passes(&etag))
}

impl Execution {
    /// Executes an operation.
    ///
    /// # Errors
    /// The errors that depend on stored data: 404, 409, 422, 503.
    pub async fn run(&self, operation: Operation) -> Result<Reply> {
        match operation {
            Operation::Read(path, known) => self.read(&path, known.as_ref()).await,
            Operation::List(path, list) => self.list(&path, list).await,
            Operation::Create(path, draft, key) => self.create(&path, &[draft], false, key).await,
            Operation::CreateMany(path, drafts, key) => self.create(&path, &drafts, true, key).await,
            Operation::Import(record, draft, key) => self.import(record, &draft, key).await,
            Operation::Change(path, payload, tags) => self.change(&path, payload, tags.as_ref()).await,
            Operation::Delete(path, tags) => self.delete(&path, tags.as_ref()).await,
            Operation::Refuse(broken) => Err(self.refusal(broken).await),
        }
    }

    /// Returns all violations of an invalid body: those of its own rules, and references to records that do not exist.
    pub(crate) async fn refusal(&self, InvalidBody { drafts, listed, mut violations }: InvalidBody) -> Error {
        let references = create::plan::references(&drafts, listed);
        let read_set = ReadSet { records: references.iter().map(|(key, _)| *key).collect(), ..ReadSet::default() };
        // If the store fails, the other violations are still reported.
        if let Ok(snapshot) = self.store.load(&read_set, Consistency::Strong).await {
            let absent = references.into_iter().filter(|(key, _)| !snapshot.records.contains_key(key));
            violations.extend(absent.map(|(key, pointer)| change::plan::no_such(key, pointer)));
        }
        Error::invalid(violations)
    }
}

/// Parses a body of this many bytes. A body that may have a large image is parsed on a thread for blocking operations, so
/// that it delays no other request.
///
/// # Errors
/// Returns the error of the work, or an internal error if it panics.
pub async fn parse_body<T: Send + 'static>(
    size: usize,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    if size <= SMALL_BODY {
        return work();
    }
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "reading a body failed");
        Err(Error::fault())
    })
}

/// A counter of the attempts of a request that conflicts with others.
pub(crate) struct Attempts {
    made: u32,
    longest_wait_millis: u64,
}

impl Default for Attempts {
    fn default() -> Self {
        Self { made: 0, longest_wait_millis: LONGEST_WAIT_MILLIS }
    }
}

impl Attempts {
    /// Creates a counter that waits at most as long as one write takes. After a longer wait, yet another write would
    /// come first.
    pub(crate) fn at_once() -> Self {
        Self { longest_wait_millis: ONE_WRITE_MILLIS, ..Self::default() }
    }

    /// Waits briefly before the next attempt if the commit may be retried. Otherwise returns the error.
    pub(crate) async fn again(&mut self, refusal: CommitError) -> Result<()> {
        let CommitError::Failed(error) = refusal else {
            self.made += 1;
            if self.made == ATTEMPTS {
                tracing::warn!("Every attempt conflicted with another request");
                return Err(Error::unavailable());
            }
            let longest = (1 << self.made.min(16)).min(self.longest_wait_millis);
            tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=longest))).await;
            return Ok(());
        };
        Err(error)
    }
}
