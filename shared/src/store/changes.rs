//! A unit of work: everything that one request changes, stored whole or not at all.
//!
//! Each write carries the conditions under which it is right, and what it means when they do not hold. So
//! nothing is ever checked and then written: what was read only decides what to attempt.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{AttributeValue, CancellationReason, ReturnConsumedCapacity};

use super::Store;
use super::fault::fault;
use super::item::{Attributes, Item, attributes, number, stored, text, to_item};
use crate::error::{Error, Result};
use crate::record::{Key, Record};
use crate::resource::Resource;
use crate::twitch::Marker;
use crate::value::{Id, Value};

/// When the table may forget an item, in seconds since 1970: the attribute of its TTL.
pub const EXPIRES_AT: &str = "expires_at";
/// DynamoDB's limit for one transaction.
const LARGEST: usize = 100;
/// How often a transaction that met another one is sent again, with growing, jittered waits.
const CONFLICT_ATTEMPTS: u32 = 14;
const FIRST_WAIT: Duration = Duration::from_millis(8);
const LONGEST_WAIT: Duration = Duration::from_millis(600);

/// Why a unit of work was not stored.
#[derive(Debug)]
pub enum Refusal {
    /// What was read has changed since, or an identifier was taken: read and try again.
    Again,
    /// It can't be, or could not be, done.
    Failed(Error),
}

impl Refusal {
    /// Whether it is certain that nothing was stored. After a fault of the store it is not: the answer may have
    /// been lost on the way.
    pub fn is_certain(&self) -> bool {
        match self {
            Self::Again => true,
            Self::Failed(error) => error.status().is_client_error(),
        }
    }
}

impl Refusal {
    /// What it means to who does not try again.
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Again => Error::unavailable(),
            Self::Failed(error) => error,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What must hold of an item for a write to happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// There is such an item.
    Exists,
    /// There is none.
    Missing,
    /// The attribute has this value; none, for `None`.
    Is(String, Option<AttributeValue>),
    /// The set has room for the members that this write adds: it ends up with at most so many.
    RoomFor(String, usize),
    /// The number is at most this.
    AtMost(String, i64),
    /// The number is at least this.
    AtLeast(String, i64),
}

impl Condition {
    /// Whether an attribute is as it should be; other conditions are DynamoDB's to judge.
    fn holds(&self, item: &Item) -> bool {
        match self {
            Self::Is(attribute, value) => item.get(attribute) == value.as_ref(),
            _ => true,
        }
    }
}

/// One write of a unit of work.
#[derive(Debug, Default)]
pub struct Write {
    pub(super) delete: bool,
    pub(super) set: BTreeMap<String, AttributeValue>,
    pub(super) remove: BTreeSet<String>,
    pub(super) add: BTreeMap<String, AttributeValue>,
    pub(super) take: BTreeMap<String, AttributeValue>,
    pub(super) conditions: Vec<Condition>,
    /// Conditions of which nothing follows but that what was read is outdated.
    pub(super) guards: Vec<Condition>,
    absent: Option<Error>,
    present: Option<Error>,
}

impl Write {
    /// Makes the write conditional.
    pub fn when(&mut self, condition: Condition) -> &mut Self {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
        self
    }

    /// Makes the write conditional on the item being there, unless it creates it.
    pub fn when_there(&mut self) -> &mut Self {
        if self.conditions.contains(&Condition::Missing) { self } else { self.when(Condition::Exists) }
    }

    /// Makes the write conditional on a field being as it was read.
    pub fn when_as_in(&mut self, seen: &Record, field: &'static str) -> &mut Self {
        let attribute = seen.key.resource.attribute(field).to_owned();
        let guard = Condition::Is(attribute, seen.get(field).map(stored));
        if !self.guards.contains(&guard) {
            self.guards.push(guard);
        }
        self
    }

    /// Makes the write conditional on a field having this value.
    pub fn when_is(&mut self, resource: &Resource, field: &'static str, value: Option<&Value>) -> &mut Self {
        self.guards.push(Condition::Is(resource.attribute(field).to_owned(), value.map(stored)));
        self
    }

    /// What it means when the item is not there; without this, the request starts again.
    pub fn if_absent(&mut self, error: Error) -> &mut Self {
        self.absent = Some(error);
        self
    }

    /// What it means when the item is there but not as the conditions want it.
    pub fn if_present(&mut self, error: Error) -> &mut Self {
        self.present = Some(error);
        self
    }

    /// Gives a field a value, or takes it away, with everything that indexes look it up by.
    pub fn set_field(&mut self, resource: &'static Resource, field: &'static str, value: Option<&Value>) -> &mut Self {
        self.set_attributes(attributes(resource, field, value));
        self
    }

    /// Adds members to a set.
    pub fn add_members(&mut self, field: &str, ids: &[Id]) -> &mut Self {
        merge_members(self.add.entry(field.to_owned()), ids);
        self
    }

    /// Takes members out of a set.
    pub fn take_members(&mut self, field: &str, ids: &[Id]) -> &mut Self {
        merge_members(self.take.entry(field.to_owned()), ids);
        self
    }

    /// Adds to a number.
    pub fn add_amount(&mut self, field: &str, amount: i64) -> &mut Self {
        self.add.insert(field.to_owned(), number(amount));
        self
    }

