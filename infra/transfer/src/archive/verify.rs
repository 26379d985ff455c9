//! Verifies the entire archive before an import, so a damaged backup is never restored in part.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use capture_core::resources;
use capture_core::schema::Resource;

use super::{
    DELETED, IMAGES, LOCK, LocatedRecord, MANIFEST, Manifest, PART, PROGRESS, Records, at_path, digest_line,
    digests_of, file_of, files_of, read_deletions, read_image,
};
use crate::Error;
use crate::files::{self, Lines};
use crate::record::IMAGE;

/// Verifies that an archive has exactly the files in its manifest, that they are unchanged, that each line is a record,
/// and that each image is as exported.
///
/// # Errors
/// If the archive is damaged. The error names the file and line.
pub fn verify(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    verify_names(folder, manifest)?;
    for (name, expected) in &manifest.files {
        let path = folder.join(name);
        let summary = files::summarize(&path).map_err(|error| at_path(&path, &error))?;
        // A parse error says more than a wrong digest, so check the lines first.
        verify_lines(folder, name)?;
        if !summary.is_same(expected) {
            if let Some(number) = summary.changed_line(expected) {
                return Err(format!("{name}, line {number}: the line was changed after the export.").into());
            }
            let (lines, expected) = (summary.records, expected.records);
            return Err(format!("{name} was changed: it does not have the SHA-256 of the manifest ({lines} lines, {expected} were exported).").into());
        }
    }
    verify_no_other_images(folder, manifest)
}

/// Verifies that the manifest lists exactly the files of its resources, and that the folder has no others.
fn verify_names(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    let newer =
        |what: &str| Err(format!("{what} is unknown. A newer version of the service may have exported it.").into());
    let mut expected = BTreeSet::new();
    for name in &manifest.resources {
        let Some(resource) = resources::by_name(name) else { return newer(name) };
        expected.extend(files_of(resource));
    }
    expected.extend(manifest.since.map(|_| DELETED.to_owned()));
    if manifest.resources.is_empty() {
        return Err(format!("{MANIFEST} lists no resources.").into());
    }
    if let Some(missing) = expected.iter().find(|name| !manifest.files.contains_key(*name)) {
        return Err(format!("{MANIFEST} does not list {missing}.").into());
    }
    if let Some(unknown) = manifest.files.keys().find(|name| !expected.contains(*name)) {
        return newer(unknown);
    }
    for entry in std::fs::read_dir(folder).map_err(|error| at_path(folder, &error))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_expected = expected.contains(&name) || name == MANIFEST;
        let is_of_system = name.starts_with('.')
            || [PROGRESS, LOCK].iter().any(|reserved| name.starts_with(reserved))
            || name.ends_with(PART);
        if !is_expected && !is_of_system && !entry.file_type()?.is_dir() {
            return Err(format!("{MANIFEST} does not list {name}. Remove the file, or restore the manifest.").into());
        }
    }
    Ok(())
}

fn verify_lines(folder: &Path, name: &str) -> Result<(), Error> {
    match name.split_once('.').and_then(|(stem, _)| resources::by_name(stem)) {
        Some(resource) if name == file_of(resource) => {
            Records::open(folder, resource)?.try_for_each(|record| record.map(drop))
        }
        Some(resource) => verify_images(folder, resource),
        None => read_deletions(folder)?.try_for_each(|deleted| deleted.map(drop)),
    }
}

/// Verifies that no image has changed since the export.
fn verify_images(folder: &Path, resource: &'static Resource) -> Result<(), Error> {
    let name = digests_of(resource).unwrap_or_default();
    let path = folder.join(&name);
    let mut digests = Lines::open(&path).map_err(|error| at_path(&path, &error))?;
    for record in Records::open(folder, resource)? {
        let LocatedRecord { location, record, .. } = record?;
        let path = record.text(IMAGE).ok_or_else(|| format!("{location}: no {IMAGE}."))?;
        let bytes = read_image(folder, &path).map_err(|error| format!("{location}: {error}"))?;
        if digests.next().transpose()? != Some(digest_line(&bytes, &path)) {
            return Err(format!("{location}: {path} was changed: it does not have the SHA-256 of the archive.").into());
        }
    }
    match digests.next() {
        None => Ok(()),
        Some(_) => Err(format!("{name} has more lines than {}.", file_of(resource)).into()),
    }
}

fn verify_no_other_images(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    let images = folder.join(IMAGES);
    let listed = manifest.resources.iter().filter_map(|name| resources::by_name(name)).filter_map(digests_of);
    let listed: Vec<_> = listed.collect();
    for entry in std::fs::read_dir(&images).into_iter().flatten() {
        let entry = entry?;
        let name = entry.file_name();
        let resource = resources::by_name(&name.to_string_lossy()).filter(|resource| manifest.has(resource));
        let extra = match resource {
            Some(resource) => extra_images(folder, resource)?.pop(),
            None => (!is_hidden(&name)).then(|| entry.path()),
        };
        if let Some(extra) = extra {
            let (extra, listed) = (extra.display(), listed.join(" and "));
            return Err(format!("{extra} is not listed in {listed}. Remove it.").into());
        }
    }
    Ok(())
}

/// Returns the images in a resource's folder that the archive does not list.
///
/// # Errors
/// If the disk fails.
pub fn extra_images(folder: &Path, resource: &'static Resource) -> Result<Vec<PathBuf>, Error> {
    let Some(digests) = digests_of(resource) else { return Ok(Vec::new()) };
    let images = folder.join(IMAGES).join(resource.name);
    if !images.exists() {
        return Ok(Vec::new());
    }
    let entries = || -> Result<_, Error> {
        let entries = std::fs::read_dir(&images).map_err(|error| at_path(&images, &error))?;
        Ok(entries.filter(|entry| entry.as_ref().map_or(true, |entry| !is_hidden(&entry.file_name()))))
    };
    // The counts are nearly always equal, which saves loading the paths into memory.
    let listed = || Lines::open(&folder.join(&digests));
    if entries()?.count() == listed()?.count() {
        return Ok(Vec::new());
    }
    let listed = listed()?.map(|line| Ok(line?.split_once("  ").map(|(_, path)| folder.join(path))));
    let listed: BTreeSet<_> = listed.filter_map(std::io::Result::transpose).collect::<std::io::Result<_>>()?;
    let images = entries()?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    Ok(images.into_iter().filter(|path| !listed.contains(path)).collect())
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}
