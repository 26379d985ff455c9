//! The embedded bucket: a folder with one file per image. The first line of a file has the content type and the
//! record's key; the image follows.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use capture_core::schema::{Key, Timestamp};
use capture_core::store::{Bucket, BucketCall, Fault, Refusal, StoredImage};
use futures_util::FutureExt;
use hmac::{Hmac, KeyInit, Mac};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use system::{create_private_folder, private_file, sync_folder};
use tokio::fs::File;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncSeekExt, AsyncWriteExt, BufReader};

use crate::Durability;

const MAX_LIST: usize = 1_000;
/// Subfolder of incomplete uploads.
const UPLOADS: &str = "aside";
/// Subfolder of the images.
const OBJECTS: &str = "objects";

/// A bucket in a folder. Clones share it.
#[derive(Clone, Debug)]
pub struct EmbeddedBucket {
    path: PathBuf,
    durability: Durability,
    /// URL of the images, without their names.
    base: String,
    /// Signs the URLs.
    secret: String,
}

/// An image that is being read.
#[derive(Debug)]
pub struct Object {
    /// Content type of the image.
    pub content_type: String,
    /// Size of the image in bytes.
    pub length: u64,
    record: String,
    /// Offset of the image in the file.
    start: u64,
    file: File,
}

fn io_refusal(error: &io::Error) -> Refusal {
    Refusal::Unknown(Fault::coded("Folder", &error.to_string()))
}

/// Returns the value, or `None` if the file does not exist.
fn none_if_missing<T>(result: io::Result<T>) -> Result<Option<T>, Refusal> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_refusal(&error)),
    }
}

impl Object {
    /// Reads up to `length` bytes from a position.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn seek(mut self, position: u64, length: u64) -> io::Result<impl AsyncReadExt + Unpin> {
        self.file.seek(io::SeekFrom::Start(self.start + position)).await?;
        Ok(self.file.take(length))
    }
}

impl EmbeddedBucket {
    /// Returns the folder of incomplete uploads.
    pub fn unfinished(folder: &Path) -> PathBuf {
        folder.join(UPLOADS)
    }

    /// Returns the folder of the complete images.
    pub fn objects(folder: &Path) -> PathBuf {
        folder.join(OBJECTS)
    }

    /// Returns true if a folder has been used as a bucket.
    pub fn exists(folder: &Path) -> bool {
        Self::objects(folder).exists()
    }

    /// Creates a bucket in a folder. `base` is the URL of the images, and `secret` signs their URLs.
    pub fn new(folder: &Path, durability: Durability, base: String, secret: String) -> Self {
        Self { path: folder.to_owned(), durability, base, secret }
    }

