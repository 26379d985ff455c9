//! The `backup` command: copies a data folder, even while its service runs.

use std::path::{Path, PathBuf};
use std::{fs, io};

use embedded::{EmbeddedBucket, EmbeddedTable};
use system::create_private_folder;

use crate::Error;
use crate::folder::{LOCK, PROBE, write_private};
use crate::table::{self, IMAGES};
use crate::tools::check_data_folder;

/// Copy the data folder to a new folder, even while the service runs.
///
/// To restore it, start the service with the copy.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder of the copy. It must not exist.
    folder: PathBuf,
    /// Data folder of the service.
    #[arg(long, global = true, env = "EVENT_CAPTURE_DATA_DIR", default_value = ".data")]
    data_dir: PathBuf,
}

/// Runs the command. The folder appears when the copy is complete.
pub(crate) fn run(Options { folder, data_dir }: &Options) -> Result<(), Error> {
    check_data_folder(data_dir)?;
    // Without a trailing slash.
    let folder: PathBuf = folder.components().collect();
    let mut partial = folder.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    if let Some(existing) = [&folder, &partial].into_iter().find(|folder| folder.exists()) {
        return Err(format!("{} exists. Delete it, or name another folder for the copy.", existing.display()).into());
    }
    let failed = |error: &dyn std::fmt::Display| format!("The copy to {} failed: {error}", partial.display());
    create_private_folder(&partial).map_err(|error| failed(&error))?;

    // An image is stored before its record, and deleted after it. So copying them before and after the table copies those
    // of every record in it, except of documents that are deleted during the copy.
    let [images, copied_images] = [data_dir, &partial].map(|folder| EmbeddedBucket::objects(&folder.join(IMAGES)));
    let copy_images = || copy_files(&images, &copied_images, |_| true).map_err(|error| failed(&error));
    copy_images()?;
    let table = partial.join(table::FILE);
    write_private(&table, b"")?;
    EmbeddedTable::copy(&data_dir.join(table::FILE), &table).map_err(|error| failed(&error))?;
    copy_images()?;
    let is_other = |name: &str| !name.starts_with(table::FILE) && ![LOCK, PROBE].contains(&name);
    copy_files(data_dir, &partial, is_other).map_err(|error| failed(&error))?;
    fs::rename(&partial, &folder).map_err(|error| failed(&error))?;
    println!("Copied {} to {}.", data_dir.display(), folder.display());
    Ok(())
}

/// Copies the files of a folder that are not in the other folder yet. The service may delete a file during the copy.
fn copy_files(from: &Path, to: &Path, is_copied: impl Fn(&str) -> bool) -> io::Result<()> {
    create_private_folder(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || target.exists() || !entry.file_name().to_str().is_some_and(&is_copied) {
            continue;
        }
        match fs::copy(entry.path(), target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
