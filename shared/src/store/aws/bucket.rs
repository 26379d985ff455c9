//! The bucket in S3.

use std::time::Duration;

use aws_config::SdkConfig;
use aws_sdk_s3::Client;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::head_object::HeadObjectError;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::types::{Delete, Object, ObjectIdentifier};
use bytes::Bytes;
use futures_util::FutureExt;

use super::Lazy;
use super::fault::{refusal, unbuilt};
use crate::schema::{Key, Timestamp};
use crate::store::{Bucket, BucketCall, Fault, Refusal, StoredImage};

const PREFIX: &str = "images/";
/// Metadata with the key of the record that an image was uploaded for.
const RECORD: &str = "record";

/// A bucket in S3.
#[derive(Debug)]
pub struct S3 {
    client: Lazy<Client>,
    bucket: String,
}

impl S3 {
    pub fn new(config: &SdkConfig, bucket: String) -> Self {
        // A loopback address has no subdomains.
        let path_style = config.endpoint_url().is_some();
        let config = aws_sdk_s3::config::Builder::from(config).force_path_style(path_style).build();
        Self { client: Lazy::new(Box::new(move || Client::from_conf(config))), bucket }
    }
}

impl Bucket for S3 {
    fn put<'a>(&'a self, name: &'a str, record: Key, content_type: &'a str, bytes: Bytes) -> BucketCall<'a, ()> {
        let request = self.client.put_object().bucket(&self.bucket).key(key(name)).content_type(content_type);
        let request = request.metadata(RECORD, record.to_string()).body(bytes.into());
        async move { request.send().await.map(drop).map_err(|error| refusal(&error)) }.boxed()
    }

    fn get<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<Bytes>> {
        async move {
            match self.client.get_object().bucket(&self.bucket).key(key(name)).send().await {
                Ok(image) => match image.body.collect().await {
                    Ok(body) => Ok(Some(body.into_bytes())),
                    Err(error) => Err(Refusal::Unknown(Fault::new(&error))),
                },
                Err(error) if error.code() == Some("NoSuchKey") => Ok(None),
                Err(error) => Err(refusal(&error)),
            }
        }
        .boxed()
    }

    fn record_of<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<String>> {
        async move {
            match self.client.head_object().bucket(&self.bucket).key(key(name)).send().await {
                Ok(image) => Ok(Some(image.metadata().and_then(|all| all.get(RECORD)).cloned().unwrap_or_default())),
                Err(error) if error.as_service_error().is_some_and(HeadObjectError::is_not_found) => Ok(None),
                Err(error) if error.code() == Some("NoSuchKey") => Ok(None),
                // Without `s3:ListBucket`, S3 responds to HEAD of a missing key with 403 and no body.
                Err(error) if error.code().is_none() && is_forbidden(&error) => {
                    tracing::warn!("could not tell if an image exists: grant s3:ListBucket");
                    Ok(None)
                }
                Err(error) => Err(refusal(&error)),
            }
        }
        .boxed()
    }

    fn delete<'a>(&'a self, names: &'a [String]) -> BucketCall<'a, ()> {
        async move {
            let objects = names.iter().map(|name| ObjectIdentifier::builder().key(key(name)).build());
            let objects = objects.collect::<Result<_, _>>().map_err(|error| unbuilt(&error))?;
            let delete = Delete::builder().set_objects(Some(objects)).quiet(true).build();
            let delete = delete.map_err(|error| unbuilt(&error))?;
            let request = self.client.delete_objects().bucket(&self.bucket).delete(delete);
            let response = request.send().await.map_err(|error| refusal(&error))?;
            match response.errors().first() {
                Some(failed) => {
                    let code = failed.code().unwrap_or_default();
                    Err(Refusal::Unknown(Fault::coded(code, "could not delete an image")))
                }
                None => Ok(()),
            }
        }
        .boxed()
    }

    fn list<'a>(&'a self, last_name: Option<&'a str>) -> BucketCall<'a, (Vec<StoredImage>, bool)> {
        async move {
            let request = self.client.list_objects_v2().bucket(&self.bucket).prefix(PREFIX);
            let page = request.set_start_after(last_name.map(key)).send().await.map_err(|error| refusal(&error))?;
            let more = page.is_truncated() == Some(true);
            let image = |object: Object| {
                let millis = object.last_modified?.to_millis().ok()?;
                let name = object.key?.strip_prefix(PREFIX)?.to_owned();
                Some(StoredImage { name, uploaded_at: Timestamp::from_unix_millis(millis.into())? })
            };
            Ok((page.contents.unwrap_or_default().into_iter().filter_map(image).collect(), more))
        }
        .boxed()
    }

    fn url<'a>(&'a self, name: &'a str, lifetime: Duration, head: bool) -> BucketCall<'a, String> {
        async move {
            let lifetime = PresigningConfig::expires_in(lifetime).map_err(|error| unbuilt(&error))?;
            let (s3, bucket, key) = (&self.client, &self.bucket, key(name));
            let presigned = if head {
                s3.head_object().bucket(bucket).key(key).presigned(lifetime).await.map_err(|error| refusal(&error))?
            } else {
                s3.get_object().bucket(bucket).key(key).presigned(lifetime).await.map_err(|error| refusal(&error))?
            };
            Ok(presigned.uri().to_owned())
        }
        .boxed()
    }
}

fn is_forbidden(error: &SdkError<HeadObjectError>) -> bool {
    error.raw_response().is_some_and(|response| response.status().as_u16() == 403)
}

/// Builds the object key of an image.
fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}
