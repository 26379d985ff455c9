//! The socket's connections, as in API Gateway's WebSocket APIs. Each change of a connection is an event for the
//! function. A message posted to a connection is sent to its client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use capture_core::store::SocketSender;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::Error;
use crate::functions::{Functions, SOCKET};

/// Path of the socket.
pub(crate) const SOCKET_PATH: &str = "/socket";
/// The platform's limit for a message, in bytes.
const MAX_MESSAGE: usize = 128 * 1024;

/// Open connections and their time limits.
#[derive(Clone, Debug)]
pub(crate) struct Sockets {
    open: Arc<Mutex<HashMap<String, mpsc::UnboundedSender<String>>>>,
    /// Time without messages after which the platform closes a connection.
    pub(crate) max_silence: Duration,
    /// Time after which the platform closes any connection.
    pub(crate) max_life: Duration,
}

impl Sockets {
    pub(crate) fn new(max_silence: Duration, max_life: Duration) -> Self {
        Self { open: Arc::default(), max_silence, max_life }
    }

    /// Accepts a connection if the function accepts it. Otherwise, return the function's status. `context` is the part
    /// of the request context that the gateway provides.
    pub(crate) async fn accept(
        &self,
        upgrade: WebSocketUpgrade,
        headers: &HeaderMap,
        context: Value,
        functions: &Functions,
        stopped: watch::Receiver<bool>,
    ) -> Result<Result<Response, StatusCode>, Error> {
        let id = format!("{:016x}=", fastrand::u64(..));
        let connection = Connection { id, context, functions: functions.clone() };
        let headers: HashMap<_, _> = headers
            .iter()
            .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let response = connection.call_function("$connect", &json!({ "headers": headers })).await?;
        let status = response["statusCode"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(500);
        if status != 200 {
            return Ok(Err(StatusCode::from_u16(status)?));
        }
        let protocol = response["headers"]["Sec-WebSocket-Protocol"].as_str().map(str::to_owned);
        let sockets = self.clone();
        let upgrade = upgrade.max_message_size(MAX_MESSAGE).protocols(protocol);
        Ok(Ok(upgrade.on_upgrade(move |socket| async move { sockets.run(socket, connection, stopped).await })))
    }

    /// Serves a connection until either side closes it, it reaches a time limit, or the stack stops.
    async fn run(self, mut socket: WebSocket, connection: Connection, mut stopped: watch::Receiver<bool>) {
        let (sender, mut posted) = mpsc::unbounded_channel();
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(connection.id.clone(), sender);
        let max_end = Instant::now() + self.max_life;
        let mut silent_until = Instant::now() + self.max_silence;
        // If the service stops, its connections are forgotten at the next start.
        let is_stopping = loop {
            tokio::select! {
                text = posted.recv() => {
                    silent_until = Instant::now() + self.max_silence;
                    let Some(text) = text else { break false };
                    if socket.send(Message::text(text)).await.is_err() {
                        break false;
                    }
                }
                message = socket.recv() => {
                    let Some(Ok(message)) = message else { break false };
                    let Message::Text(text) = message else { continue };
                    silent_until = Instant::now() + self.max_silence;
                    let action: Value = serde_json::from_str(&text).unwrap_or_default();
                    let route = if action["action"] == "subscribe" { "subscribe" } else { "$default" };
                    if let Err(error) = connection.call_function(route, &json!({"body": text.as_str()})).await {
                        tracing::warn!(%error, "the socket's function failed");
                    }
                }
                () = sleep_until(max_end.min(silent_until)) => break false,
                () = async { drop(stopped.wait_for(|stopped| *stopped).await) } => break true,
            }
        };
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&connection.id);
        let _ = socket.send(Message::Close(None)).await;
        if !is_stopping && let Err(error) = connection.call_function("$disconnect", &json!({})).await {
            tracing::debug!(%error, "the socket's function could not be notified of a disconnect");
        }
    }
}

/// A connection, and the functions that receive its events.
struct Connection {
    id: String,
    context: Value,
    functions: Functions,
}

impl Connection {
    async fn call_function(&self, route: &str, fields: &Value) -> Result<Value, Error> {
        let mut event = fields.clone();
        event["requestContext"] = self.context.clone();
        event["requestContext"]["routeKey"] = json!(route);
        event["requestContext"]["connectionId"] = json!(self.id);
        event["isBase64Encoded"] = json!(false);
        self.functions.call(SOCKET, &event).await
    }
}

impl SocketSender for Sockets {
    fn post<'a>(&'a self, id: &'a str, text: &'a str) -> BoxFuture<'a, bool> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_sent = open.get(id).is_some_and(|connection| connection.send(text.to_owned()).is_ok());
        std::future::ready(is_sent).boxed()
    }

    fn close<'a>(&'a self, id: &'a str) -> BoxFuture<'a, ()> {
        // The task that holds the connection ends when its sender is dropped.
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        std::future::ready(()).boxed()
    }
}
