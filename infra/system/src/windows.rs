//! Windows.

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::MetadataExt;
use std::path::Path;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

pub(crate) fn make_private(_: &mut OpenOptions) {}

pub(crate) fn make_private_folder(_: &mut DirBuilder) {}

pub(crate) fn restrict(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

pub(crate) fn restart_with(_: &str, _: &str) -> io::Result<()> {
    Ok(())
}

/// Does nothing. A folder cannot be opened on Windows, and the NTFS journal keeps the order of renames.
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn identity(metadata: &Metadata) -> u64 {
    metadata.creation_time()
}

/// The events that stop a process: Ctrl-C, Ctrl-Break, closing the console, and system shutdown.
#[derive(Debug)]
pub struct StopSignal {
    interrupt: CtrlC,
    terminate: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl StopSignal {
    /// Receives the events from now on. They no longer end the process on their own.
    ///
    /// # Errors
    /// If the events cannot be received.
    pub fn new() -> io::Result<Self> {
        Ok(Self { interrupt: ctrl_c()?, terminate: ctrl_break()?, close: ctrl_close()?, shutdown: ctrl_shutdown()? })
    }

    /// Waits for the next event.
    pub async fn recv(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.close.recv() => {}
            _ = self.shutdown.recv() => {}
        }
    }
}
