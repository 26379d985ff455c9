//! Differences between operating systems: files that only their owner can read, files that are replaced atomically, the
//! identity of a file, the machine's time zone, the signals that stop a process, and its environment variables.
//!
//! On Windows, files inherit the permissions of their folder, and folders in a user's profile belong to that user, so
//! nothing is restricted there.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod platform;

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

pub use platform::StopSignal;

/// Restarts this program in the same process with an environment variable, unless the variable is set. For libraries
/// that read their options from the environment before `main`. Does nothing on Windows.
///
/// # Errors
/// If the program cannot be started. The process then continues without the variable.
pub fn restart_with(name: &str, value: &str) -> io::Result<()> {
    if std::env::var_os(name).is_some() { Ok(()) } else { platform::restart_with(name, value) }
}

/// Formats a time for people, in this machine's time zone: `2026-11-20 18:30:00`. A text that is not a time is returned
/// unchanged.
pub fn local_time(time: &str) -> String {
    let local = time.parse::<jiff::Timestamp>().map(|time| time.to_zoned_datetime(jiff::tz::TimeZone::system()));
    local.map_or_else(|_| time.to_owned(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

/// Returns options that create a file that only its owner can read.
pub fn private_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    platform::make_private(&mut options);
    options
}

/// Creates a folder that only its owner can use, and the folders above it, unless they exist.
///
/// # Errors
/// If the folder cannot be created.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    platform::make_private_folder(&mut builder);
    builder.recursive(true).create(path)
}

/// Removes the permissions of other accounts from a file or a folder.
///
/// # Errors
/// If the permissions cannot be changed.
pub fn restrict(path: &Path) -> io::Result<()> {
    platform::restrict(path, &std::fs::metadata(path)?)
}

/// Replaces a file with a new one. After a crash, either the old or the new file is there.
///
/// # Errors
/// If the file cannot be renamed.
pub fn replace(new: &Path, path: &Path) -> io::Result<()> {
    std::fs::rename(new, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Waits until the file names in a folder are on disk.
///
/// # Errors
/// If they cannot be written.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    platform::sync_folder(folder)
}

/// Returns a number that distinguishes a file from one that replaces it at its path.
pub fn identity(metadata: &Metadata) -> u64 {
    platform::identity(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_time_has_seconds_and_no_fraction() {
        let local = local_time("2026-11-20T18:30:00.123456789Z");
        assert_eq!((local.len(), &local[13..]), (19, ":30:00"), "{local}");
        assert_eq!(local_time("never"), "never");
    }
}
