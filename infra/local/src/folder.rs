//! The data folder: its creation, its lock, and the permissions of its files. Other accounts on the machine cannot read
//! the files, which contain the secret, the hashes of tokens, and everything that viewers wrote.

use std::fs::{DirEntry, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use system::{create_private_folder, private_file, restrict};
use twitch::connection;

use crate::Error;

/// Maximum time to wait for the lock of the folder.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Lock file of the folder.
pub(crate) const LOCK: &str = "lock";
/// File that tests whether there is room.
pub(crate) const PROBE: &str = "room";
/// Bytes that a store needs to open.
const PROBE_BYTES: usize = 256 * 1024;
/// Entries of the data folder.
const ENTRIES: [&str; 9] =
    ["demo", "images", LOCK, PROBE, "secret", "table.sqlite", "table.sqlite-shm", "table.sqlite-wal", "twitch-secret"];

/// Creates the data folder, or restricts the permissions of one that an earlier version has created.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Error> {
    create_private_folder(folder).map_err(|error| unusable(folder, &error))?;
    if let Err(error) = restrict_entries(folder) {
        tracing::warn!(folder = %folder.display(), %error, "other accounts may be able to read the data folder");
    }
    Ok(())
}

/// Restricts the permissions of the service's entries, and those of the folder if it has only such entries.
fn restrict_entries(folder: &Path) -> io::Result<()> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let is_expected = |entry: &DirEntry| {
        entry.file_name().to_str().is_some_and(|name| ENTRIES.contains(&name) || connection::FILES.contains(&name))
    };
    for entry in entries.iter().filter(|entry| is_expected(entry)) {
        if !entry.file_type()?.is_symlink() {
            restrict(&entry.path())?;
        }
    }
    // A folder with other files is shared, such as /tmp.
    if entries.iter().all(is_expected) {
        restrict(folder)?;
    }
    Ok(())
}

/// Writes a file that only its owner can read.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> Result<(), Error> {
    let write = || private_file().create(true).truncate(true).open(path)?.write_all(content);
    write().map_err(|error| unusable(path, &error))
}

/// Builds the error for a part of the data folder that cannot be used. It says what is wrong and how to fix it.
pub(crate) fn unusable(path: &Path, error: &io::Error) -> Error {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("Cannot write {path}: the disk is full. Make room, then start the service again.")
        }
        io::ErrorKind::PermissionDenied => format!(
            "Cannot use {path}: this account cannot read and write it. Change its owner or its permissions, or choose another folder with --data-dir."
        ),
        io::ErrorKind::ReadOnlyFilesystem => format!(
            "Cannot write {path}: its file system is read-only. Make it writable, or choose another folder with --data-dir."
        ),
        _ => format!("Cannot use {path}: {error}. Choose a writable folder with --data-dir."),
    }
    .into()
}

/// Explains why a store in the data folder cannot be used. The store's error does not say if the disk is full.
pub(crate) fn explain(folder: &Path, error: Error) -> Error {
    // A separate file: on Windows, this process cannot write to the file that it has locked.
    let path = folder.join(PROBE);
    let probe = || {
        let mut file = private_file().create(true).truncate(true).open(&path)?;
        let written = file.write_all(&vec![0; PROBE_BYTES]).and_then(|()| file.sync_all());
        drop(file);
        let _ = std::fs::remove_file(&path);
        written
    };
    probe().err().map_or(error, |error: io::Error| unusable(folder, &error))
}

/// Locks the data folder. Two processes would corrupt it.
pub(crate) fn lock_folder(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let lock = private_file().create(true).truncate(true).open(&path).map_err(|error| unusable(&path, &error))?;
    let in_use = |_| {
        format!(
            "The folder {} is in use by another process. Stop it, or choose another folder with --data-dir.",
            folder.display()
        )
    };
    lock.try_lock().map_err(in_use)?;
    Ok(lock)
}

/// Locks the data folder as soon as it is free. If a service is killed while it starts a function, the function's
/// process holds a copy of the lock until its program runs.
pub(crate) async fn wait_for_folder(folder: &Path) -> Result<File, Error> {
    let started = Instant::now();
    loop {
        match lock_folder(folder) {
            Err(_) if started.elapsed() < MAX_WAIT => tokio::time::sleep(Duration::from_millis(20)).await,
            locked => return locked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_has_its_advice() {
        for (kind, advice) in [
            (io::ErrorKind::StorageFull, "Make room"),
            (io::ErrorKind::QuotaExceeded, "Make room"),
            (io::ErrorKind::PermissionDenied, "permissions"),
            (io::ErrorKind::ReadOnlyFilesystem, "read-only"),
            (io::ErrorKind::NotADirectory, "--data-dir"),
        ] {
            let text = unusable(Path::new("folder/secret"), &kind.into()).to_string();
            assert!(text.contains("folder/secret") && text.contains(advice), "{text}");
        }
    }
}
