//! The driver: the execution loop of every request that writes.
//!
//! A [`Verb`] defines what to read and what to decide. The driver does everything else, in the same order for each
//! verb. Work that remains after the commit is recorded in a tombstone and left to `cascade`.

use std::time::Duration;

use tokio::time::timeout;

use super::read::render::{embedded, require_unchanged_as_rendered, require_unchanged_embedded, write_response_depth};
use super::resolver::ResolvedPath;
use super::{Execution, to_stored_response};
use crate::error::{Error, Result};
use crate::request::{EtagPreconditions, IdempotencyKey, Path, SentImage};
use crate::response::Response;
use crate::schema::{Depth, Id, Key, Record, Resource, Timestamp};
use crate::store::{Consistency, PendingDeletion, Store};
use crate::table::{CommitError, IdempotentRequest, ReadSet, Snapshot, Tombstone, WriteSet};

/// Maximum number of attempts of a request that conflicts with concurrent requests.
const ATTEMPTS: u32 = 30;
const MAX_WAIT_MILLIS: u64 = 200;
/// With many shards, the feed has many writers of one item. A longer wait would delay its entries.
const MAX_FEED_WAIT_MILLIS: u64 = 500;
/// Maximum number of embedded records for a write with `If-Match`. Each takes one of the 100 items of a transaction.
const MAX_EMBEDDED: usize = 90;
/// Maximum time that a request spends on deleting what its write replaced. The upkeep deletes the rest.
const MAX_CLEARING_TIME: Duration = Duration::from_secs(5);

/// A kind of write: what it reads and what it decides. Implementations do no I/O.
pub(crate) trait Verb: Sync {
    /// Returns the image in the body, and the resource of its record.
    fn image(&self) -> Option<(&SentImage, &'static Resource)> {
        None
    }

    /// Returns true if the image will be stored, judging by `read`. It is then uploaded while the other reads run.
    fn stores_image(&self, _: &ResolvedPath, _: &Snapshot) -> bool {
        true
    }

    /// Returns what the plan still has to read. Called again with the result of each read until it adds nothing new.
    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet;

    /// Plans the writes and the response. New records that the response embeds are added to `read`.
    ///
    /// # Errors
    /// [`CommitError::Outdated`] if the reads are inconsistent. The driver then retries.
    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError>;
}

/// Context of a plan: everything that it needs except the reads.
#[derive(Clone, Copy)]
pub(crate) struct PlanContext<'a> {
    /// Time of the request.
    pub(crate) now: Timestamp,
    /// Uploaded image of the request.
    pub(crate) upload: Option<&'a Upload>,
    store: &'a Store,
}

impl PlanContext<'_> {
    /// Generates a new identifier.
    pub(crate) fn next_id(&self) -> Id {
        self.store.next_id(self.now)
    }

    /// Returns the unique value of the channel's record, if the store has it.
    pub(crate) fn channel(&self) -> Option<String> {
        self.store.channel().get().map(|channel| channel.to_string())
    }

    /// Returns the current time, by the clock of the request.
    pub(crate) fn current_time(&self) -> Timestamp {
        current_time(self.now, self.store)
    }
}

/// Image of a request. It is uploaded before its record is stored: a crash can leave an unused image, but never a
/// record without its image.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    /// Record that the image belongs to.
    pub(crate) record: Key,
    /// Name of the image in the bucket.
    pub(crate) name: String,
}

/// Decision of a verb.
pub(crate) struct Plan {
    /// Writes, committed atomically.
    pub(crate) write_set: WriteSet,
    /// Content of the response.
    pub(crate) content: ResponseContent,
    /// Work to do after the commit.
    pub(crate) tombstone: Tombstone,
}

/// Content of a response.
pub(crate) enum ResponseContent {
    /// A record, with its ETag.
    Record(Record),
    /// A record without its ETag, for one that is deleted or about to change.
    Untagged(Record, Depth),
    /// A new record, with its ETag and location.
    Created(Record),
    /// A new record, with its ETag but without its location, which the client sent.
    Imported(Record),
    /// New records.
    List(Vec<Record>),
    /// A response rendered by the verb.
    Response(Response),
}

impl ResponseContent {
    fn records(&self) -> &[Record] {
        match self {
            Self::Record(record) | Self::Untagged(record, _) | Self::Created(record) | Self::Imported(record) => {
                std::slice::from_ref(record)
            }
            Self::List(records) => records,
            Self::Response(_) => &[],
        }
    }
}

/// A request that is ready to be committed.
struct PreparedRequest {
    write_set: WriteSet,
    response: Response,
    tombstone: Tombstone,
}

