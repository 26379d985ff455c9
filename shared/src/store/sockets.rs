//! The connections of the socket: which are open, and what is posted to them.
//!
//! All of them are in one item, an attribute each: whoever posts reads them in one call, and there are never many.

use aws_sdk_apigatewaymanagement::operation::post_to_connection::PostToConnectionError;
use aws_sdk_apigatewaymanagement::primitives::Blob;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};

use super::Store;
use crate::error::{Error, Result};
use crate::plan::{Refusal, Work};
use crate::schema::{Stored, Timestamp};

/// The item that has them.
const OPEN: &str = "sockets/open";
/// So many are posted to at the same time.
const AT_ONCE: usize = 50;
/// The platform ends a connection after two hours.
const LONGEST_LIFE: time::Duration = time::Duration::hours(2);

/// What is known of a connection.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Connection {
    /// When it was opened.
    pub since: Timestamp,
    /// What names the token that it was opened with; none, where none is asked for.
    pub token: Option<String>,
    /// When the token ends, if ever.
    pub ends: Option<Timestamp>,
    /// Whether it is to be told.
    pub listens: bool,
}

impl Store {
    /// The connections that are open, by their identifiers.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn connections(&self, now: Timestamp) -> Result<Vec<(String, Connection)>> {
        let oldest = now.shifted(-LONGEST_LIFE).unwrap_or(now);
        let read = |(name, text): (String, String)| {
            Some((String::from_utf8(hex::decode(name).ok()?).ok()?, serde_json::from_str::<Connection>(&text).ok()?))
        };
        let open = self.notes(OPEN).await?.into_iter().filter_map(read);
        Ok(open.filter(|(_, one)| oldest <= one.since && one.ends.is_none_or(|end| now < end)).collect())
    }

    /// Notes what is known of a connection.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn keep_connection(&self, id: &str, connection: &Connection) -> Result<()> {
        let text = serde_json::to_string(connection).map_err(|_| Error::fault())?;
        self.change_connections(&[id], Some(&text)).await
    }

    /// Forgets connections, which are told no more.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn forget_connections(&self, ids: &[&str]) -> Result<()> {
        if ids.is_empty() { Ok(()) } else { self.change_connections(ids, None).await }
    }

    /// Forgets the connections that were opened with a token.
    ///
    /// # Errors
    /// Only when the store fails.
    pub(super) async fn forget_connections_of(&self, token: &str) -> Result<()> {
        let open = self.connections(Timestamp::now()).await?;
        let of_token = open.iter().filter(|(_, one)| one.token.as_deref() == Some(token));
        self.forget_connections(&of_token.map(|(id, _)| id.as_str()).collect::<Vec<_>>()).await
    }

    async fn change_connections(&self, ids: &[&str], text: Option<&str>) -> Result<()> {
        let mut work = Work::default();
        let write = work.write_item(OPEN.to_owned());
        for id in ids {
            // The platform's identifiers end with what no expression takes in a name.
            write.put_attribute(&hex::encode(id), text.map(|text| Stored::Text(text.to_owned())));
        }
        self.commit(&work).await.map_err(Refusal::into_error)
    }

    /// Posts a text to connections. Answers those that are there no more; what else goes wrong is logged, and forgotten: a push is
    /// an aid.
    pub async fn push<'a>(&self, ids: &[&'a str], text: &str) -> Vec<&'a str> {
        let Some(config) = &self.clients.sockets else { return Vec::new() };
        let client = aws_sdk_apigatewaymanagement::Client::new(config);
        let post = async |id: &'a str| {
            let sent = client.post_to_connection().connection_id(id).data(Blob::new(text)).send().await;
            match sent {
                Ok(_) => None,
                Err(error) if error.as_service_error().is_some_and(PostToConnectionError::is_gone_exception) => {
                    Some(id)
                }
                Err(error) => {
                    tracing::warn!(cause = ?error, "a push was not sent");
                    None
                }
            }
        };
        let mut gone = Vec::new();
        for ids in ids.chunks(AT_ONCE) {
            gone.extend(join_all(ids.iter().copied().map(&post)).await.into_iter().flatten());
        }
        gone
    }
}
