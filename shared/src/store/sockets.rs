//! The socket's connections, and posts to them.
//!
//! Each connection is a separate item, which expires. A listening connection is also a member of one of [`GROUPS`]
//! groups: few enough for a fan-out to read only a few items, and enough for a thousand simultaneous new clients to
//! write to different ones. A directory lists the groups that have ever had a member.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::PoisonError;

use futures_util::future::{BoxFuture, join_all};
use serde::{Deserialize, Serialize};
use time::Duration;

use super::Store;
use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Id, StoredValue, Timestamp, digest};
use crate::table::{CommitError, WriteKind, WriteSet, from_document, to_document};

/// Groups of listening connections. With 1,000 connections, each group has about 30, in an item of 4 KB.
const GROUPS: u64 = 32;
const DIRECTORY: &str = "sockets/groups";
const GROUP_NUMBERS: &str = "group_numbers";
/// Maximum number of parallel posts.
const CONCURRENCY: usize = 50;
/// Longest lifetime of a connection. The platform closes it after two hours.
const MAX_LIFETIME: Duration = Duration::hours(2);

/// The port of the connections: sends to the socket's clients.
pub trait SocketSender: Send + Sync + Debug {
    /// Posts a text to a connection. Returns false if the connection no longer exists. Clients do not rely on pushes,
    /// so any other failure is only logged.
    fn post<'a>(&'a self, id: &'a str, text: &'a str) -> BoxFuture<'a, bool>;

    /// Closes a connection to make its client reconnect. If that fails, the client's own timeout closes it.
    fn close<'a>(&'a self, id: &'a str) -> BoxFuture<'a, ()>;
}

/// A socket connection.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SocketConnection {
    /// Time at which the connection was opened.
    pub since: Timestamp,
    /// Identifier of the token that it was opened with. `None` if the service requires no tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Time at which the token expires. `None` if it never does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Timestamp>,
    /// Overlay that the subscription names, as the page of an overlay's alerts does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<Id>,
    /// Whether the page that subscribed runs in OBS.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_obs: bool,
}

/// Subscriptions that name the same overlay.
#[derive(Debug, Default)]
pub struct OverlayConnections {
    /// Number of all subscriptions.
    pub connections: u32,
    /// Number of subscriptions by pages in OBS.
    pub in_obs: u32,
}

/// Members of all groups.
#[derive(Debug)]
pub struct Listeners {
    /// Open connections, each with its identifier.
    pub open: Vec<(String, SocketConnection)>,
    /// Identifiers of connections that outlived their token or lifetime.
    pub expired: Vec<String>,
}

/// Item of a connection. It expires in case `$disconnect` is never sent.
#[derive(Serialize, Deserialize)]
struct ConnectionItem {
    #[serde(flatten)]
    connection: SocketConnection,
    expires_at: i64,
}

impl SocketConnection {
    fn is_open(&self, now: Timestamp) -> bool {
        let oldest = now.checked_add(-MAX_LIFETIME).unwrap_or(now);
        oldest <= self.since && self.ends.is_none_or(|end| now < end)
    }
}

/// Encodes a connection's identifier as an attribute name. The platform's identifiers end with characters that
/// expressions do not allow in names.
fn attribute(id: &str) -> String {
    hex::encode(id)
}

fn key(id: &str) -> String {
    format!("sockets/{}", attribute(id))
}

/// Returns the number of a connection's group, starting at 1.
fn group_of(id: &str) -> Option<Id> {
    let hash = u64::from_str_radix(&digest(id)[..8], 16).ok()?;
    Id::new(hash % GROUPS + 1)
}

fn group_key(number: Id) -> String {
    format!("{DIRECTORY}/{number}")
}

impl Store {
    /// Stores a new connection, which does not listen yet.
    pub async fn add_connection(&self, id: &str, connection: &SocketConnection) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(key(id));
        write.kind = WriteKind::Put;
        let expires_at = connection.since.checked_add(MAX_LIFETIME).unwrap_or(connection.since).unix_seconds();
        write.set = to_document(&ConnectionItem { connection: connection.clone(), expires_at })?;
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Reads an open connection.
    pub async fn connection(&self, id: &str, now: Timestamp) -> Result<Option<SocketConnection>> {
        let item = self.get_item(&key(id)).await?;
        let connection = item.as_ref().and_then(from_document).map(|ConnectionItem { connection, .. }| connection);
        Ok(connection.filter(|connection| connection.is_open(now)))
    }

