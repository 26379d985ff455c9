//! Receives request bodies in bounded memory.
//!
//! While it is processed, a body takes about ten times its size in memory: as an event, as JSON, decoded, and on the
//! way to the bucket. Complete bodies therefore wait for room. An incomplete body gets no room and is written to a file
//! instead. Its client decides when the rest arrives, and could otherwise block all others. A body waits only for
//! bodies that are being processed, never for a client.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, HttpBody};
use bytes::Bytes;
use capture_core::error::Error as Problem;
use futures_util::StreamExt;
use http::{HeaderMap, header};
use system::private_file;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

/// The platform's limit for a request to the gateway, in bytes.
const MAX_BODY: usize = 10 * 1024 * 1024;
/// Maximum time to receive a body. The platform gives an entire request 30 seconds.
const MAX_TIME: Duration = Duration::from_secs(30);
/// Maximum number of bytes read from a rejected body.
const MAX_DISCARDED: usize = 20 * MAX_BODY;
/// Maximum total size of the bodies that are processed concurrently, in bytes.
const MAX_MEMORY: usize = 24 * 1024 * 1024;
/// Maximum size of a body that stays in memory and needs no permit, in bytes. Most are far smaller.
const MAX_SMALL_BODY: usize = 64 * 1024;
/// Interval within which a body must make progress, unless silent clients are dropped earlier.
const INTERVAL: Duration = Duration::from_secs(10);
/// Bytes that must arrive in each interval. At this pace, that of a modem, a small body would take 40 seconds.
const MIN_PROGRESS: usize = 16 * 1024;

/// Receiver of bodies, shared by all requests.
#[derive(Clone)]
pub(crate) struct Bodies {
    /// Folder for incomplete bodies.
    folder: Arc<Path>,
    /// Interval within which a body must make progress.
    interval: Duration,
    memory: Arc<Semaphore>,
}

/// A complete body.
pub(crate) struct Received {
    pub(crate) bytes: Vec<u8>,
    /// Share of `MAX_MEMORY` that the body takes unless it is small. Dropping it frees the share.
    pub(crate) permit: Option<OwnedSemaphorePermit>,
}

impl Bodies {
    /// Receives bodies through files in `folder`. A client that is silent for `client_silence` is dropped.
    pub(crate) fn in_folder(folder: &Path, client_silence: Duration) -> Self {
        Self {
            folder: folder.into(),
            interval: INTERVAL.min(client_silence),
            memory: Arc::new(Semaphore::new(MAX_MEMORY)),
        }
    }

    /// Receives a body, then waits until there is room for it, in the order of completion.
    pub(crate) async fn receive(&self, body: Body) -> Result<Received, Problem> {
        let is_declared_larger = body.size_hint().lower() > MAX_BODY as u64;
        let mut chunks = Chunks::of(body, self.interval);
        let mut unfinished = PartialBody::default();
        if is_declared_larger || !self.fill(&mut unfinished, &mut chunks).await? {
            chunks.discard();
            let detail = format!("The request is too large. Send at most {MAX_BODY} bytes.");
            return Err(Problem::payload_too_large(detail));
        }
        let mut permit = None;
        if unfinished.file.is_some() {
            let size = u32::try_from(unfinished.size).map_err(|_| Problem::fault())?;
            permit = Arc::clone(&self.memory).acquire_many_owned(size).await.ok();
        }
        let bytes = unfinished.into_bytes().await.map_err(|error| unavailable(&error))?;
        Ok(Received { bytes, permit })
    }

    /// Stores a body as it arrives. Returns false if it is too large.
    async fn fill(&self, unfinished: &mut PartialBody, chunks: &mut Chunks) -> Result<bool, Problem> {
        let deadline = Instant::now() + MAX_TIME;
        while let Some(chunk) = timeout_at(deadline, chunks.next()).await.unwrap_or(Some(Err(Interrupted))) {
            let detail = "The body was incomplete or took too long. Send the request again.";
            let chunk = chunk.map_err(|Interrupted| Problem::malformed_body(detail))?;
            if unfinished.size + chunk.len() > MAX_BODY {
                return Ok(false);
            }
            unfinished.push(&chunk, &self.folder).await.map_err(|error| unavailable(&error))?;
        }
        Ok(true)
    }
}

/// Reads the rest of a rejected body, within limits. A client that is still sending would not read the response. A
/// client that waits for permission to send does not get it.
pub(crate) fn discard(body: Body, headers: &HeaderMap) {
    if !body.is_end_stream() && !headers.contains_key(header::EXPECT) {
        Chunks::of(body, INTERVAL).discard();
    }
}

/// The client has disconnected, or its body did not progress.
struct Interrupted;

/// Chunks of a body that must make progress.
struct Chunks {
    stream: BodyDataStream,
    interval: Duration,
    /// End of the current interval, and the bytes received in it.
    current: (Instant, usize),
}

impl Chunks {
    fn of(body: Body, interval: Duration) -> Self {
        Self { stream: body.into_data_stream(), interval, current: (Instant::now() + interval, 0) }
    }

    async fn next(&mut self) -> Option<Result<Bytes, Interrupted>> {
        loop {
            let (end, received) = &mut self.current;
            match timeout_at(*end, self.stream.next()).await {
                Ok(Some(Ok(chunk))) => {
                    *received += chunk.len();
                    return Some(Ok(chunk));
                }
                Ok(None) => return None,
                Err(_) if *received >= MIN_PROGRESS => self.current = (Instant::now() + self.interval, 0),
                Ok(Some(Err(_))) | Err(_) => return Some(Err(Interrupted)),
            }
        }
    }

    fn discard(mut self) {
        tokio::spawn(timeout(MAX_TIME, async move {
            let mut size = 0;
            while let Some(Ok(chunk)) = self.next().await
                && size < MAX_DISCARDED
            {
                size += chunk.len();
            }
        }));
    }
}

/// A partly received body: in memory while it is small, then in a file.
#[derive(Default)]
struct PartialBody {
    size: usize,
    memory: Vec<u8>,
    file: Option<File>,
}

impl PartialBody {
    async fn push(&mut self, chunk: &[u8], folder: &Path) -> io::Result<()> {
        self.size += chunk.len();
        if self.size <= MAX_SMALL_BODY {
            self.memory.extend_from_slice(chunk);
            return Ok(());
        }
        let file = if let Some(file) = &mut self.file {
            file
        } else {
            let file = self.file.insert(unnamed_file(folder)?);
            file.write_all(&std::mem::take(&mut self.memory)).await?;
            file
        };
        file.write_all(chunk).await
    }

    /// Reads the entire body.
    async fn into_bytes(self) -> io::Result<Vec<u8>> {
        let Some(mut file) = self.file else { return Ok(self.memory) };
        file.flush().await?;
        file.rewind().await?;
        let mut bytes = vec![0; self.size];
        file.read_exact(&mut bytes).await?;
        Ok(bytes)
    }
}

/// Creates a file and deletes its name. The file is freed after its last use, even if the process is killed.
fn unnamed_file(folder: &Path) -> io::Result<File> {
    let path = folder.join(format!("body-{:016x}", fastrand::u64(..)));
    let file = private_file().read(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(File::from_std(file))
}

fn unavailable(error: &io::Error) -> Problem {
    tracing::error!(%error, "a body could not be stored");
    Problem::unavailable()
}
