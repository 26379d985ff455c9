//! Emulates the Lambda Runtime API. Runs a function's binary as Lambda does, one event at a time.
//!
//! <https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html>

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::Error;

/// Lambda's limit for the init phase.
const MAX_INIT: Duration = Duration::from_secs(10);

/// A process that runs a function, and the Runtime API that it requests events from.
pub struct Environment {
    child: Child,
    api: Arc<RuntimeApi>,
    server: JoinHandle<()>,
    events: mpsc::UnboundedSender<Event>,
    /// Time from the start of the process to its first request for an event.
    pub ready_after: Duration,
}

struct Event {
    id: String,
    payload: String,
    deadline: SystemTime,
}

type FunctionResult = Result<String, String>;

struct RuntimeApi {
    /// Notified once, by the first request for an event.
    ready: std::sync::Mutex<Option<oneshot::Sender<Instant>>>,
    events: Mutex<mpsc::UnboundedReceiver<Event>>,
    /// Caller that waits for the response to the current event.
    waiting: std::sync::Mutex<Option<oneshot::Sender<FunctionResult>>>,
}

impl Environment {
    /// Starts a binary. Returns when it requests its first event.
    ///
    /// # Errors
    /// If the binary does not exist, exits, or requests no event in time.
    pub async fn start(binary: &Path, variables: &[(String, String)]) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let ((ready, first), (events, queue)) = (oneshot::channel(), mpsc::unbounded_channel());
        let api = Arc::new(RuntimeApi {
            ready: std::sync::Mutex::new(Some(ready)),
            events: Mutex::new(queue),
            waiting: std::sync::Mutex::default(),
        });
        let router = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(response))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(error))
            .route("/2018-06-01/runtime/init/error", post(error))
            // The gateway enforces the limit for the size of a response.
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(&api));
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "an emulated Runtime API stopped");
            }
        });
        let started = Instant::now();
        let mut child = Command::new(binary)
            .env_clear()
            .envs(std::env::var("PATH").map(|path| ("PATH", path)))
            .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
            .env("AWS_LAMBDA_FUNCTION_NAME", binary.file_name().unwrap_or_default())
            .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024")
            .env("AWS_LAMBDA_LOG_GROUP_NAME", "local")
            .env("AWS_LAMBDA_LOG_STREAM_NAME", "local")
            .env("AWS_LAMBDA_LOG_FORMAT", "JSON")
            .envs(variables.iter().cloned())
            // The function's log. Standard output is reserved for one line of this process, which scripts read.
            .stdout(Stdio::from(std::io::stderr()))
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{}: {error}", binary.display()))?;
        let ready = tokio::select! {
            ready = timeout(MAX_INIT, first) => ready??,
            status = child.wait() => return Err(format!("{} exited: {}", binary.display(), status?).into()),
        };
        Ok(Self { child, api, server, events, ready_after: ready - started })
    }

    /// Returns the identifier of the process, or `None` if it has exited.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Sends one event to the function. Returns its response.
    ///
    /// # Errors
    /// If the function fails, exits, or takes longer than `time_limit`. The environment cannot be used again after an
    /// error.
    pub async fn invoke(&mut self, payload: String, time_limit: Duration) -> Result<String, Error> {
        let (sender, result) = oneshot::channel();
        *self.api.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        let id = format!("{:032x}", u128::from(fastrand::u64(..)));
        self.events.send(Event { id, payload, deadline: SystemTime::now() + time_limit })?;
        tokio::select! {
            result = timeout(time_limit, result) => result??.map_err(Error::from),
            status = self.child.wait() => Err(format!("the function exited: {}", status?).into()),
        }
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn next(State(api): State<Arc<RuntimeApi>>) -> Response {
    if let Some(ready) = api.ready.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = ready.send(Instant::now());
    }
    let Some(event) = api.events.lock().await.recv().await else { return StatusCode::GONE.into_response() };
    let deadline = event.deadline.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let headers = [
        ("lambda-runtime-aws-request-id", event.id),
        ("lambda-runtime-deadline-ms", deadline.to_string()),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:000000000000:function:local".to_owned()),
        ("content-type", "application/json".to_owned()),
    ];
    (headers, event.payload).into_response()
}

async fn response(State(api): State<Arc<RuntimeApi>>, body: String) -> StatusCode {
    api.complete(Ok(body))
}

async fn error(State(api): State<Arc<RuntimeApi>>, body: String) -> StatusCode {
    api.complete(Err(body))
}

impl RuntimeApi {
    fn complete(&self, result: FunctionResult) -> StatusCode {
        if let Some(waiting) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // The caller may have timed out.
            let _ = waiting.send(result);
        }
        StatusCode::ACCEPTED
    }
}
