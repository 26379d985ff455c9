//! The embedded S3-compatible bucket.

use std::io;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::TryStreamExt;
use s3s::access::{S3Access, S3AccessContext};
use s3s::auth::{Credentials, SimpleAuth};
use s3s::dto::{
    DeleteObjectsInput, DeleteObjectsOutput, DeletedObject, ETag, GetObjectInput, GetObjectOutput, HeadObjectInput,
    HeadObjectOutput, ListObjectsV2Input, ListObjectsV2Output, Metadata, Object, PutObjectInput, PutObjectOutput,
    StreamingBlob,
};
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, S3, S3Request, S3Response, S3Result, s3_error};
use serde_json::{Value, json};

use crate::objects::Objects;
use crate::stores::OWNER;
use crate::template::{Function, Template};

const MAX_LIST: usize = 1_000;
/// Resource of the objects, as the template's policies write it.
const OBJECTS: &str = "arn:${AWS::Partition}:s3:::${Bucket}/images/*";
const PREFIX: &str = "images/";
const LIST: &str = "ListObjectsV2";

/// Create the bucket with these objects. It verifies signatures as S3 does, including those of presigned URLs, and
/// allows each function what its policy allows.
pub(crate) fn service(objects: Objects, template: &Template, secret: &str) -> S3Service {
    let policies = Arc::new(Policies { functions: template.functions.clone() });
    let mut builder = S3ServiceBuilder::new(Bucket { objects, policies: Arc::clone(&policies) });
    let mut auth = SimpleAuth::from_single(OWNER, secret);
    for function in &template.functions {
        auth.register(function.name.clone(), secret.into());
    }
    builder.set_auth(auth);
    builder.set_access(Access(policies));
    builder.build()
}

struct Bucket {
    objects: Objects,
    policies: Arc<Policies>,
}

impl Bucket {
    async fn stored(&self, key: &str, caller: Option<&Credentials>) -> S3Result<StoredObject> {
        match self.objects.get(key).await.and_then(|content| StoredObject::read(&content)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // As in S3, only a caller that may list the bucket learns that a key does not exist.
                let may_list = caller.is_some_and(|caller| self.policies.allow(&caller.access_key, LIST, None));
                Err(if may_list { s3_error!(NoSuchKey) } else { s3_error!(AccessDenied) })
            }
            stored => stored.map_err(internal),
        }
    }
}

/// Policies of the functions.
struct Policies {
    functions: Vec<Function>,
}

impl Policies {
    /// Tell if the caller may execute an operation, by the action that S3 checks for it. `key` is the key of the
    /// object, if the operation is about one. [`Bucket`] checks the keys in the body of a request to list or delete.
    fn allow(&self, caller: &str, operation: &str, key: Option<&str>) -> bool {
        let (action, resource) = match operation {
            "DeleteObjects" => ("s3:DeleteObject", OBJECTS),
            LIST => ("s3:ListBucket", "arn:${AWS::Partition}:s3:::${Bucket}"),
            "PutObject" => ("s3:PutObject", OBJECTS),
            _ => ("s3:GetObject", OBJECTS),
        };
        let is_image = key.is_none_or(|key| key.starts_with(PREFIX));
        let may = |function: &Function| function.name == caller && function.may(action, resource, "");
        caller == OWNER || (is_image && self.functions.iter().any(may))
    }
}

struct Access(Arc<Policies>);

#[async_trait]
impl S3Access for Access {
    async fn check(&self, context: &mut S3AccessContext<'_>) -> S3Result<()> {
        let caller = context.credentials().map(|credentials| credentials.access_key.as_str());
        let operation = context.s3_op().name();
        let key = context.s3_path().get_object_key();
        if caller.is_some_and(|caller| self.0.allow(caller, operation, key)) {
            return Ok(());
        }
        tracing::error!(caller, operation, "the template's policies do not allow this");
        Err(s3_error!(AccessDenied))
    }
}

/// Content of an object's file: a line of JSON with its metadata, then its bytes.
struct StoredObject {
    content_type: String,
    metadata: Metadata,
    bytes: Bytes,
}

impl StoredObject {
    fn to_content(&self) -> Vec<u8> {
        let head = json!({"content_type": self.content_type, "metadata": self.metadata}).to_string();
        [head.as_bytes(), b"\n", &self.bytes].concat()
    }

