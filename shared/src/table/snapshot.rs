//! Snapshots: the records that an operation has read, and the read sets that it still needs.
//!
//! An operation reads in rounds: a record names its children and parents only after it is read. The functions here
//! compute the next round from the snapshot so far, until the read set is empty. A plan therefore states what it needs,
//! and the caller reads each round in one batch.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::item::{
    DELETED, EXCLUDED_BY, GENERATION, Item, PARENT_GENERATION, PARENT_TIME, RESERVED_BY, REVISION, TOMBSTONE,
    out_of_line_texts, reservation_key,
};
use super::write::CommitError;
use crate::resources::{self, Child, Member};
use crate::schema::{Depth, Field, Id, Key, ParentData, Record, Resource, StoredValue, Value, Visibility};

/// Attribute that counts the bytes of JSON that the children add to their parent.
pub(crate) const CHILDREN_BYTES: &str = "bytes";

/// Data of a parent about its children. Each index would copy it, so it is a separate item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State(pub Item);

impl State {
    /// Returns the identifiers in an attribute.
    pub fn ids(&self, name: &str) -> impl DoubleEndedIterator<Item = Id> {
        self.0.get(name).and_then(|ids| ids.ids()).into_iter().flatten().copied()
    }

    /// Returns the single identifier in an attribute.
    pub fn slot(&self, name: &str) -> Option<Id> {
        Id::parse(self.0.get(name)?.digits()?)
    }

    /// Returns the sum in an attribute, or 0 if it is absent.
    pub fn sum(&self, name: &str) -> i64 {
        self.0.get(name).and_then(|sum| sum.digits()?.parse().ok()).unwrap_or_default()
    }

    /// Returns the bytes of JSON that the children add to the parent.
    pub fn bytes(&self) -> i64 {
        self.sum(CHILDREN_BYTES)
    }

    /// Returns the partition key of a deleted parent's tombstone. The deletion is complete if the tombstone does not
    /// exist.
    pub fn tombstone(&self) -> Option<&str> {
        self.0.get(TOMBSTONE)?.text()
    }

    /// Returns the generation of the parent, or of the next parent if it is deleted. `None` for the first.
    pub fn generation(&self) -> Option<i64> {
        self.0.get(GENERATION)?.digits()?.parse().ok()
    }

    /// Returns the number of changes to the record with this state. `None` if it never changed.
    pub fn revision(&self) -> Option<i64> {
        self.0.get(REVISION)?.digits()?.parse().ok()
    }

    /// Returns true if the parent is deleted.
    pub fn is_deleted(&self) -> bool {
        self.0.contains_key(DELETED)
    }
}

/// Records, states and long texts that were read, by key.
///
/// ```
/// use capture_core::resources::USERS;
/// use capture_core::schema::{Id, Key, Record};
/// use capture_core::table::Snapshot;
///
/// let key = Key::new(&USERS, Id::new(5).expect("a positive number"));
/// let mut snapshot = Snapshot::default();
/// snapshot.insert(Record::new(key));
/// assert!(snapshot.records.contains_key(&key));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Records that exist.
    pub records: BTreeMap<Key, Record>,
    /// Records that were requested but do not exist.
    pub absent: BTreeSet<Key>,
    /// States that were requested. A parent without a state item has an empty state.
    pub states: BTreeMap<Key, State>,
    /// Long texts by the partition keys of their items.
    pub texts: BTreeMap<String, String>,
    /// Other items that were requested, by partition key. An item that does not exist is empty. The marks that replace
    /// records are also here.
    pub items: BTreeMap<String, Item>,
    /// Images that were requested, by name. `None` if the image does not exist.
    pub image_bytes: BTreeMap<String, Option<Bytes>>,
}

impl Snapshot {
    /// Adds everything in another snapshot.
    pub fn extend(&mut self, other: Self) {
        self.records.extend(other.records);
        self.absent.extend(other.absent);
        self.states.extend(other.states);
        self.texts.extend(other.texts);
        self.items.extend(other.items);
        self.image_bytes.extend(other.image_bytes);
    }

    /// Adds one record.
    pub fn insert(&mut self, record: Record) {
        self.records.insert(record.key, record);
    }

