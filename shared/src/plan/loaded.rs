//! What has been read, and what is still needed.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{GONE, Item, texts_apart};
use crate::resources::{self, Child, Member};
use crate::schema::{Id, Kept, Key, Record, Resource, Shown};

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
        self.0.contains_key(GONE)
    }
}

/// Records and states by their keys.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The records that exist.
    pub records: BTreeMap<Key, Record>,
    /// The states of those that were asked for; empty ones for those that have none yet.
    pub states: BTreeMap<Key, State>,
    /// Long texts, by the keys of their items.
    pub texts: BTreeMap<String, String>,
}

impl Loaded {
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
    pub fn slot(&self, holder: &Record, child: Child) -> Option<Option<Key>> {
        let Kept::One { slot, .. } = child.relation.kept else { return Some(None) };
        let id = if holder.key.resource.field(slot).is_some() {
            holder.reference(slot)
        } else {
            self.states.get(&holder.key)?.slot(slot)
        };
        Some(id.map(|id| Key::new(child.resource, id)))
    }

    /// The records that a holder keeps for a child relation, by what it says; `None` when its state is not read.
    pub fn kept(&self, holder: &Record, child: Child) -> Option<Vec<Key>> {
        match child.relation.kept {
            Kept::Many { ids, .. } => {
                let ids = self.states.get(&holder.key)?.ids(ids);
                Some(ids.map(|id| Key::new(child.resource, id)).collect())
            }
            _ => Some(self.slot(holder, child)?.into_iter().collect()),
        }
    }
}

/// Keys of what is to be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Of records.
    pub records: BTreeSet<Key>,
    /// Of holders whose state is wanted.
    pub states: BTreeSet<Key>,
    /// Of items that have long texts.
    pub texts: BTreeSet<String>,
}

impl Wanted {
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
        self.states.retain(|holder| !asked.states.contains(holder));
        self.texts.retain(|pk| !asked.texts.contains(pk));
        self
    }
}

impl FromIterator<Wanted> for Wanted {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        let mut wanted = Self::default();
        for part in parts {
            wanted.extend(part);
        }
        wanted
    }
}

/// Whether records of a resource keep anything outside their own item.
pub fn has_state(resource: &Resource) -> bool {
    resources::children(resource).iter().any(|child| match child.relation.kept {
        Kept::Nothing => false,
        Kept::One { slot, .. } => resource.field(slot).is_none(),
        Kept::Many { .. } | Kept::Sum { .. } => true,
    })
}

/// The names under which the state of a resource's records keeps what they show.
pub(super) fn kept_names(resource: &Resource) -> Vec<&'static str> {
    let mut names = Vec::new();
    for child in resources::children(resource) {
        match &child.relation.kept {
            Kept::Many { ids, .. } => names.extend([*ids, BYTES]),
            Kept::One { slot, .. } if resource.field(slot).is_none() => names.push(slot),
            Kept::Sum { embedded, .. } => names.push(embedded.field),
            Kept::One { .. } | Kept::Nothing => {}
        }
    }
    names
}

/// What is still to be read before a record can be shown; `alone` where it is not inside another.
pub fn needed_to_show(record: &Record, loaded: &Loaded, alone: bool) -> Wanted {
    let mut wanted = Wanted::default();
    let unknown = texts_apart(record).into_iter().filter(|(pk, text)| text.is_none() && !loaded.texts.contains_key(pk));
    wanted.texts.extend(unknown.map(|(pk, _)| pk));
    for member in resources::members(record.key.resource) {
        if member.embedded().is_some_and(|embedded| embedded.shown == Shown::Alone && !alone) {
            continue;
        }
        match member {
            Member::Field(_) => {}
            Member::Holder(..) => {
                wanted.follow(record.holder(), loaded, |holder| needed_to_show(holder, loaded, false));
            }
            Member::Kept(child, _) => match loaded.kept(record, *child) {
                Some(_) if needs_sum(record, *child, loaded) => drop(wanted.states.insert(record.key)),
                Some(keys) => wanted.follow(keys, loaded, |kept| needed_to_show(kept, loaded, false)),
                None => drop(wanted.states.insert(record.key)),
            },
        }
    }
    wanted
}

fn needs_sum(record: &Record, child: Child, loaded: &Loaded) -> bool {
    matches!(child.relation.kept, Kept::Sum { .. }) && !loaded.states.contains_key(&record.key)
}

/// What is still to be read before a record can be removed: all that it knows to belong to it.
pub fn needed_to_remove(record: &Record, loaded: &Loaded) -> Wanted {
    let mut wanted = Wanted::default();
    for child in resources::children(record.key.resource).iter().filter(|child| child.relation.is_complete()) {
        match loaded.kept(record, *child) {
            // Those that keep nothing themselves are removed by their keys.
            Some(_) if !has_contents(child.resource) => {}
            Some(keys) => wanted.follow(keys, loaded, |kept| needed_to_remove(kept, loaded)),
            None => drop(wanted.states.insert(record.key)),
        }
    }
    wanted
}

/// Whether a record of the resource shows what it keeps also where it is inside another.
pub(super) fn shows_state(resource: &Resource) -> bool {
    let embedded = resources::members(resource).iter().filter_map(Member::embedded);
    has_state(resource) && embedded.into_iter().any(|embedded| embedded.shown == Shown::Always)
}

/// Whether the removal of such a record takes along more than the record.
pub(super) fn has_contents(resource: &Resource) -> bool {
    resource.fields.iter().any(crate::schema::Field::is_image) || !resources::children(resource).is_empty()
}

impl Wanted {
    /// Wants what is not read yet, and what that which is read needs.
    fn follow(&mut self, keys: impl IntoIterator<Item = Key>, loaded: &Loaded, needed: impl Fn(&Record) -> Self) {
        for key in keys {
            match loaded.records.get(&key) {
                Some(record) => self.extend(needed(record)),
                None => self.extend(Self::one(key, shows_state(key.resource))),
            }
        }
    }
}