    fn read(content: &Bytes) -> io::Result<Self> {
        let line = content.iter().position(|byte| *byte == b'\n').ok_or(io::ErrorKind::InvalidData)?;
        let head: Value = serde_json::from_slice(&content[..line])?;
        Ok(Self {
            content_type: head["content_type"].as_str().unwrap_or_default().to_owned(),
            metadata: serde_json::from_value(head["metadata"].clone())?,
            bytes: content.slice(line + 1..),
        })
    }
}

/// Derive the entity tag of an object. An object is never overwritten, so its key identifies its content.
fn etag(key: &str) -> ETag {
    ETag::Strong(key.rsplit('/').next().unwrap_or_default().to_owned())
}

fn internal(error: impl std::fmt::Display) -> s3s::S3Error {
    tracing::error!(%error, "the embedded bucket failed");
    s3_error!(InternalError)
}

#[async_trait]
impl S3 for Bucket {
    async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
        let PutObjectInput { key, body, content_type, metadata, .. } = request.input;
        let body = body.ok_or_else(|| s3_error!(IncompleteBody))?;
        let chunks: Vec<Bytes> = body.try_collect().await.map_err(internal)?;
        let stored = StoredObject {
            content_type: content_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
            metadata: metadata.unwrap_or_default(),
            bytes: chunks.concat().into(),
        };
        self.objects.put(&key, stored.to_content()).await.map_err(internal)?;
        Ok(S3Response::new(PutObjectOutput::default()))
    }

    async fn get_object(&self, request: S3Request<GetObjectInput>) -> S3Result<S3Response<GetObjectOutput>> {
        let GetObjectInput { key, range, .. } = request.input;
        let stored = self.stored(&key, request.credentials.as_ref()).await?;
        let (mut bytes, length) = (stored.bytes.clone(), stored.bytes.len() as u64);
        let mut content_range = None;
        if let Some(range) = range {
            let range = range.check(length)?;
            content_range = Some(format!("bytes {}-{}/{length}", range.start, range.end - 1));
            let offset = |offset| usize::try_from(offset).map_err(internal);
            bytes = bytes.slice(offset(range.start)?..offset(range.end)?);
        }
        Ok(S3Response::new(GetObjectOutput {
            accept_ranges: Some("bytes".to_owned()),
            content_length: i64::try_from(bytes.len()).ok(),
            content_range,
            content_type: Some(stored.content_type),
            e_tag: Some(etag(&key)),
            body: Some(StreamingBlob::from(Body::from(bytes))),
            ..Default::default()
        }))
    }

    async fn head_object(&self, request: S3Request<HeadObjectInput>) -> S3Result<S3Response<HeadObjectOutput>> {
        let key = request.input.key;
        let stored = self.stored(&key, request.credentials.as_ref()).await?;
        Ok(S3Response::new(HeadObjectOutput {
            content_length: i64::try_from(stored.bytes.len()).ok(),
            content_type: Some(stored.content_type),
            e_tag: Some(etag(&key)),
            metadata: Some(stored.metadata),
            ..Default::default()
        }))
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        let mut deleted = Vec::new();
        if request.input.delete.objects.iter().any(|object| !object.key.starts_with(PREFIX)) {
            return Err(s3_error!(AccessDenied));
        }
        for object in request.input.delete.objects {
            match self.objects.remove(&object.key).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(internal(error)),
                _ => deleted.push(DeletedObject { key: Some(object.key), ..Default::default() }),
            }
        }
        Ok(S3Response::new(DeleteObjectsOutput { deleted: Some(deleted), ..Default::default() }))
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        let ListObjectsV2Input { prefix, start_after, .. } = request.input;
        if prefix.as_deref() != Some(PREFIX) {
            return Err(s3_error!(AccessDenied));
        }
        let mut keys = self.objects.keys().map_err(internal)?;
        keys.retain(|key| prefix.as_ref().is_none_or(|prefix| key.starts_with(prefix)));
        keys.retain(|key| start_after.as_ref().is_none_or(|start| key > start));
        let is_truncated = keys.len() > MAX_LIST;
        let object = |key: String| Object {
            last_modified: self.objects.uploaded_at(&key),
            key: Some(key),
            ..Default::default()
        };
        let page = keys.into_iter().take(MAX_LIST).map(object);
        let output = ListObjectsV2Output {
            contents: Some(page.collect()),
            is_truncated: Some(is_truncated),
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }
}
