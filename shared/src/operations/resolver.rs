//! Resolution of a path, with one read for each hop.
//!
//! The record at the end is not read. Most verbs read it together with its state or with other records.

use super::Execution;
use crate::error::{Error, Result};
use crate::request::{Path, PathStep};
use crate::resources::{Child, Link, LinkTarget};
use crate::schema::{Key, Record, Resource};
use crate::store::Consistency;
use crate::table::{CommitError, ReadSet, Snapshot, is_active_child};

/// Maximum number of attempts to read the child in a parent's slot while the slot changes.
const SLOT_READS: u32 = 10;

/// A resolved path.
#[derive(Clone, Debug)]
pub(crate) enum ResolvedPath {
    /// A collection. `bound` is set if the path names a parent.
    Collection { resource: &'static Resource, bound: Option<PathReference> },
    /// A record. `bound` is set if the path prescribes the record's parent.
    Record { key: Key, bound: Option<PathReference> },
    /// A parent's slot for one child, filled or vacant.
    Slot { parent: Box<Record>, child: Child, filled_by: Option<Key> },
    /// A sum in the state of a record.
    Sum { key: Key, bound: Option<PathReference>, field: &'static str },
}

/// A reference that a path prescribes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathReference {
    /// Name of the reference field.
    pub(crate) field: &'static str,
    /// Record that the field refers to.
    pub(crate) to: Key,
}

impl Execution {
    /// Resolves a path without reading the record at its end.
    pub(super) async fn resolve(&self, path: &Path) -> Result<ResolvedPath> {
        let mut target = ResolvedPath::Collection { resource: path.root, bound: None };
        for step in &path.steps {
            target = match (target, *step) {
                (ResolvedPath::Collection { resource, bound }, PathStep::Id(id)) => {
                    ResolvedPath::Record { key: Key::new(resource, id), bound }
                }
                (from, PathStep::Link(link)) => self.follow(from, link).await?,
                (_, PathStep::Id(_)) => return Err(Error::no_route()),
            };
        }
        Ok(target)
    }

    /// Returns the key of the record at the end of a path. A link to statistics resolves to the record they are about.
    ///
    /// # Errors
    /// 404 if a record in the path does not exist.
    pub(crate) async fn existing_key(&self, path: &Path) -> Result<Key> {
        let target = self.resolve(path).await?;
        Ok(self.read_target(&target, ReadSet::one).await?.0.key)
    }

    async fn follow(&self, from: ResolvedPath, link: &'static Link) -> Result<ResolvedPath> {
        let key = from.key()?;
        Ok(match link.target {
            // The next read also checks that an unbound record exists.
            LinkTarget::Many(child) => {
                if from.reference_from_path().is_some() {
                    self.read_target(&from, ReadSet::one).await?;
                }
                let bound = Some(PathReference { field: child.relation.foreign_key.name, to: key });
                ResolvedPath::Collection { resource: child.resource, bound }
            }
            LinkTarget::Parent(_) => {
                let (record, _) = self.read_target(&from, ReadSet::one).await?;
                ResolvedPath::Record { key: record.parent().ok_or_else(|| key.not_found())?, bound: None }
            }
            LinkTarget::One(child) => {
                let (parent, snapshot) = self.read_target(&from, ReadSet::with_state).await?;
                let filled_by = snapshot.slot(&parent, child).key();
                ResolvedPath::Slot { parent: Box::new(parent), child, filled_by }
            }
            LinkTarget::Sum(_) => ResolvedPath::Sum { key, bound: from.reference_from_path(), field: link.name },
            LinkTarget::Statistics(_) | LinkTarget::Action | LinkTarget::Anonymize(_) => from,
        })
    }

