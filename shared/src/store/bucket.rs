//! Images in the bucket, one object each, named by 128 random bits. A new image has a new name and never overwrites an
//! object, because the record may still refer to the old one if its change fails.

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

const URL_LIFETIME: Duration = Duration::from_mins(5);
/// S3's limit for one `DeleteObjects`.
const MAX_DELETE: usize = 1_000;
const PREFIX: &str = "images/";
/// Metadata with the key of the record that an image was uploaded for.
const RECORD: &str = "record";

/// An image in the bucket.
#[derive(Clone, Debug)]
pub struct StoredImage {
    /// Without the prefix of its object key.
    pub name: String,
    #[expect(missing_docs, reason = "the name says it")]
    pub uploaded_at: Timestamp,
}

impl Store {
    /// Generate a name for an image.
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

    /// Store an image for a record.
    pub async fn put_image(&self, name: &str, record: Key, content_type: &str, bytes: Bytes) -> Result<()> {
        let _trip = self.cost.start_trip();
        let request = self.clients.s3.put_object().bucket(&self.clients.names.bucket).key(key(name));
        let request = request.metadata(RECORD, record.to_string()).content_type(content_type).body(bytes.into());
        Box::pin(request.send()).await.map_err(|error| fault(&error))?;
        Ok(())
    }

    /// Delete images by name. Images that do not exist are skipped.
    pub async fn delete_images(&self, names: &[String]) -> Result<()> {
        for names in names.chunks(MAX_DELETE) {
            let objects = names.iter().map(|name| ObjectIdentifier::builder().key(key(name)).build());
            let objects = objects.collect::<Result<_, _>>().map_err(|_| Error::fault())?;
            let delete =
                Delete::builder().set_objects(Some(objects)).quiet(true).build().map_err(|_| Error::fault())?;
            let _trip = self.cost.start_trip();
            let request = self.clients.s3.delete_objects().bucket(&self.clients.names.bucket).delete(delete);
            let response = Box::pin(request.send()).await.map_err(|error| fault(&error))?;
            if let Some(failed) = response.errors().first() {
                tracing::error!(code = failed.code(), "could not delete an image");
                return Err(Error::unavailable());
            }
        }
        Ok(())
    }

    /// Presign a URL of an image, valid for some minutes and for one method: GET, or with `head`, HEAD. `None` if the
    /// image does not exist.
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

    /// Read the bytes of an image. `None` if it does not exist.
    pub async fn image_bytes(&self, name: &str) -> Result<Option<Bytes>> {
        let _trip = self.cost.start_trip();
        let request = self.clients.s3.get_object().bucket(&self.clients.names.bucket).key(key(name));
        match Box::pin(request.send()).await {
            Ok(image) => match image.body.collect().await {
                Ok(body) => Ok(Some(body.into_bytes())),
                Err(error) => {
                    tracing::warn!(%error, "could not read an image to its end");
                    Err(Error::unavailable())
                }
            },
            Err(error) if error.code() == Some("NoSuchKey") => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    /// Read the key of the record that an image was uploaded for. `None` if the image does not exist or names no record
    /// of the catalogue.
    pub async fn record_of_image(&self, name: &str) -> Result<Option<Key>> {
        let image = self.image(name).await?;
        Ok(image.and_then(|image| resources::key(image.metadata()?.get(RECORD)?)))
    }

    async fn image(&self, name: &str) -> Result<Option<HeadObjectOutput>> {
        let _trip = self.cost.start_trip();
        let request = self.clients.s3.head_object().bucket(&self.clients.names.bucket).key(key(name));
        match Box::pin(request.send()).await {
            Ok(image) => Ok(Some(image)),
            Err(error) if error.as_service_error().is_some_and(HeadObjectError::is_not_found) => Ok(None),
            Err(error) if error.code() == Some("NoSuchKey") => Ok(None),
            // Without `s3:ListBucket`, S3 answers HEAD of an absent key with 403 and no body.
            Err(error) if error.code().is_none() && is_forbidden(&error) => {
                tracing::warn!("could not tell if an image exists: grant s3:ListBucket");
                Ok(None)
            }
            Err(error) => Err(fault(&error)),
        }
    }

    /// List up to 1,000 images in the order of their names, after `name`. True if there are more.
    pub async fn images_after(&self, name: Option<&str>) -> Result<(Vec<StoredImage>, bool)> {
        let request = self.clients.s3.list_objects_v2().bucket(&self.clients.names.bucket);
        let request = request.prefix(PREFIX).set_start_after(name.map(key));
        let page = Box::pin(request.send()).await.map_err(|error| fault(&error))?;
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

/// Build the object key of an image.
fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}
