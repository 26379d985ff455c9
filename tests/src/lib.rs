//! Shared code of the tests: a running service, an HTTP client, and samples of every resource.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Once, OnceLock};

use capture_core::error::{Code, ViolationCode};
use capture_core::store::{Store, StoreSettings};
use embedded::{Durability, EmbeddedBucket, EmbeddedTable, TableSettings};
use event_capture::{Options, Stack, TwitchOptions};
use reqwest::{Client, Method, Request, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use faults::{Faults, Faulty};

pub mod aws;
pub mod catalogue;
pub mod faults;
pub mod fill;
pub mod gate;
pub mod invariants;
pub mod logs;
pub mod memory;
pub mod rights;
pub mod samples;
pub mod statistics;
pub mod twitch_mock;

/// The secret that signs Twitch's messages in tests.
pub const TWITCH_SECRET: &str = "s3cRe7-of-tests";
/// The broadcaster's identifier in tests.
pub const TWITCH_CHANNEL: &str = "1337";

static SHARED: OnceLock<String> = OnceLock::new();
/// Guards the cleanup: a process's first folder removes the folders of ended processes.
static SWEPT: Once = Once::new();

/// Creates a folder for a service that lives as long as the process.
///
/// # Panics
/// If the folder cannot be created.
pub fn folder() -> PathBuf {
    let all = std::env::temp_dir().join("event-capture-tests");
    SWEPT.call_once(|| {
        for old in std::fs::read_dir(&all).into_iter().flatten().flatten() {
            if !Path::new("/proc").join(old.file_name()).exists() {
                let _ = std::fs::remove_dir_all(old.path());
            }
        }
    });
    let own = all.join(std::process::id().to_string());
    std::fs::create_dir_all(&own).expect("a place for folders");
    tempfile::tempdir_in(own).expect("a folder").keep()
}

/// A client of a running service.
#[derive(Clone, Debug)]
pub struct Api {
    base: String,
    client: Client,
    outlives: bool,
}

/// A response with its complete body.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body's bytes.
    pub bytes: Vec<u8>,
    request: String,
}

/// Returns an amount of work for a test: the number in an environment variable if it is set, otherwise a sample, or
/// everything with `DEEP=1`.
pub fn amount<T: FromStr>(variable: &str, sample: T, all: T) -> T {
    let given = std::env::var(variable).ok().and_then(|given| given.parse().ok());
    given.unwrap_or(if is_deep() { all } else { sample })
}

/// Returns true if tests do all of their work, not just a sample.
pub fn is_deep() -> bool {
    std::env::var_os("DEEP").is_some()
}

/// The part of its cases that a test runs: slice k of n. `SLICE=k` selects it, otherwise the day does, and n days cover
/// all cases. `DEEP=1` runs all of them.
#[derive(Clone, Copy, Debug)]
pub struct Slice(usize);

impl Slice {
    /// Returns this run's slice and prints it, so the run can be repeated.
    pub fn of_this_run() -> Self {
        let days = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() / 86_400);
        let slice = amount("SLICE", days, days);
        println!("SLICE={slice} repeats this run");
        Self(usize::try_from(slice).expect("a small number"))
    }

    /// Returns every nth item, and at least one.
    pub fn of<T>(self, items: impl IntoIterator<Item = T>, parts: usize) -> impl Iterator<Item = T> {
        let items: Vec<_> = items.into_iter().collect();
        let (step, first) = if is_deep() { (1, 0) } else { (parts, self.0 % parts.min(items.len()).max(1)) };
        items.into_iter().skip(first).step_by(step)
    }

    /// Returns the slice for a second dimension, which advances when the first, with this many parts, is covered.
    #[must_use]
    pub fn beyond(self, parts: usize) -> Self {
        Self(self.0 / parts)
    }

    /// Returns a shifted slice. Sets of different sizes are then cut in different places.
    #[must_use]
    pub fn shifted(self, number: usize) -> Self {
        Self(self.0 + number)
    }

    /// Returns a seed for random numbers.
    pub fn seed(self) -> u64 {
        self.0 as u64
    }
}

/// Opens the stores in a data folder, whether or not its service is running.
///
/// # Panics
/// If the folder does not contain a table.
pub fn store_in(folder: &Path) -> Store {
    let (file, settings) = (folder.join("table.sqlite"), StoreSettings::default());
    let written = tokio::sync::watch::Sender::default();
    let table = EmbeddedTable::open(&file, TableSettings::default(), None, written);
    let bucket = EmbeddedBucket::new(&folder.join("images"), Durability::default(), String::new(), String::new());
    Store::new(Arc::new(table.expect("a table")), Some(Arc::new(bucket)), None, settings)
}

