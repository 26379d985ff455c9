//! The objects of the embedded bucket, as files or in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use emulator::Durability;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use s3s::dto::Timestamp;
use system::{create_private_folder, private_file, sync_folder};
use tokio::io::AsyncWriteExt;

/// Folder of the images, in the data folder.
pub(crate) const IMAGES: &str = "images";
/// Folder of incomplete uploads, below that of the images.
const UNFINISHED: &str = "aside";

/// Storage of a bucket's objects.
#[derive(Clone, Debug)]
pub(crate) enum Objects {
    /// One file for each object, in a folder.
    Folder(PathBuf, Durability),
    /// Content and upload time by key, lost when the process ends.
    Memory(Arc<Mutex<BTreeMap<String, (Bytes, SystemTime)>>>),
}

impl Objects {
    /// Open a folder. Deletes the unfinished uploads of a killed process.
    pub(crate) fn in_folder(folder: PathBuf, durability: Durability) -> io::Result<Self> {
        let unfinished = folder.join(UNFINISHED);
        match std::fs::remove_dir_all(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => create_private_folder(&unfinished)?,
        }
        create_private_folder(&folder.join("objects"))?;
        Ok(Self::Folder(folder, durability))
    }

    /// Get a copy of objects in memory. Objects in a folder are shared, not copied.
    pub(crate) fn copied(&self) -> Self {
        match self {
            Self::Folder(..) => self.clone(),
            Self::Memory(objects) => Self::Memory(Arc::new(Mutex::new(lock(objects).clone()))),
        }
    }

    pub(crate) async fn get(&self, key: &str) -> io::Result<Bytes> {
        match self {
            Self::Folder(folder, _) => Ok(tokio::fs::read(file(folder, key)).await?.into()),
            Self::Memory(objects) => {
                let found = lock(objects).get(key).map(|(content, _)| content.clone());
                found.ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }

    pub(crate) async fn put(&self, key: &str, content: Vec<u8>) -> io::Result<()> {
        match self {
            Self::Folder(folder, durability) => {
                // Each writer has a file of its own until the rename, so a reader sees only complete objects.
                let unfinished =
                    folder.join(UNFINISHED).join(format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..)));
                let mut written = tokio::fs::OpenOptions::from(private_file()).create(true).open(&unfinished).await?;
                written.write_all(&content).await?;
                written.flush().await?;
                if *durability == Durability::Power {
                    written.sync_all().await?;
                }
                tokio::fs::rename(&unfinished, file(folder, key)).await?;
                if *durability == Durability::Power {
                    let objects = folder.join("objects");
                    tokio::task::spawn_blocking(move || sync_folder(&objects)).await??;
                }
                Ok(())
            }
            Self::Memory(objects) => {
                lock(objects).insert(key.to_owned(), (content.into(), SystemTime::now()));
                Ok(())
            }
        }
    }

    pub(crate) async fn remove(&self, key: &str) -> io::Result<()> {
        match self {
            Self::Folder(folder, _) => tokio::fs::remove_file(file(folder, key)).await,
            Self::Memory(objects) => {
                lock(objects).remove(key);
                Ok(())
            }
        }
    }

    pub(crate) fn uploaded_at(&self, key: &str) -> Option<Timestamp> {
        match self {
            Self::Folder(folder, _) => Some(std::fs::metadata(file(folder, key)).ok()?.modified().ok()?.into()),
            Self::Memory(objects) => lock(objects).get(key).map(|(_, uploaded)| (*uploaded).into()),
        }
    }

    /// List all keys, in order.
    pub(crate) fn keys(&self) -> io::Result<Vec<String>> {
        match self {
            Self::Folder(folder, _) => {
                let mut keys = Vec::new();
                for entry in std::fs::read_dir(folder.join("objects"))? {
                    let name = entry?.file_name();
                    let key = name.to_str().and_then(|name| percent_decode_str(name).decode_utf8().ok());
                    keys.extend(key.map(String::from));
                }
                keys.sort_unstable();
                Ok(keys)
            }
            Self::Memory(objects) => Ok(lock(objects).keys().cloned().collect()),
        }
    }
}

/// Get the folder of incomplete uploads in a data folder.
pub(crate) fn unfinished_files(data_dir: &Path) -> PathBuf {
    data_dir.join(IMAGES).join(UNFINISHED)
}

/// Get the file of an object. Its name is the encoded key, which cannot lead out of the folder.
fn file(folder: &Path, key: &str) -> PathBuf {
    folder.join("objects").join(utf8_percent_encode(key, NON_ALPHANUMERIC).to_string())
}

fn lock<T>(objects: &Mutex<T>) -> MutexGuard<'_, T> {
    objects.lock().unwrap_or_else(PoisonError::into_inner)
}
