//! The table in DynamoDB. `crate::table` renders the expressions.

use std::collections::{BTreeMap, HashMap};

use aws_config::SdkConfig;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Builder, StalledStreamProtectionConfig};
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    AttributeValue, CancellationReason, ConditionCheck, ConsumedCapacity, Delete, DeleteRequest, KeysAndAttributes,
    Put, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update, WriteRequest,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::fault::{refusal, unbuilt};
use crate::request::Direction;
use crate::store::{Call, Consistency, Fault, Refusal, Reply, Table};
use crate::table::{Action, IndexRange, Item, Position, Write, WriteExpression, item_from};

/// An item in the SDK's types.
type Attributes = HashMap<String, AttributeValue>;

/// A table in DynamoDB.
#[derive(Clone, Debug)]
pub struct DynamoDb {
    client: Client,
    name: String,
    write_shards: u64,
}

impl DynamoDb {
    /// Creates a client of the table with this name. `write_shards` is the number of shards that receive new records.
    pub fn new(config: &SdkConfig, name: String, write_shards: u64) -> Self {
        // A response is at most a few megabytes, and the time of the call is limited.
        let config = Builder::from(config).stalled_stream_protection(StalledStreamProtectionConfig::disabled());
        Self { client: Client::from_conf(config.build()), name, write_shards }
    }

    async fn get_item(&self, pk: &str, is_consistent: bool) -> Result<Reply, Refusal> {
        let request =
            self.client.get_item().table_name(&self.name).set_key(Some(key(pk))).consistent_read(is_consistent);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let response = request.send().await.map_err(|error| refusal(&error))?;
        let (units, items) = (units(response.consumed_capacity.as_slice()), response.item.map(item_from));
        Ok(Reply { items: items.into_iter().collect(), units, ..Reply::default() })
    }

    async fn get_batch(&self, pks: &[String], is_consistent: bool) -> Result<Reply, Refusal> {
        let keys = pks.iter().map(|pk| key(pk)).collect();
        let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(is_consistent).build();
        let keys = keys.map_err(|error| unbuilt(&error))?;
        let request = self.client.batch_get_item().request_items(&self.name, keys);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let response = request.send().await.map_err(|error| refusal(&error))?;
        let units = units(response.consumed_capacity());
        let items = response.responses.and_then(|mut tables| tables.remove(&self.name)).unwrap_or_default();
        let left = response.unprocessed_keys.and_then(|mut tables| tables.remove(&self.name));
        let left = left.map(|keys| keys.keys).unwrap_or_default();
        let unprocessed = left.into_iter().filter_map(pk_of).collect();
        Ok(Reply { items: items.into_iter().map(item_from).collect(), unprocessed, units, next: None })
    }

    async fn query(
        &self,
        range: &IndexRange,
        direction: Direction,
        limit: usize,
        start: Option<&Position>,
    ) -> Result<Reply, Refusal> {
        let (condition, index) = (range.key_condition(), range.role.index());
        let request = self.client.query().table_name(&self.name).index_name(index.name);
        let request = request
            .key_condition_expression(condition.expression)
            .set_expression_attribute_names(condition.names)
            .set_expression_attribute_values(condition.values.map(Into::into))
            .set_exclusive_start_key(start.map(|position| range.start_key(position).into()))
            .scan_index_forward(direction == Direction::Ascending)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let page = request.send().await.map_err(|error| refusal(&error))?;
        let position = |key: Attributes| {
            let (pk, key) = item_from(key);
            Position { sort_values: index.range.iter().filter_map(|name| key.get(*name).cloned()).collect(), pk }
        };
        let items = page.items.unwrap_or_default().into_iter().map(item_from).collect();
        let units = units(page.consumed_capacity.as_slice());
        Ok(Reply { items, next: page.last_evaluated_key.map(position), unprocessed: Vec::new(), units })
    }

    async fn write(&self, pk: &str, write: &Write) -> Result<Reply, Refusal> {
        let expression = WriteExpression::new(pk, write, self.write_shards);
        /// Sets the parameters that all three kinds of writes share, and sends the request.
        macro_rules! send {
            ($request:expr, $error:ident) => {{
                let request = $request
                    .table_name(&self.name)
                    .set_condition_expression(expression.condition)
                    .set_expression_attribute_names(expression.names)
                    .set_expression_attribute_values(expression.values.map(Into::into))
                    .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
                    .return_consumed_capacity(ReturnConsumedCapacity::Total);
                match request.send().await {
                    Ok(response) => Ok(written(response.consumed_capacity.as_slice())),
                    Err(SdkError::ServiceError(error))
                        if matches!(error.err(), $error::ConditionalCheckFailedException(_)) =>
                    {
                        let item = match error.into_err() {
                            $error::ConditionalCheckFailedException(failed) => failed.item,
                            _ => None,
                        };
                        Err(Refusal::Conditions(vec![(0, item.map(|item| item_from(item).1))]))
                    }
                    Err(error) => Err(refusal(&error)),
                }
            }};
        }
        let key = Some(key(pk));
        match write.action() {
            Action::Put => {
                send!(self.client.put_item().set_item(expression.item.map(Into::into)), PutItemError)
            }
            Action::Update => {
                send!(self.client.update_item().set_key(key).set_update_expression(expression.update), UpdateItemError)
            }
            Action::Delete => send!(self.client.delete_item().set_key(key), DeleteItemError),
            Action::Check => Err(Refusal::Invalid(Fault::new("a check is only possible in a transaction"))),
        }
    }

