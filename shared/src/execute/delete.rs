//! Deleting a record and what belongs to it: the record of the intended deletion first, the rest after.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::membership::Membership;
use super::resolve::Place;
use super::{Attempts, Execution, Reply};
use crate::error::Result;
use crate::record::{Key, Record};
use crate::resource::{Access, Kind, Resource};
use crate::resources;
use crate::route::Path;
use crate::store::{
    Changes, Consistency, Direction, Loaded, Pending, Refusal, Scope, Tombstone, Walk, in_parallel, marker_key, stored,
};
use crate::value::Value;

/// How long a request goes on deleting before it answers; the upkeep carries on after that.
const LONGEST_CASCADE: Duration = Duration::from_secs(18);
const PAGE: usize = 800;
/// How many children without contents are deleted in one transaction.
const GROUP: usize = 50;

impl Execution {
    /// DELETE.
    pub(super) async fn delete(&self, path: &Path) -> Result<Reply> {
        let deadline = Instant::now() + LONGEST_CASCADE;
        let mut attempts = Attempts::default();
        loop {
            let place = self.resolve(path).await?;
            match self.delete_once(&place).await {
                Ok((shown, pending)) => {
                    if let Some(pending) = pending {
                        // It has taken effect: what takes too long is the upkeep's.
                        let left = deadline.saturating_duration_since(Instant::now());
                        let _ = timeout(left, self.finish(&pending, deadline)).await;
                    }
                    return Ok(shown);
                }
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }

    async fn delete_once(&self, place: &Place) -> Result<(Reply, Option<Pending>), Refusal> {
        let record = self.at(place).await?;
        let mut embedded = [record.clone()];
        let loaded = self.embed(&mut embedded, Loaded::new(), Consistency::Strong, true).await?;
        let shown = super::view::view(&embedded[0], &loaded, true).ok_or_else(|| super::resolve::absent(record.key))?;
        let pending = self.remove(&record, true).await?;
        Ok((Reply::ok(&shown), pending))
    }

    /// Removes a record with all that it knows to be its own; `leaves_parent` unless the parent is gone.
    async fn remove(&self, record: &Record, leaves_parent: bool) -> Result<Option<Pending>, Refusal> {
        let resource = record.key.resource;
        let (mut changes, mut tombstone) = (Changes::default(), Tombstone::default());
        if leaves_parent && let Some(membership) = Membership::of(record) {
            let parents = self.parent_with_parent(record).await?;
            membership.leave(&mut changes, &parents);
        }
        if let Some(field) = resource.unique
            && let Some(value) = record.text(field)
        {
            changes.delete_item(marker_key(resource, field, value));
        }
        if resource.holds_without_limit {
            tombstone.holder = Some(record.key.to_string());
        }
        self.remove_contents(record, &mut changes, &mut tombstone).await?;
        self.commit_with(changes, tombstone).await
    }

    /// The parent, where it has a parent of its own to tell.
    async fn parent_with_parent(&self, record: &Record) -> Result<Loaded> {
        let keys = record.key.resource.parent.iter().filter(|rule| rule.is_repeated());
        let keys = keys.filter_map(|rule| Some(Key::new(rule.resource, record.reference(rule.by)?)));
        self.store.get_all(keys, Consistency::Strong).await
    }

    /// The record itself, its images, and what belongs to it, each as it was read.
    async fn remove_contents(&self, record: &Record, changes: &mut Changes, tombstone: &mut Tombstone) -> Result<()> {
        let resource = record.key.resource;
        let write = changes.delete(record.key);
        if let Some(field) = resource.unique {
            write.when_as_in(record, field);
        }
        if let Some(rule) = &resource.parent {
            for field in [rule.by].into_iter().chain(rule.while_unset) {
                write.when_as_in(record, field);
            }
        }
        for field in resource.fields {
            match field.kind {
                Kind::Image => {
                    changes.write(record.key).when_as_in(record, field.name);
                    tombstone.images.extend(record.text(field.name).map(str::to_owned));
                }
                Kind::Many { resource: held, ids } if !resource.holds_without_limit => {
                    changes.write(record.key).when_as_in(record, ids);
                    tombstone.records.extend(record.references(ids).map(|id| Key::new(held, id).to_string()));
                }
                Kind::One { resource: held, by, .. } if is_child(held, resource) && !resource.holds_without_limit => {
                    changes.write(record.key).when_as_in(record, by);
                    let child = record.reference(by).map(|id| Key::new(held, id));
                    if let Some(child) = self.store.get_all(child, Consistency::Strong).await?.into_values().next() {
                        Box::pin(self.remove_contents(&child, changes, tombstone)).await?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Goes on with a deletion that has taken effect. Answers whether nothing is left that an index shows.
    pub(crate) async fn finish(&self, pending: &Pending, deadline: Instant) -> bool {
        let Some(holder) = pending.tombstone.holder.as_deref().and_then(Key::parse) else { return true };
        let mut done = true;
        for resource in resources::ALL.into_iter().filter(|resource| is_child(resource, holder.resource)) {
            match self.remove_children(resource, holder, deadline).await {
                Ok(all) => done &= all,
                Err(refusal) => {
                    tracing::warn!(?refusal, "a deletion was cut off: the upkeep carries it on");
                    done = false;
                }
            }
        }
        done
    }

    /// Removes the records of a resource that belong to a holder, in one pass over their index.
    async fn remove_children(
        &self,
        resource: &'static Resource,
        holder: Key,
        deadline: Instant,
    ) -> Result<bool, Refusal> {
        let Some(mut walk) = children(resource, holder) else { return Ok(true) };
        loop {
            let page = walk.next(&self.store, PAGE).await?;
            if page.is_empty() {
                return Ok(true);
            }
            if Instant::now() > deadline {
                return Ok(false);
            }
            // What the index says may be outdated: each removal is conditional on what it says, and where that
            // fails the record itself is asked.
            let (with_contents, bare): (Vec<_>, Vec<_>) = page.into_iter().partition(has_contents);
            let groups = in_parallel(bare.chunks(GROUP).map(|group| self.remove_group(group))).await?;
            let outdated = groups.into_iter().flatten();
            let single = with_contents.iter().map(|record| record.key).chain(outdated);
            in_parallel(single.map(|key| self.remove_child(key, holder))).await?;
        }
    }

    /// Removes records that have nothing of their own, together; answers with them if any is not as it seems.
    async fn remove_group(&self, records: &[Record]) -> Result<Vec<Key>, Refusal> {
        let mut changes = Changes::default();
        for record in records {
            let write = changes.delete(record.key);
            let resource = record.key.resource;
            if let Some(rule) = &resource.parent {
                write.when_as_in(record, rule.by);
            }
            for field in resource.fields {
                if let Kind::One { resource: held, by, .. } = field.kind
                    && is_child(held, resource)
                {
                    write.when_as_in(record, by);
                }
            }
        }
        match self.store.commit(&changes).await {
            Err(Refusal::Again) => Ok(records.iter().map(|record| record.key).collect()),
            committed => committed.map(|()| Vec::new()),
        }
    }

    /// Removes a record if it is there and still belongs to the holder.
    async fn remove_child(&self, key: Key, holder: Key) -> Result<(), Refusal> {
        let mut attempts = Attempts::default();
        while let Some(record) = self.store.get(key).await? {
            let belongs = key.resource.parent.as_ref().is_some_and(|rule| record.reference(rule.by) == Some(holder.id));
            if !belongs {
                break;
            }
            match self.remove(&record, false).await {
                Ok(_) => break,
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
        Ok(())
    }
}

fn is_child(resource: &Resource, holder: &Resource) -> bool {
    resource.parent.as_ref().is_some_and(|rule| rule.resource == holder)
}

/// Whether a record has anything of its own that must go with it.
fn has_contents(record: &Record) -> bool {
    let resource = record.key.resource;
    resource.fields.iter().any(|field| match field.kind {
        Kind::Image => true,
        Kind::One { resource: held, by, .. } => is_child(held, resource) && record.reference(by).is_some(),
        _ => false,
    })
}

/// A walk over the records of a resource that belong to a holder.
pub(super) fn children(resource: &'static Resource, holder: Key) -> Option<Walk> {
    let rule = resource.parent.as_ref()?;
    let filter = resource.filters.iter().find(|filter| filter.field == rule.by)?;
    let Access::Index(index) = filter.access else { return None };
    let hash = vec![(rule.by, stored(&Value::Id(holder.id)))];
    Some(Walk::new(Scope { index, resource, hash, from: None, to: None, direction: Direction::Ascending, after: None }))
}