    fn set_attributes(&mut self, attributes: Attributes) {
        for (name, value) in attributes {
            match value {
                Some(value) => drop(self.set.insert(name.to_owned(), value)),
                None => drop(self.remove.insert(name.to_owned())),
            }
        }
    }
}

fn merge_members(entry: std::collections::btree_map::Entry<'_, String, AttributeValue>, ids: &[Id]) {
    let members = entry.or_insert_with(|| AttributeValue::Ns(Vec::new()));
    if let AttributeValue::Ns(members) = members {
        members.extend(ids.iter().map(Id::to_string));
    }
}

/// A unit of work: at most one write to each item.
#[derive(Debug, Default)]
pub struct Changes {
    writes: BTreeMap<String, Write>,
}

impl Changes {
    /// The write to the record of this key.
    pub fn write(&mut self, key: Key) -> &mut Write {
        self.write_item(key.to_string())
    }

    /// The write to the item with this partition key.
    pub fn write_item(&mut self, pk: String) -> &mut Write {
        self.writes.entry(pk).or_default()
    }

    /// Stores a new record, whose key must be free.
    pub fn create(&mut self, record: &Record) -> &mut Write {
        let mut item = to_item(record);
        item.remove("pk");
        let write = self.write(record.key);
        write.set.extend(item);
        write.when(Condition::Missing)
    }

    /// Stores a new item that is no record.
    pub(super) fn create_item(&mut self, mut item: Item) -> &mut Write {
        let pk = item.remove("pk").and_then(|pk| pk.as_s().ok().cloned()).unwrap_or_default();
        let write = self.write_item(pk);
        write.set.extend(item);
        write.when(Condition::Missing)
    }

    /// Reserves a unique value for a record: what `marker` says of it can be read with the value alone.
    pub fn reserve(&mut self, pk: String, record: &Record) -> &mut Write {
        let write = self.write_item(pk);
        write.set.insert("holder".to_owned(), number(record.key.id.number()));
        write.set.insert("time".to_owned(), text(record.position().time.sortable()));
        write.when(Condition::Missing)
    }

    /// Makes the unit of work one that is carried out once: the markers must be free, and are not afterwards.
    pub fn once(&mut self, markers: &[Marker]) {
        for marker in markers {
            let write = self.write_item(marker.key.clone());
            write.set.insert("resource".to_owned(), text("webhooks"));
            if let Some(expires_at) = marker.expires_at {
                write.set.insert(EXPIRES_AT.to_owned(), number(expires_at.unix_millis() / 1_000));
            }
            write.when(Condition::Missing).if_present(Error::repeated());
        }
    }

    /// Stores what differs between two states of a record.
    pub fn update(&mut self, before: &Record, after: &Record) -> &mut Write {
        let (old, new) = (to_item(before), to_item(after));
        let write = self.write(after.key);
        let gone = old.keys().filter(|name| !new.contains_key(*name)).cloned();
        write.remove.extend(gone);
        write.set.extend(new.into_iter().filter(|(name, value)| old.get(name) != Some(value)));
        write.when(Condition::Exists)
    }

    /// Deletes the record of this key.
    pub fn delete(&mut self, key: Key) -> &mut Write {
        self.delete_item(key.to_string())
    }

    /// Deletes the item with this partition key.
    pub fn delete_item(&mut self, pk: String) -> &mut Write {
        let write = self.write_item(pk);
        write.delete = true;
        write.when(Condition::Exists)
    }

    /// Deletes the item with this partition key, if it is there.
    pub fn clear_item(&mut self, pk: String) {
        self.write_item(pk).delete = true;
    }

    /// How many more items the unit of work has room for.
    pub fn room(&self) -> usize {
        LARGEST.saturating_sub(self.writes.len())
    }

    fn refusal(&self, reasons: &[CancellationReason]) -> Refusal {
        let failed =
            self.writes.values().zip(reasons).filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"));
        let meanings = failed.map(|(write, reason)| {
            let meaning = match reason.item() {
                Some(item) if write.guards.iter().all(|guard| guard.holds(item)) => &write.present,
                Some(_) => &None,
                None => &write.absent,
            };
            meaning.clone().map_or(Refusal::Again, Refusal::Failed)
        });
        // A write that was based on an outdated read says nothing about the others.
        meanings.min_by_key(|refusal| matches!(refusal, Refusal::Failed(_))).unwrap_or(Refusal::Again)
    }
}

impl Store {
    /// Stores a unit of work, whole or not at all, exactly once.
    ///
    /// # Errors
    /// [`Refusal`], and then nothing of it was stored, if that [is certain](Refusal::is_certain).
    pub async fn commit(&self, changes: &Changes) -> Result<(), Refusal> {
        let table = &self.clients.names.table;
        let items: Vec<_> = changes.writes.iter().map(|(pk, write)| write.to_request(table, pk)).collect();
        let token = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        let mut wait = FIRST_WAIT;
        for _ in 0..CONFLICT_ATTEMPTS {
            let _trip = self.cost.trip();
            let sent = self
                .clients
                .dynamo
                .transact_write_items()
                .set_transact_items(Some(items.clone()))
                .client_request_token(&token)
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await;
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
                Some(reasons) => return Err(changes.refusal(reasons)),
                None => return Err(fault(&error).into()),
            }
            tokio::time::sleep(wait.mul_f64(0.5 + fastrand::f64())).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
        tracing::warn!("a transaction met others in every attempt");
        Err(Error::unavailable().into())
    }
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
