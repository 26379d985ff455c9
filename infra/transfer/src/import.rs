//! The `import` command. Verifies an archive, then stores its records, parents before their children.
//!
//! PUT leaves identical records unchanged, so the command can be repeated. Each response is compared with the archive.

mod conflicts;
mod privacy;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::resources::{self, TRANSACTIONS, transactions};
use capture_core::schema::{Field, Input, ParentData, Resource};
use futures_util::future::try_join_all;
use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::ProgressBar;
use reqwest::{Method, Url};

use crate::api::{Api, Response};
use crate::archive::{self, DeletedRecord, LocatedRecord, Manifest, Records, image_field, read_image};
use crate::record::{self, IMAGE, Record};
use crate::{Error, ImportOptions, progress};

/// Maximum number of records in a batch.
const MAX_BATCH_RECORDS: usize = 2_000;
/// Size at which a batch is full, without images.
const MAX_BATCH_BYTES: usize = 16_000_000;
/// Maximum number of records named in the summary.
const MAX_NAMED: usize = 50;
/// Maximum wait for a deletion in the service, which the upkeep completes within two minutes.
const DELETION_TIMEOUT: Duration = Duration::from_mins(5);
const DELETION_POLL_INTERVAL: Duration = Duration::from_secs(2);

struct Import<'a> {
    api: Api,
    folder: &'a Path,
    /// Whether archived users map to stored users with the same unique value.
    matches_users: bool,
    /// Whether the archive is incremental. If so, the import also updates and deletes stored records.
    is_incremental: bool,
    /// Stored identifiers of users that the service already has, by archived identifier.
    matched: HashMap<u64, u64>,
    bar: ProgressBar,
    counts: Counts,
    /// Archived records that the service lacks. Their identifiers are unused there, or taken by other records.
    not_stored: Mutex<HashSet<(&'static str, u64)>>,
    /// Skipped records: those of viewers who have opted out, and documents of redacted events.
    skipped: Mutex<HashSet<(&'static str, u64)>>,
    /// Users that are anonymized in the service.
    anonymized: Mutex<HashSet<u64>>,
    /// Descriptions of records that differ from the archive or were rejected.
    problems: Mutex<Vec<String>>,
}

/// A record that could not be stored.
struct Failure {
    located: LocatedRecord,
    problem: String,
    /// Whether the identifier is unused in the service, or taken by a different record.
    is_absent: bool,
    /// Whether the record conflicts with stored values, which may change during the import.
    is_conflict: bool,
}

#[derive(Default)]
struct Counts {
    created: AtomicU64,
    present: AtomicU64,
    changed: AtomicU64,
    deleted: AtomicU64,
    matched: AtomicU64,
    opted_out: AtomicU64,
    skipped: AtomicU64,
    failed: AtomicU64,
}

impl Counts {
    fn add(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    fn text(&self) -> String {
        let counts = [
            (&self.created, "created"),
            (&self.present, "stored before"),
            (&self.changed, "changed"),
            (&self.deleted, "deleted"),
            (&self.matched, "matched by platform_id"),
        ];
        let counts = counts.iter().map(|(count, what)| (count.load(Ordering::Relaxed), what));
        let counts = counts.filter(|(count, what)| *count > 0 || **what == "created");
        counts.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
    }
}

pub async fn run(api: Api, ImportOptions { from, match_users, .. }: ImportOptions) -> Result<(), Error> {
    let manifest = Manifest::read(&from)?
        .ok_or_else(|| format!("{} has no complete archive. Complete it with `export`.", from.display()))?;
    archive::verify(&from, &manifest)?;
    let total = manifest
        .files
        .iter()
        .filter(|(name, _)| name.strip_suffix(".jsonl").is_some())
        .map(|(_, file)| file.records)
        .sum();
    let bar = progress::bar(total, "{pos} of {len} records  {per_sec:.0}  {eta} left")?;
    let mut import = Import {
        api,
        folder: &from,
        matches_users: match_users,
        is_incremental: manifest.since.is_some(),
        matched: HashMap::new(),
        bar,
        counts: Counts::default(),
        not_stored: Mutex::default(),
        skipped: Mutex::default(),
        anonymized: Mutex::default(),
        problems: Mutex::default(),
    };
    if match_users {
        import.matched = import.match_users().await?;
    }
    // Delete first: a new record may take the place of a deleted one.
    import.delete_all().await?;
    for resource in resources::in_order_of_references() {
        import.skip_documents(resource).await?;
        import.store_all(resource).await?;
    }
    import.finish()
}

impl Import<'_> {
    /// Finds the archived users that the service already has, under the same or other identifiers.
    async fn match_users(&self) -> Result<HashMap<u64, u64>, Error> {
        let users = &resources::USERS;
        let unique = users.unique.ok_or("users have no unique field")?.attribute.name;
        self.bar.set_message("matching users");
        let users_to_match = stream::iter(Records::open(self.folder, users)?);
        let lookups = users_to_match.map(|user| async move {
            let LocatedRecord { location, id, record } = user?;
            let platform_id = record.text(unique).ok_or_else(|| format!("{location}: no {unique}."))?;
            let stored = self.id_by_unique_value(users, &platform_id).await?;
            // The viewer behind an anonymized user may have returned as a new user.
            let is_other = stored.is_some_and(|stored| stored != id);
            let is_same = is_other && self.has_anonymized(users, id).await?;
            Ok::<_, Error>((id, if is_same { Some(id) } else { stored }))
        });
        let matches: Vec<_> = lookups.buffer_unordered(self.api.concurrency).try_collect().await?;
        Ok(matches.into_iter().filter_map(|(id, stored)| Some((id, stored?))).collect())
    }

    /// Looks up the identifier of the stored record with a unique value.
    async fn id_by_unique_value(&self, resource: &'static Resource, value: &str) -> Result<Option<u64>, Error> {
        let Some(unique) = resource.unique else { return Ok(None) };
        let mut url = Url::parse("http://any")?;
        url.query_pairs_mut().append_pair(unique.attribute.name, value);
        let response = self.api.get(&format!("{}?{}", resource.name, url.query().unwrap_or_default())).await?;
        let found: Vec<Record> = serde_json::from_slice(&response.body).map_err(|_| response.explanation())?;
        Ok(found.first().and_then(|record| record.id(resource.id.name)))
    }

    /// Stores the records of a resource in batches, to limit memory.
    async fn store_all(&self, resource: &'static Resource) -> Result<(), Error> {
        self.bar.set_message(resource.name);
        let mut records = Records::open(self.folder, resource)?;
        let mut failures = Vec::new();
        loop {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            for next in records.by_ref().take(MAX_BATCH_RECORDS) {
                let located = next?;
                bytes += located.record.line()?.len();
                batch.push(located);
                if bytes > MAX_BATCH_BYTES {
                    break;
                }
            }
            if batch.is_empty() {
                break;
            }
            let failed = self.store_batch(resource, batch).await?;
            if self.is_incremental {
                failures.extend(failed);
            } else {
                self.report_failures(resource, failed).await?;
            }
        }
        let failures = self.retry(resource, failures).await?;
        self.report_failures(resource, failures).await
    }

    /// Checks that no archived user is stored under another identifier, unless users are matched. Otherwise, none of
    /// the records that refer to such a user could be stored.
    async fn check_identifiers(&self, resource: &'static Resource, failures: &[Failure]) -> Result<(), Error> {
        let Some(unique) = resource.unique.filter(|_| resource == &resources::USERS && !self.matches_users) else {
            return Ok(());
        };
        for Failure { located: LocatedRecord { location, id, record }, .. } in
            failures.iter().filter(|failure| failure.is_conflict)
        {
            let value = record.text(unique.attribute.name).unwrap_or_default();
            if let Some(stored) = self.id_by_unique_value(resource, &value).await?.filter(|stored| stored != id) {
                self.bar.finish_and_clear();
                return Err(format!("{location}: the service has this viewer, and perhaps others, under another identifier: {}/{stored}. To use the viewers that it has, run the same command with --match-users.", resource.name).into());
            }
        }
        Ok(())
    }

    /// Reports records that could not be stored. Records that refer to them are not stored either.
    async fn report_failures(&self, resource: &'static Resource, failures: Vec<Failure>) -> Result<(), Error> {
        self.check_identifiers(resource, &failures).await?;
        for Failure { located, problem, is_absent, .. } in failures {
            if is_absent {
                self.not_stored().insert((resource.name, located.id));
            }
            self.report(format!("{}: {}/{}: {problem}", located.location, resource.name, located.id));
        }
        Ok(())
    }

    /// Stores records concurrently. Returns those that could not be stored.
    async fn store_batch(&self, resource: &'static Resource, batch: Vec<LocatedRecord>) -> Result<Vec<Failure>, Error> {
        let mut lanes: Vec<Vec<LocatedRecord>> = (0..self.api.concurrency).map(|_| Vec::new()).collect();
        for located in batch {
            // Store the children of one parent sequentially and in archive order. They change the same state, and a
            // user has only one active specimen at a time.
            let lane = usize::try_from(parent_of(resource, &located) % lanes.len() as u64)?;
            lanes[lane].push(located);
        }
        let stored = lanes.into_iter().map(|lane| async move {
            let mut failures = Vec::new();
            for located in lane {
                failures.extend(self.store(resource, located).await?);
                self.bar.inc(1);
            }
            Ok::<_, Error>(failures)
        });
        Ok(try_join_all(stored).await?.into_iter().flatten().collect())
    }

    async fn store(&self, resource: &'static Resource, located: LocatedRecord) -> Result<Option<Failure>, Error> {
        let LocatedRecord { location, id, mut record } = located.clone();
        if resource == &resources::USERS && self.matched.contains_key(&id) {
            Counts::add(&self.counts.matched);
            return Ok(None);
        }
        let failed = |problem: String, is_absent: bool, is_conflict: bool| {
            Ok(Some(Failure { located: located.clone(), problem, is_absent, is_conflict }))
        };
        if self.is_skipped(resource, &located) {
            return Ok(None);
        }
        for (field, to) in resources::references(resource) {
            let Some(reference) = record.id(field) else { continue };
            if self.not_stored().contains(&(to.name, reference)) {
                return failed(format!("{}/{reference} could not be stored.", to.name), true, false);
            }
            if let Some(other) = self.matched.get(&reference).filter(|_| to == &resources::USERS) {
                record.set(field, &(*other).into())?;
            }
        }
        let path = format!("{}/{id}", resource.name);
        let response = self.put(resource, &path, &record).await?;
        match (response.status.as_u16(), response.code().as_deref()) {
            (status @ (200 | 201), _) => {
                let stored: Record =
                    serde_json::from_slice(&response.body).map_err(|error| format!("{location}: {error}"))?;
                self.note_anonymized(resource, &stored);
                let differing = record.differing(&stored, resource);
                let (in_state, differing): (Vec<_>, Vec<_>) = differing.into_iter().partition(|field| field.in_state);
                // The service has sold units since, or an incremental archive has a new stock.
                if differing.is_empty() && !in_state.is_empty() && self.is_incremental {
                    let changed = self.api.json(Method::PATCH, &path, &record.only(&in_state)?.line()?).await?;
                    if !changed.status.is_success() {
                        return failed(changed.explanation(), false, false);
                    }
                    Counts::add(&self.counts.changed);
                    return Ok(None);
                }
                if !differing.is_empty() {
                    return failed(format!("It was stored with another {}.", names(&differing)), false, false);
                }
                Counts::add(if status == 201 { &self.counts.created } else { &self.counts.present });
                Ok(None)
            }
            (409, Some("opted_out")) => {
                self.skip(resource, id);
                Counts::add(&self.counts.opted_out);
                Ok(None)
            }
            // The service has this viewer's opt-out under another identifier.
            (409, Some("duplicate_platform_id")) if resource.excludes().is_some() => {
                Counts::add(&self.counts.present);
                Ok(None)
            }
            (409, Some("record_differs")) => self.resolve(resource, located, &record, &response).await,
            (status, _) => failed(response.explanation(), true, status == 409),
        }
    }

    /// Stores a record with its image. Waits if the service is still deleting a record with this identifier.
    async fn put(&self, resource: &'static Resource, path: &str, record: &Record) -> Result<Response, Error> {
        let started = Instant::now();
        loop {
            let body = self.with_image(resource, record, record.clone())?;
            let response = self.api.json(Method::PUT, path, &body).await?;
            let is_deleting = response.code().as_deref() == Some("deletion_in_progress");
            if !is_deleting || started.elapsed() > DELETION_TIMEOUT {
                return Ok(response);
            }
            tokio::time::sleep(DELETION_POLL_INTERVAL).await;
        }
    }

    /// Builds a request body. Adds the archived image in base64, if the resource has images.
    fn with_image(&self, resource: &'static Resource, archived: &Record, mut body: Record) -> Result<String, Error> {
        if let Some(field) = image_field(resource) {
            let path = archived.text(IMAGE).ok_or_else(|| format!("a record without {IMAGE}"))?;
            let image = read_image(self.folder, &path)?;
            body.remove(IMAGE);
            body.set(field.name, &STANDARD.encode(image).into())?;
        }
        body.line()
    }

    /// Resolves a conflict with a record that is stored with other values. An incremental archive updates it.
    /// Otherwise, the record counts as equal if only its storage time differs: a webhook reported it to both services.
    /// The same applies to payments that a rule made in both services.
    async fn resolve(
        &self,
        resource: &'static Resource,
        located: LocatedRecord,
        record: &Record,
        rejection: &Response,
    ) -> Result<Option<Failure>, Error> {
        let path = format!("{}/{}", resource.name, located.id);
        let response = self.api.get(&path).await?;
        let stored = Some(&response).filter(|response| response.status.is_success());
        let Some(stored) = stored.and_then(|stored| serde_json::from_slice::<Record>(&stored.body).ok()) else {
            if privacy::is_deleted_by_redaction(resource) {
                self.skip(resource, located.id);
                Counts::add(&self.counts.present);
                return Ok(None);
            }
            let problem = response.explanation();
            return Ok(Some(Failure { located, problem, is_absent: true, is_conflict: true }));
        };
        self.note_anonymized(resource, &stored);
        if privacy::differs_by_redaction(resource, record, &stored) {
            Counts::add(&self.counts.present);
            return Ok(None);
        }
        if self.is_incremental && record::is_anonymized(resource, located.id, record) {
            return self.anonymize(&path, located).await;
        }
        let is_time_of_storage = |field: &Field| {
            matches!(field.input, Input::Assigned) && resource.time.is_none_or(|time| time.name != field.name)
        };
        let differing = record.differing(&stored, resource);
        if is_same_payment(resource, record, &differing) {
            Counts::add(&self.counts.present);
            return Ok(None);
        }
        let (assigned, provided): (Vec<_>, Vec<_>) = differing.into_iter().partition(|field| is_time_of_storage(field));
        if provided.is_empty() && !assigned.is_empty() {
            Counts::add(&self.counts.present);
            return Ok(None);
        }
        let is_other = provided.iter().any(|field| !field.changeable || is_unique(resource, field));
        if !self.is_incremental || provided.iter().any(|field| !field.changeable) {
            let problem = rejection.explanation();
            return Ok(Some(Failure { located, problem, is_absent: is_other, is_conflict: true }));
        }
        // The image may differ as well.
        let body = self.with_image(resource, record, record.only(&provided)?)?;
        let changed = self.api.json(Method::PATCH, &path, &body).await?;
        if changed.status.is_success() {
            Counts::add(&self.counts.changed);
            return Ok(None);
        }
        let is_conflict = changed.status.as_u16() == 409;
        Ok(Some(Failure { located, problem: changed.explanation(), is_absent: is_other, is_conflict }))
    }

    /// Deletes the records that an incremental archive lists as deleted, children before their parents.
    async fn delete_all(&self) -> Result<(), Error> {
        if !self.is_incremental {
            return Ok(());
        }
        self.bar.set_message("deletions");
        for resource in resources::in_order_of_references().into_iter().rev() {
            let deleted = archive::read_deletions(self.folder)?.filter(|deleted| match deleted {
                Ok((of, _)) => *of == resource,
                Err(_) => true,
            });
            let deletions = stream::iter(deleted).map(|deleted| async move {
                let (_, deleted) = deleted?;
                self.delete(resource, &deleted).await?;
                self.bar.inc(1);
                Ok::<_, Error>(())
            });
            deletions.buffer_unordered(self.api.concurrency).try_collect::<Vec<_>>().await?;
        }
        Ok(())
    }

    /// Deletes a record. Records with a unique value are looked up by it, as the target may use another identifier. In
    /// that case, the record is deleted only if users are matched.
    async fn delete(&self, resource: &'static Resource, deleted: &DeletedRecord) -> Result<(), Error> {
        let mut path = format!("{}/{}", resource.name, deleted.id);
        if let (Some(unique), Some(value)) = (resource.unique, &deleted.unique) {
            let found = self.id_by_unique_value(resource, value).await?;
            let Some(found) = found.filter(|found| self.matches_users || *found == deleted.id) else {
                let other = self.api.get(&path).await?;
                if other.status.is_success() {
                    let name = unique.attribute.name;
                    self.report(format!("{path} was not deleted: its {name} differs in the service."));
                }
                return Ok(());
            };
            path = format!("{}/{found}", resource.name);
        }
        let response = self.api.delete(&path).await?;
        match response.status.as_u16() {
            200 => Counts::add(&self.counts.deleted),
            // Already deleted, or deleted with its parent.
            404 => {}
            _ => self.report(format!("{path}: {}", response.explanation())),
        }
        Ok(())
    }

    fn not_stored(&self) -> MutexGuard<'_, HashSet<(&'static str, u64)>> {
        self.not_stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, problem: String) {
        Counts::add(&self.counts.failed);
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if problems.len() < MAX_NAMED {
            problems.push(problem);
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.bar.finish_and_clear();
        println!("{}.", self.counts.text());
        let [failed, opted_out, skipped] = [&self.counts.failed, &self.counts.opted_out, &self.counts.skipped]
            .map(|count| count.load(Ordering::Relaxed));
        if opted_out > 0 {
            println!("Viewers left out because they have opted out: {opted_out}. Their records: {skipped}.");
        }
        if failed == 0 {
            let every = if opted_out > 0 { "every other record" } else { "every record" };
            println!("{} has {every} of {}.", self.api.base(), self.folder.display());
            return Ok(());
        }
        let mut problems = self.problems.into_inner().unwrap_or_else(PoisonError::into_inner);
        let more = usize::try_from(failed)?.saturating_sub(problems.len());
        problems.insert(0, format!("Not stored as in the archive: {failed} of the records."));
        problems.extend((more > 0).then(|| format!("… and {more} more")));
        Err(problems.join("\n  ").into())
    }
}

/// Returns the identifier of the parent that keeps state about the record, or else the record's identifier.
fn parent_of(resource: &Resource, LocatedRecord { id, record, .. }: &LocatedRecord) -> u64 {
    let relation = resource.belongs_to.as_ref();
    let relation = relation.filter(|relation| !matches!(relation.parent_data, ParentData::Nothing));
    relation.and_then(|relation| record.id(relation.foreign_key.name)).unwrap_or(*id)
}

fn is_unique(resource: &Resource, field: &Field) -> bool {
    resource.unique.is_some_and(|unique| unique.attribute.name == field.name)
}

fn names(fields: &[&Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// Returns true if a record is a rule's payment that differs from the stored one only in its time and the rule's name.
/// The rule has then paid for the same event in both services.
fn is_same_payment(resource: &Resource, record: &Record, differing: &[&Field]) -> bool {
    let is_of_rule = record.text(transactions::CAUSE.name).is_some_and(|cause| cause.starts_with("rules/"));
    let own = [transactions::CREATED_AT.name, transactions::DESCRIPTION.name];
    resource == &TRANSACTIONS && is_of_rule && differing.iter().all(|field| own.contains(&field.name))
}
