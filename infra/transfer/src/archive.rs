//! The layout of an archive: a folder that needs no special tool to read.
//!
//! | File | Contents |
//! | --- | --- |
//! | `manifest.json` | the source, the time, and for each file its number of lines and SHA-256 |
//! | `users.jsonl`, … | one record per line, oldest first |
//! | `deleted.jsonl` | in an archive of changes, one deleted record per line |
//! | `images/…`, `documents.sha256` | the images, and their digests in the format of `sha256sum`, in the order of the records |

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use event_capture::resources;
use event_capture::schema::{Field, Resource, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::record::{IMAGE, Record};

/// The version of the layout.
const FORMAT: u32 = 1;
/// The file that describes the archive. It is written last, so an archive without it is not complete.
const MANIFEST: &str = "manifest.json";
/// The file with the records that were deleted since an earlier archive.
pub const DELETED: &str = "deleted.jsonl";
/// The folder of the images.
pub const IMAGES: &str = "images";

/// The description of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the layout.
    pub format: u32,
    /// The URL of the service.
    pub source: String,
    /// The time at which the export began.
    pub exported_at: String,
    /// The number of the feed's last entry when the export began.
    pub feed: u64,
    /// The number of the feed in the earlier archive, if this one has only the changes since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// The only exported user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<u64>,
    /// The files, by name.
    pub files: BTreeMap<String, FileSummary>,
}

/// The summary of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileSummary {
    /// The number of lines.
    pub records: u64,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// A record that the source has deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeletedRecord {
    /// The name of the resource.
    pub resource: String,
    /// The identifier.
    pub id: u64,
    /// The unique value, if records of the resource have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<String>,
}

/// Returns the name of the file with a resource's records.
pub fn file_of(resource: &Resource) -> String {
    format!("{}.jsonl", resource.name)
}

/// Returns the name of the file with the digests of a resource's images. None if its records have no image.
pub fn digests_of(resource: &'static Resource) -> Option<String> {
    image_field(resource).map(|_| format!("{}.sha256", resource.name))
}

/// Returns the field with the image of a record.
pub fn image_field(resource: &'static Resource) -> Option<&'static Field> {
    resource.fields.iter().find(|field| field.is_image())
}

impl Manifest {
    /// Creates the manifest of an export that begins now.
    pub fn new(source: &str, feed: u64) -> Self {
        let (source, exported_at) = (source.to_owned(), Timestamp::now().to_string());
        Self { format: FORMAT, source, exported_at, feed, since: None, user: None, files: BTreeMap::new() }
    }

    /// Reads the manifest of an archive. None if the archive is not complete.
    ///
    /// # Errors
    /// If the file cannot be read or has another format.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let Some(manifest) = read_json::<Self>(&folder.join(MANIFEST))? else { return Ok(None) };
        if manifest.format != FORMAT {
            return Err(format!(
                "{MANIFEST} has the format {}. This command reads the format {FORMAT}.",
                manifest.format
            )
            .into());
        }
        Ok(Some(manifest))
    }

    /// Writes the manifest, which completes the archive.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        write_json(&folder.join(MANIFEST), self)
    }
}

/// Reads a JSON file. None if it does not exist.
///
/// # Errors
/// If the file cannot be read or parsed.
pub fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    match std::fs::read(path) {
        Ok(text) => Ok(Some(serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))?)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            Err(format!("{} is in no folder. Unpack a .zip file first.", path.display()).into())
        }
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Replaces a JSON file as a whole.
///
/// # Errors
/// If the disk fails.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    replace(path, &(serde_json::to_string_pretty(value)? + "\n").into_bytes())
}

/// Replaces a file as a whole, so that a process that is killed leaves the old one or the new one.
///
/// # Errors
/// If the disk fails.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    std::fs::write(&name, bytes)?;
    Ok(std::fs::rename(name, path)?)
}

/// A writer of lines, which sums them up.
pub struct LineWriter {
    file: BufWriter<File>,
    digest: Sha256,
    records: u64,
}

impl LineWriter {
    /// Creates a file.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Ok(Self { file: BufWriter::new(File::create(path)?), digest: Sha256::new(), records: 0 })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn add(&mut self, line: &str) -> Result<(), Error> {
        for part in [line, "\n"] {
            self.file.write_all(part.as_bytes())?;
            self.digest.update(part);
        }
        self.records += 1;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(self) -> Result<FileSummary, Error> {
        self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        Ok(FileSummary { records: self.records, sha256: hex::encode(self.digest.finalize()) })
    }
}

/// Returns the lines of a file, without their ends. A file that does not exist has none.
///
/// # Errors
/// If the disk fails.
pub fn lines(path: &Path) -> Result<Box<dyn Iterator<Item = std::io::Result<String>> + Send>, Error> {
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file).lines())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Box::new(std::iter::empty())),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Verifies an archive: each file has the lines of the manifest, each line is a record, and each image is as exported.
///
/// # Errors
/// If the archive is damaged, with file and line.
pub fn verify(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    for resource in resources::ALL {
        for name in [Some(file_of(resource)), digests_of(resource)].into_iter().flatten() {
            if folder.join(&name).exists() && !manifest.files.contains_key(&name) {
                return Err(format!("{MANIFEST} does not list {name}.").into());
            }
        }
    }
    for (name, expected) in &manifest.files {
        let resource = name.split_once('.').and_then(|(stem, _)| resources::named(stem));
        if resource.is_none() && name != DELETED {
            return Err(format!(
                "{name} is a file of no resource. A newer version of the service may have exported it."
            )
            .into());
        }
        let found = sum_up(&folder.join(name))?;
        if found != *expected {
            // A line that does not parse says more than a digest.
            verify_lines(folder, name)?;
            let (found, expected) = (found.records, expected.records);
            return Err(format!("{name} was changed: it does not have the SHA-256 of the manifest ({found} lines, {expected} were exported).").into());
        }
        verify_lines(folder, name)?;
    }
    Ok(())
}