/// Returns a test service's options: a free port, and the functions' deployable binaries if `FUNCTIONS` names their
/// folder.
pub fn options(folder: &Path) -> Options {
    let lambda = std::env::var_os("FUNCTIONS").map(PathBuf::from);
    let twitch = TwitchOptions {
        twitch_secret: Some(TWITCH_SECRET.to_owned()),
        twitch_broadcaster_id: Some(TWITCH_CHANNEL.to_owned()),
        ..TwitchOptions::default()
    };
    let endpoint = |variable: &str| std::env::var(variable).ok();
    let dynamodb_endpoint = endpoint("EVENT_CAPTURE_DYNAMODB_ENDPOINT");
    let s3_endpoint = endpoint("EVENT_CAPTURE_S3_ENDPOINT");
    let data_dir = folder.to_owned();
    Options { port: 0, data_dir, lambda, dynamodb_endpoint, s3_endpoint, twitch, ..Options::default() }
}

fn start(faults: Faults) -> (String, Store) {
    start_in(&options(&folder()), faults)
}

/// Starts a service in this process. It lives as long as the process.
fn start_in(options: &Options, faults: Faults) -> (String, Store) {
    logs::keep();
    let (started, start) = std::sync::mpsc::channel();
    let options = options.clone();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let stack = Stack::start_with_layer(&options, Faulty::with(faults)).await.expect("the service starts");
            started.send((format!("http://{}", stack.address), stack.store.clone())).expect("somebody waits");
            std::future::pending::<()>().await;
        });
    });
    start.recv().expect("the service starts")
}

/// Starts a service on this folder with changed options.
pub fn stack_in(folder: &Path, configure: impl FnOnce(&mut Options)) -> Api {
    stack_with_store_in(folder, configure).0
}

/// Starts a service with changed options. Returns it with its store, with the owner's access.
pub fn stack_with_store_in(folder: &Path, configure: impl FnOnce(&mut Options)) -> (Api, Store) {
    let mut options = options(folder);
    configure(&mut options);
    let (base, store) = start_in(&options, Faults::default());
    (Api::at(&base), store)
}

/// Starts a service that requires tokens. Returns it with its folder.
pub fn stack_with_tokens() -> (Api, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (stack_in(folder.path(), |options| options.require_token = true), folder)
}

/// Returns the path and query of an absolute URL, or an empty text if there is none.
fn path_of(url: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    rest.find('/').map_or_else(String::new, |path| rest[path..].to_owned())
}

impl Api {
    /// Returns the service that all tests share. Each test only looks at its own records.
    pub fn shared() -> Self {
        Self::at(SHARED.get_or_init(|| start(Faults::default()).0))
    }

    /// Starts a separate service with functions that run in this process, regardless of `FUNCTIONS`. Their log is
    /// captured.
    pub fn in_this_process(faults: Faults) -> Self {
        let options = Options { lambda: None, ..options(&folder()) };
        Self::at(&start_in(&options, faults).0)
    }

    /// Starts a separate service and returns its stores as well.
    pub fn start_with_store() -> (Self, Store) {
        let (base, store) = start(Faults::default());
        (Self::at(&base), store)
    }

    /// Starts a separate service with an empty table.
    pub fn start() -> Self {
        Self::start_with_store().0
    }

    /// Starts a separate service with these faults in its table.
    pub fn faulty(faults: Faults) -> Self {
        Self::faulty_with_store(faults).0
    }

    /// Starts a separate service with these faults in its table, and returns its stores as well.
    pub fn faulty_with_store(faults: Faults) -> (Self, Store) {
        let (base, store) = start(faults);
        (Self::at(&base), store)
    }

    /// Returns a client of the service at this address.
    pub fn at(base: &str) -> Self {
        twitch::tls::install();
        // The service closes connections that are idle for 30 seconds. A request must not use one at that moment. Tests
        // do not need the system's certificates, and loading them took a tenth of the total test time.
        let client = Client::builder().pool_idle_timeout(std::time::Duration::from_secs(10)).tls_certs_only([]);
        let client = client.build().expect("a client");
        Self { base: base.to_owned(), client, outlives: false }
    }

    /// Returns a client that survives kills of its service. It waits for the next process, and returns 503 for a
    /// missing response.
    #[must_use]
    pub fn outliving(self) -> Self {
        Self { outlives: true, ..self }
    }