    /// Returns the reservation of a unique value. `None` if the value is free. The item of the reservation must have
    /// been read, and the record that has the value.
    ///
    /// # Errors
    /// [`CommitError::Outdated`] if the record lost the value between the two reads.
    pub fn reservation(
        &self,
        resource: &'static Resource,
        value: &str,
    ) -> Result<Option<Reservation<'_>>, CommitError> {
        let Some(item) = self.items.get(&reservation_key(resource, value)) else { return Ok(None) };
        if item.contains_key(EXCLUDED_BY) {
            return Ok(Some(Reservation::Excluded));
        }
        let Some(key) = reserved_by(resource, item) else { return Ok(None) };
        let has_value = |record: &&Record| {
            let Some(unique) = resource.unique else { return false };
            let held = record.get(unique.attribute);
            held.is_some_and(|held| unique.reserved_value(held) == unique.reserved_value(value))
        };
        let record = self.records.get(&key).filter(has_value).ok_or(CommitError::Outdated)?;
        Ok(Some(Reservation::Held(record)))
    }

    /// Sets the fields of a record that its state stores, if the state was read.
    pub fn complete(&self, record: &mut Record) {
        let Some(state) = self.states.get(&record.key) else { return };
        for field in fields_in_state(record.key.resource) {
            record.put(field.name, state.0.get(field.name).cloned().and_then(field.codec.load));
        }
    }

    /// Returns true if the record changed between the read of the record and that of its state.
    pub fn differs_from_state(&self, record: &Record) -> bool {
        let state = self.states.get(&record.key).filter(|_| has_fields_in_state(record.key.resource));
        state.is_some_and(|state| state.revision() != record.integer(REVISION))
    }

    /// Returns the only child in a relation, according to the parent.
    pub fn slot(&self, parent: &Record, child: Child) -> Slot {
        let ParentData::One { slot, .. } = child.relation.parent_data else { return Slot::Empty };
        let id = match self.states.get(&parent.key) {
            _ if parent.key.resource.field(slot).is_some() => parent.reference(slot),
            Some(state) => state.slot(slot),
            None => return Slot::Unread,
        };
        id.map_or(Slot::Empty, |id| Slot::Filled(Key::new(child.resource, id)))
    }

    /// Returns the keys of the children in a relation, according to the parent. `None` if the parent's state has not
    /// been read.
    pub fn children(&self, parent: &Record, child: Child) -> Option<Vec<Key>> {
        match child.relation.parent_data {
            ParentData::Many { ids, .. } => {
                let ids = self.states.get(&parent.key)?.ids(ids);
                Some(ids.map(|id| Key::new(child.resource, id)).collect())
            }
            _ => match self.slot(parent, child) {
                Slot::Unread => None,
                Slot::Empty => Some(Vec::new()),
                Slot::Filled(key) => Some(vec![key]),
            },
        }
    }
}

/// Reservation of a unique value that is not free.
#[derive(Clone, Copy, Debug)]
pub enum Reservation<'a> {
    /// This record has the value.
    Held(&'a Record),
    /// A record of another resource excludes the value.
    Excluded,
}

/// Returns the key of the record that has a reserved value.
pub(crate) fn reserved_by(resource: &'static Resource, reservation: &Item) -> Option<Key> {
    Some(Key::new(resource, Id::parse(reservation.get(RESERVED_BY)?.digits()?)?))
}

/// The only child in a relation, as far as the parent was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slot {
    /// The state of the parent was not read.
    Unread,
    /// The parent has no such child.
    Empty,
    Filled(Key),
}

impl Slot {
    /// Returns the key of the child, if any.
    pub fn key(self) -> Option<Key> {
        if let Self::Filled(key) = self { Some(key) } else { None }
    }
}

/// Keys of the records, states, long texts, other items and images to read.
///
/// ```
/// use capture_core::resources::{EVENTS, USERS};
/// use capture_core::schema::{Id, Key};
/// use capture_core::table::ReadSet;
///
/// let id = Id::new(5).expect("a positive number");
/// let mut reads = ReadSet::with_state(Key::new(&USERS, id));
/// reads.extend(ReadSet::one(Key::new(&EVENTS, id)));
/// assert_eq!((reads.records.len(), reads.states.len()), (2, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadSet {
    pub records: BTreeSet<Key>,
    /// Keys of the parents to read the state of.
    pub states: BTreeSet<Key>,
    /// Partition keys of items with long texts.
    pub texts: BTreeSet<String>,
    /// Partition keys of other items.
    pub items: BTreeSet<String>,
    /// Partition keys of other items that may be read with eventual consistency, at half the price.
    pub eventually_consistent: BTreeSet<String>,
    /// Names of images.
    pub image_names: BTreeSet<String>,
}

