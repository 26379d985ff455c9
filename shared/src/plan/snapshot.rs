//! What has been read, and what is still needed.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{DELETED, Item, out_of_line_texts};
use crate::resources::{self, Child, Member};
use crate::schema::{Depth, Id, Key, OnParent, Record, Resource, Visibility};

/// The attribute that counts what the records that a holder keeps add to its JSON, in bytes.
pub(super) const BYTES: &str = "bytes";

/// What a holder keeps of the records that belong to it: an item of its own, which no index has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State(pub Item);

impl State {
    /// The identifiers kept under a name.
    pub fn ids(&self, name: &str) -> impl DoubleEndedIterator<Item = Id> {
        self.0.get(name).and_then(|ids| ids.ids()).into_iter().flatten().copied()
    }

    /// The one identifier kept under a name.
    pub fn slot(&self, name: &str) -> Option<Id> {
        Id::parse(self.0.get(name)?.digits()?)
    }

    /// The sum kept under a name.
    pub fn sum(&self, name: &str) -> i64 {
        let digits = self.0.get(name).and_then(|sum| sum.digits());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or_default()
    }

    /// What the kept records add to the holder's JSON, in bytes.
    pub fn bytes(&self) -> i64 {
        self.sum(BYTES)
    }

    /// Whether the holder is deleted.
    pub fn is_gone(&self) -> bool {
        self.0.contains_key(DELETED)
    }
}

/// Records and states by their keys.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The records that exist.
    pub records: BTreeMap<Key, Record>,
    /// The states of those that were asked for; empty ones for those that have none yet.
    pub states: BTreeMap<Key, State>,
    /// Long texts, by the keys of their items.
    pub texts: BTreeMap<String, String>,
}

impl Snapshot {
    /// Takes up what was read besides.
    pub fn extend(&mut self, other: Self) {
        self.records.extend(other.records);
        self.states.extend(other.states);
        self.texts.extend(other.texts);
    }

    /// Takes up one record.
    pub fn insert(&mut self, record: Record) {
        self.records.insert(record.key, record);
    }

    /// The one record that a holder keeps for a child relation, by what it says; `None` when its state is not read.
    pub fn slot(&self, parent: &Record, child: Child) -> Option<Option<Key>> {
        let OnParent::One { slot, .. } = child.relation.on_parent else { return Some(None) };
        let id = if parent.key.resource.field(slot).is_some() {
            parent.reference(slot)
        } else {
            self.states.get(&parent.key)?.slot(slot)
        };
        Some(id.map(|id| Key::new(child.resource, id)))
    }

    /// The records that a holder keeps for a child relation, by what it says; `None` when its state is not read.
    pub fn children(&self, parent: &Record, child: Child) -> Option<Vec<Key>> {
        match child.relation.on_parent {
            OnParent::Many { ids, .. } => {
                let ids = self.states.get(&parent.key)?.ids(ids);
                Some(ids.map(|id| Key::new(child.resource, id)).collect())
            }
            _ => Some(self.slot(parent, child)?.into_iter().collect()),
        }
    }
}

/// Keys of what is to be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadSet {
    /// Of records.
    pub records: BTreeSet<Key>,
    /// Of holders whose state is wanted.
    pub states: BTreeSet<Key>,
    /// Of items that have long texts.
    pub texts: BTreeSet<String>,
}

impl ReadSet {
    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.states.is_empty() && self.texts.is_empty()
    }

    /// One record, with its state where it has one and that is wanted.
    pub fn one(key: Key, with_state: bool) -> Self {
        let states = if with_state && has_state(key.resource) { BTreeSet::from([key]) } else { BTreeSet::new() };
        Self { records: BTreeSet::from([key]), states, ..Self::default() }
    }

    /// Takes up what else is wanted.
    pub fn extend(&mut self, other: Self) {
        self.records.extend(other.records);
        self.states.extend(other.states);
        self.texts.extend(other.texts);
    }

    /// What is wanted and was not asked for before.
    #[must_use]
    pub fn without(mut self, asked: &Self) -> Self {
        self.records.retain(|key| !asked.records.contains(key));
        self.states.retain(|parent| !asked.states.contains(parent));
        self.texts.retain(|pk| !asked.texts.contains(pk));
        self
    }
}

