//! Commits of write sets: atomic and exactly once.
//!
//! Two or more writes are one transaction with a client token, which DynamoDB applies once however often it is sent. A
//! single write is one call with its conditions, because that has half the price: see [`SingleWrite`] for a lost
//! response.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ConditionCheck, ConsumedCapacity, Delete, Put, ReturnConsumedCapacity,
    ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use http::StatusCode;

use super::fault::{fault, is_busy};
use super::get::{Attributes, key};
use super::{Store, back_off};
use crate::error::Error;
use crate::table::{CommitError, Item, Write, WriteAction, WriteExpression, WriteSet, item_from};

/// Attempts of a transaction that conflicts with others.
const CONFLICT_ATTEMPTS: u32 = 14;
/// Attempts of a single write that is throttled or whose response is lost.
const SINGLE_ATTEMPTS: u32 = 5;

/// Result of one call.
enum Outcome {
    /// Write took effect.
    Done(Option<ConsumedCapacity>),
    /// A condition failed on the item.
    Refused(Option<Attributes>),
    /// The call was throttled and not carried out.
    Busy(Error),
    /// The call may or may not have taken effect.
    Unknown(Error),
    /// The call was invalid.
    Failed(Error),
}

/// A single write, which may be sent several times and takes effect once.
///
/// If the response to an attempt is lost, the write may have taken effect. It is then sent again on the condition that
/// the attributes that it changes are as they were read: otherwise the repetition would overwrite later changes of
/// others. If that condition fails, DynamoDB returns the item. An item as the write leaves it shows that an earlier
/// attempt succeeded. Any other item leaves the result unknown, because another request may have changed the item
/// since. The client then gets the error of the lost response, 503.
struct SingleWrite<'a> {
    write: &'a Write,
    /// Write for the attempts after a lost response.
    retry: Write,
    /// True after a lost response: an attempt may have taken effect.
    outcome_unknown: bool,
    last_error: Error,
}

impl<'a> SingleWrite<'a> {
    fn new(write: &'a Write) -> Self {
        Self { write, retry: write.for_retry(), outcome_unknown: false, last_error: Error::unavailable() }
    }

    /// Choose the write of the next attempt.
    fn next_attempt(&self) -> &Write {
        if self.outcome_unknown { &self.retry } else { self.write }
    }

    /// Conclude the result when the conditions have failed on an item.
    fn conclude(self, item: Option<Item>, write_set: &WriteSet) -> Result<(), CommitError> {
        match self.outcome_unknown {
            false => Err(write_set.failure(&[(0, item)])),
            true if self.write.is_done(item.as_ref()) => Ok(()),
            true => Err(self.last_error.into()),
        }
    }
}

