//! Turns the part files into the archive. If the listed records are inconsistent, reads the affected ones again and
//! rewrites the archive.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

use capture_core::resources::{self, Member};
use capture_core::schema::{Id, Input, Key, ParentData, Resource};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;

use super::conflicts::{Claims, is_oversized};
use super::{BaseArchive, Export, FeedChanges, MAX_NAMED, Progress, part_path, record_of};
use crate::Error;
use crate::archive::{DELETED, DeletedRecord, digests_of, extra_images, file_of, image_field};
use crate::files::{FileSummary, LineWriter, Lines};
use crate::record::Record;

/// Maximum number of rounds of reading inconsistent records.
const MAX_ROUNDS: u32 = 50;
/// Maximum wait between rounds. The wait is random, to avoid synchronizing with the changes.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// A line of the archive.
#[derive(Clone)]
pub struct Line {
    pub record: Record,
    /// Line with the digest of its image.
    pub digest: Option<String>,
}

/// Records that were read again. `None` if the record no longer exists.
type Newer = BTreeMap<Key, Option<Line>>;

/// One attempt to write the archive.
struct Attempt<'a> {
    folder: &'a Path,
    newer: &'a Newer,
    /// Whether all users are archived. If not, other users' records are not fetched.
    has_all_users: bool,
    /// Identifiers of the archived records, for each resource that is archived in full.
    archived_ids: HashMap<&'static str, Vec<u64>>,
    claims: Claims,
    files: BTreeMap<String, FileSummary>,
    omitted: Vec<String>,
    /// Records to read again.
    to_reread: BTreeSet<Key>,
}

/// Files of a resource.
struct Writers {
    records: LineWriter,
    digests: Option<LineWriter>,
    ids: Vec<u64>,
}

impl Export {
    /// Writes the archive. Returns the records it omits, which were deleted during the export or lost their parents.
    pub(super) async fn complete(
        &mut self,
        earlier: Option<&BaseArchive>,
        changes: &FeedChanges,
    ) -> Result<Vec<String>, Error> {
        let mut newer = Newer::new();
        let mut to_reread = self.progress.read_again.iter().filter_map(|path| resources::parse_key(path)).collect();
        for _ in 0..MAX_ROUNDS {
            self.read_again(to_reread, &mut newer).await?;
            let attempt = self.write(&newer, earlier, changes)?;
            if attempt.to_reread.is_empty() {
                let Attempt { files, omitted, .. } = attempt;
                self.delete_extra_images()?;
                self.progress.manifest.resources = resources::ALL.map(|resource| resource.name.to_owned()).into();
                self.progress.manifest.files = files;
                self.progress.manifest.write(&self.folder)?;
                return Ok(omitted);
            }
            to_reread = attempt.to_reread;
            tokio::time::sleep(MAX_WAIT.mul_f64(fastrand::f64())).await;
        }
        let mut named: Vec<_> = to_reread.iter().take(MAX_NAMED).map(Key::to_string).collect();
        named.extend((to_reread.len() > MAX_NAMED).then(|| format!("{} more", to_reread.len() - MAX_NAMED)));
        Err(format!(
            "These records change faster than they can be read, so no consistent state was found: {}.\n\
             Run the same command again when they change less often.",
            named.join(", ")
        )
        .into())
    }

