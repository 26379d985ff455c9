//! Reads of items by their keys. A decision to write rests on these, because unlike an index they can include every
//! acknowledged write.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, ReturnConsumedCapacity};

use super::fault::fault;
use super::{Store, back_off, in_parallel};
use crate::error::{Error, Result};
use crate::schema::{Id, Key, Record, Resource, Stored, Timestamp};
use crate::table::{
    COMPLETED_AT, CONTENT, EXCLUDED_BY, Existing, IdempotencyRecord, Item, KeyedRequest, MESSAGES, RECORD_IDS,
    REDACTED, RESERVED_BY, ReadSet, Reservation, SOURCE, Snapshot, State, StoredResponse, covers, directory_key,
    item_from, record_from, reservation, state_key, withdrawals_key,
};

/// DynamoDB's limit for one batch.
const MAX_BATCH: usize = 100;
/// Attempts to read the unprocessed keys of a batch.
const BATCH_ATTEMPTS: u32 = 8;
/// Attempts to look up a unique value that moves between records meanwhile.
const RESERVATION_ATTEMPTS: u32 = 10;

/// An item in the SDK's types.
pub(super) type Attributes = HashMap<String, AttributeValue>;

/// Create the primary key of an item.
pub(super) fn key(pk: impl Into<String>) -> Attributes {
    HashMap::from([("pk".to_owned(), AttributeValue::S(pk.into()))])
}

/// Consistency of a read. A strong read costs twice as much as an eventual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// Includes every acknowledged write.
    Strong,
    /// May lag by a moment, like an index.
    Eventual,
}

/// Content of an item.
enum ItemKind {
    Record,
    /// State of this parent.
    State(Key),
    /// A text that is stored out of line.
    Text,
}

impl Store {
    /// Read the current record with a key.
    pub async fn get(&self, key: Key) -> Result<Option<Record>> {
        Ok(self.get_attributes(&key.to_string(), Consistency::Strong).await?.and_then(record_from))
    }

    /// Tell if a report of an author was withdrawn before it came. `text` is the digest of its text, if it may be withdrawn
    /// by that. May lag by a moment: who withdraws looks again.
    pub async fn is_withdrawn(&self, author: &str, text: Option<&str>, sent_at: Timestamp) -> Result<bool> {
        let item = self.get_attributes(&withdrawals_key(Some(author)), Consistency::Eventual).await?;
        Ok(item.is_some_and(|item| covers(&item_from(item), author, text, sent_at)))
    }

    /// Read all current records of a resource that may have only so many.
    pub async fn all_of(&self, resource: &'static Resource) -> Result<Vec<Record>> {
        let directory = self.get_item(&directory_key(resource)).await?;
        let ids = directory.as_ref().and_then(|item| item.get(RECORD_IDS)).and_then(Stored::ids);
        let records = ids.into_iter().flatten().map(|id| Key::new(resource, *id)).collect();
        let read_set = ReadSet { records, ..ReadSet::default() };
        Ok(self.load(&read_set, Consistency::Strong).await?.records.into_values().collect())
    }

    /// Read the current record that a reservation refers to.
    pub async fn reserved(&self, resource: &'static Resource, reservation_key: &str) -> Result<Option<Record>> {
        Ok(self.reservation(resource, reservation_key).await?.and_then(Reservation::holder))
    }

    /// Read the reservation of a unique value. `None` if the value is free. The record that it refers to still has the
    /// value: if it lost the value between the two reads, the reservation is read again.
    pub async fn reservation(&self, resource: &'static Resource, reservation_key: &str) -> Result<Option<Reservation>> {
        for _ in 0..RESERVATION_ATTEMPTS {
            let Some(item) = self.get_item(reservation_key).await? else { return Ok(None) };
            if item.contains_key(EXCLUDED_BY) {
                return Ok(Some(Reservation::Excluded));
            }
            let id = item.get(RESERVED_BY).and_then(|id| Id::parse(id.digits()?));
            let Some(id) = id else { return Ok(None) };
            let record = self.get(Key::new(resource, id)).await?;
            let value = record.as_ref().and_then(|record| record.get(resource.unique?.attribute));
            if value.is_some_and(|value| reservation(resource, value) == reservation_key) {
                return Ok(record.map(|record| Reservation::Held(Box::new(record))));
            }
        }
        Err(Error::unavailable())
    }

    /// Find the values among these that no record of a resource may have, because a record of another resource excludes
    /// them.
    pub async fn excluded(&self, resource: &Resource, candidates: BTreeSet<String>) -> Result<BTreeSet<String>> {
        let pks: Vec<_> = candidates.iter().map(|value| reservation(resource, value)).collect();
        let items = if pks.is_empty() { BTreeMap::new() } else { self.get_items(&pks).await? };
        let is_excluded = |value: &String| {
            items.get(&reservation(resource, value)).is_some_and(|item| item.contains_key(EXCLUDED_BY))
        };
        Ok(candidates.into_iter().filter(is_excluded).collect())
    }

    /// Read the record with a key, or the mark of a withdrawn one, and the external source that it was created from.
    pub async fn find_existing(&self, key: Key) -> Result<Option<Existing>> {
        let Some(attributes) = self.get_attributes(&key.to_string(), Consistency::Strong).await? else {
            return Ok(None);
        };
        let text = |name: &str| attributes.get(name).and_then(|value| value.as_s().ok()).cloned();
        let (source, messages) = (text(SOURCE).unwrap_or_default(), text(MESSAGES));
        let is_redacted = attributes.contains_key(REDACTED);
        let completed_at = text(COMPLETED_AT).and_then(|time| Timestamp::parse(&time));
        Ok(Some(Existing { source, record: record_from(attributes), messages, completed_at, is_redacted }))
    }

