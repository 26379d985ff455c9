//! The connections of the socket: which are open, and what is posted to them.
//!
//! All of them are in one item, an attribute each: whoever posts reads them in one call, and there are never many.

use aws_sdk_apigatewaymanagement::operation::post_to_connection::PostToConnectionError;
use aws_sdk_apigatewaymanagement::primitives::Blob;
use futures_util::future::join_all;

use super::Store;
use crate::error::Result;
use crate::plan::{Refusal, Work};
use crate::schema::{Stored, Timestamp};

/// The item that has them.
const OPEN: &str = "sockets/open";
/// So many are posted to at the same time.
const AT_ONCE: usize = 50;
/// The platform ends a connection after two hours.
const LONGEST_LIFE: time::Duration = time::Duration::hours(2);

impl Store {
    /// The connections that are open.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn sockets(&self, now: Timestamp) -> Result<Vec<String>> {
        let oldest = now.shifted(-LONGEST_LIFE).unwrap_or(now);
        let open = self.notes(OPEN).await?.into_iter();
        let open = open.filter(|(_, since)| Timestamp::parse(since).is_some_and(|since| oldest <= since));
        Ok(open.filter_map(|(name, _)| String::from_utf8(hex::decode(name).ok()?).ok()).collect())
    }

    /// Notes that a connection is open.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn open_socket(&self, id: &str, now: Timestamp) -> Result<()> {
        self.change_sockets(&[id], Some(&now.to_string())).await
    }

    /// Notes that connections are open no more.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn close_sockets(&self, ids: &[&str]) -> Result<()> {
        if ids.is_empty() { Ok(()) } else { self.change_sockets(ids, None).await }
    }

    async fn change_sockets(&self, ids: &[&str], since: Option<&str>) -> Result<()> {
        let mut work = Work::default();
        let write = work.write_item(OPEN.to_owned());
        for id in ids {
            // The platform's identifiers end with what no expression takes in a name.
            write.put_attribute(&hex::encode(id), since.map(|since| Stored::Text(since.to_owned())));
        }
        self.commit(&work).await.map_err(Refusal::into_error)
    }

    /// Posts a text to connections. Answers those that are there no more; what else goes wrong is logged, and forgotten: a push is
    /// an aid.
    pub async fn push<'a>(&self, ids: &'a [String], text: &str) -> Vec<&'a str> {
        let Some(config) = &self.clients.sockets else { return Vec::new() };
        let client = aws_sdk_apigatewaymanagement::Client::new(config);
        let post = async |id: &'a String| {
            let sent = client.post_to_connection().connection_id(id).data(Blob::new(text)).send().await;
            match sent {
                Ok(_) => None,
                Err(error) if error.as_service_error().is_some_and(PostToConnectionError::is_gone_exception) => {
                    Some(id.as_str())
                }
                Err(error) => {
                    tracing::warn!(cause = ?error, "a push was not sent");
                    None
                }
            }
        };
        let mut gone = Vec::new();
        for ids in ids.chunks(AT_ONCE) {
            gone.extend(join_all(ids.iter().map(&post)).await.into_iter().flatten());
        }
        gone
    }
}
