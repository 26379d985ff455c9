//! Files of the connection in the data folder. They are replaced atomically: a crash leaves the old or the new file.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::identity::Token;
use super::record::Record;
use crate::Error;

/// File with the token.
const TOKEN_FILE: &str = "twitch-token";
/// File with the state of the connection.
const RECORD_FILE: &str = "twitch-connection";
/// Names of all files, for the owner of the data folder.
pub const FILES: [&str; 4] = [TOKEN_FILE, "twitch-token.new", RECORD_FILE, "twitch-connection.new"];

/// A data folder.
#[derive(Debug)]
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    /// Reads the token of the login.
    ///
    /// # Errors
    /// An [`io::Error`] if the file cannot be read, and another error if it is damaged.
    pub(super) fn token(&self) -> Result<Option<Token>, Error> {
        self.read(TOKEN_FILE)
    }

    /// Reads the state of the connection.
    ///
    /// # Errors
    /// An [`io::Error`] if the file cannot be read, and another error if it is damaged.
    pub(super) fn record(&self) -> Result<Record, Error> {
        Ok(self.read(RECORD_FILE)?.unwrap_or_default())
    }

    /// Replaces the token.
    ///
    /// # Errors
    /// If the file cannot be written. The old one remains.
    pub(super) fn write_token(&self, token: &Token) -> io::Result<()> {
        self.replace(TOKEN_FILE, token)
    }

    /// Replaces the state of the connection.
    ///
    /// # Errors
    /// If the file cannot be written. The old one remains.
    pub(super) fn write_record(&self, record: &Record) -> io::Result<()> {
        self.replace(RECORD_FILE, record)
    }

    /// Deletes the token.
    ///
    /// # Errors
    /// If the file cannot be deleted.
    pub(super) fn delete_token(&self) -> io::Result<()> {
        for name in [TOKEN_FILE, "twitch-token.new"] {
            match std::fs::remove_file(self.0.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let path = self.0.join(name);
        let damaged = |error: &dyn std::fmt::Display| {
            let path = path.display();
            format!(
                "{path} is damaged: {error}. Restore a copy, or delete the file and lose the login or the list of gaps."
            )
        };
        match std::fs::read(&path) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text).map_err(|error| damaged(&error))?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn replace(&self, name: &str, content: &impl Serialize) -> io::Result<()> {
        let new = self.0.join(format!("{name}.new"));
        // A leftover of an interrupted write may have other permissions.
        match std::fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = system::private_file().create_new(true).open(&new)?;
        file.write_all(&serde_json::to_vec(content)?)?;
        file.sync_all()?;
        system::replace(&new, &self.0.join(name))
    }
}
