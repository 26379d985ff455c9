//! Stores in memory, for simulations. The calling thread executes each call, so a test controls the order of calls.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use capture_core::schema::{Key, Timestamp};
use capture_core::store::{
    Bucket, BucketCall, Call, Refusal, Reply, SocketSender, Store, StoreSettings, StoredImage, Table,
};
use capture_core::table::Item;
use embedded::Engine;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};

/// The upload time, the record and the bytes of each image, by name.
type Images = BTreeMap<String, (Timestamp, Key, Bytes)>;

/// A table and a bucket in memory. Clones share them.
#[derive(Clone)]
pub struct Memory {
    engine: Arc<Mutex<Engine>>,
    images: Arc<Mutex<Images>>,
}

/// The content of the table and the bucket at one moment.
pub struct Snapshot {
    table: Vec<u8>,
    images: Images,
}

/// The connections that received a post.
#[derive(Clone, Debug, Default)]
pub struct Posted(Arc<Mutex<Vec<String>>>);

impl Posted {
    /// Removes and returns the identifiers of the connections that received a post.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("a lock"))
    }
}

impl SocketSender for Posted {
    fn post<'a>(&'a self, id: &'a str, _: &'a str) -> BoxFuture<'a, bool> {
        self.0.lock().expect("a lock").push(id.to_owned());
        ready(true).boxed()
    }

    fn close<'a>(&'a self, id: &'a str) -> BoxFuture<'a, ()> {
        self.0.lock().expect("a lock").push(id.to_owned());
        ready(()).boxed()
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Creates an empty table and an empty bucket.
    pub fn new() -> Self {
        let engine = Engine::in_memory().expect("a database");
        Self { engine: Arc::new(Mutex::new(engine)), images: Arc::default() }
    }

    /// Returns the stores. Calls to the table go through `front`.
    pub fn store(&self, front: impl FnOnce(Arc<dyn Table>) -> Arc<dyn Table>) -> Store {
        Store::new(front(Arc::new(self.clone())), Some(Arc::new(self.clone())), None, StoreSettings::default())
    }

    /// Returns the stores with a socket, and the connections that received a post.
    pub fn store_with_posts(&self) -> (Store, Posted) {
        let posted = Posted::default();
        let posts: Arc<dyn SocketSender> = Arc::new(posted.clone());
        (
            Store::new(Arc::new(self.clone()), Some(Arc::new(self.clone())), Some(posts), StoreSettings::default()),
            posted,
        )
    }

    /// Returns all items of the table by partition key.
    pub fn items(&self) -> BTreeMap<String, Item> {
        self.engine().items().expect("items").into_iter().collect()
    }

    /// Returns the table's engine.
    pub fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().expect("a lock")
    }

    /// Copies the content.
    pub fn save(&self) -> Snapshot {
        Snapshot { table: self.engine().save().expect("a copy"), images: self.images.lock().expect("a lock").clone() }
    }

    /// Replaces the content with a snapshot's.
    pub fn restore(&self, snapshot: &Snapshot) {
        self.engine().restore(&snapshot.table).expect("a copy");
        self.images.lock().expect("a lock").clone_from(&snapshot.images);
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory")
    }
}

impl Table for Memory {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        ready(self.engine().send(call)).boxed()
    }
}

impl Bucket for Memory {
    fn put<'a>(&'a self, name: &'a str, record: Key, _: &'a str, bytes: Bytes) -> BucketCall<'a, ()> {
        self.images.lock().expect("a lock").insert(name.to_owned(), (Timestamp::now(), record, bytes));
        ready(Ok(())).boxed()
    }

    fn get<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<Bytes>> {
        ready(Ok(self.images.lock().expect("a lock").get(name).map(|(.., bytes)| bytes.clone()))).boxed()
    }

    fn record_of<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<String>> {
        ready(Ok(self.images.lock().expect("a lock").get(name).map(|(_, record, _)| record.to_string()))).boxed()
    }

    fn delete<'a>(&'a self, names: &'a [String]) -> BucketCall<'a, ()> {
        let mut images = self.images.lock().expect("a lock");
        images.retain(|name, _| !names.contains(name));
        ready(Ok(())).boxed()
    }

    fn list<'a>(&'a self, last_name: Option<&'a str>) -> BucketCall<'a, (Vec<StoredImage>, bool)> {
        let images = self.images.lock().expect("a lock");
        let later = images.iter().filter(|(name, _)| last_name.is_none_or(|last| name.as_str() > last));
        let image = |(name, (uploaded_at, ..)): (&String, &(Timestamp, Key, Bytes))| StoredImage {
            name: name.clone(),
            uploaded_at: *uploaded_at,
        };
        ready(Ok((later.map(image).collect(), false))).boxed()
    }

    fn url<'a>(&'a self, name: &'a str, _: Duration, _: bool) -> BucketCall<'a, String> {
        ready(Ok(format!("memory:{name}"))).boxed()
    }
}
