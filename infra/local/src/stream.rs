//! Delivers the table's stream to the functions that the template names. As with Lambda, each function reads
//! separately, and records are delivered in order, retried until a call succeeds, and filtered by patterns.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use capture_core::lambda::stream::{Batch, EventName, ItemRecord, SequenceNumber};
use capture_core::schema::Timestamp;
use capture_core::store::Refusal;
use embedded::{Change, EmbeddedTable};
use tokio::sync::watch;

use crate::Error;
use crate::functions::Functions;
use crate::remote::RemoteStream;
use crate::template::Stream;

/// Minimum interval for polling the stream of an external table. It doubles while no records arrive.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum interval for polling.
const MAX_POLL_INTERVAL: Duration = Duration::from_secs(30);
/// Time to wait for more records after a write. Each delivery costs as much as three writes.
const GATHER_TIME: Duration = Duration::from_millis(10);
/// Time to wait while more than one record arrives per millisecond.
const BUSY_GATHER_TIME: Duration = Duration::from_millis(30);
/// First wait after a failed call. It doubles with each failure.
const MIN_WAIT: Duration = Duration::from_millis(50);
/// Maximum wait after a failed call.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Maximum number of changes per read.
const MAX_PAGE: usize = 1_000;
/// The only shard of the embedded table's stream.
const SHARD: &str = "embedded";

/// Progress of the functions that read the embedded table's stream: the number of the last change delivered to each.
#[derive(Clone)]
pub(crate) struct DeliveryProgress(Arc<Mutex<Vec<i64>>>);

impl DeliveryProgress {
    /// Creates the progress of this many functions, with nothing delivered.
    pub(crate) fn new(functions: usize) -> Self {
        Self(Arc::new(Mutex::new(vec![0; functions])))
    }

    /// Advances a function to a change. Returns the number of the last change delivered to all functions, if it has
    /// advanced.
    fn advance(&self, function: usize, number: i64) -> Option<i64> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let to_all = |last: &[i64]| last.iter().min().copied();
        let before = to_all(&last);
        *last.get_mut(function)? = number;
        to_all(&last).filter(|after| Some(*after) != before)
    }
}

/// The stream of a table.
pub(crate) enum Source {
    Embedded {
        table: EmbeddedTable,
        /// Number of the last change delivered to this function.
        last: i64,
        /// Index of the function in `delivered`. Changes delivered to all functions must be deleted.
        function: usize,
        delivered: DeliveryProgress,
    },
    /// The stream of an external table, which other processes may write to.
    Remote(Box<RemoteStream>),
}

/// A consumer that delivers a table's stream to one function.
pub(crate) struct StreamConsumer {
    pub(crate) source: Source,
    /// Changes with each of this process's writes.
    pub(crate) written: watch::Receiver<()>,
    pub(crate) functions: Functions,
    pub(crate) stream: Stream,
}

impl StreamConsumer {
    /// Starts the consumer. It ends when the stack stops.
    pub(crate) fn start(mut self, mut stopped: watch::Receiver<bool>) {
        tokio::spawn(async move {
            let (mut wait, mut interval, mut gather_time) = (MIN_WAIT, MIN_POLL_INTERVAL, GATHER_TIME);
            loop {
                let read = async {
                    match self.read().await {
                        Ok(records) => {
                            wait = MIN_WAIT;
                            interval =
                                if records > 0 { MIN_POLL_INTERVAL } else { (interval * 2).min(MAX_POLL_INTERVAL) };
                            let is_busy = records as u128 > gather_time.as_millis();
                            gather_time = if is_busy { BUSY_GATHER_TIME } else { GATHER_TIME };
                            if self.wait_for_records(interval, gather_time).await {
                                interval = MIN_POLL_INTERVAL;
                            }
                        }
                        Err(error) => {
                            tracing::warn!(%error, "records of the table's stream could not be delivered; retrying");
                            if let Source::Remote(stream) = &mut self.source
                                && wait == MAX_WAIT
                            {
                                stream.restart();
                            }
                            tokio::time::sleep(wait).await;
                            wait = (wait * 2).min(MAX_WAIT);
                        }
                    }
                };
                tokio::select! {
                    () = read => {}
                    _ = stopped.changed() => return,
                }
            }
        });
    }

    /// Waits until there may be new records. Returns true if this process has written.
    async fn wait_for_records(&mut self, interval: Duration, gather_time: Duration) -> bool {
        let is_embedded = matches!(self.source, Source::Embedded { .. });
        tokio::select! {
            Ok(()) = self.written.changed() => {
                tokio::time::sleep(gather_time).await;
                true
            }
            () = tokio::time::sleep(interval), if !is_embedded => false,
            else => std::future::pending().await,
        }
    }

    /// Delivers the available records. Returns their number.
    async fn read(&mut self) -> Result<usize, Error> {
        let mut count = 0;
        match &mut self.source {
            Source::Embedded { table, last, function, delivered } => loop {
                let changes = table.changes(*last, MAX_PAGE).map_err(Refusal::into_error)?;
                let Some(end) = changes.last().map(|change| change.number) else { return Ok(count) };
                count += changes.len();
                let is_full = changes.len() == MAX_PAGE;
                deliver(&self.functions, &self.stream, SHARD, changes.into_iter().map(record).collect()).await?;
                *last = end;
                if let Some(number) = delivered.advance(*function, end) {
                    table.trim_stream(number).await.map_err(Refusal::into_error)?;
                }
                // Changes stored from now on are read after their write is noticed.
                if !is_full {
                    return Ok(count);
                }
            },
            Source::Remote(stream) => {
                for mut page in stream.pages().await? {
                    count += page.records.len();
                    let records = std::mem::take(&mut page.records);
                    deliver(&self.functions, &self.stream, &page.shard, records).await?;
                    stream.advance(page).await?;
                }
                Ok(count)
            }
        }
    }
}

/// Delivers the records that match a function's patterns, in batches.
async fn deliver(
    functions: &Functions,
    stream: &Stream,
    shard: &str,
    mut records: Vec<ItemRecord>,
) -> Result<(), Error> {
    records.retain(|record| stream.receives(&record.pk, record.before.as_ref(), record.after.as_ref()));
    while !records.is_empty() {
        let rest = records.split_off(stream.batch.min(records.len()));
        let shard = stream.windowed.then(|| shard.to_owned());
        functions.deliver(&stream.function, Batch { records: std::mem::replace(&mut records, rest), shard }).await?;
    }
    Ok(())
}

/// Converts a change of the embedded table to a record of the stream.
fn record(Change { number, pk, time, before, after }: Change) -> ItemRecord {
    let event = EventName::of(before.as_ref(), after.as_ref());
    let sequence_number = SequenceNumber(number.to_string());
    ItemRecord { pk, event, sequence_number, before, after, time: Timestamp::from_unix_millis(time.into()) }
}
