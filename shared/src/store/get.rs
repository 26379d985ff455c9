//! Reads of items by key. Decisions to write rely on these: unlike an index, they can include every acknowledged write.

use std::collections::{BTreeMap, BTreeSet};

use super::{Call, Consistency, Refusal, Store, back_off, in_parallel};
use crate::error::{Error, Result};
use crate::schema::{Depth, Key, Record, Resource, StoredValue, Timestamp};
use crate::table::{
    COMPLETED_AT, CONTENT, EXCLUDED_BY, IMPORTED, IdempotencyRecord, IdempotentRequest, Item, MESSAGES, RECORD_IDS,
    REDACTED, REPORT_SOURCE, ReadSet, Reservation, Snapshot, State, StoredReport, StoredResponse, directory_key,
    reads_to_render, record_from, reservation_key, state_key,
};

/// DynamoDB's limit for one batch.
const MAX_BATCH: usize = 100;
/// Attempts to read the unprocessed keys of a batch.
const BATCH_ATTEMPTS: u32 = 8;
/// Attempts to look up a unique value that moves between records during the reads.
const RESERVATION_ATTEMPTS: u32 = 10;

/// Content of an item.
enum ItemKind {
    Record,
    /// State of this parent.
    State(Key),
    /// A text stored out of line.
    Text,
    Other,
}

impl Store {
    /// Reads the current record with a key.
    pub async fn get(&self, key: Key) -> Result<Option<Record>> {
        Ok(self.get_item(&key.to_string()).await?.and_then(record_from))
    }

    /// Reads all current records of a resource that limits their number.
    pub async fn all_of(&self, resource: &'static Resource) -> Result<Vec<Record>> {
        let directory = self.get_item(&directory_key(resource)).await?;
        let ids = directory.as_ref().and_then(|item| item.get(RECORD_IDS)).and_then(StoredValue::ids);
        let records = ids.into_iter().flatten().map(|id| Key::new(resource, *id)).collect();
        let read_set = ReadSet { records, ..ReadSet::default() };
        Ok(self.load(&read_set, Consistency::Strong).await?.records.into_values().collect())
    }

    /// Reads the current record that has a unique value. If it loses the value between the two reads, both are
    /// repeated.
    pub async fn find_by_unique_value(&self, resource: &'static Resource, value: &str) -> Result<Option<Record>> {
        for _ in 0..RESERVATION_ATTEMPTS {
            let mut snapshot = Snapshot::default();
            for _ in 0..2 {
                let mut reads = ReadSet::default();
                reads.follow_reservation(resource, value, &snapshot);
                snapshot.extend(self.load(&reads, Consistency::Strong).await?);
            }
            match snapshot.reservation(resource, value) {
                Ok(Some(Reservation::Held(record))) => return Ok(Some(record.clone())),
                Ok(_) => return Ok(None),
                Err(_) => {}
            }
        }
        Err(Error::unavailable())
    }

    /// Returns the candidates that no record of `resource` may have because a record of another resource excludes them.
    pub async fn excluded(&self, resource: &Resource, candidates: BTreeSet<String>) -> Result<BTreeSet<String>> {
        let pks: Vec<_> = candidates.iter().map(|value| reservation_key(resource, value)).collect();
        let items = if pks.is_empty() { BTreeMap::new() } else { self.get_items(&pks).await? };
        let is_excluded = |value: &String| {
            items.get(&reservation_key(resource, value)).is_some_and(|item| item.contains_key(EXCLUDED_BY))
        };
        Ok(candidates.into_iter().filter(is_excluded).collect())
    }

    /// Reads the record with a key, or the mark of a withdrawn record, and the external source that it was created
    /// from.
    pub async fn find_existing(&self, key: Key) -> Result<Option<StoredReport>> {
        let Some(item) = self.get_item(&key.to_string()).await? else { return Ok(None) };
        let text = |name: &str| item.get(name).and_then(StoredValue::text).map(str::to_owned);
        let (source, messages) = (text(REPORT_SOURCE).unwrap_or_default(), text(MESSAGES));
        let is_redacted = item.contains_key(REDACTED);
        let completed_at = text(COMPLETED_AT).and_then(|time| Timestamp::parse(&time));
        Ok(Some(StoredReport { source, record: record_from(item), messages, completed_at, is_redacted }))
    }

    /// Reads the stored response for an `Idempotency-Key`, and the fingerprint of the request that first used the key.
    pub async fn stored_response(
        &self,
        request: &IdempotentRequest,
        now: Timestamp,
    ) -> Result<Option<(String, StoredResponse)>> {
        let item = self.get_item(&request.pk).await?;
        let Some(record) = item.and_then(|item| IdempotencyRecord::load(&item, now)) else { return Ok(None) };
        let pks = request.parts(&record);
        let parts = in_parallel(pks.iter().map(|pk| self.get_item(pk))).await?;
        Ok(Some((record.request.clone(), record.response(&parts)?)))
    }

    pub(crate) async fn get_item(&self, pk: &str) -> Result<Option<Item>> {
        self.get_item_with(pk, Consistency::Strong).await
    }

    /// Returns the keys of those records that were imported.
    pub(crate) async fn imported(&self, records: &[Record]) -> Result<BTreeSet<Key>> {
        let keys: BTreeMap<_, _> = records.iter().map(|record| (record.key.to_string(), record.key)).collect();
        let items = self.get_items(&keys.keys().cloned().collect::<Vec<_>>()).await?;
        let imported = items.iter().filter(|(_, item)| item.contains_key(IMPORTED));
        Ok(imported.filter_map(|(pk, _)| keys.get(pk).copied()).collect())
    }

