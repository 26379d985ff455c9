//! POST of a transfer: two transactions and two wallets in one write.

mod plan;

use http::{Method, StatusCode};
use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};
use crate::operations::{Attempts, Execution, stored};
use crate::request::{Draft, IdempotencyKey, IfMatch, InvalidBody, Path, Payload, Request, allowed, body, query};
use crate::resources::transfers::{FROM_USER_ID, TO_USER_ID};
use crate::resources::{TRANSFER, USERS};
use crate::response::Response;
use crate::schema::{Depth, Key};
use crate::store::Consistency;
use crate::table::{CommitError, KeyedRequest, ReadSet};

/// Path of transfers.
pub const TRANSFERS: &str = "/transfers";

/// A parsed request for a transfer.
#[derive(Debug)]
pub struct Transfer {
    /// Path that decides who pays. `None` for the body.
    path: Option<Path>,
    draft: Result<Draft, InvalidBody>,
    key: Option<IdempotencyKey>,
}

impl Transfer {
    /// Parse a request. `path` decides who pays, if the request has such a path.
    ///
    /// # Errors
    /// The errors that do not depend on stored records: 400, 405, 413 and 415.
    pub fn parse(mut path: Option<Path>, request: Request) -> Result<Self> {
        allowed(&request.method, &[Method::POST])?;
        let mut violations = path.as_mut().map(|path| std::mem::take(&mut path.violations)).unwrap_or_default();
        violations.extend(query::unexpected_parameters(&request.query));
        IfMatch::reject(&request.headers)?;
        let (headers, method, url) = (request.headers.clone(), request.method.clone(), request.path.clone());
        let parsed = Payload::parse(&TRANSFER, request, false).and_then(|payload| {
            let key = IdempotencyKey::parse(&headers, &method, &url, &payload)?;
            let bound_field = path.as_ref().map(|_| FROM_USER_ID.name);
            Ok((key, body::to_create(&TRANSFER, payload, bound_field)?))
        });
        let (key, mut draft) = match parsed {
            Err(_) if !violations.is_empty() => return Err(Error::invalid_parameters(violations)),
            parsed => parsed?,
        };
        if !violations.is_empty() {
            let invalid = draft.map_or_else(
                |invalid| invalid,
                |draft| InvalidBody { drafts: vec![draft], is_list: false, is_import: false, violations: Vec::new() },
            );
            violations.extend(invalid.violations);
            draft = Err(InvalidBody { violations, ..invalid });
        }
        Ok(Self { path, draft, key })
    }
}

impl Execution {
    /// Execute POST of a transfer. A repeated request with an `Idempotency-Key` gets the stored response. Without
    /// `shows_receiver`, the response does not describe the user who receives.
    ///
    /// # Errors
    /// 404 if the user in the path does not exist, 409 for an insufficient balance, 422 for an invalid body.
    pub async fn transfer(&self, transfer: Transfer, shows_receiver: bool) -> Result<Response> {
        let Transfer { path, draft, key } = transfer;
        let draft = match draft {
            Ok(draft) => draft,
            Err(invalid) => return Err(self.invalid_body(invalid).await),
        };
        let keyed_request = key.map(|key| KeyedRequest::new(&self.caller, &key.key, &key.request));
        let keyed_request = keyed_request.as_ref();
        let run = async {
            let mut attempts = Attempts::default();
            loop {
                match Box::pin(self.transfer_once(path.as_ref(), &draft, keyed_request, shows_receiver)).await {
                    Ok(response) => return Ok(response),
                    Err(error) => attempts.back_off(error).await?,
                }
            }
        };
        self.with_idempotency(keyed_request, run).await
    }

    async fn transfer_once(
        &self,
        path: Option<&Path>,
        draft: &Draft,
        keyed_request: Option<&KeyedRequest>,
        shows_receiver: bool,
    ) -> Result<Response, CommitError> {
        let user = |id| Key::new(&USERS, id);
        let from = match path {
            Some(path) => Some(self.existing(path).await?),
            None => draft.get(&FROM_USER_ID).map(user),
        };
        let (Some(from), Some(to)) = (from, draft.get(&TO_USER_ID).map(user)) else {
            return Err(Error::fault().into());
        };
        let reads = ReadSet { records: [from, to].into(), ..ReadSet::default() };
        let snapshot = self.store.load(&reads, Consistency::Strong).await?;
        if path.is_some() && !snapshot.records.contains_key(&from) {
            return Err(from.not_found().into());
        }
        let ids = [self.store.next_id(self.now), self.store.next_id(self.now)];
        let mut planned = plan::plan(draft, [from, to], &snapshot, ids, self.now)?;
        let rendered = planned.transactions.each_ref().map(|record| self.rendered(record, &snapshot, Depth::TopLevel));
        let [paid, mut received] = rendered;
        if !shows_receiver {
            received = received.and_then(|rendered| without_user(&rendered));
        }
        let rendered = format!(r#"{{"transfer_id":{},"from":{},"to":{}}}"#, planned.id, paid?, received?);
        let response = Response { status: StatusCode::CREATED, ..Response::new("application/json", rendered) };
        if let Some(keyed_request) = keyed_request {
            keyed_request.keep(&stored(&response), self.now, &mut planned.write_set)?;
        }
        self.store.commit(&planned.write_set).await?;
        Ok(response)
    }
}

/// Remove the embedded user from a rendered transaction.
fn without_user(rendered: &str) -> Result<String> {
    let mut transaction: Map<String, Json> = serde_json::from_str(rendered).map_err(|_| Error::fault())?;
    transaction.shift_remove("user");
    Ok(Json::Object(transaction).to_string())
}
