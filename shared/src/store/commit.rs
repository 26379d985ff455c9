//! Storing a unit of work, whole or not at all, exactly once.
//!
//! One write is a single call, at half the price of a transaction; its conditions come with it. Where the answer to it may
//! have been lost, it is sent again, on the condition that what it changes is as it was: else it would take effect over what others
//! have written since. Where that does not hold, how the item is tells whether it took effect before; where another has
//! changed it since, nobody knows, and the client is told so.

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
use crate::plan::{CommitError, Item, Write, WriteSet};

/// How often a transaction that meets others is sent.
const CONFLICT_ATTEMPTS: u32 = 14;
/// How often a single write is sent, where it is throttled or its answer is lost.
const SINGLE_ATTEMPTS: u32 = 5;

/// What became of one call.
enum Outcome {
    /// It took effect.
    Done(Option<ConsumedCapacity>),
    /// Its conditions did not hold of the item.
    Refused(Option<Attributes>),
    /// It was not carried out, for there are too many.
    Busy(Error),
    /// Nobody knows.
    Unknown(Error),
    /// It was wrong.
    Wrong(Error),
}

impl Store {
    /// Stores a unit of work.
    ///
    /// # Errors
    /// [`CommitError`], and then nothing of it was stored, if that [is certain](CommitError::is_certain).
    pub async fn commit(&self, write_set: &WriteSet) -> Result<(), CommitError> {
        let mut writes = write_set.writes.iter();
        match (writes.next(), writes.next()) {
            (None, _) => Ok(()),
            (Some((pk, write)), None) => self.commit_one(write_set, pk, write).await,
            _ => self.commit_all(write_set).await,
        }
    }

    async fn commit_one(&self, write_set: &WriteSet, pk: &str, write: &Write) -> Result<(), CommitError> {
        let (mut failed, mut may_be_done) = (Error::unavailable(), false);
        let again = write.again();
        for attempt in 0..SINGLE_ATTEMPTS {
            back_off(attempt).await;
            let trip = self.cost.trip();
            let outcome = self.send_one(pk, if may_be_done { &again } else { write }).await;
            drop(trip);
            match outcome {
                Outcome::Done(consumed) => {
                    self.cost.wrote(consumed.as_slice());
                    return Ok(());
                }
                Outcome::Refused(item) => {
                    let item = item.map(to_item);
                    if !may_be_done {
                        return Err(write_set.refusal(&[(0, item)]));
                    }
                    // If it is not as this write has left it, it was never sent, or another has changed it since: nobody knows.
                    return if write.is_done(item.as_ref()) { Ok(()) } else { Err(failed.into()) };
                }
                Outcome::Wrong(error) => return Err(error.into()),
                Outcome::Busy(error) => failed = error,
                Outcome::Unknown(error) => (failed, may_be_done) = (error, true),
            }
        }
        Err(failed.into())
    }

    async fn send_one(&self, pk: &str, write: &Write) -> Outcome {
        let (client, table): (&Client, _) = (&self.clients.unrepeated, &self.clients.names.table);
        let expressed = express(pk, write, self.clients.names.shards.write);
        /// Fills in what all three kinds of writes have, and sends it.
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
            // A look at an item is no work; where there is nothing but conditions, nothing is to be stored.
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
        tracing::warn!("a transaction met others in every attempt");
        Err(Error::unavailable().into())
    }
}

/// What a call that failed otherwise than by its conditions has come to.
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

/// The parts of a transaction whose conditions did not hold, and how their items are.
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

/// Whether a transaction failed only because of others at the same time: the SDK does not retry this.
fn met_another(reasons: &[CancellationReason]) -> bool {
    let passing = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
    let mut codes = reasons.iter().filter_map(CancellationReason::code).filter(|code| *code != "None").peekable();
    codes.peek().is_some() && codes.all(|code| passing.contains(&code))
}
