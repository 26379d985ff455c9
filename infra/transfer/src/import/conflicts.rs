//! Stores records of an incremental archive that conflict with stored records. Most only wait for another record in the
//! archive: a viewer takes a `platform_id` that another viewer gives up. Some records wait for each other.

use std::collections::{BTreeMap, BTreeSet};

use capture_core::resources;
use capture_core::schema::{ParentData, Resource};
use reqwest::Method;
use serde_json::json;

use super::{Failure, Import};
use crate::Error;
use crate::record::Record;

impl Import<'_> {
    /// Retries records until no further progress is made. If records wait for each other, one has to make room: one of
    /// two traded pets is deleted and stored again, and one of two traded unique values is temporarily replaced.
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

    /// Finds cycles of records that wait for each other's unique values, and assigns a temporary value to one record in
    /// each. If the process is killed afterwards, the next import finds no cycle and stores all final values. Returns
    /// false if no cycle was broken.
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
            // Moving a record twice would not help: it has another conflict.
            if moved.insert(id) {
                let body = json!({unique: format!("moved-aside-by-import/{id}")}).to_string();
                let response = self.api.json(Method::PATCH, &format!("{}/{id}", resource.name), &body).await?;
                is_helpful |= response.status.is_success();
            }
        }
        Ok(is_helpful)
    }

    /// Deletes a stored record that can be stored again without loss. No other record may be deleted with it.
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

/// Returns the smallest identifier in each cycle.
fn cycle_representatives(waits_for: &BTreeMap<u64, u64>) -> BTreeSet<u64> {
    let next = |id: &u64| waits_for.get(id).copied();
    let cycle_minimum = |start: u64| {
        // Values are unique, so a path that does not return to its start leads into another cycle or to an end.
        let path = std::iter::successors(next(&start), next).take(waits_for.len());
        let path: Vec<u64> = path.take_while(|id| *id != start).collect();
        let returns = next(path.last().unwrap_or(&start)) == Some(start);
        returns.then(|| path.into_iter().chain([start]).min()).flatten()
    };
    waits_for.keys().filter_map(|start| cycle_minimum(*start)).collect()
}

/// Returns the field that refers to a record's only child, if the relation has one.
fn only_child_field(resource: &Resource, child: &resources::Child) -> Option<&'static str> {
    match child.relation.parent_data {
        ParentData::One { slot, .. } => resource.field(slot).map(|_| slot),
        _ => None,
    }
}
