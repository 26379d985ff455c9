//! The `export` command. Lists every resource, children before their parents, and omits records with deleted parents.
//!
//! The source may change during the export. Parents are listed after their children, so the list includes every parent
//! that still exists. Records listed at different times may contradict each other, which an import would reject. They
//! are read again until they are consistent.

mod complete;
mod conflicts;
mod lists;
mod pack;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use capture_core::resources;
use capture_core::schema::{Id, Key, Resource};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::api::{Api, Response};
use crate::archive::{
    IMAGES, LOCK, LocatedRecord, MANIFEST, Manifest, PART, PROGRESS, Records, files_of, read_if_exists,
};
use crate::record::Record;
use crate::{Error, ExportOptions, files, progress};

/// Maximum number of records named in a message.
const MAX_NAMED: usize = 20;
/// Maximum size of the progress file, which may name every record deleted since an earlier archive.
const MAX_PROGRESS_BYTES: usize = 100_000_000;

/// Progress of an export.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    manifest: Manifest,
    /// Lists that have been started, by resource name.
    lists: BTreeMap<String, ListProgress>,
    /// Paths of records that were read again. Their images may have changed since.
    #[serde(default)]
    read_again: BTreeSet<String>,
}

/// Progress of a list. The part files may be longer if the process was killed before it saved its progress.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ListProgress {
    /// Length of the part file with the records.
    records_bytes: u64,
    /// Length of the part file with the image digests.
    digests_bytes: u64,
    /// Next page.
    next: Option<String>,
    is_done: bool,
    /// Records that no longer exist, if the changes came from the feed.
    #[serde(default)]
    deleted: Vec<u64>,
}

struct Export {
    api: Api,
    folder: PathBuf,
    progress: Progress,
    bar: ProgressBar,
    /// Number of records that this process has read.
    records_read: u64,
    /// Records that exceed the maximum size in the source itself.
    oversized: BTreeSet<Key>,
}

/// Identifiers of the records that changed since an earlier archive, per resource. Resources with changes that the feed
/// does not report are absent, and listed in full.
type FeedChanges = BTreeMap<&'static str, BTreeSet<u64>>;

/// Archive that an incremental archive is based on.
struct BaseArchive {
    folder: PathBuf,
    manifest: Manifest,
}

