//! What differs between operating systems: files that only their owner can read, files that are replaced as a whole, the
//! identity of a file, the time zone of the machine, the signals that stop a process, and its variables.
//!
//! On Windows, files have the permissions of their folder, and a folder of a user's profile belongs to that user. So
//! nothing is restricted there.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod platform;

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

pub use platform::StopSignal;

/// Start this program again in the place of the process with a variable, unless the variable is set. For a library that reads
/// its options from the environment before `main`. Does nothing on Windows.
///
/// # Errors
/// If the program cannot be started. This process then goes on without the variable.
pub fn restart_with(name: &str, value: &str) -> io::Result<()> {
    if std::env::var_os(name).is_some() { Ok(()) } else { platform::restart_with(name, value) }
}

/// Write a time for people, in the time zone of this machine: `2026-11-20 18:30:00`. A text that is no time stays as it is.
pub fn local_time(time: &str) -> String {
    let local = time.parse::<jiff::Timestamp>().map(|time| time.to_zoned_datetime(jiff::tz::TimeZone::system()));
    local.map_or_else(|_| time.to_owned(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

/// Get options that create a file which only its owner can read.
pub fn private_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    platform::make_private(&mut options);
    options
}

/// Create a folder, and those above it, that only its owner can use, unless it exists.
///
/// # Errors
/// If the folder cannot be created.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    platform::make_private_folder(&mut builder);
    builder.recursive(true).create(path)
}

/// Take the permissions of other accounts from a file or a folder.
///
/// # Errors
/// If the permissions cannot be changed.
pub fn restrict(path: &Path) -> io::Result<()> {
    platform::restrict(path, &std::fs::metadata(path)?)
}

/// Put a new file in the place of another one. A crash leaves the old one or the new one.
///
/// # Errors
/// If the file cannot be renamed.
pub fn replace(new: &Path, path: &Path) -> io::Result<()> {
    std::fs::rename(new, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Wait until the names of the files in a folder are on disk.
///
/// # Errors
/// If they cannot be written.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    platform::sync_folder(folder)
}

/// Get a number that distinguishes a file from one that replaces it at its path.
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
