//! POST of a transfer: changes two wallets, with a transaction each, in one write.

mod plan;

use http::StatusCode;
use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};
use crate::operations::{Execution, Given, Planned, ResolvedPath, Shows, Verb, render};
use crate::request::{Draft, Path, Transfer};
use crate::resources::transfers::{FROM_USER_ID, TO_USER_ID};
use crate::resources::{TRANSFER, USERS};
use crate::response::Response;
use crate::schema::{Depth, Key};
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone};

/// Path of transfers.
pub const TRANSFERS: &str = "/transfers";

/// A transfer to execute.
struct Payout<'a> {
    draft: &'a Draft,
    /// Whether the path identifies the payer.
    is_by_path: bool,
    shows_receiver: bool,
}

impl Payout<'_> {
    /// Returns the keys of the payer and the recipient.
    fn users(&self, at: &ResolvedPath) -> [Option<Key>; 2] {
        let user = |id| Key::new(&USERS, id);
        let from = if self.is_by_path { at.key().ok() } else { self.draft.get(&FROM_USER_ID).map(user) };
        [from, self.draft.get(&TO_USER_ID).map(user)]
    }
}

impl Verb for Payout<'_> {
    fn needs(&self, at: &ResolvedPath, _: &Snapshot) -> ReadSet {
        ReadSet::of(self.users(at).into_iter().flatten())
    }

    fn plan(&self, at: &ResolvedPath, read: &mut Snapshot, given: &Given<'_>) -> Result<Planned, CommitError> {
        if self.is_by_path {
            at.record(read)?;
        }
        let [Some(from), Some(to)] = self.users(at) else { return Err(Error::fault().into()) };
        let ids = [given.next_id(), given.next_id()];
        let planned = plan::plan(self.draft, [from, to], read, ids, given.now)?;
        let rendered = |record| render(record, read, Depth::TopLevel, "").ok_or_else(Error::fault);
        let [paid, received] = planned.transactions.each_ref().map(rendered);
        let received = if self.shows_receiver { received? } else { without_user(&received?)? };
        let rendered = format!(r#"{{"transfer_id":{},"from":{},"to":{received}}}"#, planned.id, paid?);
        let response = Response { status: StatusCode::CREATED, ..Response::new("application/json", rendered) };
        let shows = Shows::Response(response);
        Ok(Planned { write_set: planned.write_set, shows, tombstone: Tombstone::default() })
    }
}

impl Execution {
    /// Execute POST of a transfer. A repeated request with an `Idempotency-Key` gets the stored response. Without
    /// `shows_receiver`, the response omits the recipient's user record.
    ///
    /// # Errors
    /// 404 if the user in the path does not exist, 409 for an insufficient balance, 422 for an invalid body.
    pub async fn transfer(&self, transfer: Transfer, shows_receiver: bool) -> Result<Response> {
        let Transfer { path, draft, key } = transfer;
        let draft = match draft {
            Ok(draft) => draft,
            Err(invalid) => return Err(self.invalid_body(invalid).await),
        };
        let payout = Payout { draft: &draft, is_by_path: path.is_some(), shows_receiver };
        let path = path.unwrap_or_else(|| Path::to(&TRANSFER));
        Ok(self.drive(&path, &payout, &self.keyed(key)).await?.response)
    }
}

/// Remove the embedded user from a rendered transaction.
fn without_user(rendered: &str) -> Result<String> {
    let mut transaction: Map<String, Json> = serde_json::from_str(rendered).map_err(|_| Error::fault())?;
    transaction.shift_remove("user");
    Ok(Json::Object(transaction).to_string())
}
