//! Images in the bucket, one object each, named by 128 random bits. A new image gets a new name and never overwrites an
//! object: if the record's change fails, the record still refers to the old image.

use std::fmt::Debug;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;

use super::retry::repeat;
use super::{Refusal, Store};
use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Key, Timestamp};

const URL_LIFETIME: Duration = Duration::from_mins(5);
/// S3's limit for one `DeleteObjects`.
const MAX_DELETE: usize = 1_000;

/// An image in the bucket.
#[derive(Clone, Debug)]
pub struct StoredImage {
    pub name: String,
    pub uploaded_at: Timestamp,
}

/// A call to the bucket. Every call may be repeated.
pub type BucketCall<'a, T> = BoxFuture<'a, Result<T, Refusal>>;

/// The port of the bucket: every call that the service makes. `aws` implements it on S3, `infra/embedded` on a folder.
pub trait Bucket: Send + Sync + Debug {
    /// Stores an image for a record.
    fn put<'a>(&'a self, name: &'a str, record: Key, content_type: &'a str, bytes: Bytes) -> BucketCall<'a, ()>;

    /// Reads an image. `None` if it does not exist.
    fn get<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<Bytes>>;

    /// Reads the key of the record that an image was uploaded for. `None` if the image does not exist, an empty text if
    /// it names no record.
    fn record_of<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<String>>;

    /// Deletes up to 1,000 images. Those that do not exist are skipped.
    fn delete<'a>(&'a self, names: &'a [String]) -> BucketCall<'a, ()>;

    /// Lists up to 1,000 images by name, after a name. The flag is true if there are more.
    fn list<'a>(&'a self, last_name: Option<&'a str>) -> BucketCall<'a, (Vec<StoredImage>, bool)>;

    /// Signs a URL for GET, or for HEAD if `head` is true.
    fn url<'a>(&'a self, name: &'a str, lifetime: Duration, head: bool) -> BucketCall<'a, String>;
}

impl Store {
    /// Generates a name for an image.
    ///
    /// # Errors
    /// 500 if the system cannot generate random bytes.
    pub fn next_image_name(&self) -> Result<String> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|error| {
            tracing::error!(%error, "could not generate random bytes");
            Error::fault()
        })?;
        Ok(hex::encode(bits))
    }

    fn bucket(&self) -> Result<&dyn Bucket> {
        self.ports.bucket.as_deref().ok_or_else(Error::fault)
    }

    /// Stores an image for a record.
    pub async fn put_image(&self, name: &str, record: Key, content_type: &str, bytes: Bytes) -> Result<()> {
        let (bucket, _trip) = (self.bucket()?, self.cost.start_trip());
        let put = || bucket.put(name, record, content_type, bytes.clone());
        repeat(put).await.map_err(Refusal::into_error)
    }

    /// Deletes images by name. Images that do not exist are skipped.
    pub async fn delete_images(&self, names: &[String]) -> Result<()> {
        for names in names.chunks(MAX_DELETE) {
            let (bucket, _trip) = (self.bucket()?, self.cost.start_trip());
            repeat(|| bucket.delete(names)).await.map_err(Refusal::into_error)?;
        }
        Ok(())
    }

    /// Signs a URL of an image for a few minutes and one method: HEAD if `head` is true, otherwise GET. `None` if the
    /// image does not exist.
    pub async fn image_url(&self, name: &str, head: bool) -> Result<Option<String>> {
        if self.record_text_of(name).await?.is_none() {
            return Ok(None);
        }
        let url = self.bucket()?.url(name, URL_LIFETIME, head).await;
        url.map(Some).map_err(Refusal::into_error)
    }

    /// Reads the bytes of an image. `None` if it does not exist.
    pub async fn image_bytes(&self, name: &str) -> Result<Option<Bytes>> {
        let (bucket, _trip) = (self.bucket()?, self.cost.start_trip());
        repeat(|| bucket.get(name)).await.map_err(Refusal::into_error)
    }

    /// Reads the key of the record that an image was uploaded for. `None` if the image does not exist or names no
    /// record in the catalogue.
    pub async fn record_of_image(&self, name: &str) -> Result<Option<Key>> {
        Ok(self.record_text_of(name).await?.and_then(|record| resources::parse_key(&record)))
    }

    async fn record_text_of(&self, name: &str) -> Result<Option<String>> {
        let (bucket, _trip) = (self.bucket()?, self.cost.start_trip());
        repeat(|| bucket.record_of(name)).await.map_err(Refusal::into_error)
    }

    /// Lists up to 1,000 images by name, after `name`. The flag is true if there are more.
    pub async fn images_after(&self, name: Option<&str>) -> Result<(Vec<StoredImage>, bool)> {
        let bucket = self.bucket()?;
        repeat(|| bucket.list(name)).await.map_err(Refusal::into_error)
    }
}
