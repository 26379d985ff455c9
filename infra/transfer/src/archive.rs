//! Archive layout: a folder that can be read without special tools.
//!
//! | File | Contents |
//! | --- | --- |
//! | `manifest.json` | the source, the time, the resources, each file's number of lines and SHA-256, and the manifest's SHA-256 |
//! | `users.jsonl`, … | one record per line, oldest first |
//! | `deleted.jsonl` | in an archive of changes, one deleted record per line |
//! | `images/…`, `documents.sha256` | the images, and their digests in `sha256sum` format, in record order |

mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use capture_core::request::image;
use capture_core::resources;
use capture_core::schema::{Field, Resource, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::files::{self, FileSummary, Lines};
use crate::record::Record;

pub use verify::{extra_images, verify};

/// Version of the archive layout.
const FORMAT: u32 = 1;
/// File that describes the archive. It is written last, so an archive without it is incomplete.
pub const MANIFEST: &str = "manifest.json";
/// Maximum size of the manifest, which has one line per resource and three per file.
const MAX_MANIFEST_BYTES: usize = 1_000_000;
/// File that lists the records deleted since an earlier archive.
pub const DELETED: &str = "deleted.jsonl";
/// Folder for images.
pub const IMAGES: &str = "images";
/// File that tracks an export's progress. It exists until the archive is complete.
pub const PROGRESS: &str = "export.json";
/// Lock file, held by one process at a time.
pub const LOCK: &str = "export.lock";
/// Suffix of incomplete files.
pub const PART: &str = ".part";
/// Start of the manifest's last line, which has the SHA-256 of everything before it.
const SEAL: &str = "  \"sha256\": ";
/// Resources in older archives, where the manifest has neither a list of resources nor a SHA-256.
const RESOURCES_OF_UNSEALED: [&str; 8] =
    ["documents", "events", "inventory", "overlays", "specimens", "stamps", "transactions", "users"];

/// Description of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the archive layout.
    pub format: u32,
    /// URL of the exported service.
    pub source: String,
    /// Time when the export started.
    pub exported_at: String,
    /// Number of the feed's last entry when the export started.
    pub feed: u64,
    /// Feed number of the earlier archive, if this archive has only the changes since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// The user, if only one was exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<u64>,
    /// Names of the archived resources. Resources added to the service later are missing.
    #[serde(default)]
    pub resources: BTreeSet<String>,
    /// Summaries of the files, by name.
    pub files: BTreeMap<String, FileSummary>,
}

/// The last line of a manifest, with its SHA-256.
#[derive(Deserialize)]
struct Seal {
    sha256: Option<String>,
}

/// A record that was deleted at the source.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeletedRecord {
    /// Name of the resource.
    pub resource: String,
    /// Identifier.
    pub id: u64,
    /// Unique value, if the resource has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<String>,
}

/// Returns the name of the file with a resource's records.
pub fn file_of(resource: &Resource) -> String {
    format!("{}.jsonl", resource.name)
}

/// Returns the name of the file with a resource's image digests. `None` for resources without images.
pub fn digests_of(resource: &'static Resource) -> Option<String> {
    image_field(resource).map(|_| format!("{}.sha256", resource.name))
}

/// Returns the names of a resource's files.
pub fn files_of(resource: &'static Resource) -> impl Iterator<Item = String> {
    std::iter::once(file_of(resource)).chain(digests_of(resource))
}

/// Returns the image field of a resource.
pub fn image_field(resource: &'static Resource) -> Option<&'static Field> {
    resource.fields.iter().find(|field| field.is_image())
}

impl Manifest {
    /// Creates the manifest of an export that starts now.
    pub fn new(source: &str, feed: u64) -> Self {
        let (source, exported_at) = (source.to_owned(), Timestamp::now().to_string());
        let (resources, files) = (BTreeSet::new(), BTreeMap::new());
        Self { format: FORMAT, source, exported_at, feed, since: None, user: None, resources, files }
    }

    /// Reads an archive's manifest. `None` if the archive is incomplete.
    ///
    /// # Errors
    /// If the file cannot be read, was modified or has another format.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let Some(text) = read_if_exists(&folder.join(MANIFEST), MAX_MANIFEST_BYTES)? else { return Ok(None) };
        let with_path = |problem: serde_json::Error| format!("{}: {problem}", folder.join(MANIFEST).display());
        let mut manifest: Self = serde_json::from_slice(&text).map_err(with_path)?;
        if manifest.format != FORMAT {
            return Err(format!(
                "{MANIFEST} has the format {}. This command reads the format {FORMAT}.",
                manifest.format
            )
            .into());
        }
        match serde_json::from_slice::<Seal>(&text).map_err(with_path)?.sha256 {
            None if manifest.resources.is_empty() => {
                manifest.resources = RESOURCES_OF_UNSEALED.map(str::to_owned).into();
            }
            seal => {
                let text = std::str::from_utf8(&text)?;
                let expected = text.rfind(SEAL).map(|end| digest(&text.as_bytes()[..end]));
                if seal.is_none() || seal != expected {
                    return Err(
                        format!("{MANIFEST} was changed: it does not have the SHA-256 in its last line.").into()
                    );
                }
            }
        }
        Ok(Some(manifest))
    }

    /// Writes the manifest, which completes the archive.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let members = serde_json::to_string_pretty(self)?;
        let members = members.trim_end_matches("\n}");
        let sealed = format!("{members},\n");
        let seal = digest(sealed.as_bytes());
        Ok(files::replace(&folder.join(MANIFEST), format!("{sealed}{SEAL}\"{seal}\"\n}}\n").as_bytes())?)
    }

    /// Returns true if the archive contains a resource.
    pub fn has(&self, resource: &Resource) -> bool {
        self.resources.contains(resource.name)
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Reads a file of at most `max_bytes`. `None` if it does not exist.
///
/// # Errors
/// If the file is larger, or cannot be read.
pub fn read_if_exists(path: &Path, max_bytes: usize) -> Result<Option<Vec<u8>>, Error> {
    match files::read(path, max_bytes) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            Err(format!("{} is not in a folder. Unpack a .zip file first.", path.display()).into())
        }
        Err(error) => Err(at_path(path, &error)),
    }
}