    /// Returns the service's address.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns a request builder.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        self.client.request(method, url)
    }

    /// Sends a request and reads the response.
    pub async fn send(&self, request: RequestBuilder) -> Reply {
        self.send_built(request.build().expect("a request")).await
    }

    /// Sends a complete request and reads the response.
    pub async fn send_built(&self, mut request: Request) -> Reply {
        let line = format!("{} {}", request.method(), request.url());
        loop {
            let again = request.try_clone();
            match self.client.execute(request).await {
                Ok(response) => {
                    let (status, headers) = (response.status(), response.headers().clone());
                    rights::check_none_denied();
                    match response.bytes().await {
                        Ok(bytes) => return Reply { status, headers, bytes: bytes.to_vec(), request: line },
                        Err(error) => assert!(self.outlives, "{line}: {error}"),
                    }
                }
                Err(error) => {
                    assert!(self.outlives, "{line}: {error:?}");
                    if error.is_connect() {
                        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                        request = again.expect("a body that can be sent again");
                        continue;
                    }
                }
            }
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Reply { status, headers: reqwest::header::HeaderMap::new(), bytes: Vec::new(), request: line };
        }
    }

    /// Sends a GET.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path)).await
    }

    /// Sends a POST with JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// Sends a PUT with JSON.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::PUT, path).json(body)).await
    }

    /// Sends a PATCH with JSON.
    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::PATCH, path).json(body)).await
    }

    /// Sends a DELETE.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// Returns a list's records, from all its pages.
    pub async fn list(&self, path: &str) -> Vec<Value> {
        let mut records = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let mut page = self.get(&path).await;
            // With injected faults, a read may fail in all the service's attempts. Clients repeat it.
            for _ in 0..20 {
                if page.status != 503 {
                    break;
                }
                page = self.get(&path).await;
            }
            next = page.next();
            records.extend(page.ok().as_array().expect("a list").clone());
        }
        records
    }

    /// Creates a user with a new platform identifier.
    pub async fn user(&self) -> Value {
        self.post("/users", &samples::user()).await.created()
    }

    /// Creates a user's plain event.
    pub async fn event(&self, user: &Value) -> Value {
        self.post("/events", &samples::event(&json!({"user_id": user["user_id"]}))).await.created()
    }

    /// Creates a document.
    pub async fn document(&self) -> Value {
        self.post("/documents", &samples::document()).await.created()
    }
}

impl Reply {
    /// Parses the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|_| panic!("{} answered no JSON: {}", self.request, String::from_utf8_lossy(&self.bytes)))
    }

    /// Returns a header's text, or an empty text if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a text"))
    }

    /// Returns the JSON of a 200.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}: {}", self.request, String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.header("content-type"), "application/json", "{}", self.request);
        self.json()
    }

    /// Returns the JSON of a 201.
    pub fn created(&self) -> Value {
        assert_eq!(self.status, 201, "{}: {}", self.request, String::from_utf8_lossy(&self.bytes));
        self.json()
    }

    /// Returns the `pointer`s and `parameter`s of a problem with this status, in the form of RFC 9457.
    pub fn refused(&self, status: u16) -> Vec<String> {
        assert_eq!(self.status, status, "{}: {}", self.request, String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.request);
        let problem = self.json();
        assert_eq!(problem["status"], status);
        for member in ["type", "title", "detail"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{member} of {problem}");
        }
        let code = Code::named(problem["code"].as_str().expect("a code")).expect("a known code");
        assert_eq!(code.explanation().status, self.status, "{problem}");
        let kind = problem["type"].as_str().expect("a type");
        assert!(kind.starts_with("http") && kind.ends_with(&format!("/errors/{}", code.explanation().name)), "{kind}");
        let errors = problem["errors"].as_array().cloned().unwrap_or_default();
        let codes = ViolationCode::ALL.map(ViolationCode::code);
        assert!(errors.iter().all(|error| codes.iter().any(|code| error["code"] == *code)), "{problem}");
        errors
            .iter()
            .map(|error| error["pointer"].as_str().or(error["parameter"].as_str()).expect("a place").to_owned())
            .collect()
    }

    /// Returns the next page's path.
    pub fn next(&self) -> Option<String> {
        let link = self.header("link").strip_prefix('<')?;
        let (target, relation) = link.split_once('>')?;
        assert_eq!(relation, "; rel=\"next\"");
        Some(path_of(target))
    }

    /// Returns the path of the record that the response describes.
    pub fn location(&self) -> String {
        path_of(self.header("location"))
    }

    /// Returns the request's cost: round trips, read units and write units.
    pub fn cost(&self) -> (u32, f64, f64) {
        let part = |name: &str| {
            let cost =
                self.header("store-cost").split(", ").find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            cost.and_then(|cost| cost.parse().ok()).unwrap_or_else(|| panic!("{name} in {}", self.header("store-cost")))
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
        (part("round-trips") as u32, part("read-units"), part("write-units"))
    }
}