    /// Creates the folders, and deletes unfinished uploads of a killed process.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn prepare(&self) -> io::Result<()> {
        let unfinished = Self::unfinished(&self.path);
        match std::fs::remove_dir_all(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => create_private_folder(&unfinished)?,
        }
        create_private_folder(&self.path.join(OBJECTS))
    }

    /// Opens an image. `None` if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn open_object(&self, name: &str) -> Result<Option<Object>, Refusal> {
        let Some(file) = none_if_missing(File::open(self.file(name)).await)? else { return Ok(None) };
        let read = async {
            let all = file.metadata().await?.len();
            let (mut reader, mut line) = (BufReader::with_capacity(256, file), String::new());
            reader.read_line(&mut line).await?;
            let (content_type, record) = line.trim_end().split_once(' ').ok_or(io::ErrorKind::InvalidData)?;
            let start = line.len() as u64;
            let (content_type, record) = (content_type.to_owned(), record.to_owned());
            Ok(Object { content_type, length: all - start, record, start, file: reader.into_inner() })
        };
        read.await.map(Some).map_err(|error: io::Error| io_refusal(&error))
    }

    /// Returns true if a query has a valid signature of this bucket for a method and a name, and has not expired.
    pub fn is_signed(&self, method: &str, name: &str, query: &str, now: SystemTime) -> bool {
        let parameter =
            |parameter: &str| query.split('&').find_map(|pair| pair.strip_prefix(parameter)?.strip_prefix('='));
        let Some(expires) = parameter("expires").and_then(|seconds| seconds.parse().ok()) else { return false };
        let signature = self.signature(method, name, expires);
        let is_equal = signature.as_bytes().ct_eq(parameter("signature").unwrap_or_default().as_bytes());
        is_equal.into() && now < UNIX_EPOCH + Duration::from_secs(expires)
    }

    fn signature(&self, method: &str, name: &str, expires: u64) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes());
        let mut mac = mac.unwrap_or_else(|_| unreachable!("HMAC accepts keys of any length"));
        mac.update(format!("{method}\n{name}\n{expires}").as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    /// Returns the file of an image. Its name is encoded and cannot lead out of the folder.
    fn file(&self, name: &str) -> PathBuf {
        self.path.join(OBJECTS).join(utf8_percent_encode(name, NON_ALPHANUMERIC).to_string())
    }

    async fn write(&self, name: &str, head: &str, bytes: &[u8]) -> io::Result<()> {
        // Each upload has a separate file until the rename, so readers see only complete images.
        let random = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        let unfinished = self.path.join(UPLOADS).join(random);
        let mut file = tokio::fs::OpenOptions::from(private_file()).create(true).open(&unfinished).await?;
        file.write_all(head.as_bytes()).await?;
        file.write_all(bytes).await?;
        file.flush().await?;
        if self.durability == Durability::Power {
            file.sync_all().await?;
        }
        tokio::fs::rename(&unfinished, self.file(name)).await?;
        if self.durability == Durability::Power {
            let objects = self.path.join(OBJECTS);
            tokio::task::spawn_blocking(move || sync_folder(&objects)).await??;
        }
        Ok(())
    }

    /// Lists all names, in order.
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.path.join(OBJECTS))? {
            let name = entry?.file_name();
            let name = name.to_str().and_then(|name| percent_decode_str(name).decode_utf8().ok());
            names.extend(name.map(String::from));
        }
        names.sort_unstable();
        Ok(names)
    }

    fn stored_image(&self, name: String) -> Option<StoredImage> {
        let modified = std::fs::metadata(self.file(&name)).ok()?.modified().ok()?;
        let millis = modified.duration_since(UNIX_EPOCH).ok()?.as_millis();
        let uploaded_at = Timestamp::from_unix_millis(millis.try_into().ok()?)?;
        Some(StoredImage { name, uploaded_at })
    }
}

impl Bucket for EmbeddedBucket {
    fn put<'a>(&'a self, name: &'a str, record: Key, content_type: &'a str, bytes: Bytes) -> BucketCall<'a, ()> {
        async move {
            let head = format!("{content_type} {record}\n");
            self.write(name, &head, &bytes).await.map_err(|error| io_refusal(&error))
        }
        .boxed()
    }

    fn get<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<Bytes>> {
        async move {
            let Some(object) = self.open_object(name).await? else { return Ok(None) };
            let length = object.length;
            let read = async {
                let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
                object.seek(0, length).await?.read_to_end(&mut bytes).await?;
                Ok(Some(bytes.into()))
            };
            read.await.map_err(|error: io::Error| io_refusal(&error))
        }
        .boxed()
    }

    fn record_of<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<String>> {
        async move { Ok(self.open_object(name).await?.map(|object| object.record)) }.boxed()
    }

    fn delete<'a>(&'a self, names: &'a [String]) -> BucketCall<'a, ()> {
        async move {
            for name in names {
                none_if_missing(tokio::fs::remove_file(self.file(name)).await)?;
            }
            Ok(())
        }
        .boxed()
    }

    fn list<'a>(&'a self, last_name: Option<&'a str>) -> BucketCall<'a, (Vec<StoredImage>, bool)> {
        async move {
            let mut names = self.names().map_err(|error| io_refusal(&error))?;
            names.retain(|name| last_name.is_none_or(|last| name.as_str() > last));
            let more = names.len() > MAX_LIST;
            names.truncate(MAX_LIST);
            Ok((names.into_iter().filter_map(|name| self.stored_image(name)).collect(), more))
        }
        .boxed()
    }

    fn url<'a>(&'a self, name: &'a str, lifetime: Duration, head: bool) -> BucketCall<'a, String> {
        let end = (SystemTime::now() + lifetime).duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let signature = self.signature(if head { "HEAD" } else { "GET" }, name, end);
        let url = format!("{}/{name}?expires={end}&signature={signature}", self.base);
        std::future::ready(Ok(url)).boxed()
    }
}
