//! Commits of write sets, atomic and exactly once.
//!
//! Two or more writes are one transaction with a client token, which DynamoDB applies once no matter how often it is
//! sent. A single write is one conditional call at half the price. [`SingleWrite`] handles a lost response.

use super::{Call, Refusal, Store, back_off};
use crate::error::Error;
use crate::table::{Action, CommitError, Item, Write, WriteSet};

/// Attempts of a transaction that conflicts with other requests.
const CONFLICT_ATTEMPTS: u32 = 14;
/// Attempts of a single write that is throttled or loses its response.
const SINGLE_ATTEMPTS: u32 = 5;

/// A single write, which may be sent several times but takes effect once.
///
/// If the response to an attempt is lost, the write may have taken effect. It is then resent on the condition that the
/// attributes it changes are still as they were read; otherwise the retry would overwrite later changes by other
/// requests. If that condition fails, DynamoDB returns the item. An item as the write leaves it shows that an earlier
/// attempt succeeded. Any other item leaves the outcome unknown: another request may have changed it since. The client
/// then gets the error of the lost response, 503.
struct SingleWrite<'a> {
    write: &'a Write,
    /// Write for the attempts after a lost response.
    retry: Write,
    /// Whether a response was lost. An attempt may then have taken effect.
    outcome_unknown: bool,
    last_error: Error,
}

impl<'a> SingleWrite<'a> {
    fn new(write: &'a Write) -> Self {
        Self { write, retry: write.for_retry(), outcome_unknown: false, last_error: Error::unavailable() }
    }

    /// Returns the write of the next attempt.
    fn next_attempt(&self) -> &Write {
        if self.outcome_unknown { &self.retry } else { self.write }
    }

    /// Determines the result after the conditions failed on an item.
    fn conclude(self, item: Option<Item>, write_set: &WriteSet) -> Result<(), CommitError> {
        match self.outcome_unknown {
            false => Err(write_set.failure(&[(0, item)])),
            true if self.write.is_done(item.as_ref()) => Ok(()),
            true => Err(self.last_error.into()),
        }
    }
}

impl Store {
    /// Commits a write set.
    ///
    /// # Errors
    /// [`CommitError`]. If it [is certain](CommitError::is_certain), nothing was stored.
    pub async fn commit(&self, write_set: &WriteSet) -> Result<(), CommitError> {
        let mut writes = write_set.writes.iter();
        match (writes.next(), writes.next()) {
            (None, _) => Ok(()),
            (Some((pk, write)), None) => self.commit_one(write_set, pk, write).await,
            _ => self.commit_all(write_set).await,
        }
    }

    async fn commit_one(&self, write_set: &WriteSet, pk: &str, write: &Write) -> Result<(), CommitError> {
        // A single check stores nothing and needs no call.
        if write.action() == Action::Check {
            return Ok(());
        }
        let mut single = SingleWrite::new(write);
        for attempt in 0..SINGLE_ATTEMPTS {
            back_off(attempt).await;
            let trip = self.cost.start_trip();
            let sent = self.table.send(Call::Write { pk, write: single.next_attempt() }).await;
            drop(trip);
            match sent {
                Ok(reply) => {
                    self.cost.add_written(reply.units);
                    return Ok(());
                }
                Err(Refusal::Conditions(failed)) => {
                    return single.conclude(failed.into_iter().next().and_then(|(_, item)| item), write_set);
                }
                Err(refusal @ Refusal::Invalid(_)) => return Err(refusal.into_error().into()),
                Err(refusal) => {
                    single.outcome_unknown |= matches!(refusal, Refusal::Unknown(_));
                    single.last_error = refusal.into_error();
                }
            }
        }
        Err(single.last_error.into())
    }

    async fn commit_all(&self, write_set: &WriteSet) -> Result<(), CommitError> {
        let token = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        for attempt in 0..CONFLICT_ATTEMPTS {
            back_off(attempt).await;
            match self.send(Call::Transact { writes: &write_set.writes, token: &token }).await {
                Ok(_) => return Ok(()),
                Err(Refusal::Conflict) => {}
                Err(Refusal::Conditions(failed)) => return Err(write_set.failure(&failed)),
                Err(refusal) => return Err(refusal.into_error().into()),
            }
        }
        tracing::warn!("every attempt of a transaction conflicted with others");
        Err(Error::unavailable().into())
    }
}