impl ReadSet {
    /// Returns true if nothing is to be read.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
            && self.states.is_empty()
            && self.texts.is_empty()
            && self.items.is_empty()
            && self.eventually_consistent.is_empty()
            && self.image_names.is_empty()
    }

    /// Creates the read set of records without their states.
    pub fn of(records: impl IntoIterator<Item = Key>) -> Self {
        Self { records: records.into_iter().collect(), ..Self::default() }
    }

    /// Creates the read set of one record.
    pub fn one(key: Key) -> Self {
        Self::of([key])
    }

    /// Creates the read set of one record, with its state if records of the resource have states.
    pub fn with_state(key: Key) -> Self {
        Self { states: has_state(key.resource).then_some(key).into_iter().collect(), ..Self::one(key) }
    }

    /// Adds everything in another read set.
    pub fn extend(&mut self, other: Self) {
        self.records.extend(other.records);
        self.states.extend(other.states);
        self.texts.extend(other.texts);
        self.items.extend(other.items);
        self.eventually_consistent.extend(other.eventually_consistent);
        self.image_names.extend(other.image_names);
    }

    /// Removes the keys that were requested earlier.
    #[must_use]
    pub fn without(mut self, earlier: &Self) -> Self {
        self.records.retain(|key| !earlier.records.contains(key));
        self.states.retain(|parent| !earlier.states.contains(parent));
        self.texts.retain(|pk| !earlier.texts.contains(pk));
        self.items.retain(|pk| !earlier.items.contains(pk));
        self.eventually_consistent.retain(|pk| !earlier.eventually_consistent.contains(pk));
        self.image_names.retain(|name| !earlier.image_names.contains(name));
        self
    }

    /// Adds the reservation of a unique value. If it has been read, adds the record that has the value.
    pub fn follow_reservation(&mut self, resource: &'static Resource, value: &str, snapshot: &Snapshot) {
        let pk = reservation_key(resource, value);
        match snapshot.items.get(&pk) {
            Some(item) => {
                let record = reserved_by(resource, item);
                self.records.extend(record.filter(|key| !snapshot.records.contains_key(key)));
            }
            None => drop(self.items.insert(pk)),
        }
    }

    /// Adds the records that have not been read. For each record that has been read, adds the set that it needs.
    fn follow(&mut self, keys: impl IntoIterator<Item = Key>, snapshot: &Snapshot, needed: impl Fn(&Record) -> Self) {
        for key in keys {
            match snapshot.records.get(&key) {
                Some(record) => self.extend(needed(record)),
                None if shows_state(key.resource) => self.extend(Self::with_state(key)),
                None => drop(self.records.insert(key)),
            }
        }
    }
}

impl FromIterator<ReadSet> for ReadSet {
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        let mut union = Self::default();
        sets.into_iter().for_each(|set| union.extend(set));
        union
    }
}

/// Returns the fields that the state of a record stores.
pub(crate) fn fields_in_state(resource: &Resource) -> impl Iterator<Item = &'static Field> + use<> {
    resource.fields.iter().filter(|field| field.in_state)
}

/// Returns true if the state of a record stores some of its fields.
pub(crate) fn has_fields_in_state(resource: &Resource) -> bool {
    fields_in_state(resource).next().is_some()
}

/// Returns the stored values of the fields in a record's state. A field without a value is `None`.
pub(crate) fn stored_in_state(record: &Record) -> impl Iterator<Item = (&'static str, Option<StoredValue>)> {
    fields_in_state(record.key.resource)
        .map(|field| (field.name, record.value(field.name).map(crate::schema::Value::to_stored)))
}

/// Returns true if records of a resource have a state: data about their children, or fields that change often.
pub fn has_state(resource: &Resource) -> bool {
    has_fields_in_state(resource)
        || resources::children(resource).iter().any(|child| match child.relation.parent_data {
            ParentData::Nothing => false,
            ParentData::One { slot, .. } => resource.field(slot).is_none(),
            ParentData::Many { .. } | ParentData::Sum { .. } => true,
        })
}

