//! Heartbeats: items that follow all earlier changes through the table's stream to the sequencer. They show the refresh
//! how far the sequencer has read.

use std::time::{Duration, Instant};

use crate::error::Result;
use crate::schema::{StoredValue, Timestamp};
use crate::store::{Expected, Store, in_parallel};
use crate::table::{CommitError, WriteSet};

/// Number of heartbeats. Each shows the delay of one shard of the table's stream. A new table has four shards: 16 keys
/// miss one of them with a probability of 4 percent, four keys with 91 percent.
pub const HEARTBEATS: u64 = 16;
/// Prefix of heartbeat keys.
pub const HEARTBEAT: &str = "rollups/heartbeat/";
/// Key of the heartbeats that the sequencer has received.
const RECEIVED: &str = "rollups/received";
const TIME: &str = "time";
/// Maximum time to wait for the sequencer to receive the heartbeats.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// First pause between two polls. It doubles up to `MAX_PAUSE`, since every poll is a read.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const MAX_PAUSE: Duration = Duration::from_secs(1);

impl Store {
    /// Writes the heartbeats, which follow all earlier changes through the table's stream to the sequencer.
    pub(super) async fn send_heartbeats(&self, now: Timestamp) -> Result<()> {
        let send = |number| async move {
            let key = format!("{HEARTBEAT}{number}");
            self.put_if(&key, TIME, Expected::Any, &now.to_string()).await
        };
        in_parallel((0..HEARTBEATS).map(send)).await.map(drop)
    }

    /// Records that the sequencer has received heartbeats, each a number with its time, and has marked the segments of
    /// all earlier changes in their shard.
    ///
    /// # Errors
    /// Only if the store fails.
    pub(crate) async fn receive_heartbeats(&self, heartbeats: &[(&str, &str)]) -> Result<()> {
        if heartbeats.is_empty() {
            return Ok(());
        }
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(RECEIVED.to_owned());
        for (number, time) in heartbeats {
            write.put_attribute(number, Some(StoredValue::Text((*time).to_owned())));
        }
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Waits briefly for the heartbeats sent at a time. Returns the time before which all heartbeats were received.
    pub(super) async fn wait_for_heartbeats(&self, sent: Timestamp, deadline: Instant) -> Result<Option<Timestamp>> {
        let (end, mut pause) = (deadline.min(Instant::now() + MAX_WAIT), FIRST_PAUSE);
        loop {
            let received = self.get_values(RECEIVED).await?;
            // A later heartbeat was sent before the clock was set back and shows nothing.
            let time = |number: u64| Timestamp::parse(received.get(&number.to_string())?);
            let times = (0..HEARTBEATS).map(|number| time(number).filter(|time| *time <= sent));
            let received_up_to = times.collect::<Option<Vec<_>>>().and_then(|times| times.into_iter().min());
            if received_up_to >= Some(sent) || Instant::now() >= end {
                return Ok(received_up_to);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }
}