    async fn transact(&self, writes: &BTreeMap<String, Write>, token: &str) -> Result<Reply, Refusal> {
        let items = writes.iter().map(|(pk, write)| self.transaction_item(pk, write));
        let items = items.collect::<Result<_, _>>()?;
        let request = self.client.transact_write_items().set_transact_items(Some(items)).client_request_token(token);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let error = match request.send().await {
            Ok(response) => return Ok(written(response.consumed_capacity())),
            Err(error) => error,
        };
        let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) = error.as_service_error() else {
            return Err(refusal(&error));
        };
        let reasons = cancelled.cancellation_reasons();
        Err(match reasons {
            reasons if is_conflict(reasons) => Refusal::Conflict,
            reasons if reasons.iter().any(|reason| reason.code() == Some("ValidationError")) => refusal(&error),
            reasons => Refusal::Conditions(failed_writes(reasons)),
        })
    }

    fn transaction_item(&self, pk: &str, write: &Write) -> Result<TransactWriteItem, Refusal> {
        let expression = WriteExpression::new(pk, write, self.write_shards);
        /// Sets the parameters that all four kinds of items share.
        macro_rules! build {
            ($builder:expr) => {
                $builder
                    .table_name(&self.name)
                    .set_condition_expression(expression.condition)
                    .set_expression_attribute_names(expression.names)
                    .set_expression_attribute_values(expression.values.map(Into::into))
                    .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
                    .build()
                    .map_err(|error| unbuilt(&error))?
            };
        }
        let (item, key) = (TransactWriteItem::builder(), Some(key(pk)));
        let item = match write.action() {
            Action::Put => item.put(build!(Put::builder().set_item(expression.item.map(Into::into)))),
            Action::Update => {
                item.update(build!(Update::builder().set_key(key).set_update_expression(expression.update)))
            }
            Action::Delete => item.delete(build!(Delete::builder().set_key(key))),
            Action::Check => item.condition_check(build!(ConditionCheck::builder().set_key(key))),
        };
        Ok(item.build())
    }

    async fn delete(&self, pks: &[String]) -> Result<Reply, Refusal> {
        let delete = |pk: &String| {
            let delete = DeleteRequest::builder().set_key(Some(key(pk))).build().map_err(|error| unbuilt(&error))?;
            Ok(WriteRequest::builder().delete_request(delete).build())
        };
        let deletes = pks.iter().map(delete).collect::<Result<_, Refusal>>()?;
        let request = self.client.batch_write_item().request_items(&self.name, deletes);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let response = request.send().await.map_err(|error| refusal(&error))?;
        let units = units(response.consumed_capacity());
        let left = response.unprocessed_items.and_then(|mut tables| tables.remove(&self.name)).unwrap_or_default();
        let unprocessed = left.into_iter().filter_map(|request| pk_of(request.delete_request?.key)).collect();
        Ok(Reply { unprocessed, units, ..Reply::default() })
    }
}

impl Table for DynamoDb {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        match call {
            Call::Get { pks: [pk], consistency } => self.get_item(pk, consistency == Consistency::Strong).boxed(),
            Call::Get { pks, consistency } => self.get_batch(pks, consistency == Consistency::Strong).boxed(),
            Call::Query { range, direction, limit, start } => self.query(range, direction, limit, start).boxed(),
            Call::Write { pk, write } => self.write(pk, write).boxed(),
            Call::Transact { writes, token } => self.transact(writes, token).boxed(),
            Call::Delete { pks } => self.delete(pks).boxed(),
        }
    }
}

fn written(consumed: &[ConsumedCapacity]) -> Reply {
    Reply { units: units(consumed), ..Reply::default() }
}

fn units(consumed: &[ConsumedCapacity]) -> f64 {
    consumed.iter().filter_map(ConsumedCapacity::capacity_units).sum()
}

/// Returns the primary key of an item.
fn key(pk: &str) -> Attributes {
    HashMap::from([("pk".to_owned(), AttributeValue::S(pk.to_owned()))])
}

fn pk_of(mut key: Attributes) -> Option<String> {
    if let Some(AttributeValue::S(pk)) = key.remove("pk") { Some(pk) } else { None }
}

/// Returns the index and the item of each write that failed its conditions.
fn failed_writes(reasons: &[CancellationReason]) -> Vec<(usize, Option<Item>)> {
    let failed = reasons.iter().enumerate().filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"));
    failed.map(|(index, reason)| (index, reason.item.clone().map(|item| item_from(item).1))).collect()
}

/// Returns true if a transaction failed only because of concurrent requests.
fn is_conflict(reasons: &[CancellationReason]) -> bool {
    let transient = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
    let mut codes = reasons.iter().filter_map(CancellationReason::code).filter(|code| *code != "None").peekable();
    codes.peek().is_some() && codes.all(|code| transient.contains(&code))
}