/// Returns the attributes of the state that determine the rendered record.
pub(crate) fn state_names(resource: &Resource) -> Vec<&'static str> {
    let mut names: Vec<_> = fields_in_state(resource).map(|field| field.name).collect();
    for child in resources::children(resource) {
        match &child.relation.parent_data {
            ParentData::Many { ids, .. } => names.extend([*ids, CHILDREN_BYTES]),
            ParentData::One { slot, .. } if resource.field(slot).is_none() => names.push(slot),
            ParentData::Sum { embedded, .. } => names.push(embedded.field),
            ParentData::One { .. } | ParentData::Nothing => {}
        }
    }
    names
}

/// Returns the missing keys to render a record at a depth. Call it again with the new records until the set is empty.
pub fn reads_to_render(record: &Record, snapshot: &Snapshot, depth: Depth) -> ReadSet {
    let embedded = |record: &Record| reads_to_render(record, snapshot, Depth::Embedded);
    let is_unread = |(pk, text): &(String, Option<&str>)| text.is_none() && !snapshot.texts.contains_key(pk);
    let unread_texts = out_of_line_texts(record).into_iter().filter(is_unread);
    let mut reads = ReadSet { texts: unread_texts.map(|(pk, _)| pk).collect(), ..ReadSet::default() };
    if has_fields_in_state(record.key.resource) && !snapshot.states.contains_key(&record.key) {
        reads.states.insert(record.key);
    }
    for member in resources::members(record.key.resource) {
        if member.embedded().is_some_and(|embedded| !embedded.visibility.is_at(depth)) {
            continue;
        }
        match member {
            Member::Field(_) => {}
            Member::Parent(..) => reads.follow(record.parent(), snapshot, embedded),
            Member::OnParent(child, _) => match snapshot.children(record, *child) {
                Some(keys) if !needs_sum(record, *child, snapshot) => reads.follow(keys, snapshot, embedded),
                _ => drop(reads.states.insert(record.key)),
            },
        }
    }
    reads
}

fn needs_sum(record: &Record, child: Child, snapshot: &Snapshot) -> bool {
    matches!(child.relation.parent_data, ParentData::Sum { .. }) && !snapshot.states.contains_key(&record.key)
}

/// Returns the missing keys to remove a record: the children that it refers to. Call it again with the new records
/// until the set is empty.
pub fn reads_to_delete(record: &Record, snapshot: &Snapshot) -> ReadSet {
    let mut reads = ReadSet::default();
    for child in resources::children(record.key.resource).iter().filter(|child| child.relation.is_complete()) {
        match snapshot.children(record, *child) {
            // Children that have neither images nor children are removed by key.
            Some(_) if !has_contents(child.resource) => {}
            Some(keys) => reads.follow(keys, snapshot, |record| reads_to_delete(record, snapshot)),
            None => drop(reads.states.insert(record.key)),
        }
    }
    reads
}

/// Returns true if an embedded record of the resource renders data from its state.
pub(crate) fn shows_state(resource: &Resource) -> bool {
    let embedded = resources::members(resource).iter().filter_map(Member::embedded);
    has_state(resource) && embedded.into_iter().any(|embedded| embedded.visibility == Visibility::Always)
}

/// Returns true if removing such a record can remove more than the record: images or children.
pub(crate) fn has_contents(resource: &Resource) -> bool {
    resource.fields.iter().any(crate::schema::Field::is_image) || !resources::children(resource).is_empty()
}

/// Returns true if a record is a child of this parent, not of a deleted parent with the same key.
pub fn is_child_of(record: &Record, parent: &Record) -> bool {
    record.parent() == Some(parent.key) && record.integer(PARENT_GENERATION) == parent.integer(GENERATION)
}

/// Makes a record a child of its parent's current generation.
pub(crate) fn join_generation(record: &mut Record, parent: &Record) {
    record.put(PARENT_GENERATION, parent.value(GENERATION).cloned());
}

/// Copies the parent's time into the record, if this child filters the parent's list.
pub fn copy_parent_time(record: &mut Record, snapshot: &Snapshot) {
    let child_filter = record.key.resource.belongs_to.as_ref().is_some_and(|relation| relation.child_filter.is_some());
    if let Some(parent) = record.parent().and_then(|parent| snapshot.records.get(&parent)).filter(|_| child_filter) {
        record.put(PARENT_TIME, Some(Value::Time(parent.primary_time())));
    }
}

/// Returns true if a record is an active child of this parent.
pub(crate) fn is_active_child(record: &Record, parent: Key) -> bool {
    record.parent() == Some(parent) && record.is_active()
}