impl Store {
    /// Commit a write set.
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
            let trip = self.cost.start_trip();
            let outcome = self.send_one(pk, single.next_attempt()).await;
            drop(trip);
            match outcome {
                Outcome::Done(consumed) => {
                    self.cost.add_written(consumed.as_slice());
                    return Ok(());
                }
                Outcome::Refused(item) => return single.conclude(item.map(item_from), write_set),
                Outcome::Failed(error) => return Err(error.into()),
                Outcome::Busy(error) => single.last_error = error,
                Outcome::Unknown(error) => (single.last_error, single.outcome_unknown) = (error, true),
            }
        }
        Err(single.last_error.into())
    }

    async fn send_one(&self, pk: &str, write: &Write) -> Outcome {
        let (client, table): (&Client, _) = (&self.clients.unrepeated, &self.clients.names.table);
        let expression = WriteExpression::new(pk, write, self.clients.names.shards.write);
        /// Sets the parameters that all three kinds of writes share, and sends the request.
        macro_rules! send {
            ($request:expr, $error:ident) => {{
                let request = $request
                    .table_name(table)
                    .set_condition_expression(expression.condition)
                    .set_expression_attribute_names(expression.names)
                    .set_expression_attribute_values(expression.values.map(Into::into))
                    .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
                    .return_consumed_capacity(ReturnConsumedCapacity::Total);
                match Box::pin(request.send()).await {
                    Ok(response) => Outcome::Done(response.consumed_capacity),
                    Err(SdkError::ServiceError(error))
                        if matches!(error.err(), $error::ConditionalCheckFailedException(_)) =>
                    {
                        match error.into_err() {
                            $error::ConditionalCheckFailedException(failed) => Outcome::Refused(failed.item),
                            _ => Outcome::Refused(None),
                        }
                    }
                    Err(error) => classify(&error),
                }
            }};
        }
        let key = Some(key(pk));
        match expression.action {
            WriteAction::Put(item) => send!(client.put_item().set_item(Some(item.into())), PutItemError),
            WriteAction::Update(update) => {
                send!(client.update_item().set_key(key).update_expression(update), UpdateItemError)
            }
            WriteAction::Delete => send!(client.delete_item().set_key(key), DeleteItemError),
            // A single check stores nothing, so no call is needed.
            WriteAction::Check => Outcome::Done(None),
        }
    }

    async fn commit_all(&self, write_set: &WriteSet) -> Result<(), CommitError> {
        let (table, shards) = (&self.clients.names.table, self.clients.names.shards.write);
        let writes = write_set.writes.iter();
        let items = writes.map(|(pk, write)| transaction_item(table, pk, WriteExpression::new(pk, write, shards)));
        let items: Vec<_> = items.collect();
        let token = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        for attempt in 0..CONFLICT_ATTEMPTS {
            back_off(attempt).await;
            let trip = self.cost.start_trip();
            let request = self.clients.dynamo.transact_write_items().set_transact_items(Some(items.clone()));
            let request = request.client_request_token(&token).return_consumed_capacity(ReturnConsumedCapacity::Total);
            let sent = Box::pin(request.send()).await;
            drop(trip);
            let error = match sent {
                Ok(response) => {
                    self.cost.add_written(response.consumed_capacity());
                    return Ok(());
                }
                Err(error) => error,
            };
            match cancellation(&error) {
                Some(reasons) if is_transient(reasons) => {}
                Some(reasons) if reasons.iter().any(|reason| reason.code() == Some("ValidationError")) => {
                    return Err(fault(&error).into());
                }
                Some(reasons) => return Err(write_set.failure(&failed_writes(reasons))),
                None => return Err(fault(&error).into()),
            }
        }
        tracing::warn!("every attempt of a transaction conflicted with others");
        Err(Error::unavailable().into())
    }
}

/// Render an item of a transaction.
fn transaction_item(table: &str, pk: &str, expression: WriteExpression) -> TransactWriteItem {
    /// Sets the parameters that all four kinds of items share.
    macro_rules! build {
        ($builder:expr) => {
            $builder
                .table_name(table)
                .set_condition_expression(expression.condition)
                .set_expression_attribute_names(expression.names)
                .set_expression_attribute_values(expression.values.map(Into::into))
                .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
                .build()
        };
    }
    let (item, key) = (TransactWriteItem::builder(), Some(key(pk)));
    let built = match expression.action {
        WriteAction::Put(content) => build!(Put::builder().set_item(Some(content.into()))).map(|put| item.put(put)),
        WriteAction::Update(update) => {
            build!(Update::builder().set_key(key).update_expression(update)).map(|update| item.update(update))
        }
        WriteAction::Delete => build!(Delete::builder().set_key(key)).map(|delete| item.delete(delete)),
        WriteAction::Check => build!(ConditionCheck::builder().set_key(key)).map(|check| item.condition_check(check)),
    };
    built.unwrap_or_else(|missing| unreachable!("table, key and expression are given: {missing}")).build()
}

/// Classify a failed call whose conditions did not fail.
fn classify<E>(error: &SdkError<E>) -> Outcome
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let client_error = fault(error);
    if is_busy(error) {
        Outcome::Busy(client_error)
    } else if client_error.status() == StatusCode::SERVICE_UNAVAILABLE {
        Outcome::Unknown(client_error)
    } else {
        Outcome::Failed(client_error)
    }
}

/// List the indexes of the writes whose conditions failed, each with its item.
fn failed_writes(reasons: &[CancellationReason]) -> Vec<(usize, Option<Item>)> {
    let failed = reasons.iter().enumerate().filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"));
    failed.map(|(index, reason)| (index, reason.item.clone().map(item_from))).collect()
}

fn cancellation(error: &SdkError<TransactWriteItemsError>) -> Option<&[CancellationReason]> {
    match error.as_service_error()? {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => Some(cancelled.cancellation_reasons()),
        _ => None,
    }
}

/// Tell if a transaction failed only because of concurrent requests. The SDK does not retry such a transaction.
fn is_transient(reasons: &[CancellationReason]) -> bool {
    let transient = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
    let mut codes = reasons.iter().filter_map(CancellationReason::code).filter(|code| *code != "None").peekable();
    codes.peek().is_some() && codes.all(|code| transient.contains(&code))
}