    /// Writes all files except the manifest.
    fn write<'a>(
        &'a self,
        newer: &'a Newer,
        earlier: Option<&BaseArchive>,
        changes: &FeedChanges,
    ) -> Result<Attempt<'a>, Error> {
        let mut attempt = Attempt {
            folder: &self.folder,
            newer,
            has_all_users: self.progress.manifest.user.is_none(),
            archived_ids: HashMap::new(),
            claims: Claims::default(),
            files: BTreeMap::new(),
            omitted: Vec::new(),
            to_reread: BTreeSet::new(),
        };
        let mut deleted = earlier.map(|_| LineWriter::create(&self.folder.join(DELETED))).transpose()?;
        for resource in resources::in_order_of_references() {
            let ids = attempt.write(resource)?;
            if let (Some(deleted), Some(earlier)) = (&mut deleted, earlier) {
                for line in deleted_since(earlier, resource, &ids, changes, &self.progress, newer)? {
                    deleted.add(&serde_json::to_string(&line)?)?;
                }
            }
            // For resources read from the feed, only the changed records are known.
            if !changes.contains_key(resource.name) {
                attempt.archived_ids.insert(resource.name, ids);
            }
        }
        if let Some(deleted) = deleted {
            attempt.files.insert(DELETED.to_owned(), deleted.finish()?);
        }
        attempt.to_reread.extend(std::mem::take(&mut attempt.claims).conflicts(&self.oversized));
        Ok(attempt)
    }

    /// Reads records again, parents before their children. Embedded records are consistent with their parent, so they
    /// are not read separately.
    async fn read_again(&mut self, mut to_reread: BTreeSet<Key>, newer: &mut Newer) -> Result<(), Error> {
        let mut oversized = BTreeSet::new();
        for resource in resources::in_order_of_references() {
            let keys: Vec<Key> = to_reread.iter().filter(|key| key.resource == resource).copied().collect();
            if !keys.is_empty() && image_field(resource).is_some() {
                // The new image replaces the listed one. A resumed export must not combine it with the old digest.
                self.progress.read_again.extend(keys.iter().map(Key::to_string));
                self.save()?;
            }
            let api = &self.api;
            let read = stream::iter(keys)
                .map(|key| async move { Ok::<_, Error>((key, record_of(&api.get(&key.to_string()).await?)?)) });
            let mut read = read.buffered(self.api.concurrency);
            while let Some((key, record)) = read.try_next().await? {
                let Some(record) = record else {
                    newer.insert(key, None);
                    continue;
                };
                let embedded = embedded_in(resource, &record);
                if is_oversized(key, &record, &embedded) {
                    oversized.insert(key);
                }
                for (child, record) in embedded {
                    if to_reread.remove(&child) {
                        newer.insert(child, Some(Line { record, digest: None }));
                    }
                }
                newer.insert(key, self.line(resource, record).await?);
            }
        }
        self.oversized.extend(oversized);
        Ok(())
    }

    /// Deletes images of records that are no longer in the archive, or now have an image of another type.
    fn delete_extra_images(&self) -> Result<(), Error> {
        for resource in resources::ALL {
            for image in extra_images(&self.folder, resource)? {
                std::fs::remove_file(image)?;
            }
        }
        Ok(())
    }
}

