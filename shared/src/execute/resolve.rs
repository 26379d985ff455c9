//! Following a path, one read for each hop.

use super::Execution;
use crate::error::{Error, Result};
use crate::record::{Key, Record};
use crate::resource::{Leads, Resource};
use crate::route::{Path, Step};
use crate::value::{Id, Value};

/// Where a path ends, in what is stored.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A collection; bound, if the path says to what.
    Many { resource: &'static Resource, bound: Option<Bound> },
    /// A record; bound, if it must match.
    One { key: Key, bound: Option<Bound> },
    /// A slot of a record, filled or vacant.
    Slot { holder: Box<Record>, by: &'static str, to: &'static Resource, filled_by: Option<Key>, binds: &'static str },
    /// A field of a record.
    Value { key: Key, field: &'static str },
}

/// What a path binds: a field, to a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub field: &'static str,
    pub to: Key,
}

impl Execution {
    /// Follows a path to its end, which itself is not read.
    pub(super) async fn resolve(&self, path: &Path) -> Result<Place> {
        let mut place = Place::Many { resource: path.root, bound: None };
        for step in &path.steps {
            place = match (place, *step) {
                (Place::Many { resource, bound }, Step::Id(id)) => Place::One { key: Key::new(resource, id), bound },
                (place, Step::Link(link)) => self.follow(&place, &link.leads).await?,
                (_, Step::Id(_)) => return Err(Error::no_route()),
            };
        }
        Ok(place)
    }

    async fn follow(&self, place: &Place, leads: &Leads) -> Result<Place> {
        let key = place.key()?;
        let unread = matches!(place, Place::One { bound: None, .. } | Place::Slot { .. });
        Ok(match *leads {
            // Whether an unread record is there is found out together with what comes next.
            Leads::Many { to, binds } => {
                if !unread {
                    self.at(place).await?;
                }
                Place::Many { resource: to, bound: Some(Bound { field: binds, to: key }) }
            }
            Leads::One { to, by } => {
                let id = self.at(place).await?.reference(by).ok_or_else(|| absent(key))?;
                Place::One { key: Key::new(to, id), bound: None }
            }
            Leads::Slot { to, by, binds } => {
                let holder = self.at(place).await?;
                let filled_by = holder.reference(by).map(|id| Key::new(to, id));
                Place::Slot { holder: Box::new(holder), by, to, filled_by, binds }
            }
            Leads::Value { field } => {
                if !unread {
                    self.at(place).await?;
                }
                Place::Value { key, field }
            }
        })
    }

    /// The record at a place, if it is there and matches what the path binds.
    pub(super) async fn at(&self, place: &Place) -> Result<Record> {
        let key = place.key()?;
        let record = self.store.get(key).await?.ok_or_else(|| absent(key))?;
        let matches = place.bound().is_none_or(|(field, id)| record.get(field) == Some(&Value::Id(id)));
        if matches { Ok(record) } else { Err(absent(key)) }
    }
}

impl Place {
    /// The record that the place is, if it is one.
    pub(super) fn key(&self) -> Result<Key> {
        match self {
            Self::One { key, .. } | Self::Value { key, .. } | Self::Slot { filled_by: Some(key), .. } => Ok(*key),
            Self::Slot { holder, to, .. } => {
                let detail =
                    format!("The {} {} has no {} now.", holder.key.resource.singular, holder.key.id, to.singular);
                Err(Error::not_found(detail))
            }
            Self::Many { .. } => Err(Error::no_route()),
        }
    }

    fn bound(&self) -> Option<(&'static str, Id)> {
        match self {
            Self::One { bound: Some(bound), .. } => Some((bound.field, bound.to.id)),
            _ => None,
        }
    }
}

/// 404 for a record that is not there, or not there for this path.
pub(super) fn absent(key: Key) -> Error {
    Error::not_found(format!("There is no {} {} here.", key.resource.singular, key.id))
}