/// Outcome of a committed or replayed request.
pub(crate) struct Outcome {
    pub(crate) response: Response,
    /// Work that remains after the commit.
    pub(crate) pending: Option<PendingDeletion>,
}

/// Request headers that make a write conditional or idempotent.
#[derive(Default)]
pub(crate) struct Preconditions<'a> {
    /// Condition on the ETag of the record at the end of the path.
    pub(crate) tags: Option<&'a EtagPreconditions>,
    /// Request with an `Idempotency-Key`. The response is stored under the key.
    pub(crate) idempotent_request: Option<IdempotentRequest>,
}

impl Execution {
    /// Returns the preconditions of a request with an optional `Idempotency-Key`.
    pub(crate) fn preconditions(&self, key: Option<IdempotencyKey>) -> Preconditions<'static> {
        let keyed = key.map(|key| IdempotentRequest::new(&self.token_id, &key.key, &key.fingerprint));
        Preconditions { tags: None, idempotent_request: keyed }
    }

    /// Executes a verb. A repeated request with an `Idempotency-Key` gets the stored response.
    pub(crate) async fn execute(
        &self,
        path: &Path,
        verb: &dyn Verb,
        preconditions: &Preconditions<'_>,
    ) -> Result<Outcome> {
        self.execute_from(None, path, verb, preconditions).await
    }

    /// Executes a verb. If `prefetched` is set, the first attempt starts from this resolved path and its reads.
    pub(crate) async fn execute_from(
        &self,
        mut prefetched: Option<(ResolvedPath, Snapshot)>,
        path: &Path,
        verb: &dyn Verb,
        preconditions: &Preconditions<'_>,
    ) -> Result<Outcome> {
        let keyed = preconditions.idempotent_request.as_ref();
        // A repeated request with an image is replayed before the upload. Others fail at writing the key and are then
        // replayed.
        if let Some(keyed) = keyed.filter(|_| verb.image().is_some())
            && let Some(response) = self.replay(keyed).await?
        {
            return Ok(Outcome { response, pending: None });
        }
        let mut attempts = Backoff::default();
        let done = loop {
            let resolved = match prefetched.take() {
                Some(known) => Ok(known),
                None => self.resolve(path).await.map(|target| (target, Snapshot::default())),
            };
            let attempt = async {
                let (target, read) = resolved?;
                self.try_once(&target, read, verb, preconditions).await
            };
            match attempt.await {
                Err(CommitError::Outdated) => {
                    if let Err(error) = attempts.back_off(CommitError::Outdated).await {
                        break Err(error);
                    }
                }
                done => break done.map_err(CommitError::into_error),
            }
        };
        match done {
            Ok(done) => Ok(done),
            Err(error) => Ok(Outcome { response: self.replay_or(error, keyed).await?, pending: None }),
        }
    }

    /// Executes a verb once. `read` contains what was already read at the resolved path.
    ///
    /// # Errors
    /// [`CommitError::Outdated`] if a concurrent request changed the data.
    pub(super) async fn try_once(
        &self,
        target: &ResolvedPath,
        read: Snapshot,
        verb: &dyn Verb,
        preconditions: &Preconditions<'_>,
    ) -> Result<Outcome, CommitError> {
        let (mut upload, mut is_sent) = (None, false);
        let done: Result<Outcome, CommitError> = async {
            let prepared = self.prepare(target, read, verb, &mut upload, preconditions.tags).await?;
            let PreparedRequest { mut write_set, response, tombstone } = prepared;
            if let Some(keyed) = &preconditions.idempotent_request {
                keyed.store_response(&to_stored_response(&response), self.now, &mut write_set)?;
            }
            is_sent = true;
            let pending = self.commit_with_tombstone(write_set, tombstone).await?;
            Ok(Outcome { response, pending })
        }
        .await;
        // Deletes the image if its record was certainly not stored. Otherwise, the sweep finds an unused image later.
        if let (Err(error), Some(upload)) = (&done, &upload)
            && (error.is_certain() || !is_sent)
        {
            let _ = self.store.delete_images(std::slice::from_ref(&upload.name)).await;
        }
        done
    }

    /// Renders the body of a verb's response without storing anything.
    pub(crate) async fn preview(&self, target: &ResolvedPath, verb: &dyn Verb) -> Result<String> {
        let prepared =
            retry_conflicts(|| async { self.prepare(target, Snapshot::default(), verb, &mut None, None).await });
        Ok(prepared.await?.response.body)
    }

    async fn prepare(
        &self,
        target: &ResolvedPath,
        mut read: Snapshot,
        verb: &dyn Verb,
        upload: &mut Option<Upload>,
        tags: Option<&EtagPreconditions>,
    ) -> Result<PreparedRequest, CommitError> {
        // 1. Reads what the verb needs, in rounds, while the image is uploaded.
        if let ResolvedPath::Slot { parent, filled_by: None, .. } = target {
            read.insert((**parent).clone());
        }
        // With a condition on the ETag, the upload waits for the check.
        let tags = tags.filter(|tags| !tags.is_any());
        let mut image = verb.image();
        let mut requested = ReadSet::default();
        loop {
            let reads = verb.reads(target, &read).without(&requested);
            let sent = if tags.is_none() && verb.stores_image(target, &read) { image.take() } else { None };
            if reads.is_empty() && sent.is_none() {
                break;
            }
            let load = self.store.load(&reads, Consistency::Strong);
            let (more, ()) = tokio::try_join!(load, self.upload(target, sent, upload))?;
            read.extend(more);
            requested.extend(reads);
        }
        // 2. Checks the ETag, which covers everything that GET renders.
        let tagged = match tags {
            Some(tags) => {
                let record = target.record(&read)?.clone();
                read = self.load_top_level(std::slice::from_ref(&record), read).await?;
                let is_covered = check_tags(tags, &record, &read)?;
                self.upload(target, image, upload).await?;
                Some(record).filter(|_| is_covered)
            }
            None => None,
        };
        // 3. Plans.
        let context = PlanContext { now: self.now, upload: upload.as_ref(), store: &self.store };
        let Plan { mut write_set, content, tombstone } = verb.plan(target, &mut read, &context)?;
        if let Some(record) = tagged.filter(|_| !write_set.writes.is_empty()) {
            require_unchanged_as_rendered(&record, &read, &mut write_set);
            // The response may embed other records, such as a new parent.
            content.records().iter().for_each(|shown| require_unchanged_embedded(shown, &read, &mut write_set));
        }
        // 4. Renders the response before the commit. After the commit, nothing can fail.
        let read = self.load_top_level(content.records(), read).await?;
        if content.records().iter().any(|record| read.lacks_texts(record)) {
            return Err(CommitError::Outdated);
        }
        Ok(PreparedRequest { write_set, response: self.response(content, &read)?, tombstone })
    }

    /// Reads everything that GET renders of the records. The response may render less, but its ETag is that of GET.
    async fn load_top_level(&self, records: &[Record], read: Snapshot) -> Result<Snapshot> {
        self.store.load_to_render(records, read, Depth::TopLevel, Consistency::Strong).await
    }

    fn response(&self, content: ResponseContent, read: &Snapshot) -> Result<Response> {
        let rendered = |record: &Record| self.render_record(record, read, write_response_depth(record.key.resource));
        let tagged = |record: &Record| self.render_tagged(record, read, write_response_depth(record.key.resource));
        match content {
            ResponseContent::Record(record) => {
                let (rendered, etag) = tagged(&record)?;
                Ok(Response::record(rendered).with_etag(etag))
            }
            ResponseContent::Untagged(record, depth) => Ok(Response::record(self.render_record(&record, read, depth)?)),
            ResponseContent::Created(record) => {
                let (rendered, etag) = tagged(&record)?;
                Ok(Response::created(rendered, Some(format!("/{}", record.key))).with_etag(etag))
            }
            ResponseContent::Imported(record) => {
                let (rendered, etag) = tagged(&record)?;
                Ok(Response::created(rendered, None).with_etag(etag))
            }
            ResponseContent::List(records) => {
                let rendered = records.iter().map(rendered).collect::<Result<Vec<_>>>()?;
                Ok(Response::created(format!("[{}]", rendered.join(",")), None))
            }
            ResponseContent::Response(response) => Ok(response),
        }
    }

    /// Assigns an image name, and a record: the existing record at the end of the path, or a new one.
    fn upload_for(&self, target: &ResolvedPath, resource: &'static Resource) -> Result<Upload> {
        let at_end = target.key().ok().filter(|key| key.resource == resource);
        let record = at_end.unwrap_or_else(|| Key::new(resource, self.store.next_id(self.now)));
        Ok(Upload { record, name: self.store.next_image_name()? })
    }

    /// Uploads an image. Its name is stored in `upload` first, which allows the caller to delete it after a failure.
    async fn upload(
        &self,
        target: &ResolvedPath,
        image: Option<(&SentImage, &'static Resource)>,
        upload: &mut Option<Upload>,
    ) -> Result<()> {
        let Some((image, resource)) = image else { return Ok(()) };
        let Upload { record, name } = upload.insert(self.upload_for(target, resource)?);
        self.store.put_image(name, *record, image.format.content_type(), image.bytes.clone()).await
    }

    /// Writes the current version of a record. Its version in an index, `listed`, is tried before the record is read.
    pub(super) async fn write_current<F>(
        &self,
        key: Key,
        mut listed: Option<Record>,
        write: impl Fn(Record) -> F,
    ) -> Result<()>
    where
        F: Future<Output = Result<(), CommitError>>,
    {
        retry_conflicts(|| {
            let (listed, write) = (listed.take(), &write);
            async move {
                let current = match listed {
                    Some(record) => Some(record),
                    None => self.store.get(key).await?,
                };
                match current {
                    Some(record) => write(record).await,
                    None => Ok(()),
                }
            }
        })
        .await
    }

    /// Commits a write set together with a tombstone for everything to delete afterwards, then deletes it. Most write
    /// sets leave nothing to delete and store no tombstone.
    pub(super) async fn commit_with_tombstone(
        &self,
        mut write_set: WriteSet,
        tombstone: Tombstone,
    ) -> Result<Option<PendingDeletion>, CommitError> {
        // Requests that started before the commit may still store children.
        let stored_at = Some(current_time(self.now, &self.store));
        let tombstone = Tombstone { stored_at, ..tombstone };
        let Some((pk, tombstone)) = write_set.add_tombstone(tombstone, self.store.next_id(self.now), self.now)? else {
            self.store.commit(&write_set).await?;
            return Ok(None);
        };
        self.store.commit(&write_set).await?;
        // The request is committed. If a deletion fails from here on, the upkeep continues it.
        let pending = PendingDeletion { pk, since: self.now, tombstone };
        let cleared = timeout(MAX_CLEARING_TIME, self.store.delete_named(&pending)).await;
        let has_children = pending.tombstone.parent.is_some() || pending.tombstone.redacted.is_some();
        if matches!(cleared, Ok(Ok(()))) && !has_children {
            let _ = self.store.delete_tombstone(&pending).await;
        }
        Ok(Some(pending))
    }
}

