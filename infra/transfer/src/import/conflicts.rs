//! Stores records of an archive of changes that contradict records which the service has. Most wait for another record
//! of the archive, such as a viewer who takes the `platform_id` that another one gives up. Some wait for each other.

use std::collections::{BTreeMap, BTreeSet};

use event_capture::resources;
use event_capture::schema::{OnParent, Resource};
use reqwest::Method;
use serde_json::json;

use super::{Failure, Import};
use crate::Error;
use crate::record::Record;

impl Import<'_> {
    /// Store records again, until no attempt helps. Of records that wait for each other, such as two traded pets, one
    /// has to make room: it is deleted, and stored again. Of two traded unique values, one record gives up its own
    /// meanwhile.
    pub(super) async fn retry(
        &self,
        resource: &'static Resource,
        failures: Vec<Failure>,
    ) -> Result<Vec<Failure>, Error> {
        let (mut conflicts, mut others): (Vec<_>, Vec<_>) =
            failures.into_iter().partition(|failure| failure.is_conflict);
        let mut moved = BTreeSet::new();
        loop {
            let count = conflicts.len();
            let batch = conflicts.into_iter().map(|failure| failure.located).collect();
            conflicts = self.store_batch(resource, batch).await?;
            if conflicts.len() == count && !self.break_cycles(resource, &conflicts, &mut moved).await? {
                break;
            }
        }
        for Failure { located, .. } in conflicts.iter().filter(|failure| failure.is_conflict) {
            self.delete_to_restore(resource, located.id).await?;
        }
        let batch = conflicts.into_iter().map(|failure| failure.located).collect();
        others.extend(self.store_batch(resource, batch).await?);
        Ok(others)
    }

    /// Give a temporary unique value to one record of each cycle in which every record waits for the value of the
    /// next. If the process is killed then, the next import finds no cycle, and stores all final values. Returns
    /// false if there is no cycle.
    async fn break_cycles(
        &self,
        resource: &'static Resource,
        conflicts: &[Failure],
        moved: &mut BTreeSet<u64>,
    ) -> Result<bool, Error> {
        let Some(unique) = resource.unique.map(|unique| unique.attribute.name) else { return Ok(false) };
        let mut waits_for = BTreeMap::new();
        for Failure { located, .. } in conflicts {
            let value = located.record.text(unique).unwrap_or_default();
            let other = self.id_by_unique_value(resource, &value).await?;
            waits_for.extend(other.filter(|other| *other != located.id).map(|other| (located.id, other)));
        }
        let mut is_helpful = false;
        for id in cycle_representatives(&waits_for) {
            // A second attempt would not help: the record met another conflict.
            if moved.insert(id) {
                let body = json!({unique: format!("moved-aside-by-import/{id}")}).to_string();
                let response = self.api.json(Method::PATCH, &format!("{}/{id}", resource.name), &body).await?;
                is_helpful |= response.status.is_success();
            }
        }
        Ok(is_helpful)
    }

    /// Delete a stored record if it can be stored again without loss: no other record would be deleted with it.
    async fn delete_to_restore(&self, resource: &'static Resource, id: u64) -> Result<(), Error> {
        let children = resources::children(resource);
        let slots: Vec<_> = children.iter().filter_map(|child| only_child_field(resource, child)).collect();
        if !resource.is_deletable() || slots.len() < children.len() {
            return Ok(());
        }
        let path = format!("{}/{id}", resource.name);
        let stored: Option<Record> = serde_json::from_slice(&self.api.get(&path).await?.body).ok();
        if stored.is_some_and(|stored| slots.iter().all(|slot| stored.id(slot).is_none())) {
            self.api.delete(&path).await?;
        }
        Ok(())
    }
}

/// List the smallest identifier of each cycle.
fn cycle_representatives(waits_for: &BTreeMap<u64, u64>) -> BTreeSet<u64> {
    let next = |id: &u64| waits_for.get(id).copied();
    let cycle_minimum = |start: u64| {
        // No two records have the same value, so a record that does not lead back to itself leads to another cycle, or out of
        // them.
        let path = std::iter::successors(next(&start), next).take(waits_for.len());
        let path: Vec<u64> = path.take_while(|id| *id != start).collect();
        let returns = next(path.last().unwrap_or(&start)) == Some(start);
        returns.then(|| path.into_iter().chain([start]).min()).flatten()
    };
    waits_for.keys().filter_map(|start| cycle_minimum(*start)).collect()
}

/// Get the field of a record that refers to its only child in a relation.
fn only_child_field(resource: &Resource, child: &resources::Child) -> Option<&'static str> {
    match child.relation.on_parent {
        OnParent::One { slot, .. } => resource.field(slot).map(|_| slot),
        _ => None,
    }
}
