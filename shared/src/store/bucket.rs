//! Images, one object each. An object is never overwritten: a new image is a new key.

use std::time::Duration;

use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::types::{Delete, ObjectIdentifier};
use bytes::Bytes;

use super::Store;
use super::fault::fault;
use crate::error::{Error, Result};
use crate::record::Key;
use crate::value::Id;

/// The contract asks for an hour at least; a page may be open for a while before its images load.
const URL_LIFETIME: Duration = Duration::from_hours(2);
/// S3's limit for one `DeleteObjects`.
const LARGEST_DELETE: usize = 1_000;
const PREFIX: &str = "images/";

/// The key of an image's object: when it was uploaded, so that a sweep need not look at the old ones twice,
/// and for which record, so that it can tell whether that is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredImage {
    /// Drawn for the upload: grows with time.
    pub upload: Id,
    /// The record that it was uploaded for.
    pub record: Key,
}

impl StoredImage {
    /// The object's key.
    pub fn key(&self) -> String {
        format!("{}{}", Self::prefix(self.upload), self.record)
    }

    /// What all keys that were drawn before `upload` sort before.
    pub fn prefix(upload: Id) -> String {
        format!("{PREFIX}{:016}/", upload.number())
    }

    /// The image of an object's key; `None` for a key that is none of ours.
    pub fn parse(key: &str) -> Option<Self> {
        let (upload, record) = key.strip_prefix(PREFIX)?.split_once('/')?;
        Some(Self { upload: Id::parse(upload.trim_start_matches('0'))?, record: Key::parse(record)? })
    }
}

impl Store {
    /// Stores an image.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn put_image(&self, image: &StoredImage, content_type: &str, bytes: Bytes) -> Result<()> {
        let _trip = self.cost.trip();
        let request = self.clients.s3.put_object().bucket(&self.clients.names.bucket).key(image.key());
        request.content_type(content_type).body(bytes.into()).send().await.map_err(|error| fault(&error))?;
        Ok(())
    }

    /// Removes images by key; those that are gone already are fine.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn delete_images(&self, keys: &[String]) -> Result<()> {
        for keys in keys.chunks(LARGEST_DELETE) {
            let objects = keys.iter().map(|key| ObjectIdentifier::builder().key(key).build());
            let objects = objects.collect::<Result<_, _>>().map_err(|_| Error::fault())?;
            let delete =
                Delete::builder().set_objects(Some(objects)).quiet(true).build().map_err(|_| Error::fault())?;
            let _trip = self.cost.trip();
            let request = self.clients.s3.delete_objects().bucket(&self.clients.names.bucket).delete(delete);
            let done = request.send().await.map_err(|error| fault(&error))?;
            if let Some(failed) = done.errors().first() {
                tracing::error!(code = failed.code(), "an image could not be deleted");
                return Err(Error::unavailable());
            }
        }
        Ok(())
    }

    /// A presigned URL of an image.
    ///
    /// # Errors
    /// Only when there are no credentials to sign with.
    pub async fn image_url(&self, key: &str) -> Result<String> {
        let lifetime = PresigningConfig::expires_in(URL_LIFETIME).map_err(|_| Error::fault())?;
        let request = self.clients.s3.get_object().bucket(&self.clients.names.bucket).key(key);
        let presigned = request.presigned(lifetime).await.map_err(|error| fault(&error))?;
        Ok(presigned.uri().to_owned())
    }

    /// Up to 1,000 keys of images in the order of their upload, after `key`.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn images_after(&self, key: Option<String>) -> Result<Vec<String>> {
        let request = self.clients.s3.list_objects_v2().bucket(&self.clients.names.bucket);
        let request = request.prefix(PREFIX).set_start_after(key);
        let page = request.send().await.map_err(|error| fault(&error))?;
        Ok(page.contents.unwrap_or_default().into_iter().filter_map(|object| object.key).collect())
    }
}