/// Returns the current time, by the clock of a request that started at `now`.
pub(crate) fn current_time(now: Timestamp, store: &Store) -> Timestamp {
    let elapsed = time::Duration::try_from(store.cost().started().elapsed()).unwrap_or_default();
    now.checked_add(elapsed).unwrap_or(now)
}

/// Checks the condition on the record's ETag (412). Returns true if the write must be conditional on everything that GET
/// renders. A record that embeds more than [`MAX_EMBEDDED`] others is too large for that, so `If-Match` is refused, and
/// `If-None-Match` is only compared with what was read.
fn check_tags(tags: &EtagPreconditions, record: &Record, read: &Snapshot) -> Result<bool, CommitError> {
    if read.is_inconsistent(record, Depth::TopLevel) {
        return Err(CommitError::Outdated);
    }
    let tag = Execution::etag(record, read)?;
    tags.check_if_none_match(&tag)?;
    let is_covered = embedded(record, read, Depth::TopLevel).len() <= MAX_EMBEDDED;
    if !is_covered && tags.if_match.as_ref().is_some_and(|tags| !tags.is_any) {
        return Err(Error::too_many_embedded(MAX_EMBEDDED).into());
    }
    tags.check_if_match(&tag)?;
    Ok(is_covered)
}

/// Repeats an attempt until it no longer conflicts with other requests.
///
/// # Errors
/// The error of the attempt, or 503 if every attempt conflicts.
pub(crate) async fn retry_conflicts<T, F>(mut attempt: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T, CommitError>>,
{
    let mut attempts = Backoff::default();
    loop {
        match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => attempts.back_off(error).await?,
        }
    }
}

