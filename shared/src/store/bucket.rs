//! Images, one object each, by names of 128 random bits. An object is never overwritten: a new image is a new name.

use std::time::Duration;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::head_object::{HeadObjectError, HeadObjectOutput};
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::types::{Delete, ObjectIdentifier};
use bytes::Bytes;

use super::Store;
use super::fault::fault;
use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Key, Timestamp};

/// How long a presigned URL is good.
const URL_LIFETIME: Duration = Duration::from_mins(5);
/// S3's limit for one `DeleteObjects`.
const LARGEST_DELETE: usize = 1_000;
const PREFIX: &str = "images/";
/// The metadata that names the record that an image was uploaded for.
const RECORD: &str = "record";

/// An image in the bucket.
#[derive(Clone, Debug)]
pub struct StoredImage {
    /// Its name.
    pub name: String,
    /// When it was uploaded.
    pub uploaded_at: Timestamp,
}

impl Store {
    /// A new name for an image.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn draw_image_name(&self) -> Result<String> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|error| {
            tracing::error!(%error, "there is no randomness");
            Error::fault()
        })?;
        Ok(hex::encode(bits))
    }

    /// Stores an image for a record.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn put_image(&self, name: &str, record: Key, content_type: &str, bytes: Bytes) -> Result<()> {
        let _trip = self.cost.trip();
        let request = self.clients.s3.put_object().bucket(&self.clients.names.bucket).key(key(name));
        let request = request.metadata(RECORD, record.to_string()).content_type(content_type).body(bytes.into());
        request.send().await.map_err(|error| fault(&error))?;
        Ok(())
    }

    /// Removes images by name; those that are gone already are fine.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn delete_images(&self, names: &[String]) -> Result<()> {
        for names in names.chunks(LARGEST_DELETE) {
            let objects = names.iter().map(|name| ObjectIdentifier::builder().key(key(name)).build());
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

    /// A presigned URL of an image, good for some minutes and for one method: GET, or `head`; `None` when there is no such
    /// image.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn image_url(&self, name: &str, head: bool) -> Result<Option<String>> {
        if self.image(name).await?.is_none() {
            return Ok(None);
        }
        let lifetime = PresigningConfig::expires_in(URL_LIFETIME).map_err(|_| Error::fault())?;
        let (s3, bucket) = (&self.clients.s3, &self.clients.names.bucket);
        let presigned = if head {
            s3.head_object().bucket(bucket).key(key(name)).presigned(lifetime).await.map_err(|error| fault(&error))?
        } else {
            s3.get_object().bucket(bucket).key(key(name)).presigned(lifetime).await.map_err(|error| fault(&error))?
        };
        Ok(Some(presigned.uri().to_owned()))
    }

    /// The record that an image was uploaded for; `None` when there is no such image, or none of ours.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn record_of_image(&self, name: &str) -> Result<Option<Key>> {
        let image = self.image(name).await?;
        Ok(image.and_then(|image| resources::key(image.metadata()?.get(RECORD)?)))
    }

    async fn image(&self, name: &str) -> Result<Option<HeadObjectOutput>> {
        let _trip = self.cost.trip();
        let request = self.clients.s3.head_object().bucket(&self.clients.names.bucket).key(key(name));
        match request.send().await {
            Ok(image) => Ok(Some(image)),
            Err(error) if error.as_service_error().is_some_and(HeadObjectError::is_not_found) => Ok(None),
            Err(error) if error.code() == Some("NoSuchKey") => Ok(None),
            // Without the right to list the bucket, S3 answers HEAD of an absent key with 403 and no body.
            Err(error) if error.code().is_none() && is_forbidden(&error) => {
                tracing::warn!("S3 refused to say whether an image is there: grant s3:ListBucket");
                Ok(None)
            }
            Err(error) => Err(fault(&error)),
        }
    }

    /// Up to 1,000 images in the order of their names, after `name`, and whether there are more.
    ///
    /// # Errors
    /// Only when the bucket fails.
    pub async fn images_after(&self, name: Option<&str>) -> Result<(Vec<StoredImage>, bool)> {
        let request = self.clients.s3.list_objects_v2().bucket(&self.clients.names.bucket);
        let request = request.prefix(PREFIX).set_start_after(name.map(key));
        let page = request.send().await.map_err(|error| fault(&error))?;
        let more = page.is_truncated() == Some(true);
        let image = |object: aws_sdk_s3::types::Object| {
            let millis = object.last_modified?.to_millis().ok()?;
            let name = object.key?.strip_prefix(PREFIX)?.to_owned();
            Some(StoredImage { name, uploaded_at: Timestamp::from_unix_millis(millis.into())? })
        };
        Ok((page.contents.unwrap_or_default().into_iter().filter_map(image).collect(), more))
    }
}

fn is_forbidden(error: &SdkError<HeadObjectError>) -> bool {
    error.raw_response().is_some_and(|response| response.status().as_u16() == 403)
}

/// The key of an image's object.
fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}
