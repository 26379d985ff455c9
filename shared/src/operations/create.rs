//! Creation of records: POST, PUT of a list, and reports from other services or from the service itself.

pub(super) mod plan;
mod refresh;

pub use refresh::refresh;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::driver::{Backoff, Plan, PlanContext, Preconditions, ResponseContent, Verb, retry_conflicts};
use super::refusals::opted_out;
use super::resolver::{PathReference, ResolvedPath};
use super::{Execution, privacy};
use crate::error::{Error, Result};
use crate::request::{Draft, SentImage, Shape};
use crate::resources;
use crate::response::Response;
use crate::schema::{Id, Key, ParentData, Resource, Timestamp};
use crate::table::{self, CommitError, DedupKey, ReadSet, Snapshot, Tombstone, WriteSet, counters_key};

/// Creation of records, each with its children and, if it is new, its parent.
pub(crate) struct Creation<'a> {
    pub(crate) drafts: &'a [Draft],
    /// Shape of the body and of the response.
    pub(crate) shape: Shape,
    pub(crate) origin: Origin<'a>,
}

/// Origin of new records.
pub(crate) enum Origin<'a> {
    /// A request.
    Request,
    /// A report from another service. The record's identifier derives from the key. `named` lists the unique values of
    /// other parents that the record mentions; none may be excluded.
    Report { dedup_key: &'a DedupKey, named: &'a BTreeSet<String> },
    /// A cause within the service. The record has this identifier, which derives from the cause.
    Cause(Id),
    /// An archive where the record has this identifier.
    Import(Id),
    /// A test that is not stored. It may refer to a child that already has a parent.
    Test,
}

impl<'a> Creation<'a> {
    pub(crate) fn of_one(draft: &'a Draft, origin: Origin<'a>) -> Self {
        Self { drafts: std::slice::from_ref(draft), shape: Shape::Record, origin }
    }

    /// Iterates over the embedded drafts that may refer to existing records, each with its resource and unique value.
    fn embedded_with_unique(&self) -> impl Iterator<Item = (&'static Resource, &str)> {
        let embedded = self.drafts.iter().flat_map(|draft| draft.embedded.values().flatten());
        embedded.filter_map(|draft| Some((draft.resource, draft.unique()?)))
    }

    /// Iterates over the values that the new records exclude from other resources.
    fn excluded(&self) -> impl Iterator<Item = (&'static Resource, &str)> {
        self.drafts.iter().filter_map(|draft| Some((draft.resource.excludes()?, draft.unique()?)))
    }

    pub(super) fn dedup_key(&self) -> Option<&DedupKey> {
        if let Origin::Report { dedup_key, .. } = self.origin { Some(dedup_key) } else { None }
    }

    /// Returns the partition key of the parent's counters for an imported record, if its resource is counted.
    pub(super) fn counters(&self, draft: &Draft) -> Option<String> {
        let relation = draft.resource.belongs_to.as_ref().filter(|relation| relation.counters.is_some())?;
        let parent = Key::new(relation.parent, draft.get(relation.foreign_key)?);
        matches!(self.origin, Origin::Import(_)).then(|| counters_key(parent))
    }
}

impl Verb for Creation<'_> {
    fn image(&self) -> Option<(&SentImage, &'static Resource)> {
        let draft = self.drafts.iter().find_map(Draft::first_with_image)?;
        Some((draft.image.as_ref()?, draft.resource))
    }

    fn stores_image(&self, target: &ResolvedPath, _: &Snapshot) -> bool {
        !matches!(target, ResolvedPath::Slot { filled_by: Some(_), .. })
    }

    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet {
        let mut reads = reads_for_drafts(self.drafts);
        reads.records.extend(target.reference_from_path().map(|bound| bound.to));
        reads.records.retain(|key| !read.records.contains_key(key));
        for (resource, value) in self.embedded_with_unique().chain(self.excluded()) {
            reads.follow_reservation(resource, value, read);
        }
        for (resource, value) in self.excluded() {
            reads.extend(privacy::needed_to_exclude(resource, value, read));
        }
        reads.items.extend(self.drafts.iter().filter_map(|draft| self.counters(draft)));
        reads.eventually_consistent.extend(self.dedup_key().and_then(DedupKey::withdrawals));
        reads
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        self.plan_below(parent_for_creation(target)?, read, context)
    }
}

impl Creation<'_> {
    /// Plans the creation of records below a parent in the path.
    pub(super) fn plan_below(
        &self,
        parent: Option<PathReference>,
        read: &mut Snapshot,
        context: &PlanContext<'_>,
    ) -> Result<Plan, CommitError> {
        let (records, mut write_set) = plan::plan(self, parent, read, *context)?;
        if records.is_empty() && self.dedup_key().is_some() {
            let nothing = ResponseContent::Response(Response::no_content());
            return Ok(Plan { write_set, content: nothing, tombstone: Tombstone::default() });
        }
        if let Origin::Report { named, .. } = self.origin {
            let relation = self.drafts.first().and_then(|draft| draft.resource.belongs_to.as_ref());
            for value in named {
                let reservation =
                    relation.map(|relation| table::reservation_key(relation.parent, value)).unwrap_or_default();
                write_set.require_included(&reservation, opted_out("/details"));
            }
        }
        let mut tombstone = Tombstone::default();
        for record in records.iter().filter(|record| record.key.resource.excludes().is_some()) {
            privacy::exclude(record, read, context, &mut write_set, &mut tombstone)?;
        }
        let response = match self.shape {
            Shape::List => ResponseContent::List(records),
            Shape::Record => ResponseContent::Created(records.into_iter().next().ok_or_else(Error::fault)?),
        };
        Ok(Plan { write_set, content: response, tombstone })
    }
}