/// Counter of a request's attempts, with the backoff between them.
pub(crate) struct Backoff {
    attempts: u32,
    first_wait_millis: u64,
    max_wait_millis: u64,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { attempts: 0, first_wait_millis: 2, max_wait_millis: MAX_WAIT_MILLIS }
    }
}

impl Backoff {
    /// Creates a counter for one of several competing feed writers. The more writers compete, the longer each waits.
    pub(crate) fn for_feed_writers(writers: usize) -> Self {
        let writers = writers.max(4) as u64;
        let max_wait_millis = (writers * writers).min(MAX_FEED_WAIT_MILLIS);
        Self { attempts: 0, first_wait_millis: writers, max_wait_millis }
    }

    /// Waits briefly before the next attempt if the commit can be retried. Otherwise returns the error.
    pub(crate) async fn back_off(&mut self, error: CommitError) -> Result<()> {
        let CommitError::Failed(error) = error else {
            self.attempts += 1;
            if self.attempts == ATTEMPTS {
                tracing::warn!("every attempt conflicted with another request");
                return Err(Error::unavailable());
            }
            let max_wait = (self.first_wait_millis << (self.attempts - 1).min(16)).min(self.max_wait_millis);
            tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=max_wait))).await;
            return Ok(());
        };
        Err(error)
    }
}
