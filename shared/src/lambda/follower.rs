//! The follower: the second function on the table's stream, next to the sequencer. It pushes the feed's head to the
//! socket's connections, pays viewers by the rules of the channel, and carries out chat commands.
//!
//! A stream has at most two readers, so both tasks share one. Each new event moves the head, so the function would run
//! for it anyway. The sequencer waits for neither task, so they cannot delay the feed or the statistics.

use super::socket;
use super::stream::{Batch, EventName, ItemRecord};
use crate::error::{Error, Result};
use crate::feed::head::FEED_HEAD;
use crate::operations::Execution;
use crate::resources::EVENTS;
use crate::schema::{Record, Timestamp};
use crate::store::Store;
use crate::table::from_item;

/// Pushes the head if the batch changes it, pays for the new events in the batch, and carries out their commands.
///
/// # Errors
/// If a payment or a command's effect could not be stored. The whole batch then has to be delivered again.
pub async fn run(store: &Store, Batch { records, .. }: &Batch, now: Timestamp) -> Result<()> {
    let events: Vec<_> = records.iter().filter_map(new_event).collect();
    let push = async {
        if records.iter().any(|record| record.pk == FEED_HEAD) {
            socket::push_head(&store.for_request(), now).await;
        }
    };
    let execution = Execution::in_background(store, now);
    // A viewer may spend what an earlier message has earned.
    let work = async {
        let payments = execution.pay_for_events(&events).await?;
        execution.run_commands(&events).await?;
        Ok::<_, Error>(payments)
    };
    let ((), payments) = tokio::join!(push, work);
    let payments = payments?;
    if payments > 0 {
        tracing::info!(payments, "paid");
    }
    Ok(())
}

/// Returns the event that a change created. An imported event is not new.
fn new_event(change: &ItemRecord) -> Option<Record> {
    let item = change.after.as_ref().filter(|_| change.event == EventName::Insert && !change.is_import())?;
    from_item(|name| item.get(name).cloned()).filter(|event| event.key.resource == &EVENTS)
}
