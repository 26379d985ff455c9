//! Delivery of messages from the socket to the events function: a queue, and a worker that calls the webhook.
//!
//! The webhook stores and deduplicates messages from both transports. The queue decouples the socket from the store, as
//! the socket must answer pings even when the store is slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::signature::sign;
use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use reqwest::Client;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::sleep;

/// Maximum size of the queue in bytes.
const MAX_QUEUED: usize = 64 * 1024 * 1024;
/// Size of an entry without the message body, rounded up.
const OVERHEAD: usize = 256;
/// Type of the messages that are delivered concurrently.
const CHAT_MESSAGE: &str = "channel.chat.message";
/// Maximum number of concurrent webhook calls.
const CONCURRENCY: usize = 8;
/// Timeout of a webhook call.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum wait before a message is sent again.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// A message as the webhook receives it.
#[derive(Debug)]
pub(super) struct Message {
    pub id: String,
    /// Type of the message, such as `notification`.
    pub kind: String,
    /// Type of the subscription, such as `channel.cheer`.
    pub subscription_type: String,
    /// Message timestamp, as sent.
    pub timestamp: String,
    /// JSON body, as sent.
    pub body: String,
}

/// Entry of the queue. Without a message, it only marks that everything before it is stored.
#[derive(Debug)]
pub(super) struct Entry {
    /// Generation of the login that received the message.
    pub generation: u64,
    pub sent_at: Timestamp,
    pub message: Option<Message>,
    /// Whether messages may be missing from now on.
    pub may_start_gap: bool,
}

impl Entry {
    /// Returns true if the entry may be delivered out of order. This applies to chat, which makes up most messages: no
    /// chat message changes how another is stored.
    fn is_independent(&self) -> bool {
        self.message.as_ref().is_none_or(|message| message.subscription_type == CHAT_MESSAGE)
    }

    fn size(&self) -> usize {
        OVERHEAD + self.message.as_ref().map_or(0, |message| message.body.len())
    }
}

/// Sending end of the queue, limited in size.
#[derive(Debug)]
pub(super) struct Queue {
    sender: UnboundedSender<Entry>,
    size: Arc<AtomicUsize>,
}

impl Queue {
    /// Creates a queue, and its receiving end for [`deliver`].
    pub(super) fn new() -> (Self, UnboundedReceiver<Entry>) {
        let (sender, receiver) = unbounded_channel();
        (Self { sender, size: Arc::default() }, receiver)
    }

    /// Appends an entry. Returns false if the queue is full.
    pub(super) fn push(&self, entry: Entry) -> bool {
        if self.size.load(Ordering::Relaxed) > MAX_QUEUED {
            return false;
        }
        self.size.fetch_add(entry.size(), Ordering::Relaxed);
        self.sender.send(entry).is_ok()
    }

    /// Returns true if everything was delivered.
    pub(super) fn is_empty(&self) -> bool {
        self.size.load(Ordering::Relaxed) == 0
    }

    /// Returns the size counter, for the worker.
    pub(super) fn counter(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.size)
    }
}

/// Delivers the entries in order until the queue is closed. Calls `stored` for each entry when it and all before it are
/// stored.
pub(super) async fn deliver(
    mut receiver: UnboundedReceiver<Entry>,
    size: Arc<AtomicUsize>,
    webhook: String,
    secret: String,
    stored: impl Fn(&Entry),
) {
    crate::tls::install();
    // The webhook runs on this machine and needs no certificates.
    let client = Client::builder().timeout(TIMEOUT).tls_certs_only([]).build().unwrap_or_default();
    let (client, webhook, secret) = (&client, &webhook, &secret);
    let deliver_one = |entry: Entry| async move {
        if let Some(message) = &entry.message {
            send(client, webhook, secret, message).await;
        }
        entry
    };
    let finish = |entry: Entry| {
        stored(&entry);
        size.fetch_sub(entry.size(), Ordering::Relaxed);
    };
    let mut running = FuturesOrdered::new();
    loop {
        let entry = tokio::select! {
            Some(delivered) = running.next(), if !running.is_empty() => {
                finish(delivered);
                continue;
            }
            entry = receiver.recv(), if running.len() < CONCURRENCY => entry,
        };
        let Some(entry) = entry else { return };
        if entry.is_independent() {
            running.push_back(deliver_one(entry));
        } else {
            while let Some(delivered) = running.next().await {
                finish(delivered);
            }
            finish(deliver_one(entry).await);
        }
    }
}

/// Calls the webhook until it accepts or rejects a message.
async fn send(client: &Client, webhook: &str, secret: &str, message: &Message) {
    let Message { id, kind, timestamp, body, .. } = message;
    let signature = sign(secret, id, timestamp, body.as_bytes());
    let mut wait = Duration::from_millis(100);
    loop {
        let request = client
            .post(webhook)
            .header("Content-Type", "application/json")
            .header("Twitch-Eventsub-Message-Id", id)
            .header("Twitch-Eventsub-Message-Retry", "0")
            .header("Twitch-Eventsub-Message-Type", kind)
            .header("Twitch-Eventsub-Message-Timestamp", timestamp)
            .header("Twitch-Eventsub-Message-Signature", &signature);
        match request.body(body.clone()).send().await.map(|response| response.status()) {
            Ok(status) if status.is_success() => return,
            Ok(status) if status.is_client_error() && status.as_u16() != 429 => {
                tracing::error!(%status, "the service rejected a message from Twitch, which is lost");
                return;
            }
            Ok(status) => tracing::warn!(%status, "could not store a message from Twitch; trying again"),
            Err(error) if error.is_builder() => {
                tracing::error!("a message from Twitch has invalid metadata and is lost");
                return;
            }
            Err(_) => tracing::warn!("could not deliver a message from Twitch; trying again"),
        }
        sleep(wait).await;
        wait = (wait * 2).min(MAX_WAIT);
    }
}
