//! The command `export`: lists every resource, children before their parents, and leaves out records whose parent is
//! gone.
//!
//! The source may change meanwhile. A parent is listed after its children, so the list has every parent that still
//! exists. Records that contradict each other because they were listed at different moments are read again, until they
//! agree: otherwise an import would refuse them.

mod complete;
mod conflicts;
mod lists;
mod pack;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use event_capture::resources;
use event_capture::schema::{Id, Key, Resource};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::api::{Api, Response};
use crate::archive::{
    IMAGES, LOCK, LocatedRecord, MANIFEST, Manifest, PART, PROGRESS, Records, files_of, read_if_exists,
};
use crate::record::Record;
use crate::{Error, ExportOptions, files, progress};

/// Maximum number of records that a message names.
const MAX_NAMED: usize = 20;
/// Maximum size of the file with the progress. It may name each record that was deleted since an earlier archive.
const MAX_PROGRESS_BYTES: usize = 100_000_000;

/// Progress of an export.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    manifest: Manifest,
    /// The resources whose lists have begun, by name.
    lists: BTreeMap<String, ListProgress>,
    /// Paths of records that were read again, and may have another image since.
    #[serde(default)]
    read_again: BTreeSet<String>,
}

/// Progress of a list. The part files may be longer, if the process was killed before it stored the progress.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ListProgress {
    /// Length of the part file with the records.
    records_bytes: u64,
    /// Length of the part file with the digests of images.
    digests_bytes: u64,
    /// Page to read next.
    next: Option<String>,
    is_done: bool,
    /// Records that do not exist any longer, if the feed reported the changes.
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
    /// Records that the source itself has with more than the maximum size.
    oversized: BTreeSet<Key>,
}

/// Identifiers of the records that have changed since an earlier archive, for each resource whose changes the feed
/// reports. Every other resource is listed.
type FeedChanges = BTreeMap<&'static str, BTreeSet<u64>>;

/// Archive that an archive of changes follows.
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
    let mut export = Export::begin(api, &to, user, earlier.as_ref().map(|earlier| earlier.manifest.feed)).await?;
    let mut omitted = Vec::new();
    match complete {
        // The last process ended while it removed the part files. The remaining ones are no part of the archive.
        Some(manifest) => export.progress.manifest = manifest,
        None => omitted = export.read_all(user, earlier.as_ref()).await?,
    }
    export.bar.finish_and_clear();
    if let Some(zip_file) = zip_file {
        pack::pack(&to, &zip_file)?;
    }
    export.summarize(&omitted);
    export.remove_parts()
}

impl BaseArchive {
    /// Open the archive that an archive of changes follows.
    fn read(folder: PathBuf, api: &Api) -> Result<Self, Error> {
        let name = folder.display();
        let manifest = Manifest::read(&folder)?.ok_or_else(|| format!("{name} has no complete archive."))?;
        if let Some(user) = manifest.user {
            return Err(format!("{name} has only the user {user}. Export the changes since a whole archive.").into());
        }
        if manifest.source != api.base() {
            let (source, base) = (&manifest.source, api.base());
            return Err(format!(
                "{name} is an archive of {source}, not of {base}. Use the URL that it was exported from."
            )
            .into());
        }
        // Without a file, its records would count as new, and none of them as deleted.
        if let Some(missing) = manifest.files.keys().find(|name| !folder.join(name).is_file()) {
            return Err(format!("{name} has no {missing}. Restore the file, or export everything.").into());
        }
        Ok(Self { folder, manifest })
    }

    /// List the identifiers of a resource's records, each with its unique value.
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
    /// Begin an export, or continue the one in the folder.
    async fn begin(api: Api, folder: &Path, user: Option<Id>, since: Option<u64>) -> Result<Self, Error> {
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
            // Every change after this number is in the next archive of changes, even if this one has it, too.
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

    /// Read all records and write the archive. Returns the records that it leaves out.
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

    /// Remove the files that the archive does not need.
    fn remove_parts(&self) -> Result<(), Error> {
        for name in resources::ALL.into_iter().flat_map(files_of) {
            std::fs::remove_file(part_path(&self.folder, &name)).or_else(ignore_missing)?;
        }
        std::fs::remove_file(self.folder.join(LOCK)).or_else(ignore_missing)?;
        // Last, so that a process that is killed before leaves work for the next one.
        Ok(std::fs::remove_file(self.folder.join(PROGRESS)).or_else(ignore_missing)?)
    }
}

/// Build the path of a file that is not complete.
fn part_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{PART}"))
}

/// Check that a new archive has its folder for itself: an import refuses files that are not of the archive.
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

/// Parse the record of a response. None if it does not exist.
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
