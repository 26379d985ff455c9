//! Packs an archive into a .zip file next to its folder. A file inside the folder would be part of the archive.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::archive::{LOCK, PART, PROGRESS};
use crate::files;

/// Returns the path of the .zip file for an archive.
///
/// # Errors
/// If the folder does not exist, or is the root, which lacks a name.
pub fn zip_path(folder: &Path) -> Result<PathBuf, Error> {
    // Paths such as `channel/` and `.` reveal the folder's name only in canonical form.
    let folder = folder.canonicalize()?;
    let name = folder.file_name().ok_or("The folder / has no name for a .zip file. Choose a folder with a name.")?;
    Ok(folder.with_file_name(files::append_suffix(Path::new(name), ".zip")))
}

/// Packs the archive.
///
/// # Errors
/// If the disk fails.
pub fn pack(folder: &Path, target: &Path) -> Result<(), Error> {
    let folder = folder.canonicalize()?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    // A killed process must not leave a file that looks complete.
    let unfinished = files::append_suffix(target, PART);
    let mut zip = zip::ZipWriter::new(files::create(&unfinished)?);
    let mut folders = vec![folder.clone()];
    while let Some(subfolder) = folders.pop() {
        for entry in std::fs::read_dir(subfolder)? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(&folder)?.to_string_lossy().into_owned();
            if !kind.is_file() || [PROGRESS, LOCK].contains(&relative.as_str()) || relative.ends_with(PART) {
                continue;
            }
            let options = zip::write::SimpleFileOptions::default().large_file(true).unix_permissions(0o600);
            zip.start_file(format!("{name}/{relative}"), options)?;
            std::io::copy(&mut File::open(&path)?, &mut zip)?;
        }
    }
    zip.finish()?.sync_all()?;
    std::fs::rename(unfinished, target)?;
    println!("{} is packed.", target.display());
    Ok(())
}
