//! Following a path, one read for each hop.

use super::Execution;
use crate::error::{Error, Result};
use crate::plan::{ReadSet, Snapshot};
use crate::request::{Path, Step};
use crate::resources::{Child, Leads};
use crate::schema::{Key, Record, Resource};
use crate::store::Consistency;

/// How often a holder is asked what it keeps, while that changes.
const SLOT_READS: u32 = 10;

/// Where a path ends, in what is stored.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A collection; bound, if the path says to what.
    Many { resource: &'static Resource, bound: Option<Bound> },
    /// A record; bound, if it must match.
    One { key: Key, bound: Option<Bound> },
    /// What a record keeps one of, or its vacancy.
    Slot { parent: Box<Record>, child: Child, filled_by: Option<Key> },
    /// A sum that a record keeps.
    Sum { key: Key, bound: Option<Bound>, field: &'static str },
}

/// What a path binds: a field, to a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The field.
    pub(super) field: &'static str,
    /// The record.
    pub(super) to: Key,
}

impl Execution {
    /// Follows a path to its end, which itself is not read.
    pub(super) async fn resolve(&self, path: &Path) -> Result<Place> {
        let mut position = Place::Many { resource: path.root, bound: None };
        for step in &path.steps {
            position = match (position, *step) {
                (Place::Many { resource, bound }, Step::Id(id)) => Place::One { key: Key::new(resource, id), bound },
                (position, Step::Link(link)) => self.follow(position, link.name, link.leads).await?,
                (_, Step::Id(_)) => return Err(Error::no_route()),
            };
        }
        Ok(position)
    }

    async fn follow(&self, position: Place, name: &'static str, leads: Leads) -> Result<Place> {
        let key = position.key()?;
        Ok(match leads {
            // Whether an unbound record is there is found out together with what comes next.
            Leads::Many(child) => {
                if position.bound().is_some() {
                    self.at(&position, false).await?;
                }
                let bound = Some(Bound { field: child.relation.by.name, to: key });
                Place::Many { resource: child.resource, bound }
            }
            Leads::Parent(_) => {
                let (record, _) = self.at(&position, false).await?;
                Place::One { key: record.parent().ok_or_else(|| Error::absent(key))?, bound: None }
            }
            Leads::One(child) => {
                let (parent, snapshot) = self.at(&position, true).await?;
                let filled_by = snapshot.slot(&parent, child).flatten();
                Place::Slot { parent: Box::new(parent), child, filled_by }
            }
            Leads::Sum(_) => Place::Sum { key, bound: position.bound(), field: name },
        })
    }

    /// The record at a place, if it is there and matches what the path binds; with what it keeps, if wanted.
    pub(super) async fn at(&self, position: &Place, with_state: bool) -> Result<(Record, Snapshot)> {
        if let Place::Slot { parent, child, .. } = position {
            return self.in_slot(parent.key, *child, position.key()?, with_state).await;
        }
        let key = position.key()?;
        let snapshot = self.store.load(&ReadSet::one(key, with_state), Consistency::Strong).await?;
        let record = snapshot.records.get(&key).cloned().ok_or_else(|| Error::absent(key))?;
        let matches = position.bound().is_none_or(|bound| record.reference(bound.field) == Some(bound.to.id));
        if matches { Ok((record, snapshot)) } else { Err(Error::absent(key)) }
    }

    /// The record that a holder keeps. The two are read one after the other: where the record says otherwise by then, the
    /// holder is asked again.
    async fn in_slot(&self, parent: Key, child: Child, mut key: Key, with_state: bool) -> Result<(Record, Snapshot)> {
        for _ in 0..SLOT_READS {
            let snapshot = self.store.load(&ReadSet::one(key, with_state), Consistency::Strong).await?;
            let is_active = |record: &&Record| record.parent() == Some(parent) && record.is_active();
            if let Some(record) = snapshot.records.get(&key).filter(is_active).cloned() {
                return Ok((record, snapshot));
            }
            let position = Place::One { key: parent, bound: None };
            let (parent, snapshot) = Box::pin(self.at(&position, true)).await?;
            let filled_by = snapshot.slot(&parent, child).flatten();
            key = Place::Slot { parent: Box::new(parent), child, filled_by }.key()?;
        }
        Err(Error::unavailable())
    }
}

impl Place {
    /// The record that the place is, if it is one.
    pub(super) fn key(&self) -> Result<Key> {
        match self {
            Self::One { key, .. } | Self::Sum { key, .. } | Self::Slot { filled_by: Some(key), .. } => Ok(*key),
            Self::Slot { parent, child, .. } => {
                let (singular, id) = (parent.key.resource.singular, parent.key.id);
                Err(Error::not_found(format!("The {singular} {id} has no {} now.", child.resource.singular)))
            }
            Self::Many { .. } => Err(Error::no_route()),
        }
    }

    fn bound(&self) -> Option<Bound> {
        match self {
            Self::One { bound, .. } | Self::Sum { bound, .. } => *bound,
            Self::Many { .. } | Self::Slot { .. } => None,
        }
    }
}