impl FromIterator<ReadSet> for ReadSet {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        let mut read_set = Self::default();
        for part in parts {
            read_set.extend(part);
        }
        read_set
    }
}

/// Whether records of a resource keep anything outside their own item.
pub fn has_state(resource: &Resource) -> bool {
    resources::children(resource).iter().any(|child| match child.relation.on_parent {
        OnParent::Nothing => false,
        OnParent::One { slot, .. } => resource.field(slot).is_none(),
        OnParent::Many { .. } | OnParent::Sum { .. } => true,
    })
}

/// The names under which the state of a resource's records keeps what they show.
pub(super) fn state_names(resource: &Resource) -> Vec<&'static str> {
    let mut names = Vec::new();
    for child in resources::children(resource) {
        match &child.relation.on_parent {
            OnParent::Many { ids, .. } => names.extend([*ids, BYTES]),
            OnParent::One { slot, .. } if resource.field(slot).is_none() => names.push(slot),
            OnParent::Sum { embedded, .. } => names.push(embedded.field),
            OnParent::One { .. } | OnParent::Nothing => {}
        }
    }
    names
}

/// What is still to be read before a record can be shown; `alone` where it is not inside another.
pub fn needed_to_render(record: &Record, snapshot: &Snapshot, depth: Depth) -> ReadSet {
    let mut read_set = ReadSet::default();
    let unknown =
        out_of_line_texts(record).into_iter().filter(|(pk, text)| text.is_none() && !snapshot.texts.contains_key(pk));
    read_set.texts.extend(unknown.map(|(pk, _)| pk));
    for member in resources::members(record.key.resource) {
        if member.embedded().is_some_and(|embedded| !embedded.visibility.is_at(depth)) {
            continue;
        }
        match member {
            Member::Field(_) => {}
            Member::Parent(..) => {
                read_set
                    .follow(record.parent(), snapshot, |parent| needed_to_render(parent, snapshot, Depth::Embedded));
            }
            Member::OnParent(child, _) => match snapshot.children(record, *child) {
                Some(_) if needs_sum(record, *child, snapshot) => drop(read_set.states.insert(record.key)),
                Some(keys) => read_set
                    .follow(keys, snapshot, |child_record| needed_to_render(child_record, snapshot, Depth::Embedded)),
                None => drop(read_set.states.insert(record.key)),
            },
        }
    }
    read_set
}

fn needs_sum(record: &Record, child: Child, snapshot: &Snapshot) -> bool {
    matches!(child.relation.on_parent, OnParent::Sum { .. }) && !snapshot.states.contains_key(&record.key)
}

/// What is still to be read before a record can be removed: all that it knows to belong to it.
pub fn needed_to_remove(record: &Record, snapshot: &Snapshot) -> ReadSet {
    let mut read_set = ReadSet::default();
    for child in resources::children(record.key.resource).iter().filter(|child| child.relation.is_complete()) {
        match snapshot.children(record, *child) {
            // Those that keep nothing themselves are removed by their keys.
            Some(_) if !has_contents(child.resource) => {}
            Some(keys) => read_set.follow(keys, snapshot, |child_record| needed_to_remove(child_record, snapshot)),
            None => drop(read_set.states.insert(record.key)),
        }
    }
    read_set
}

/// Whether a record of the resource shows what it keeps also where it is inside another.
pub(super) fn shows_state(resource: &Resource) -> bool {
    let embedded = resources::members(resource).iter().filter_map(Member::embedded);
    has_state(resource) && embedded.into_iter().any(|embedded| embedded.visibility == Visibility::Always)
}

/// Whether the removal of such a record takes along more than the record.
pub(super) fn has_contents(resource: &Resource) -> bool {
    resource.fields.iter().any(crate::schema::Field::is_image) || !resources::children(resource).is_empty()
}

impl ReadSet {
    /// Wants what is not read yet, and what that which is read needs.
    fn follow(&mut self, keys: impl IntoIterator<Item = Key>, snapshot: &Snapshot, needed: impl Fn(&Record) -> Self) {
        for key in keys {
            match snapshot.records.get(&key) {
                Some(record) => self.extend(needed(record)),
                None => self.extend(Self::one(key, shows_state(key.resource))),
            }
        }
    }
}
