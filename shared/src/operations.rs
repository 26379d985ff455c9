//! Operations: each verb reads, decides and writes. `plan.rs` in the folder of a verb decides and does no I/O. No file names
//! a resource.

mod anonymize;
mod change;
mod complete;
mod create;
mod delete;
mod exclude;
mod idempotency;
mod images;
mod import;
mod json_array;
mod list;
mod read;
mod resolver;
mod retention;
mod rules;
mod tokens;
mod withdraw;

pub(crate) use idempotency::stored;
pub(crate) use json_array::JsonArray;
pub(crate) use read::render::{only_as_rendered, render};
pub(crate) use rules::{reference_not_found, release_counter};
pub use tokens::TOKENS;
// For tests of single functions.
#[doc(hidden)]
pub use create::refresh;
#[doc(hidden)]
pub use list::{Secondary, Source, search};

use std::time::Duration;

use crate::error::{Error, Result};
use crate::request::{InvalidBody, Operation};
use crate::response::Response;
use crate::schema::{Timestamp, digest};
use crate::store::{Consistency, Store};
use crate::table::{CommitError, ReadSet};

/// Size of a body that is parsed at once, in bytes. Even an image in it takes only milliseconds.
const SMALL_BODY: usize = 4096;
/// Number of attempts of a request whose reads are outdated by concurrent requests.
const ATTEMPTS: u32 = 30;
const MAX_WAIT_MILLIS: u64 = 200;
/// With many shards, the feed has many writers of one item. After a longer wait, its entries would come late.
const MAX_FEED_WAIT_MILLIS: u64 = 500;

/// Execution of one request.
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
    /// Time of the request.
    pub now: Timestamp,
    /// Base URL of the service in this request: `https://…`, before all paths.
    pub base: String,
    /// Identifier of the caller's token. Empty if the service requires no tokens.
    pub caller: String,
}

/// Compute the ETag of a record. It changes with everything that GET renders.
fn etag_of(rendered: &str) -> String {
    format!("\"{}\"", digest(rendered))
}

impl Execution {
    /// Execute an operation.
    ///
    /// # Errors
    /// The errors that depend on stored data: 404, 409, 422, 503.
    pub async fn run(&self, operation: Operation) -> Result<Response> {
        match operation {
            Operation::Read(path, if_none_match) => self.read(&path, if_none_match.as_ref()).await,
            Operation::List(path, list) => self.list(&path, list).await,
            Operation::Create(path, draft, key) => self.create(&path, &[draft], false, key).await,
            Operation::CreateMany(path, drafts, key) => self.create(&path, &drafts, true, key).await,
            Operation::Import(record, draft, key) => self.import(record, &draft, key).await,
            Operation::Change(path, change, if_match) => self.change(&path, change, if_match.as_ref()).await,
            Operation::Anonymize(path, key) => self.anonymize(&path, key).await,
            Operation::Delete(path, tags) => self.delete(&path, tags.as_ref()).await,
            Operation::Reject(body) => Err(self.invalid_body(body).await),
        }
    }

    /// Get all violations of an invalid body: those of its own rules, and references to records that do not exist.
    pub(crate) async fn invalid_body(&self, body: InvalidBody) -> Error {
        let InvalidBody { drafts, is_list, is_import, mut violations } = body;
        let mut references = create::references::references(&drafts, is_list);
        if !is_import {
            references.extend(create::references::declared_references(&drafts));
        }
        let read_set = ReadSet { records: references.iter().map(|(key, _)| *key).collect(), ..ReadSet::default() };
        // If the store fails, the other violations are still reported.
        if let Ok(snapshot) = self.store.load(&read_set, Consistency::Strong).await {
            let absent = references.into_iter().filter(|(key, _)| !snapshot.records.contains_key(key));
            violations.extend(absent.map(|(key, pointer)| rules::reference_not_found(key, pointer)));
        }
        Error::invalid(violations)
    }
}

/// Parse a body of this many bytes. A body that may have a large image is parsed on a thread for blocking operations, so
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
    first_wait_millis: u64,
    max_wait_millis: u64,
}

impl Default for Attempts {
    fn default() -> Self {
        Self { made: 0, first_wait_millis: 2, max_wait_millis: MAX_WAIT_MILLIS }
    }
}

impl Attempts {
    /// Create a counter for one of so many writers of the feed. The more writers compete, the longer each waits.
    pub(crate) fn among(writers: usize) -> Self {
        let writers = writers.max(4) as u64;
        let max_wait_millis = (writers * writers).min(MAX_FEED_WAIT_MILLIS);
        Self { made: 0, first_wait_millis: writers, max_wait_millis }
    }

    /// Wait briefly before the next attempt if the commit may be retried. Otherwise returns the error.
    pub(crate) async fn back_off(&mut self, error: CommitError) -> Result<()> {
        let CommitError::Failed(error) = error else {
            self.made += 1;
            if self.made == ATTEMPTS {
                tracing::warn!("every attempt conflicted with another request");
                return Err(Error::unavailable());
            }
            let max_wait = (self.first_wait_millis << (self.made - 1).min(16)).min(self.max_wait_millis);
            tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=max_wait))).await;
            return Ok(());
        };
        Err(error)
    }
}
