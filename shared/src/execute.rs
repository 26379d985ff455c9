//! Operations, carried out on the store. Each verb is a file; none of them knows a resource by name.

mod change;
mod create;
mod creation;
mod delete;
mod list;
mod membership;
mod receive;
mod resolve;
mod view;

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value as Json, json};

use crate::error::{Error, Result};
use crate::openapi;
use crate::operation::Operation;
use crate::record::Key;
use crate::route::location;
use crate::store::{Refusal, Store};
use crate::value::Timestamp;

/// How often a request starts again because what it had read was outdated by another one.
const ATTEMPTS: u32 = 30;
const LONGEST_WAIT_MILLIS: u64 = 200;

/// What a request is answered with.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The body.
    pub body: String,
    /// What the body is; none, for none.
    pub content_type: Option<&'static str>,
    /// Where the new record is.
    pub location: Option<String>,
    /// The query string of the next page.
    pub next_page: Option<String>,
}

impl Reply {
    fn ok(body: &Json) -> Self {
        let (status, content_type) = (StatusCode::OK, Some("application/json"));
        Self { status, body: body.to_string(), content_type, location: None, next_page: None }
    }

    fn text(body: String) -> Self {
        Self { status: StatusCode::OK, body, content_type: Some("text/plain"), location: None, next_page: None }
    }

    /// That there is nothing to say.
    pub fn nothing() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            body: String::new(),
            content_type: None,
            location: None,
            next_page: None,
        }
    }

    fn created(body: &Json, key: Option<Key>) -> Self {
        Self { status: StatusCode::CREATED, location: key.map(location), ..Self::ok(body) }
    }
}

/// One request being carried out.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its handle to the stores.
    pub store: Store,
    /// The moment at which it takes place.
    pub now: Timestamp,
}

impl Execution {
    /// Carries out an operation.
    ///
    /// # Errors
    /// What the contract says of what is stored: 404, 409, 422, 503.
    pub async fn run(&self, operation: Operation) -> Result<Reply> {
        match operation {
            Operation::Health => Ok(Reply::ok(&json!({"status": "ok"}))),
            Operation::OpenApi => Ok(Reply::ok(&openapi::document())),
            Operation::Receive(delivery) => self.receive(delivery).await,
            Operation::Read(path) => self.read(&path).await,
            Operation::List(path, list) => self.list(&path, list).await,
            Operation::Create(path, draft) => self.create(&path, draft).await,
            Operation::CreateMany(path, drafts) => self.create_many(&path, drafts).await,
            Operation::Change(path, payload) => self.change(&path, payload).await,
            Operation::Delete(path) => self.delete(&path).await,
        }
    }
}

/// Counts the attempts of a request that others outdate.
#[derive(Default)]
struct Attempts(u32);

impl Attempts {
    /// Decides on a refusal: waits a moment for another attempt, or gives up.
    async fn again(&mut self, refusal: Refusal) -> Result<()> {
        let Refusal::Failed(error) = refusal else {
            self.0 += 1;
            if self.0 == ATTEMPTS {
                tracing::warn!("others outdated every attempt");
                return Err(Error::unavailable());
            }
            let longest = (1 << self.0.min(16)).min(LONGEST_WAIT_MILLIS);
            tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=longest))).await;
            return Ok(());
        };
        Err(error)
    }
}