    /// Adds a connection to the listeners.
    pub async fn add_listener(&self, id: &str, connection: &SocketConnection) -> Result<()> {
        let number = group_of(id).ok_or_else(Error::fault)?;
        let text = serde_json::to_string(connection).map_err(|_| Error::fault())?;
        let mut write_set = WriteSet::default();
        write_set.write_item(group_key(number)).put_attribute(&attribute(id), Some(StoredValue::Text(text)));
        self.commit(&write_set).await.map_err(CommitError::into_error)?;
        // Groups are never removed from the directory, so each process adds each group once.
        if self.ports.sender.is_none() {
            return Ok(());
        }
        let added_groups = || self.ports.added_groups.lock().unwrap_or_else(PoisonError::into_inner);
        if !added_groups().contains(&number) {
            let mut write_set = WriteSet::default();
            write_set.write_item(DIRECTORY.to_owned()).add_members.insert(GROUP_NUMBERS, [number].into());
            self.commit(&write_set).await.map_err(CommitError::into_error)?;
            added_groups().insert(number);
        }
        Ok(())
    }

    async fn groups(&self) -> Result<Vec<Id>> {
        let directory = self.get_item(DIRECTORY).await?.unwrap_or_default();
        Ok(directory.get(GROUP_NUMBERS).and_then(StoredValue::ids).into_iter().flatten().copied().collect())
    }

    /// Reads the listening connections.
    pub async fn listeners(&self, now: Timestamp) -> Result<Listeners> {
        let keys: Vec<_> = self.groups().await?.into_iter().map(group_key).collect();
        let groups = self.get_items(&keys).await?;
        let member = |(name, text): (String, StoredValue)| {
            let id = String::from_utf8(hex::decode(name).ok()?).ok()?;
            Some((id, serde_json::from_str::<SocketConnection>(&text.into_text()?).ok()?))
        };
        let members = groups.into_values().flatten().filter_map(member);
        let (open, expired): (Vec<_>, Vec<_>) = members.partition(|(_, connection)| connection.is_open(now));
        Ok(Listeners { open, expired: expired.into_iter().map(|(id, _)| id).collect() })
    }

    /// Counts the subscriptions to each overlay that exists.
    pub async fn connected_overlays(&self, now: Timestamp) -> Result<BTreeMap<Id, OverlayConnections>> {
        let mut counts = BTreeMap::<Id, OverlayConnections>::new();
        for (_, connection) in self.listeners(now).await?.open {
            let Some(overlay) = connection.overlay else { continue };
            let count = counts.entry(overlay).or_default();
            count.connections += 1;
            count.in_obs += u32::from(connection.in_obs);
        }
        let pk = |overlay: &Id| resources::overlay_key(*overlay).to_string();
        let existing = self.get_items(&counts.keys().map(pk).collect::<Vec<_>>()).await?;
        counts.retain(|overlay, _| existing.contains_key(&pk(overlay)));
        Ok(counts)
    }

    /// Deletes connections. Nothing more is posted to them.
    pub async fn delete_connections(&self, ids: &[&str]) -> Result<()> {
        for id in ids {
            let Some(number) = group_of(id) else { continue };
            let mut write_set = WriteSet::default();
            write_set.write_item(group_key(number)).put_attribute(&attribute(id), None);
            self.commit(&write_set).await.map_err(CommitError::into_error)?;
        }
        self.delete_all(&ids.iter().map(|id| key(id)).collect::<Vec<_>>()).await
    }

    /// Deletes the listening connections that were opened with a token, and closes them if the function may.
    pub(super) async fn delete_listeners_of(&self, token: &str) -> Result<()> {
        let Listeners { open, .. } = self.listeners(Timestamp::now()).await?;
        let of_token = open.iter().filter(|(_, connection)| connection.token.as_deref() == Some(token));
        let ids: Vec<_> = of_token.map(|(id, _)| id.as_str()).collect();
        self.delete_connections(&ids).await?;
        join_all(ids.into_iter().map(|id| self.close_connection(id))).await;
        Ok(())
    }

    /// Deletes the connections left behind by a killed process. No connection may be open.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn delete_all_connections(&self) -> Result<()> {
        let keys: Vec<_> = self.groups().await?.into_iter().map(group_key).collect();
        self.delete_all(&keys).await
    }

    /// Posts a text to connections. Returns those that no longer exist.
    pub async fn push<'a>(&self, ids: &[&'a str], text: &str) -> Vec<&'a str> {
        let Some(sender) = &self.ports.sender else { return Vec::new() };
        let post = async |id: &'a str| if sender.post(id, text).await { None } else { Some(id) };
        let mut closed = Vec::new();
        for ids in ids.chunks(CONCURRENCY) {
            closed.extend(join_all(ids.iter().copied().map(&post)).await.into_iter().flatten());
        }
        closed
    }

    /// Closes a connection to make its client reconnect.
    pub async fn close_connection(&self, id: &str) {
        if let Some(sender) = &self.ports.sender {
            sender.close(id).await;
        }
    }
}