pub async fn run(api: Api, options: ExportOptions) -> Result<(), Error> {
    let ExportOptions { to, user, since, zip, .. } = options;
    files::create_folder(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    let zip_file = zip.then(|| pack::zip_path(&to)).transpose()?;
    let lock = files::create(&to.join(LOCK))?;
    lock.try_lock().map_err(|_| format!("Another export writes to {}. Wait for its end.", to.display()))?;
    let complete = Manifest::read(&to)?;
    let is_continued = to.join(PROGRESS).exists();
    if complete.is_some() && !is_continued {
        std::fs::remove_file(to.join(LOCK)).or_else(ignore_missing)?;
        return Err(format!("{} has a complete archive. Choose another folder.", to.display()).into());
    }
    if !is_continued {
        check_no_other_files(&to)?;
    }
    files::create_folder(&to.join(IMAGES))?;
    let earlier = since.map(|folder| BaseArchive::read(folder, &api)).transpose()?;
    let mut export =
        Export::begin_or_resume(api, &to, user, earlier.as_ref().map(|earlier| earlier.manifest.feed)).await?;
    let mut omitted = Vec::new();
    match complete {
        // The last process was killed while it removed the part files, which do not belong to the archive.
        Some(manifest) => export.progress.manifest = manifest,
        None => omitted = export.read_all(user, earlier.as_ref()).await?,
    }
    export.bar.finish_and_clear();
    if let Some(zip_file) = zip_file {
        pack::pack(&to, &zip_file)?;
    }
    export.summarize(&omitted);
    export.delete_parts()
}

impl BaseArchive {
    /// Opens the archive that an incremental archive is based on.
    fn read(folder: PathBuf, api: &Api) -> Result<Self, Error> {
        let name = folder.display();
        let manifest = Manifest::read(&folder)?.ok_or_else(|| format!("{name} has no complete archive."))?;
        if let Some(user) = manifest.user {
            return Err(format!("{name} has only user {user}. Export the changes since a full archive.").into());
        }
        if manifest.source != api.base() {
            let (source, base) = (&manifest.source, api.base());
            return Err(format!(
                "{name} is an archive of {source}, not of {base}. Use the URL that it was exported from."
            )
            .into());
        }
        // Without this check, all records of a missing file would count as new, and none as deleted.
        if let Some(missing) = manifest.files.keys().find(|name| !folder.join(name).is_file()) {
            return Err(format!("{name} has no {missing}. Restore the file, or export everything.").into());
        }
        Ok(Self { folder, manifest })
    }

    /// Reads the identifiers of a resource's records, each with its unique value.
    fn records(&self, resource: &'static Resource) -> Result<BTreeMap<u64, Option<String>>, Error> {
        let mut unique_values = BTreeMap::new();
        for record in Records::open(&self.folder, resource)? {
            let LocatedRecord { id, record, .. } = record?;
            unique_values.insert(id, resource.unique.and_then(|unique| record.text(unique.attribute.name)));
        }
        Ok(unique_values)
    }
}

impl Export {
    /// Starts an export, or resumes the one in the folder.
    async fn begin_or_resume(api: Api, folder: &Path, user: Option<Id>, since: Option<u64>) -> Result<Self, Error> {
        let user = user.map(Id::number);
        let progress = if let Some(text) = read_if_exists(&folder.join(PROGRESS), MAX_PROGRESS_BYTES)? {
            let progress: Progress = serde_json::from_slice(&text)?;
            let Manifest { source, user: exported_user, since: exported_since, .. } = &progress.manifest;
            if (source.as_str(), *exported_user, *exported_since) != (api.base(), user, since) {
                let folder = folder.display();
                return Err(
                    format!("{folder} has an export with other options. Choose another folder, or remove it.").into()
                );
            }
            progress
        } else {
            // The next incremental archive has every change after this number, including those in this archive.
            let head = api.get("feed").await?;
            let head = head.feed_head.ok_or_else(|| head.explanation())?;
            let manifest = Manifest { since, user, ..Manifest::new(api.base(), head) };
            Progress { manifest, lists: BTreeMap::new(), read_again: BTreeSet::new() }
        };
        let bar = progress::bar(1, "{percent:>3} %  {prefix}  {eta} left")?;
        let export =
            Self { api, folder: folder.to_owned(), progress, bar, records_read: 0, oversized: BTreeSet::new() };
        export.save()?;
        Ok(export)
    }

    /// Reads all records and writes the archive. Returns the omitted records.
    async fn read_all(&mut self, user: Option<Id>, earlier: Option<&BaseArchive>) -> Result<Vec<String>, Error> {
        let changes = match earlier {
            Some(earlier) => self.changes_since(earlier).await?,
            None => FeedChanges::default(),
        };
        match user {
            Some(id) => self.list_user(id).await?,
            None => {
                for resource in resources::in_order_of_references().into_iter().rev() {
                    match changes.get(resource.name) {
                        Some(ids) => self.read_changed(resource, ids).await?,
                        None => self.list(resource).await?,
                    }
                }
            }
        }
        self.complete(earlier, &changes).await
    }

    fn save(&self) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(&self.progress)?;
        Ok(files::replace(&self.folder.join(PROGRESS), text.as_bytes())?)
    }

    fn summarize(&self, omitted: &[String]) {
        for (name, file) in &self.progress.manifest.files {
            println!("{:>9}  {name}", file.records);
        }
        println!("{} is complete.", self.folder.display());
        if !omitted.is_empty() {
            println!("{} records were deleted during the export, or their parents were:", omitted.len());
        }
        for record in omitted.iter().take(MAX_NAMED) {
            println!("  {record}");
        }
        if omitted.len() > MAX_NAMED {
            println!("  … and {} more", omitted.len() - MAX_NAMED);
        }
    }

    /// Deletes the files that are not part of the archive.
    fn delete_parts(&self) -> Result<(), Error> {
        for name in resources::ALL.into_iter().flat_map(files_of) {
            std::fs::remove_file(part_path(&self.folder, &name)).or_else(ignore_missing)?;
        }
        std::fs::remove_file(self.folder.join(LOCK)).or_else(ignore_missing)?;
        // Last: if the process is killed before this, the next one cleans up.
        Ok(std::fs::remove_file(self.folder.join(PROGRESS)).or_else(ignore_missing)?)
    }
}

/// Returns the path of an incomplete file.
fn part_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{PART}"))
}

/// Checks that a new archive's folder is empty. An import rejects files that are not part of the archive.
fn check_no_other_files(folder: &Path) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_of_export = [PROGRESS, LOCK, MANIFEST].iter().any(|reserved| name.starts_with(reserved));
        if !is_of_export && !name.starts_with('.') && !entry.file_type()?.is_dir() {
            let folder = folder.display();
            return Err(format!("{folder} has other files, such as {name}. Choose a new or empty folder.").into());
        }
    }
    Ok(())
}

/// Parses the record in a response. `None` if it does not exist.
fn record_of(response: &Response) -> Result<Option<Record>, Error> {
    match response.status.as_u16() {
        200 => Ok(Some(serde_json::from_slice(&response.body)?)),
        404 => Ok(None),
        _ => Err(response.explanation().into()),
    }
}

fn ignore_missing(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