    /// Reads the record at a resolved path, and with [`ReadSet::with_state`] also its state. Returns 404 if the record
    /// does not exist or does not match the path.
    pub(super) async fn read_target(
        &self,
        target: &ResolvedPath,
        reads: fn(Key) -> ReadSet,
    ) -> Result<(Record, Snapshot)> {
        if let ResolvedPath::Slot { parent, child, .. } = target {
            return self.in_slot(parent.key, *child, target.key()?, reads).await;
        }
        let key = target.key()?;
        let snapshot = self.store.load(&reads(key), Consistency::Strong).await?;
        let record = snapshot.records.get(&key).cloned().ok_or_else(|| key.not_found())?;
        let matches =
            target.reference_from_path().is_none_or(|bound| record.reference(bound.field) == Some(bound.to.id));
        if matches { Ok((record, snapshot)) } else { Err(key.not_found()) }
    }

    /// Reads the child in a parent's slot. If the child has left the slot in the meantime, the parent is read again.
    async fn in_slot(
        &self,
        parent: Key,
        child: Child,
        mut key: Key,
        reads: fn(Key) -> ReadSet,
    ) -> Result<(Record, Snapshot)> {
        for _ in 0..SLOT_READS {
            let snapshot = self.store.load(&reads(key), Consistency::Strong).await?;
            let is_active = |record: &&Record| record.parent() == Some(parent) && record.is_active();
            if let Some(record) = snapshot.records.get(&key).filter(is_active).cloned() {
                return Ok((record, snapshot));
            }
            let target = ResolvedPath::Record { key: parent, bound: None };
            let (parent, snapshot) = Box::pin(self.read_target(&target, ReadSet::with_state)).await?;
            let filled_by = snapshot.slot(&parent, child).key();
            key = ResolvedPath::Slot { parent: Box::new(parent), child, filled_by }.key()?;
        }
        Err(Error::unavailable())
    }
}

impl ResolvedPath {
    /// Returns the key of the record at the resolved path, or 404 for a collection or a vacant slot.
    pub(crate) fn key(&self) -> Result<Key> {
        match self {
            Self::Record { key, .. } | Self::Sum { key, .. } | Self::Slot { filled_by: Some(key), .. } => Ok(*key),
            Self::Slot { parent, child, .. } => {
                let (singular, id) = (parent.key.resource.singular, parent.key.id);
                Err(Error::not_found(format!("The {singular} {id} currently has no {}.", child.resource.singular)))
            }
            Self::Collection { .. } => Err(Error::no_route()),
        }
    }

    /// Collects a verb's reads: the record at the resolved path with its state, then what `needed` returns for it.
    pub(crate) fn reads_for_record(&self, read: &Snapshot, needed: impl FnOnce(&Record) -> ReadSet) -> ReadSet {
        match self.key() {
            Ok(key) => read.records.get(&key).map_or_else(|| ReadSet::with_state(key), needed),
            // The plan reports the error.
            Err(_) => ReadSet::default(),
        }
    }

    /// Returns the record at the resolved path as read.
    ///
    /// # Errors
    /// 404 if it does not exist or does not match the path. [`CommitError::Outdated`] if it has left its slot, or if
    /// its parts are inconsistent.
    pub(crate) fn record<'s>(&self, read: &'s Snapshot) -> Result<&'s Record, CommitError> {
        let key = self.key()?;
        let record = read.records.get(&key);
        if let Self::Slot { parent, .. } = self {
            let is_filling = |record: &&Record| is_active_child(record, parent.key);
            return record.filter(is_filling).filter(|record| read.is_consistent(record)).ok_or(CommitError::Outdated);
        }
        let record = record.ok_or_else(|| key.not_found())?;
        if self.reference_from_path().is_some_and(|bound| record.reference(bound.field) != Some(bound.to.id)) {
            return Err(key.not_found().into());
        }
        if read.is_consistent(record) { Ok(record) } else { Err(CommitError::Outdated) }
    }

    /// Returns the reference that the path prescribes.
    pub(crate) fn reference_from_path(&self) -> Option<PathReference> {
        match self {
            Self::Record { bound, .. } | Self::Sum { bound, .. } | Self::Collection { bound, .. } => *bound,
            Self::Slot { .. } => None,
        }
    }
}