impl Attempt<'_> {
    /// Writes the files of a resource. Returns the identifiers of its records, in ascending order.
    fn write(&mut self, resource: &'static Resource) -> Result<Vec<u64>, Error> {
        let writer = |name: String| LineWriter::create(&self.folder.join(name));
        let (records, digests) = (writer(file_of(resource))?, digests_of(resource).map(writer).transpose()?);
        let mut writers = Writers { records, digests, ids: Vec::new() };
        let mut newer: BTreeMap<Key, Option<Line>> = self
            .newer
            .iter()
            .filter(|(key, _)| key.resource == resource)
            .map(|(key, line)| (*key, line.clone()))
            .collect();
        let mut digests = Lines::open_if_exists(&part_path(self.folder, &digests_of(resource).unwrap_or_default()))?;
        for line in Lines::open_if_exists(&part_path(self.folder, &file_of(resource)))? {
            let record = Record::parse(&line?)?;
            let digest = digests.next().transpose()?;
            let id = record.id(resource.id.name).and_then(Id::new).ok_or("a record without an identifier")?;
            let key = Key::new(resource, id);
            match (self.newer.contains_key(&key), newer.remove(&key)) {
                (false, _) => self.add(key, Line { record, digest }, &mut writers)?,
                (true, Some(Some(line))) => self.add(key, line, &mut writers)?,
                (true, Some(None)) => self.omitted.push(format!("{key}: it no longer exists")),
                // A record is listed twice if it was deleted and stored again with another time.
                (true, None) => {}
            }
        }
        // Parents that were not listed, but were read because another record refers to them.
        for (key, line) in newer {
            if let Some(line) = line {
                self.add(key, line, &mut writers)?;
            }
        }
        let Writers { records, digests, mut ids } = writers;
        self.files.insert(file_of(resource), records.finish()?);
        if let (Some(name), Some(digests)) = (digests_of(resource), digests) {
            self.files.insert(name, digests.finish()?);
        }
        ids.sort_unstable();
        let duplicates = ids.windows(2).filter(|pair| pair[0] == pair[1]).filter_map(|pair| Id::new(pair[0]));
        self.to_reread.extend(duplicates.map(|id| Key::new(resource, id)));
        Ok(ids)
    }

    /// Adds a record to the archive, unless it requires a missing record.
    fn add(&mut self, key: Key, mut line: Line, writers: &mut Writers) -> Result<(), Error> {
        if let Some(reason) = self.clear_missing_references(key, &mut line.record)? {
            self.omitted.push(format!("{key}: {reason}"));
            return Ok(());
        }
        self.claims.add(key, &line.record);
        writers.ids.push(key.id.number());
        writers.records.add(&line.record.line()?)?;
        if let (Some(digests), Some(digest)) = (&mut writers.digests, &line.digest) {
            digests.add(digest)?;
        }
        Ok(())
    }

    /// Clears references to records that the archive lacks. Returns a reason to omit the record if such a reference is
    /// required.
    fn clear_missing_references(&mut self, key: Key, record: &mut Record) -> Result<Option<String>, Error> {
        for (field, to) in resources::references(key.resource) {
            let Some(id) = record.id(field) else { continue };
            if self.archived_ids.get(to.name).is_none_or(|ids| ids.binary_search(&id).is_ok()) {
                continue;
            }
            // The record may have moved after it was listed, to a parent that is newer than the list of parents.
            let parent = Id::new(id).map(|id| Key::new(to, id)).filter(|_| self.has_all_users);
            let unread = parent.filter(|parent| !self.newer.contains_key(parent));
            if unread.is_some() || !self.newer.contains_key(&key) {
                self.to_reread.extend(unread.into_iter().chain([key]));
            }
            if key.resource.field(field).is_some_and(|field| matches!(field.input, Input::Required)) {
                return Ok(Some(format!("{}/{id} no longer exists", to.name)));
            }
            record.set(field, &Value::Null)?;
        }
        Ok(None)
    }
}

/// Returns a resource's records that were deleted since an earlier archive.
fn deleted_since(
    earlier: &BaseArchive,
    resource: &'static Resource,
    ids: &[u64],
    changes: &FeedChanges,
    progress: &Progress,
    newer: &Newer,
) -> Result<Vec<DeletedRecord>, Error> {
    let mut deleted = BTreeMap::new();
    if changes.contains_key(resource.name) {
        let listed = progress.lists.get(resource.name).map(|list| list.deleted.as_slice()).unwrap_or_default();
        let reread = newer.iter().filter(|(key, line)| key.resource == resource && line.is_none());
        deleted.extend(listed.iter().copied().chain(reread.map(|(key, _)| key.id.number())).map(|id| (id, None)));
    } else {
        deleted = earlier.records(resource)?;
        deleted.retain(|id, _| ids.binary_search(id).is_err());
    }
    // Immutable records are deleted only with their parents.
    deleted.retain(|_, _| resource.is_deletable());
    Ok(deleted
        .into_iter()
        .map(|(id, unique)| DeletedRecord { resource: resource.name.to_owned(), id, unique })
        .collect())
}

/// Returns the embedded children that the record tracks in its state.
fn embedded_in(resource: &'static Resource, record: &Record) -> Vec<(Key, Record)> {
    let mut embedded_records = Vec::new();
    for member in resources::members(resource) {
        let Member::OnParent(child, embedded) = member else { continue };
        let children: Vec<Record> = match child.relation.parent_data {
            ParentData::Many { .. } => record.parsed(embedded.field).unwrap_or_default(),
            ParentData::One { slot, .. } if resource.field(slot).is_none() => {
                record.parsed::<Option<Record>>(embedded.field).flatten().into_iter().collect()
            }
            _ => continue,
        };
        embedded_records.extend(children.into_iter().filter_map(|record| {
            let id = Id::new(record.id(child.resource.id.name)?)?;
            Some((Key::new(child.resource, id), record.without_embedded(child.resource)))
        }));
    }
    embedded_records
}
