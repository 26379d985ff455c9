//! The layout of an archive: a folder that needs no special tool to read.
//!
//! | File | Contents |
//! | --- | --- |
//! | `manifest.json` | the source, the time, the resources, for each file its number of lines and SHA-256, and its own SHA-256 |
//! | `users.jsonl`, … | one record per line, oldest first |
//! | `deleted.jsonl` | in an archive of changes, one deleted record per line |
//! | `images/…`, `documents.sha256` | the images, and their digests in the format of `sha256sum`, in the order of the records |

mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use event_capture::request::image;
use event_capture::resources;
use event_capture::schema::{Field, Resource, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::files::{self, FileSummary, Lines};
use crate::record::Record;

pub use verify::{extra_images, verify};

/// Version of the layout.
const FORMAT: u32 = 1;
/// File that describes the archive. It is written last, so an archive without it is not complete.
pub const MANIFEST: &str = "manifest.json";
/// Maximum size of the manifest. It has one line for each resource, and three for each file.
const MAX_MANIFEST_BYTES: usize = 1_000_000;
/// File with the records that were deleted since an earlier archive.
pub const DELETED: &str = "deleted.jsonl";
/// Folder of the images.
pub const IMAGES: &str = "images";
/// File with the progress of an export. It exists until the archive is complete.
pub const PROGRESS: &str = "export.json";
/// File that one process at a time may lock.
pub const LOCK: &str = "export.lock";
/// End of the names of files that are not complete.
pub const PART: &str = ".part";
/// Beginning of the manifest's last line, which has the SHA-256 of everything before it.
const SEAL: &str = "  \"sha256\": ";
/// Resources of archives whose manifest does not list them, and has no SHA-256 of its own.
const RESOURCES_OF_UNSEALED: [&str; 8] =
    ["documents", "events", "inventory", "overlays", "specimens", "stamps", "transactions", "users"];

/// Description of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the layout.
    pub format: u32,
    /// URL of the service.
    pub source: String,
    /// Time at which the export began.
    pub exported_at: String,
    /// Number of the feed's last entry when the export began.
    pub feed: u64,
    /// Number of the feed in the earlier archive, if this one has only the changes since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// Only exported user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<u64>,
    /// Names of the resources that the archive has. One that was added to the service later is missing.
    #[serde(default)]
    pub resources: BTreeSet<String>,
    /// Files, by name.
    pub files: BTreeMap<String, FileSummary>,
}

/// SHA-256 of a manifest, which its last line has.
#[derive(Deserialize)]
struct Seal {
    sha256: Option<String>,
}

/// A record that the source has deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeletedRecord {
    /// Name of the resource.
    pub resource: String,
    /// Identifier.
    pub id: u64,
    /// Unique value, if records of the resource have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<String>,
}

/// Get the name of the file with a resource's records.
pub fn file_of(resource: &Resource) -> String {
    format!("{}.jsonl", resource.name)
}

/// Get the name of the file with the digests of a resource's images. None if its records have no image.
pub fn digests_of(resource: &'static Resource) -> Option<String> {
    image_field(resource).map(|_| format!("{}.sha256", resource.name))
}

/// List the names of a resource's files.
pub fn files_of(resource: &'static Resource) -> impl Iterator<Item = String> {
    std::iter::once(file_of(resource)).chain(digests_of(resource))
}

/// Get the field with the image of a record.
pub fn image_field(resource: &'static Resource) -> Option<&'static Field> {
    resource.fields.iter().find(|field| field.is_image())
}

impl Manifest {
    /// Create the manifest of an export that begins now.
    pub fn new(source: &str, feed: u64) -> Self {
        let (source, exported_at) = (source.to_owned(), Timestamp::now().to_string());
        let (resources, files) = (BTreeSet::new(), BTreeMap::new());
        Self { format: FORMAT, source, exported_at, feed, since: None, user: None, resources, files }
    }

    /// Read the manifest of an archive. None if the archive is not complete.
    ///
    /// # Errors
    /// If the file cannot be read, was changed or has another format.
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

    /// Write the manifest, which completes the archive.
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

    /// Tell if the archive has the records of a resource.
    pub fn has(&self, resource: &Resource) -> bool {
        self.resources.contains(resource.name)
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Read a file of at most this many bytes. None if it does not exist.
///
/// # Errors
/// If the file is larger, or cannot be read.
pub fn read_if_exists(path: &Path, max_bytes: usize) -> Result<Option<Vec<u8>>, Error> {
    match files::read(path, max_bytes) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            Err(format!("{} is in no folder. Unpack a .zip file first.", path.display()).into())
        }
        Err(error) => Err(at_path(path, &error)),
    }
}

/// Build an error with the path of its file.
fn at_path(path: &Path, error: &std::io::Error) -> Error {
    format!("{}: {error}.", path.display()).into()
}

/// List the records that an archive of changes deletes.
///
/// # Errors
/// If the disk fails, or if a line is no deletion.
pub fn deleted(
    folder: &Path,
) -> Result<impl Iterator<Item = Result<(&'static Resource, DeletedRecord), Error>>, Error> {
    let parse = |(number, line): (u64, std::io::Result<String>)| {
        let parsed = serde_json::from_str::<DeletedRecord>(&line?).ok();
        let deleted = parsed.and_then(|deleted| Some((resources::named(&deleted.resource)?, deleted)));
        deleted.ok_or_else(|| format!("{DELETED}, line {number}: no deleted record.").into())
    };
    let path = folder.join(DELETED);
    Ok((1..).zip(Lines::open_if_exists(&path).map_err(|error| at_path(&path, &error))?).map(parse))
}

/// Build the line of an image in the format of `sha256sum`.
pub fn digest_line(image: &[u8], path: &str) -> String {
    format!("{}  {path}", digest(image))
}

/// Build the path of an image, which must be inside the archive.
///
/// # Errors
/// If the path leads out of the folder of images.
pub fn image_path(folder: &Path, path: &str) -> Result<PathBuf, Error> {
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\\');
    match path.split('/').collect::<Vec<_>>()[..] {
        [IMAGES, resource, name] if is_name(resource) && is_name(name) => Ok(folder.join(path)),
        _ => Err(format!("{path} is no path of an image.").into()),
    }
}

/// Read an image.
///
/// # Errors
/// If the path leads out of the archive, or to something that is no image of the service.
pub fn read_image(folder: &Path, path: &str) -> Result<Vec<u8>, Error> {
    let file = image_path(folder, path)?;
    for parent in file.ancestors().skip(1).take(2) {
        if std::fs::symlink_metadata(parent).is_ok_and(|parent| !parent.is_dir()) {
            return Err(
                format!("{path}: {} is no folder. Put the folder itself in its place.", parent.display()).into()
            );
        }
    }
    files::read(&file, image::MAX_BYTES).map_err(|error| format!("{path}: {error}.").into())
}

/// A record with its location in the archive.
#[derive(Clone, Debug)]
pub struct LocatedRecord {
    /// File and the line.
    pub location: String,
    /// Identifier.
    pub id: u64,
    /// Record.
    pub record: Record,
}

/// Records in a file of an archive.
pub struct Records {
    resource: &'static Resource,
    name: String,
    number: u64,
    lines: Lines,
}

impl Records {
    /// Open the file of a resource. An archive from before the resource existed has none, and no records.
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
            let record = Record::parse(&line).map_err(|error| format!("{location}: no record: {error}."))?;
            let id = self.resource.id.name;
            let id = record.id(id).ok_or_else(|| format!("{location}: a record without {id}."))?;
            Ok(LocatedRecord { location, id, record })
        });
        Some(parsed.map_err(Error::from))
    }
}
