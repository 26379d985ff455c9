//! The embedded table: a database file and its connections.

use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::task::Poll;
use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::store::{Call, Fault, Refusal, Reply, Table};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{oneshot, watch};

use crate::engine::{Change, EXPIRED_BATCH, Engine, Job};
use crate::refusal::{DAMAGED, sqlite_refusal};
use crate::{TableSettings, limits};

/// Interval between deletions of expired items.
const EXPIRY_INTERVAL: Duration = Duration::from_mins(1);
/// Number of idle connections above which connections of views are closed. Each has a cache.
const MAX_IDLE: usize = 4;
/// Maximum number of calls that are committed together.
const MAX_BATCH: usize = 32;

type Answer = Result<Reply, Refusal>;

/// A table in a file. All clones use the same connections.
#[derive(Clone)]
pub struct EmbeddedTable(Arc<Connections>);

/// Connections to the database. SQLite allows one writer and many readers at a time. A call takes less time than a
/// thread switch, so it runs on the calling thread.
struct Connections {
    path: PathBuf,
    /// Identity of the file, which differs from that of a replacement.
    identity: u64,
    settings: TableSettings,
    /// `None` after the table is closed.
    writer: Mutex<Option<Engine>>,
    /// Calls that wait for the writer, each with the channel for its result.
    waiting: Mutex<VecDeque<(Job, oneshot::Sender<Answer>)>>,
    /// Connections that no call is reading with. `None` after the table is closed.
    readers: Mutex<Option<Vec<Engine>>>,
    /// Notified of writes.
    written: watch::Sender<()>,
    is_damaged: AtomicBool,
}

/// Returns the refusal of calls after the table was closed or its file was lost.
fn table_closed() -> Refusal {
    Refusal::Unknown(Fault::coded("Database", "the table is closed, or its file is gone"))
}

/// Lets concurrent calls of a request start before the first one returns, as over a network, so they count as a single
/// round trip. Tokio's `yield_now` would also poll all connections for input, with a system call.
async fn yield_once() {
    let mut has_begun = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut has_begun, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl Table for EmbeddedTable {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Answer> {
        async move {
            yield_once().await;
            limits::check(&call)?;
            let answer = match Job::of(call) {
                Some(job) => self.0.write(job).await,
                None => self.0.read(|engine| engine.read(call)),
            };
            self.0.record_damage(answer)
        }
        .boxed()
    }

    fn is_damaged(&self) -> bool {
        self.0.is_damaged.load(Ordering::Relaxed)
    }

    fn pinned(&self) -> Option<Arc<dyn Table>> {
        let reader = self.0.reader().ok()?;
        reader.pin().ok()?;
        Some(Arc::new(Pinned { reader: Mutex::new(Some(reader)), connections: Arc::clone(&self.0) }))
    }
}

/// A view of the table at one moment. Its connection reads in a single transaction.
struct Pinned {
    /// Taken on drop.
    reader: Mutex<Option<Engine>>,
    connections: Arc<Connections>,
}

impl Table for Pinned {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Answer> {
        async move {
            yield_once().await;
            limits::check(&call)?;
            let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            self.connections.record_damage(reader.as_ref().ok_or_else(table_closed)?.read(call))
        }
        .boxed()
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let reader = self.reader.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // A connection that is still in its transaction is closed.
        if let Some(reader) = reader.filter(|reader| reader.unpin().is_ok())
            && let Some(readers) = self.connections.readers().as_mut().filter(|readers| readers.len() < MAX_IDLE)
        {
            readers.push(reader);
        }
    }
}

impl fmt::Debug for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pinned")
    }
}

impl fmt::Debug for EmbeddedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EmbeddedTable").field(&self.0.path).finish()
    }
}

impl EmbeddedTable {
    /// Opens the table in a file. `written` is notified of writes. `max_check` limits the time for checking the file;
    /// `None` skips the check.
    ///
    /// # Errors
    /// If the file cannot be opened, has another format, or is damaged.
    pub fn open(
        path: &Path,
        settings: TableSettings,
        max_check: Option<Duration>,
        written: watch::Sender<()>,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let mut writer = Engine::open(path, &settings)?;
        if let Some(max) = max_check
            && let Some(defect) = writer.first_defect(max)?
        {
            return Err(defect.into());
        }
        writer.create()?;
        let identity = system::identity(&std::fs::metadata(path)?);
        let (path, waiting) = (path.to_owned(), Mutex::default());
        let (writer, readers) = (Mutex::new(Some(writer)), Mutex::new(Some(Vec::new())));
        let is_damaged = AtomicBool::new(false);
        let connections = Connections { path, identity, settings, writer, waiting, readers, written, is_damaged };
        Ok(Self(Arc::new(connections)))
    }