/// Adds the path to an I/O error.
fn at_path(path: &Path, error: &std::io::Error) -> Error {
    format!("{}: {error}.", path.display()).into()
}

/// Reads the deletions of an incremental archive.
///
/// # Errors
/// If the disk fails, or a line is not a deletion.
pub fn read_deletions(
    folder: &Path,
) -> Result<impl Iterator<Item = Result<(&'static Resource, DeletedRecord), Error>>, Error> {
    let parse = |(number, line): (u64, std::io::Result<String>)| {
        let parsed = serde_json::from_str::<DeletedRecord>(&line?).ok();
        let deleted = parsed.and_then(|deleted| Some((resources::by_name(&deleted.resource)?, deleted)));
        deleted.ok_or_else(|| format!("{DELETED}, line {number}: not a deleted record.").into())
    };
    let path = folder.join(DELETED);
    Ok((1..).zip(Lines::open_if_exists(&path).map_err(|error| at_path(&path, &error))?).map(parse))
}

/// Formats the digest of an image as a line of `sha256sum` output.
pub fn digest_line(image: &[u8], path: &str) -> String {
    format!("{}  {path}", digest(image))
}

/// Returns the file system path of an archived image.
///
/// # Errors
/// If the path leads out of the image folder.
pub fn image_path(folder: &Path, path: &str) -> Result<PathBuf, Error> {
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\\');
    match path.split('/').collect::<Vec<_>>()[..] {
        [IMAGES, resource, name] if is_name(resource) && is_name(name) => Ok(folder.join(path)),
        _ => Err(format!("{path} is not the path of an image.").into()),
    }
}

/// Reads an image.
///
/// # Errors
/// If the path leads out of the archive, or the file is not regular or too large for an image.
pub fn read_image(folder: &Path, path: &str) -> Result<Vec<u8>, Error> {
    let file = image_path(folder, path)?;
    for parent in file.ancestors().skip(1).take(2) {
        if std::fs::symlink_metadata(parent).is_ok_and(|parent| !parent.is_dir()) {
            return Err(
                format!("{path}: {} is not a folder. Put the folder itself in its place.", parent.display()).into()
            );
        }
    }
    files::read(&file, image::MAX_BYTES).map_err(|error| format!("{path}: {error}.").into())
}

/// A record with its location in the archive.
#[derive(Clone, Debug)]
pub struct LocatedRecord {
    /// File name and line number.
    pub location: String,
    /// Identifier.
    pub id: u64,
    /// The record.
    pub record: Record,
}

/// Iterator over the records in a file.
pub struct Records {
    resource: &'static Resource,
    name: String,
    number: u64,
    lines: Lines,
}

impl Records {
    /// Opens a resource's file. An archive that is older than the resource has none, and no records.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn open(folder: &Path, resource: &'static Resource) -> Result<Self, Error> {
        let name = file_of(resource);
        let path = folder.join(&name);
        let lines = Lines::open_if_exists(&path).map_err(|error| at_path(&path, &error))?;
        Ok(Self { resource, lines, name, number: 0 })
    }
}

impl Iterator for Records {
    type Item = Result<LocatedRecord, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        self.number += 1;
        let location = format!("{}, line {}", self.name, self.number);
        let parsed = line.map_err(|error| format!("{location}: {error}.")).and_then(|line| {
            let record = Record::parse(&line).map_err(|error| format!("{location}: not a record: {error}."))?;
            let id = self.resource.id.name;
            let id = record.id(id).ok_or_else(|| format!("{location}: a record without {id}."))?;
            Ok(LocatedRecord { location, id, record })
        });
        Some(parsed.map_err(Error::from))
    }
}