    /// Reads the current items with these partition keys. Missing items are left out.
    pub(crate) async fn get_items(&self, pks: &[String]) -> Result<BTreeMap<String, Item>> {
        Ok(self.get_all(pks, Consistency::Strong).await?.into_iter().collect())
    }

    async fn get_item_with(&self, pk: &str, consistency: Consistency) -> Result<Option<Item>> {
        let pks = [pk.to_owned()];
        let reply = self.send(Call::Get { pks: &pks, consistency }).await.map_err(Refusal::into_error)?;
        Ok(reply.items.into_iter().next().map(|(_, item)| item))
    }

    /// Reads everything in a read set, in one call or several parallel ones.
    pub async fn load(&self, reads: &ReadSet, consistency: Consistency) -> Result<Snapshot> {
        let records = reads.records.iter().map(|key| (key.to_string(), ItemKind::Record));
        let states = reads.states.iter().map(|parent| (state_key(*parent), ItemKind::State(*parent)));
        let texts = reads.texts.iter().map(|pk| (pk.clone(), ItemKind::Text));
        let others = reads.items.iter().map(|pk| (pk.clone(), ItemKind::Other));
        let kinds: BTreeMap<_, _> = records.chain(states).chain(texts).chain(others).collect();
        let lagging = in_parallel(reads.eventually_consistent.iter().map(async |pk| {
            let item = self.get_item_with(pk, Consistency::Eventual).await?;
            Ok::<_, Error>((pk.clone(), item.unwrap_or_default()))
        }));
        let images = reads.image_names.iter().map(async |name| {
            let bytes = self.image_bytes(name).await?;
            Ok::<_, Error>((name.clone(), bytes))
        });
        let images = in_parallel(images);
        let pks: Vec<_> = kinds.keys().cloned().collect();
        let items = self.get_all(&pks, consistency);
        let (items, lagging, images) = if reads.eventually_consistent.is_empty() && reads.image_names.is_empty() {
            (items.await?, Vec::new(), Vec::new())
        } else {
            tokio::try_join!(items, lagging, images)?
        };
        let mut snapshot = Snapshot { image_bytes: images.into_iter().collect(), ..Snapshot::default() };
        snapshot.states.extend(reads.states.iter().map(|parent| (*parent, State::default())));
        snapshot.items.extend(reads.items.iter().map(|pk| (pk.clone(), Item::default())).chain(lagging));
        for (pk, mut item) in items {
            match kinds.get(&pk) {
                Some(ItemKind::State(parent)) => drop(snapshot.states.insert(*parent, State(item))),
                Some(ItemKind::Text) => {
                    let text = item.remove(CONTENT).and_then(StoredValue::into_text);
                    snapshot.texts.extend(text.map(|text| (pk, text)));
                }
                Some(ItemKind::Record) if item.contains_key("id") => {
                    if let Some(record) = record_from(item) {
                        snapshot.insert(record);
                    }
                }
                _ => drop(snapshot.items.insert(pk, item)),
            }
        }
        let mut records = std::mem::take(&mut snapshot.records);
        for record in records.values_mut() {
            snapshot.complete(record);
        }
        if records.len() < reads.records.len() {
            snapshot.absent.extend(reads.records.iter().filter(|key| !records.contains_key(key)));
        }
        snapshot.records = records;
        Ok(snapshot)
    }

    /// Reads everything that is embedded in records, round by round.
    pub async fn load_to_render(
        &self,
        records: &[Record],
        snapshot: Snapshot,
        depth: Depth,
        consistency: Consistency,
    ) -> Result<Snapshot> {
        let needed = |snapshot: &Snapshot| {
            records.iter().map(|record| reads_to_render(record, snapshot, depth)).collect::<ReadSet>()
        };
        self.load_rounds(snapshot, consistency, needed).await
    }

    /// Loads in rounds. Each round reads what `needed` returns for the snapshot so far, until it returns nothing new. A
    /// missing item is requested only once.
    pub async fn load_rounds(
        &self,
        mut snapshot: Snapshot,
        consistency: Consistency,
        needed: impl Fn(&Snapshot) -> ReadSet,
    ) -> Result<Snapshot> {
        let mut requested = ReadSet::default();
        loop {
            let read_set = needed(&snapshot).without(&requested);
            if read_set.is_empty() {
                return Ok(snapshot);
            }
            snapshot.extend(self.load(&read_set, consistency).await?);
            requested.extend(read_set);
        }
    }

    async fn get_all(&self, pks: &[String], consistency: Consistency) -> Result<Vec<(String, Item)>> {
        let batches = pks.chunks(MAX_BATCH).map(|batch| self.get_batch(batch, consistency));
        Ok(in_parallel(batches).await?.into_iter().flatten().collect())
    }

    async fn get_batch(&self, pks: &[String], consistency: Consistency) -> Result<Vec<(String, Item)>> {
        let mut reply = self.send(Call::Get { pks, consistency }).await.map_err(Refusal::into_error)?;
        let mut items = std::mem::take(&mut reply.items);
        for attempt in 1..BATCH_ATTEMPTS {
            if reply.unprocessed.is_empty() {
                return Ok(items);
            }
            back_off(attempt).await;
            let rest = Call::Get { pks: &reply.unprocessed, consistency };
            reply = self.send(rest).await.map_err(Refusal::into_error)?;
            items.append(&mut reply.items);
        }
        if reply.unprocessed.is_empty() { Ok(items) } else { Err(Error::unavailable()) }
    }
}