    /// Read the fingerprint of the request that used an `Idempotency-Key` first, and the stored response.
    pub async fn stored_response(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<(String, StoredResponse)>> {
        let item = self.get_item(&request.pk).await?;
        let Some(record) = item.and_then(|item| IdempotencyRecord::load(&item, now)) else { return Ok(None) };
        let pks = request.parts(&record);
        let parts = in_parallel(pks.iter().map(|pk| self.get_item(pk))).await?;
        Ok(Some((record.request.clone(), record.response(&parts)?)))
    }

    pub(crate) async fn get_item(&self, pk: &str) -> Result<Option<Item>> {
        Ok(self.get_attributes(pk, Consistency::Strong).await?.map(item_from))
    }

    /// Read the current items with these partition keys, without those that do not exist.
    pub(crate) async fn get_items(&self, pks: &[String]) -> Result<BTreeMap<String, Item>> {
        let items = self.get_batches(pks, Consistency::Strong).await?;
        Ok(items.into_iter().map(|(pk, item)| (pk, item_from(item))).collect())
    }

    async fn get_attributes(&self, pk: &str, consistency: Consistency) -> Result<Option<Attributes>> {
        let _trip = self.cost.start_trip();
        let request = self.clients.dynamo.get_item().table_name(&self.clients.names.table);
        let request = request.set_key(Some(key(pk))).consistent_read(consistency == Consistency::Strong);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let response = request.send().await.map_err(|error| fault(&error))?;
        self.cost.add_read(response.consumed_capacity.as_slice());
        Ok(response.item)
    }

    /// Read everything in a read set, in one call or in several parallel ones.
    pub async fn load(&self, reads: &ReadSet, consistency: Consistency) -> Result<Snapshot> {
        let records = reads.records.iter().map(|key| (key.to_string(), ItemKind::Record));
        let states = reads.states.iter().map(|parent| (state_key(*parent), ItemKind::State(*parent)));
        let texts = reads.texts.iter().map(|pk| (pk.clone(), ItemKind::Text));
        let kinds: BTreeMap<_, _> = records.chain(states).chain(texts).collect();
        let pks: Vec<_> = kinds.keys().cloned().collect();
        let items = match &pks[..] {
            // A single strong read is cheaper to send than a batch of one.
            [pk] if consistency == Consistency::Strong => {
                self.get_attributes(pk, consistency).await?.map(|item| (pk.clone(), item)).into_iter().collect()
            }
            pks => self.get_batches(pks, consistency).await?,
        };
        let mut snapshot = Snapshot::default();
        snapshot.states.extend(reads.states.iter().map(|parent| (*parent, State::default())));
        for (pk, item) in items {
            match kinds.get(&pk) {
                Some(ItemKind::State(parent)) => drop(snapshot.states.insert(*parent, State(item_from(item)))),
                Some(ItemKind::Text) => {
                    let text = item_from(item).remove(CONTENT).and_then(Stored::into_text);
                    snapshot.texts.extend(text.map(|text| (pk, text)));
                }
                _ => record_from(item).into_iter().for_each(|record| snapshot.insert(record)),
            }
        }
        let mut records = std::mem::take(&mut snapshot.records);
        for record in records.values_mut() {
            snapshot.complete(record);
        }
        snapshot.records = records;
        Ok(snapshot)
    }

    async fn get_batches(&self, pks: &[String], consistency: Consistency) -> Result<Vec<(String, Attributes)>> {
        let batches = pks.chunks(MAX_BATCH).map(|batch| self.get_batch(batch, consistency));
        Ok(in_parallel(batches).await?.into_iter().flatten().collect())
    }

    async fn get_batch(&self, pks: &[String], consistency: Consistency) -> Result<Vec<(String, Attributes)>> {
        let table = &self.clients.names.table;
        let mut unread: Vec<Attributes> = pks.iter().map(key).collect();
        let mut items = Vec::with_capacity(unread.len());
        for attempt in 0..BATCH_ATTEMPTS {
            back_off(attempt).await;
            let keys = KeysAndAttributes::builder()
                .set_keys(Some(unread))
                .consistent_read(consistency == Consistency::Strong)
                .build()
                .map_err(|_| Error::fault())?;
            let _trip = self.cost.start_trip();
            let request = self.clients.dynamo.batch_get_item().request_items(table, keys);
            let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
            let response = request.send().await.map_err(|error| fault(&error))?;
            self.cost.add_read(response.consumed_capacity());
            let read = response.responses.unwrap_or_default().remove(table).unwrap_or_default();
            items.extend(read.into_iter().filter_map(|mut item| match item.remove("pk") {
                Some(AttributeValue::S(pk)) => Some((pk, item)),
                _ => None,
            }));
            let unprocessed = response.unprocessed_keys.and_then(|mut tables| tables.remove(table));
            unread = unprocessed.map(|keys| keys.keys).unwrap_or_default();
            if unread.is_empty() {
                return Ok(items);
            }
        }
        Err(Error::unavailable())
    }
}
