//! WebSocket to Twitch, and its messages.
//!
//! <https://dev.twitch.tv/docs/eventsub/handling-websocket-events/>

use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::read;
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message as Frame};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::{Error, tls};

/// Timeout for opening a socket, including its welcome.
const OPEN_TIMEOUT: Duration = Duration::from_secs(15);
/// Requested keepalive timeout in seconds, also used if the welcome has none.
const KEEPALIVE: u64 = 10;
/// Maximum message size in bytes. Twitch's messages have a few kilobytes.
const MAX_MESSAGE: usize = 1024 * 1024;

/// A byte stream with or without TLS.
trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytes for T {}

/// An open socket.
pub(super) struct Socket(WebSocketStream<Box<dyn Bytes>>);

/// First message of a session.
#[derive(Debug, Deserialize)]
pub(super) struct Welcome {
    /// Session ID, required to create subscriptions.
    pub id: String,
    #[serde(default)]
    keepalive_timeout_seconds: Option<u64>,
    #[serde(skip)]
    pub sent_at: Option<Timestamp>,
}

/// Metadata of a message.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    pub message_id: String,
    pub message_type: String,
    #[serde(default)]
    pub message_timestamp: String,
    #[serde(default)]
    pub subscription_type: String,
}

/// A message.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope {
    pub metadata: Metadata,
    /// JSON payload. For notifications, it equals the body of a webhook message.
    pub payload: Box<RawValue>,
}

/// Payload of a message about the session.
#[derive(Deserialize)]
struct SessionPayload<T> {
    session: T,
}

/// Session in a reconnect message.
#[derive(Deserialize)]
struct Reconnect {
    reconnect_url: String,
}

impl Metadata {
    /// Returns the time when Twitch sent the message.
    pub(super) fn sent_at(&self) -> Option<Timestamp> {
        read::time(&self.message_timestamp)
    }
}

impl Envelope {
    /// Returns the session, if this is a welcome.
    fn welcome(&self) -> Option<Welcome> {
        let is_welcome = self.metadata.message_type == "session_welcome";
        let payload: Option<SessionPayload<Welcome>> = serde_json::from_str(self.payload.get()).ok();
        let session = payload.filter(|_| is_welcome).map(|payload| payload.session)?;
        Some(Welcome { sent_at: self.metadata.sent_at(), ..session })
    }

    /// Returns the URL to reconnect to.
    pub(super) fn reconnect_url(&self) -> Option<String> {
        let payload: SessionPayload<Reconnect> = serde_json::from_str(self.payload.get()).ok()?;
        Some(payload.session.reconnect_url)
    }
}

impl Welcome {
    /// Returns the maximum time between two messages.
    pub(super) fn keepalive(&self) -> Duration {
        Duration::from_secs(self.keepalive_timeout_seconds.filter(|seconds| *seconds > 0).unwrap_or(KEEPALIVE))
    }
}

/// Adds the requested keepalive timeout to the server's URL.
pub(super) fn with_keepalive(url: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}keepalive_timeout_seconds={KEEPALIVE}")
}

/// Explains Twitch's close codes.
fn closed(code: u16) -> String {
    let reason = match code {
        4000 => "it has an internal error",
        4001 => "the service sent a message",
        4002 => "the service did not answer a ping",
        4003 => "the session was not subscribed in time",
        4004 => "the service did not reconnect in time",
        4005 => "the network timed out",
        4006 => "the network failed",
        4007 => "the address of a reconnect was invalid",
        _ => return format!("Twitch closed the connection (code {code})."),
    };
    format!("Twitch closed the connection because {reason} (code {code}).")
}

impl Socket {
    /// Opens a socket and receives its welcome.
    ///
    /// # Errors
    /// Returns the reason if the server cannot be reached, rejects the connection, or sends no welcome.
    pub(super) async fn open(url: &str) -> Result<(Self, Welcome), String> {
        let opening = async {
            let mut socket = Self::connect(url).await.map_err(|error| format!("Cannot reach Twitch: {error}."))?;
            loop {
                if let Some(welcome) = socket.next().await?.welcome() {
                    return Ok((socket, welcome));
                }
            }
        };
        let opened = timeout(OPEN_TIMEOUT, opening).await;
        opened.unwrap_or_else(|_| Err("Twitch did not welcome the connection in time.".to_owned()))
    }

    async fn connect(url: &str) -> Result<Self, Error> {
        let request = url.into_client_request()?;
        let (host, port) = (request.uri().host().unwrap_or_default().to_owned(), request.uri().port_u16());
        let is_secure = request.uri().scheme_str() == Some("wss");
        let port = port.unwrap_or(if is_secure { 443 } else { 80 });
        let address = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let stream = TcpStream::connect((address.as_str(), port)).await?;
        stream.set_nodelay(true)?;
        let stream: Box<dyn Bytes> = if is_secure {
            Box::new(tls::connector()?.connect(ServerName::try_from(address)?, stream).await?)
        } else {
            Box::new(stream)
        };
        let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
        let (socket, _) = client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self(socket))
    }

    /// Receives a message, and answers pings while waiting.
    ///
    /// # Errors
    /// Returns the reason if the connection ends.
    pub(super) async fn next(&mut self) -> Result<Envelope, String> {
        loop {
            let frame = match self.0.next().await {
                Some(Ok(frame)) => frame,
                Some(Err(SocketError::Io(error))) => return Err(format!("The connection to Twitch broke: {error}.")),
                Some(Err(_)) | None => return Err("The connection to Twitch broke.".to_owned()),
            };
            match frame {
                Frame::Text(text) => {
                    if let Ok(envelope) = serde_json::from_str(&text) {
                        return Ok(envelope);
                    }
                    tracing::warn!("ignored a message from Twitch with unknown JSON");
                }
                Frame::Close(Some(close)) => return Err(closed(close.code.into())),
                Frame::Close(None) => return Err("Twitch closed the connection.".to_owned()),
                Frame::Ping(_) | Frame::Pong(_) | Frame::Binary(_) | Frame::Frame(_) => {}
            }
        }
    }

    /// Starts to close the connection. Messages in flight can still be received.
    pub(super) async fn close(&mut self) {
        // The peer may have closed it already.
        let _ = self.0.close(None).await;
    }
}
