//! Following a path, one read for each hop.

use super::Execution;
use crate::error::{Error, Result};
use crate::plan::{Loaded, Wanted};
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
    Slot { holder: Box<Record>, child: Child, filled_by: Option<Key> },
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
        let mut place = Place::Many { resource: path.root, bound: None };
        for step in &path.steps {
            place = match (place, *step) {
                (Place::Many { resource, bound }, Step::Id(id)) => Place::One { key: Key::new(resource, id), bound },
                (place, Step::Link(link)) => self.follow(place, link.name, link.leads).await?,
                (_, Step::Id(_)) => return Err(Error::no_route()),
            };
        }
        Ok(place)
    }

    async fn follow(&self, place: Place, name: &'static str, leads: Leads) -> Result<Place> {
        let key = place.key()?;
        Ok(match leads {
            // Whether an unbound record is there is found out together with what comes next.
            Leads::Many(child) => {
                if place.bound().is_some() {
                    self.at(&place, false).await?;
                }
                let bound = Some(Bound { field: child.relation.by.name, to: key });
                Place::Many { resource: child.resource, bound }
            }
            Leads::Holder(_) => {
                let (record, _) = self.at(&place, false).await?;
                Place::One { key: record.holder().ok_or_else(|| Error::absent(key))?, bound: None }
            }
            Leads::One(child) => {
                let (holder, loaded) = self.at(&place, true).await?;
                let filled_by = loaded.slot(&holder, child).flatten();
                Place::Slot { holder: Box::new(holder), child, filled_by }
            }
            Leads::Sum(_) => Place::Sum { key, bound: place.bound(), field: name },
        })
    }

    /// The record at a place, if it is there and matches what the path binds; with what it keeps, if wanted.
    pub(super) async fn at(&self, place: &Place, with_state: bool) -> Result<(Record, Loaded)> {
        if let Place::Slot { holder, child, .. } = place {
            return self.in_slot(holder.key, *child, place.key()?, with_state).await;
        }
        let key = place.key()?;
        let loaded = self.store.load(&Wanted::one(key, with_state), Consistency::Strong).await?;
        let record = loaded.records.get(&key).cloned().ok_or_else(|| Error::absent(key))?;
        let matches = place.bound().is_none_or(|bound| record.reference(bound.field) == Some(bound.to.id));
        if matches { Ok((record, loaded)) } else { Err(Error::absent(key)) }
    }

    /// The record that a holder keeps. The two are read one after the other: where the record says otherwise by then, the
    /// holder is asked again.
    async fn in_slot(&self, holder: Key, child: Child, mut key: Key, with_state: bool) -> Result<(Record, Loaded)> {
        for _ in 0..SLOT_READS {
            let loaded = self.store.load(&Wanted::one(key, with_state), Consistency::Strong).await?;
            let is_kept = |record: &&Record| record.holder() == Some(holder) && record.is_kept();
            if let Some(record) = loaded.records.get(&key).filter(is_kept).cloned() {
                return Ok((record, loaded));
            }
            let place = Place::One { key: holder, bound: None };
            let (holder, loaded) = Box::pin(self.at(&place, true)).await?;
            let filled_by = loaded.slot(&holder, child).flatten();
            key = Place::Slot { holder: Box::new(holder), child, filled_by }.key()?;
        }
        Err(Error::unavailable())
    }
}

impl Place {
    /// The record that the place is, if it is one.
    pub(super) fn key(&self) -> Result<Key> {
        match self {
            Self::One { key, .. } | Self::Sum { key, .. } | Self::Slot { filled_by: Some(key), .. } => Ok(*key),
            Self::Slot { holder, child, .. } => {
                let (singular, id) = (holder.key.resource.singular, holder.key.id);
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
