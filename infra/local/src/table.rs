//! Opens the embedded table in a data folder, or explains why it cannot be opened.

use std::path::Path;
use std::time::Duration;

use embedded::{EmbeddedBucket, EmbeddedTable, OpenError, TableSettings};
use system::private_file;
use tokio::sync::watch;

use crate::Error;
use crate::folder::{explain, unusable};

/// File of the table.
pub(crate) const FILE: &str = "table.sqlite";
/// Folder of the images.
pub(crate) const IMAGES: &str = "images";
/// Maximum time to check the file at startup, enough for about 3 GB in the system's cache. Defects in the rest are
/// found when they are read.
pub(crate) const MAX_CHECK: Duration = Duration::from_secs(5);

/// Opens the table. `written` is notified of writes. With `max_check`, the file is checked first.
pub(crate) fn open(
    folder: &Path,
    settings: TableSettings,
    max_check: Option<Duration>,
    written: watch::Sender<()>,
) -> Result<EmbeddedTable, Error> {
    let path = folder.join(FILE);
    let (file, displayed) = (path.display(), folder.display());
    let is_existing = EmbeddedBucket::exists(&folder.join(IMAGES));
    let length = std::fs::metadata(&path).map(|file| file.len()).ok();
    if is_existing && length.is_none() {
        return Err(format!(
            "{file} is missing. Restore the file, or move {displayed} away to start with an empty table."
        )
        .into());
    }
    let damaged = format!(
        "{file} is damaged or not a table of this service. Restore a good copy, or move {displayed} away to start with an empty table."
    );
    if is_existing && length == Some(0) {
        return Err(damaged.into());
    }
    if path.to_str().is_none() {
        return Err("The data folder's path is not UTF-8. Choose another folder with --data-dir.".into());
    }
    // SQLite creates its other files with the permissions of this file.
    private_file().create(true).truncate(false).open(&path).map_err(|error| unusable(&path, &error))?;
    EmbeddedTable::open(&path, settings, max_check, written).map_err(|cause| {
        tracing::debug!(%cause, "the table cannot be opened");
        let text = if matches!(cause.downcast_ref(), Some(OpenError::OtherVersion)) {
            format!(
                "{displayed} was written by another version of the service. Export its data with that version (`event-capture export`), move the folder away, and import it with this version (`event-capture import`)."
            )
        } else if cause.to_string().contains("locked") {
            format!("{file} is locked by another program. Close it, then start the service again.")
        } else {
            damaged
        };
        explain(folder, text.into())
    })
}

/// Checks that a table's file still exists.
///
/// # Errors
/// If the file was deleted or replaced.
pub(crate) fn check(table: &EmbeddedTable, folder: &Path) -> Result<(), Error> {
    if table.is_in_place() {
        return Ok(());
    }
    let path = folder.join(FILE);
    Err(format!(
        "{} was deleted or replaced while it was in use. Put it back, then start the service again.",
        path.display()
    )
    .into())
}
