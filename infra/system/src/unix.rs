//! Linux and macOS.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Permissions of a folder and a file that only their owner can use.
const PRIVATE_FOLDER: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;

pub(crate) fn make_private(options: &mut OpenOptions) {
    options.mode(PRIVATE_FILE);
}

pub(crate) fn make_private_folder(builder: &mut DirBuilder) {
    builder.mode(PRIVATE_FOLDER);
}

pub(crate) fn restrict(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let mode = if metadata.is_dir() { PRIVATE_FOLDER } else { PRIVATE_FILE };
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

pub(crate) fn restart_with(name: &str, value: &str) -> io::Result<()> {
    let mut arguments = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    if let Some(program) = arguments.next() {
        command.arg0(program);
    }
    Err(command.args(arguments).env(name, value).exec())
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

pub(crate) fn identity(metadata: &Metadata) -> u64 {
    metadata.ino()
}

/// The signals that stop a process: `SIGINT` from Ctrl-C and `SIGTERM` from service managers.
#[derive(Debug)]
pub struct StopSignal {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignal {
    /// Receives the signals from now on. They no longer end the process on their own.
    ///
    /// # Errors
    /// If the signals cannot be received.
    pub fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the next signal.
    pub async fn recv(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