fn sum_up(path: &Path) -> Result<FileSummary, Error> {
    let mut file = BufReader::new(File::open(path).map_err(|error| format!("{}: {error}", path.display()))?);
    let (mut digest, mut records, mut line) = (Sha256::new(), 0, Vec::new());
    while file.read_until(b'\n', &mut line)? > 0 {
        digest.update(&line);
        records += 1;
        line.clear();
    }
    Ok(FileSummary { records, sha256: hex::encode(digest.finalize()) })
}

fn verify_lines(folder: &Path, name: &str) -> Result<(), Error> {
    let resource = name.split_once('.').and_then(|(stem, _)| resources::named(stem));
    match resource {
        None if name == DELETED => verify_deleted(folder),
        Some(resource) if name == file_of(resource) => {
            for record in Records::open(folder, resource)? {
                record?;
            }
            Ok(())
        }
        Some(resource) if digests_of(resource).is_some_and(|digests| digests == name) => {
            verify_images(folder, resource)
        }
        _ => {
            Err(format!("{name} is a file of no resource. A newer version of the service may have exported it.").into())
        }
    }
}

fn verify_deleted(folder: &Path) -> Result<(), Error> {
    for deleted in deleted(folder)? {
        deleted?;
    }
    Ok(())
}

/// Returns the records that an archive of changes deletes.
///
/// # Errors
/// If the disk fails, or if a line is no deletion.
pub fn deleted(
    folder: &Path,
) -> Result<impl Iterator<Item = Result<(&'static Resource, DeletedRecord), Error>>, Error> {
    let parse = |(number, line): (u64, std::io::Result<String>)| {
        let parsed = serde_json::from_str::<DeletedRecord>(&line?).ok();
        let known = parsed.and_then(|deleted| Some((resources::named(&deleted.resource)?, deleted)));
        known.ok_or_else(|| format!("{DELETED}, line {number}: no deleted record.").into())
    };
    Ok((1..).zip(lines(&folder.join(DELETED))?).map(parse))
}

/// Verifies that each image is as it was exported.
fn verify_images(folder: &Path, resource: &'static Resource) -> Result<(), Error> {
    let digests = lines(&folder.join(digests_of(resource).unwrap_or_default()))?;
    let mut digests = digests.map(Result::unwrap_or_default);
    for record in Records::open(folder, resource)? {
        let Numbered { at, record, .. } = record?;
        let path = record.text(IMAGE).ok_or_else(|| format!("{at}: no {IMAGE}."))?;
        let place = image_path(folder, &path).map_err(|error| format!("{at}: {error}"))?;
        let bytes = std::fs::read(place).map_err(|error| format!("{at}: {path}: {error}."))?;
        if digests.next() != Some(digest_line(&bytes, &path)) {
            return Err(format!("{at}: {path} was changed: it does not have the SHA-256 of the archive.").into());
        }
    }
    Ok(())
}

/// Returns the line of an image in the format of `sha256sum`.
pub fn digest_line(image: &[u8], path: &str) -> String {
    format!("{}  {path}", hex::encode(Sha256::digest(image)))
}

/// Returns the path of an image, which must be inside the archive.
///
/// # Errors
/// If the path leads out of the folder of images.
pub fn image_path(folder: &Path, path: &str) -> Result<PathBuf, Error> {
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\\');
    match path.split('/').collect::<Vec<_>>()[..] {
        [IMAGES, of, name] if is_name(of) && is_name(name) => Ok(folder.join(path)),
        _ => Err(format!("{path} is no path of an image.").into()),
    }
}

/// A record with its position in the archive.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// The file and the line.
    pub at: String,
    /// The identifier.
    pub id: u64,
    /// The record.
    pub record: Record,
}

/// The records in a file of an archive.
pub struct Records {
    resource: &'static Resource,
    name: String,
    number: u64,
    lines: Box<dyn Iterator<Item = std::io::Result<String>> + Send>,
}

impl Records {
    /// Opens the file of a resource.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn open(folder: &Path, resource: &'static Resource) -> Result<Self, Error> {
        let name = file_of(resource);
        Ok(Self { resource, lines: lines(&folder.join(&name))?, name, number: 0 })
    }
}

impl Iterator for Records {
    type Item = Result<Numbered, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        self.number += 1;
        let at = format!("{}, line {}", self.name, self.number);
        let parsed = line.map_err(|error| format!("{at}: {error}.")).and_then(|line| {
            let record = Record::parse(&line).map_err(|error| format!("{at}: no record: {error}."))?;
            let id = self.resource.id.name;
            let id = record.id(id).ok_or_else(|| format!("{at}: a record without {id}."))?;
            Ok(Numbered { at, id, record })
        });
        Some(parsed.map_err(Error::from))
    }
}