    /// Copies the table in a file to an empty file, as of one moment, even while a service uses it.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn copy(path: &Path, to: &Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(Engine::copy(path, to)?)
    }

    /// Returns true if the file is still at its path. Writes to a deleted file would be lost.
    pub fn is_in_place(&self) -> bool {
        self.0.is_in_place()
    }

    /// Reads up to `limit` changes of items after a number.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn changes(&self, after: i64, limit: usize) -> Result<Vec<Change>, Refusal> {
        self.0.read(|engine| engine.changes(after, limit).map_err(|error| sqlite_refusal(&error)))
    }

    /// Deletes the changes up to a number from the stream.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub async fn trim_stream(&self, number: i64) -> Result<(), Refusal> {
        self.0.write(Job::TrimStream(number)).await.map(drop)
    }

    /// Starts deleting expired items every minute, until the process stops.
    pub fn start_expiry(&self, mut stopped: watch::Receiver<bool>) {
        let connections = Arc::clone(&self.0);
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(EXPIRY_INTERVAL);
            loop {
                tokio::select! {
                    _ = ticks.tick() => while connections.expire(Timestamp::now()).await {},
                    _ = stopped.changed() => return,
                }
            }
        });
    }

    /// Completes the current calls and closes the file. All later calls fail.
    pub fn close(&self) {
        let writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(self.0.readers().take());
        self.0.waiting().clear();
        // The last connection to close moves the write-ahead log into the file.
        drop(writer);
    }
}

impl Connections {
    fn is_in_place(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|metadata| system::identity(&metadata) == self.identity)
    }

    /// Records if a result shows that the file is damaged.
    fn record_damage(&self, answer: Answer) -> Answer {
        let is_damaged = |fault: &Fault| fault.code.as_deref() == Some(DAMAGED);
        if let Err(Refusal::Unknown(fault)) = &answer
            && is_damaged(fault)
            && !self.is_damaged.swap(true, Ordering::Relaxed)
        {
            let path = self.path.display();
            tracing::error!(
                "{path} is damaged: parts of it cannot be read. Stop the service, then restore a good copy or export what can be read."
            );
        }
        answer
    }

    /// Executes a call that reads.
    fn read<T>(self: &Arc<Self>, call: impl FnOnce(&Engine) -> Result<T, Refusal>) -> Result<T, Refusal> {
        // The writer has the latest pages in its cache. A reader has to read them again after each write.
        if let Some(mut writer) = self.idle_writer() {
            return call(writer.engine().ok_or_else(table_closed)?);
        }
        let reader = self.reader()?;
        let answer = call(&reader);
        self.readers().as_mut().ok_or_else(table_closed)?.push(reader);
        answer
    }

    /// Takes a connection that no call is reading with, or opens one.
    fn reader(&self) -> Result<Engine, Refusal> {
        if let Some(reader) = self.readers().as_mut().ok_or_else(table_closed)?.pop() {
            return Ok(reader);
        }
        let opened = Engine::open(&self.path, &self.settings);
        opened.map_err(|error| Refusal::Unknown(Fault::coded("Database", &error.to_string())))
    }

    /// Adds a call to the queue of the writer and waits for its result.
    async fn write(self: &Arc<Self>, job: Job) -> Answer {
        let (sender, answer) = oneshot::channel();
        self.waiting().push_back((job, sender));
        self.process_waiting();
        answer.await.unwrap_or_else(|_| Err(table_closed()))
    }

    /// Executes calls that wait for the writer, unless another thread is using it. No thread waits for another.
    fn process_waiting(self: &Arc<Self>) {
        let Some(mut writer) = self.idle_writer() else { return };
        let (jobs, channels): (Vec<_>, Vec<_>) = {
            let mut waiting = self.waiting();
            let count = waiting.len().min(MAX_BATCH);
            waiting.drain(..count).unzip()
        };
        let Some(engine) = writer.engine().filter(|_| !jobs.is_empty()) else { return };
        let answers = engine.execute_all(&jobs);
        // If no result is sent, the caller learns that the table is closed.
        if self.is_in_place() {
            for (channel, answer) in channels.into_iter().zip(answers) {
                let _ = channel.send(answer);
            }
        }
        if jobs.iter().any(|job| !matches!(job, Job::TrimStream(_))) {
            self.written.send_replace(());
        }
    }

    /// Takes the writer unless another thread is using it.
    fn idle_writer(self: &Arc<Self>) -> Option<Writer<'_>> {
        let engine = match self.writer.try_lock() {
            Ok(engine) => engine,
            // A call panicked. The writer rolls back its transaction.
            Err(TryLockError::Poisoned(engine)) => engine.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Writer { engine: Some(engine), connections: self })
    }

    /// Deletes some of the expired items. Returns true if there may be more.
    async fn expire(self: &Arc<Self>, now: Timestamp) -> bool {
        match self.write(Job::Expire(now.unix_seconds())).await {
            Ok(reply) => reply.unprocessed.len() == EXPIRED_BATCH as usize,
            Err(refusal) => {
                tracing::warn!(?refusal, "the embedded table could not delete expired items");
                false
            }
        }
    }

    fn readers(&self) -> MutexGuard<'_, Option<Vec<Engine>>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<(Job, oneshot::Sender<Answer>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A use of the writer. When it ends, another task executes the calls that arrived in the meantime.
struct Writer<'a> {
    engine: Option<MutexGuard<'a, Option<Engine>>>,
    connections: &'a Arc<Connections>,
}

impl Writer<'_> {
    /// Returns the connection. `None` if the table is closed.
    fn engine(&mut self) -> Option<&mut Engine> {
        self.engine.as_mut()?.as_mut()
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.engine = None;
        if !self.connections.waiting().is_empty() {
            let connections = Arc::clone(self.connections);
            tokio::spawn(async move { connections.process_waiting() });
        }
    }
}
