//! Commits of write sets: atomic and exactly once.
//!
//! Two or more writes are one transaction with a client token, which DynamoDB applies once however often it is sent. A
//! single write is one call with its conditions, at half the price: see [`SingleWrite`] for a lost response.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ConsumedCapacity, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure,
};

use super::attribute::{Attributes, text, to_item};
use super::expression::{Action, express};
use super::fault::{fault, is_busy};
use super::{Store, back_off};
use crate::error::Error;
use crate::table::{CommitError, Item, Write, WriteSet};

/// The number of attempts of a transaction that conflicts with others.
const CONFLICT_ATTEMPTS: u32 = 14;
/// The number of attempts of a single write that is throttled or whose response is lost.
const SINGLE_ATTEMPTS: u32 = 5;

/// The result of one call.
enum Outcome {
    /// The write took effect.
    Done(Option<ConsumedCapacity>),
    /// A condition failed on the item.
    Refused(Option<Attributes>),
    /// The call was throttled and not carried out.
    Busy(Error),
    /// The call may or may not have taken effect.
    Unknown(Error),
    /// The call was invalid.
    Wrong(Error),
}

/// A single write, which may be sent several times and takes effect once.
///
/// If the response to an attempt is lost, the write may have taken effect. It is then sent again on the condition that the
/// attributes that it changes are as they were read: otherwise the repetition would overwrite later changes of others. If
/// that condition fails, DynamoDB returns the item. An item as the write leaves it shows that an earlier attempt succeeded.
/// Any other item leaves the result unknown, because another request may have changed the item since. The client then gets
/// the error of the lost response, 503.
struct SingleWrite<'a> {
    write: &'a Write,
    /// The write for the attempts after a lost response.
    again: Write,
    /// True if an attempt may have taken effect.
    may_be_done: bool,
    /// The error of the last attempt.
    last: Error,
}

impl<'a> SingleWrite<'a> {
    fn new(write: &'a Write) -> Self {
        Self { write, again: write.again(), may_be_done: false, last: Error::unavailable() }
    }

    /// Returns the write of the next attempt.
    fn to_send(&self) -> &Write {
        if self.may_be_done { &self.again } else { self.write }
    }

    /// Returns the result after the conditions have failed on an item.
    fn refused(self, write_set: &WriteSet, item: Option<Item>) -> Result<(), CommitError> {
        match self.may_be_done {
            false => Err(write_set.refusal(&[(0, item)])),
            true if self.write.is_done(item.as_ref()) => Ok(()),
            true => Err(self.last.into()),
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
        let mut single = SingleWrite::new(write);
        for attempt in 0..SINGLE_ATTEMPTS {
            back_off(attempt).await;
            let trip = self.cost.trip();
            let outcome = self.send_one(pk, single.to_send()).await;
            drop(trip);
            match outcome {
                Outcome::Done(consumed) => {
                    self.cost.wrote(consumed.as_slice());
                    return Ok(());
                }
                Outcome::Refused(item) => return single.refused(write_set, item.map(to_item)),
                Outcome::Wrong(error) => return Err(error.into()),
                Outcome::Busy(error) => single.last = error,
                Outcome::Unknown(error) => (single.last, single.may_be_done) = (error, true),
            }
        }
        Err(single.last.into())
    }

    async fn send_one(&self, pk: &str, write: &Write) -> Outcome {
        let (client, table): (&Client, _) = (&self.clients.unrepeated, &self.clients.names.table);
        let expressed = express(pk, write, self.clients.names.shards.write);
        /// Sets the parameters that all three kinds of writes share, and sends the request.
        macro_rules! send {
            ($request:expr, $error:ident) => {{
                let request = $request
                    .table_name(table)
                    .set_condition_expression(expressed.condition)
                    .set_expression_attribute_names(expressed.names)
                    .set_expression_attribute_values(expressed.values)
                    .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
                    .return_consumed_capacity(ReturnConsumedCapacity::Total);
                match request.send().await {
                    Ok(done) => Outcome::Done(done.consumed_capacity),
                    Err(SdkError::ServiceError(error))
                        if matches!(error.err(), $error::ConditionalCheckFailedException(_)) =>
                    {
                        match error.into_err() {
                            $error::ConditionalCheckFailedException(failed) => Outcome::Refused(failed.item),
                            _ => Outcome::Refused(None),
                        }
                    }
                    Err(error) => failure(&error),
                }
            }};
        }
        match expressed.action {
            Action::Put(item) => send!(client.put_item().set_item(Some(item)), PutItemError),
            Action::Update(expression) => {
                send!(client.update_item().key("pk", text(pk)).update_expression(expression), UpdateItemError)
            }
            Action::Delete => send!(client.delete_item().key("pk", text(pk)), DeleteItemError),
            // A single check stores nothing, so no call is needed.
            Action::Check => Outcome::Done(None),
        }
    }

    async fn commit_all(&self, write_set: &WriteSet) -> Result<(), CommitError> {
        let (table, shards) = (&self.clients.names.table, self.clients.names.shards.write);
        let parts = write_set.writes.iter().map(|(pk, write)| express(pk, write, shards).into_part(table, pk));
        let parts: Vec<_> = parts.collect();
        let token = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        for attempt in 0..CONFLICT_ATTEMPTS {
            back_off(attempt).await;
            let trip = self.cost.trip();
            let request = self.clients.dynamo.transact_write_items().set_transact_items(Some(parts.clone()));
            let request = request.client_request_token(&token).return_consumed_capacity(ReturnConsumedCapacity::Total);
            let sent = request.send().await;
            drop(trip);
            let error = match sent {
                Ok(done) => {
                    self.cost.wrote(done.consumed_capacity());
                    return Ok(());
                }
                Err(error) => error,
            };
            match cancellation(&error) {
                Some(reasons) if met_another(reasons) => {}
                Some(reasons) if reasons.iter().any(|reason| reason.code() == Some("ValidationError")) => {
                    return Err(fault(&error).into());
                }
                Some(reasons) => return Err(write_set.refusal(&failed(reasons))),
                None => return Err(fault(&error).into()),
            }
        }
        tracing::warn!("A transaction conflicted with others in every attempt");
        Err(Error::unavailable().into())
    }
}

/// Classifies a failed call whose conditions did not fail.
fn failure<E>(error: &SdkError<E>) -> Outcome
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let meaning = fault(error);
    if is_busy(error) {
        Outcome::Busy(meaning)
    } else if meaning.status().as_u16() == 503 {
        Outcome::Unknown(meaning)
    } else {
        Outcome::Wrong(meaning)
    }
}

/// Returns the positions of the writes whose conditions failed, each with its item.
fn failed(reasons: &[CancellationReason]) -> Vec<(usize, Option<Item>)> {
    let failed = reasons.iter().enumerate().filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"));
    failed.map(|(position, reason)| (position, reason.item.clone().map(to_item))).collect()
}

fn cancellation(error: &SdkError<TransactWriteItemsError>) -> Option<&[CancellationReason]> {
    match error.as_service_error()? {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => Some(cancelled.cancellation_reasons()),
        _ => None,
    }
}

/// True if a transaction failed only because of concurrent requests. The SDK does not retry such a transaction.
fn met_another(reasons: &[CancellationReason]) -> bool {
    let passing = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
    let mut codes = reasons.iter().filter_map(CancellationReason::code).filter(|code| *code != "None").peekable();
    codes.peek().is_some() && codes.all(|code| passing.contains(&code))
}
