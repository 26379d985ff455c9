//! Operations on records.
//!
//! A verb decides what to read and what to write. The `driver` reads, renders the response and commits for all verbs.
//! The `cascade` does the work that remains after a commit. Only `privacy` and `moderation` name specific resources.

mod cascade;
mod change;
mod create;
mod delete;
mod driver;
mod idempotency;
mod images;
mod import;
mod json_array;
mod list;
mod moderation;
mod privacy;
mod read;
mod references;
mod refusals;
mod resolver;
mod tokens;

pub(crate) use create::{Creation, Origin};
pub(crate) use driver::{
    Backoff, Plan, PlanContext, Preconditions, ResponseContent, Verb, current_time, retry_conflicts,
};
pub(crate) use json_array::JsonArray;
pub(crate) use moderation::has_chat_text;
pub use privacy::has_expiring_text;
pub(crate) use read::render::render;
pub(crate) use refusals::reference_not_found;
pub(crate) use resolver::ResolvedPath;
pub use tokens::token_list;
// For tests of individual functions.
#[doc(hidden)]
pub use create::refresh;
#[doc(hidden)]
pub use list::{Secondary, Source, search};

use self::delete::Delete;
use self::driver::Outcome;
use self::idempotency::to_stored_response;
use self::import::Import;
use self::privacy::Anonymize;
use crate::error::{Code, Error, Result};
use crate::request::{Draft, IdempotencyKey, Operation, Path, Shape};
use crate::resources;
use crate::response::Response;
use crate::schema::{Key, Timestamp, digest};
use crate::store::Store;

/// Size up to which a body is parsed in place, in bytes. Even with an image, this takes only milliseconds.
const SMALL_BODY: usize = 4096;

/// Execution of one request.
///
/// ```no_run
/// use capture_core::operations::Execution;
/// use capture_core::request::{Operation, Path};
/// use capture_core::schema::Timestamp;
/// use capture_core::store::Store;
///
/// # async fn example(store: &Store) -> Result<(), capture_core::error::Error> {
/// let (base, token_id) = ("https://api.example".to_owned(), String::new());
/// let execution = Execution { store: store.for_request(), now: Timestamp::now(), base, token_id };
/// // The request's handle counts the cost of the operation.
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
    /// Base URL of the service in this request (`https://…`), without a path.
    pub base: String,
    /// Identifier of the caller's token. Empty if the service requires no tokens.
    pub token_id: String,
}

/// Returns the ETag of a record as GET renders it.
fn etag_of(rendered: &str) -> String {
    format!("\"{}\"", digest(rendered))
}

impl Execution {
    /// Creates an execution without a request. It renders no URLs.
    pub fn in_background(store: &Store, now: Timestamp) -> Self {
        Self { store: store.for_request(), now, base: String::new(), token_id: String::new() }
    }

    /// Executes an operation.
    ///
    /// # Errors
    /// The errors that depend on stored data: 404, 409, 412, 422, 503.
    pub async fn run(&self, operation: Operation) -> Result<Response> {
        let Outcome { response, pending } = match operation {
            Operation::Read(path, if_none_match) => return self.read(&path, if_none_match.as_ref()).await,
            Operation::List(path, list) => return self.list(&path, list).await,
            Operation::Reject(body) => return Err(self.invalid_body(body).await),
            Operation::Anonymize(path, key) => return self.anonymize(&path, key).await,
            Operation::Change(path, change, tags) => return self.change(&path, change, tags.as_ref()).await,
            Operation::Create(path, draft, key) => {
                self.execute(&path, &Creation::of_one(&draft, Origin::Request), &self.preconditions(key)).await?
            }
            Operation::CreateMany(path, drafts, key) => {
                let creation = Creation { drafts: &drafts, shape: Shape::List, origin: Origin::Request };
                self.execute(&path, &creation, &self.preconditions(key)).await?
            }
            Operation::Import(record, draft, key) => self.import(record, &draft, key).await?,
            Operation::Delete(path, tags) => {
                self.execute(&path, &Delete, &Preconditions { tags: tags.as_ref(), idempotent_request: None }).await?
            }
        };
        if let Some(pending) = &pending {
            self.process_tombstone(pending).await;
        }
        Ok(response)
    }

    /// Executes PUT of one record. If a deleted record with the same key still has children, they are deleted first.
    async fn import(&self, key: Key, draft: &Draft, idempotency: Option<IdempotencyKey>) -> Result<Outcome> {
        let (path, preconditions) = (Path::of(key), self.preconditions(idempotency));
        let mut import = Import::new(key, draft);
        loop {
            match self.execute(&path, &import, &preconditions).await {
                Err(error) if error.code() == Code::DeletionInProgress && import.completed.is_none() => {
                    import.completed = Some(self.complete_deletion(key).await?.ok_or(error)?);
                }
                done => return done,
            }
        }
    }

    /// Executes the POST that anonymizes a record. Responds after the record's children are redacted.
    async fn anonymize(&self, path: &Path, key: Option<IdempotencyKey>) -> Result<Response> {
        let Outcome { response, pending } = self.execute(path, &Anonymize, &self.preconditions(key)).await?;
        let Some(pending) = pending else { return Ok(response) };
        self.process_tombstone(&pending).await;
        // The redaction changes embedded children, and with them the record's ETag.
        let key = pending.tombstone.redacted.as_ref().and_then(|redacted| resources::parse_key(&redacted.parent));
        match key {
            Some(key) => Ok(self.read_written(key).await.unwrap_or(response)),
            None => Ok(response),
        }
    }
}

/// Runs `work` on a body of `size` bytes. A large body is processed on a blocking thread and delays no other requests.
///
/// # Errors
/// Returns the error of `work`, or an internal error if it panics.
pub async fn run_blocking_if_large<T: Send + 'static>(
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