/// Collects the records that drafts refer to.
fn reads_for_drafts(drafts: &[Draft]) -> ReadSet {
    let mut read_set = ReadSet::default();
    for draft in drafts {
        let resource = draft.resource;
        let parent = resource
            .belongs_to
            .as_ref()
            .and_then(|relation| Some(Key::new(relation.parent, draft.get(relation.foreign_key)?)));
        read_set.records.extend(parent);
        for child in resources::children(resource) {
            if let ParentData::One { slot, .. } = child.relation.parent_data
                && let Some(id) = draft.reference(slot)
            {
                read_set.extend(ReadSet::with_state(Key::new(child.resource, id)));
            }
        }
    }
    read_set
}

/// Returns the reference that a path sets in new records.
fn parent_for_creation(target: &ResolvedPath) -> Result<Option<PathReference>> {
    match target {
        ResolvedPath::Collection { bound, .. } => Ok(*bound),
        ResolvedPath::Slot { parent, child, filled_by: Some(_) } => {
            let ParentData::One { occupied, .. } = child.relation.parent_data else { return Err(Error::fault()) };
            let detail =
                format!("{} already has a {}. Change or delete it first.", parent.key.title(), child.resource.singular);
            Err(Error::conflict(occupied, "", detail))
        }
        ResolvedPath::Slot { parent, child, .. } => {
            Ok(Some(PathReference { field: child.relation.foreign_key.name, to: parent.key }))
        }
        ResolvedPath::Record { .. } | ResolvedPath::Sum { .. } => Err(Error::no_route()),
    }
}

impl Execution {
    /// Creates the record of an external event exactly once. A repeated event only adds fields that the existing record
    /// lacks. `named` lists the unique values of other parents that the record mentions.
    ///
    /// # Errors
    /// 409 if a named value is excluded; otherwise the errors of a POST of the same record.
    pub async fn create_once(&self, draft: Draft, mut dedup_key: DedupKey, named: &BTreeSet<String>) -> Result<()> {
        let target = ResolvedPath::Collection { resource: draft.resource, bound: None };
        let mut attempts = Backoff::default();
        loop {
            let creation = Creation::of_one(&draft, Origin::Report { dedup_key: &dedup_key, named });
            match self.try_once(&target, Snapshot::default(), &creation, &Preconditions::default()).await {
                Ok(_) => return Ok(()),
                Err(error) => attempts.back_off(error).await?,
            }
            if self.is_stored(&draft, &mut dedup_key).await? {
                return Ok(());
            }
        }
    }

    /// Creates a record under an identifier that derives from its cause, which makes the call idempotent. Reads only
    /// the references of the draft that `read` lacks. Returns false if a record already has the identifier.
    ///
    /// # Errors
    /// Those of a POST of the same record.
    pub async fn create_with_id(&self, id: Id, draft: &Draft, read: &Snapshot) -> Result<bool> {
        let target = ResolvedPath::Collection { resource: draft.resource, bound: None };
        let creation = Creation::of_one(draft, Origin::Cause(id));
        let mut read = Some(read.clone());
        retry_conflicts(|| {
            // A retry reads everything again.
            let read = read.take().unwrap_or_default();
            async {
                match self.try_once(&target, read, &creation, &Preconditions::default()).await {
                    Err(CommitError::Outdated) if self.store.get(Key::new(draft.resource, id)).await?.is_some() => {
                        Ok(false)
                    }
                    done => done.map(|_| true),
                }
            }
        })
        .await
    }

    /// Updates the record with the draft's unique value, if it exists. The draft is valid as of `as_of`.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn refresh(&self, draft: &Draft, as_of: Timestamp) -> Result<()> {
        let Some(value) = draft.unique() else { return Ok(()) };
        retry_conflicts(|| async {
            let stored = self.store.find_by_unique_value(draft.resource, value).await?;
            let mut write_set = WriteSet::default();
            match stored.and_then(|stored| refresh::refresh(&stored, draft, [as_of, self.now], &mut write_set)) {
                Some(_) => self.store.commit(&write_set).await,
                None => Ok(()),
            }
        })
        .await
    }

    /// Returns true if the record with the identifier of an external event is that of this event. Adds the fields that
    /// it lacks. If the record is another one, moves on to the event's next identifier.
    async fn is_stored(&self, draft: &Draft, dedup_key: &mut DedupKey) -> Result<bool> {
        let key = dedup_key.key(draft.resource);
        // Only a report with a message may fill fields of the stored record, and it must not add withdrawn text.
        let is_completing = dedup_key.message.is_some();
        let draft = if is_completing { self.without_withdrawn(draft, dedup_key).await? } else { Cow::Borrowed(draft) };
        let mut attempts = Backoff::default();
        while let Some(existing) = self.store.find_existing(key).await? {
            if !dedup_key.identifies_or_advances(&existing) {
                return Ok(false);
            }
            let mut write_set = WriteSet::default();
            table::fill_missing_fields(&existing, &draft, dedup_key, &mut write_set);
            match self.store.commit(&write_set).await {
                Ok(()) => return Ok(true),
                Err(error) => attempts.back_off(error).await?,
            }
        }
        Ok(false)
    }
}
