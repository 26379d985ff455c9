//! Stores in memory, for simulations. The calling thread executes each call, so a test decides the order of calls.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_sdk_dynamodb::Client;
use emulator::{Call, CallResponse, Engine, TABLE};
use event_capture::store::{Names, Store};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::Error;
use crate::backend::{Backend, SharedBackend, bucket_client, table_config};
use crate::bucket;
use crate::objects::Objects;
use crate::sockets::recording_client;
use crate::stores::{BUCKET, OWNER, sdk_config};
use crate::table;
use crate::template::Template;

const SECRET: &str = "simulation";

/// A table and a bucket in memory.
#[derive(Clone)]
pub struct Memory {
    engine: Arc<Mutex<Engine>>,
    objects: Objects,
    template: Arc<Template>,
}

/// Content of the table and the bucket at one moment.
pub struct Snapshot {
    table: PathBuf,
    objects: Objects,
}

impl Memory {
    /// Create an empty table and an empty bucket.
    ///
    /// # Errors
    /// If the template cannot be read.
    pub async fn new() -> Result<Self, Error> {
        let (engine, template) = (Arc::new(Mutex::new(Engine::in_memory()?)), Arc::new(Template::read()?));
        let memory = Self { engine, objects: Objects::Memory(Arc::default()), template };
        let client = Client::from_conf(table_config(Arc::new(memory.clone()), OWNER).build());
        table::create(&client, TABLE, &memory.template).await?;
        Ok(memory)
    }

    /// Build the stores. Calls to the table go through `front`.
    pub fn store(&self, front: impl FnOnce(SharedBackend) -> SharedBackend) -> Store {
        self.store_of(OWNER, front)
    }

    /// Build the stores with the access of a function.
    pub fn store_of(&self, function: &str, front: impl FnOnce(SharedBackend) -> SharedBackend) -> Store {
        let table = front(Arc::new(self.clone()));
        let bucket = bucket_client(bucket::service(self.objects.clone(), &self.template, SECRET));
        let bucket = sdk_config("http://127.0.0.1", function, SECRET, bucket);
        let names = Names::new(TABLE, BUCKET);
        Store::new(table_config(table, function), &bucket, names)
    }

    /// Build the stores with a socket, and the identifiers of the connections that were posted to.
    pub fn store_with_posts(&self) -> (Store, Arc<Mutex<Vec<String>>>) {
        let posts = Arc::new(Mutex::new(Vec::new()));
        let config = sdk_config("http://sockets", OWNER, SECRET, recording_client(Arc::clone(&posts)));
        (self.store(|table| table).with_socket(&config), posts)
    }

    /// List all items of the table, in DynamoDB's JSON.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn items(&self) -> Result<Vec<Value>, Error> {
        let (operation, body) = ("Scan".to_owned(), json!({"TableName": TABLE}).to_string().into());
        let response = self.engine().execute(&Call { operation, caller: Arc::from(OWNER), body });
        let scan: Value = serde_json::from_slice(&response.body)?;
        Ok(scan["Items"].as_array().cloned().unwrap_or_default())
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copy the table to a file in `folder`, and the bucket in memory.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<Snapshot, Error> {
        let table = folder.join("table.sqlite");
        self.engine().save(table.to_str().ok_or("the path of the folder is not valid UTF-8")?)?;
        Ok(Snapshot { table, objects: self.objects.copied() })
    }

    /// Replace the table and the bucket with the content of a snapshot.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.engine().restore(snapshot.table.to_str().unwrap_or_default())?;
        self.objects = snapshot.objects.copied();
        Ok(())
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory")
    }
}

impl Backend for Memory {
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse> {
        std::future::ready(self.engine().execute(&call)).boxed()
    }
}
