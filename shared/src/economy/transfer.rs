//! POST of a transfer: changes two wallets, with a transaction each, in one write.

mod plan;

use http::StatusCode;
use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};
use crate::operations::{Execution, Plan, PlanContext, ResolvedPath, ResponseContent, Verb, render};
use crate::request::{Draft, Path, Transfer};
use crate::resources::transfers::{FROM_USER_ID, TO_USER_ID};
use crate::resources::{TRANSFER, USERS};
use crate::response::Response;
use crate::schema::{Depth, Key};
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone};

/// A transfer to execute.
struct PendingTransfer<'a> {
    draft: &'a Draft,
    /// Whether the path identifies the payer.
    is_by_path: bool,
    shows_recipient: bool,
}

impl PendingTransfer<'_> {
    /// Returns the keys of the payer and the recipient.
    fn users(&self, target: &ResolvedPath) -> [Option<Key>; 2] {
        let user = |id| Key::new(&USERS, id);
        let from = if self.is_by_path { target.key().ok() } else { self.draft.get(&FROM_USER_ID).map(user) };
        [from, self.draft.get(&TO_USER_ID).map(user)]
    }
}

impl Verb for PendingTransfer<'_> {
    fn reads(&self, target: &ResolvedPath, _: &Snapshot) -> ReadSet {
        ReadSet::of(self.users(target).into_iter().flatten())
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        if self.is_by_path {
            target.record(read)?;
        }
        let [Some(from), Some(to)] = self.users(target) else { return Err(Error::fault().into()) };
        let ids = [context.next_id(), context.next_id()];
        let plan = plan::plan(self.draft, [from, to], read, ids, context.now)?;
        let rendered = |record| render(record, read, Depth::TopLevel, "").ok_or_else(Error::fault);
        let [paid, received] = plan.transactions.each_ref().map(rendered);
        let received = if self.shows_recipient { received? } else { without_user(&received?)? };
        let rendered = format!(r#"{{"transfer_id":{},"from":{},"to":{received}}}"#, plan.id, paid?);
        let response = Response { status: StatusCode::CREATED, ..Response::new("application/json", rendered) };
        Ok(Plan {
            write_set: plan.write_set,
            content: ResponseContent::Response(response),
            tombstone: Tombstone::default(),
        })
    }
}

impl Execution {
    /// Executes POST of a transfer. A repeated request with an `Idempotency-Key` gets the stored response. Without
    /// `shows_recipient`, the response omits the recipient's user record.
    ///
    /// # Errors
    /// 404 if the user in the path does not exist, 409 for an insufficient balance, 422 for an invalid body.
    pub async fn transfer(&self, transfer: Transfer, shows_recipient: bool) -> Result<Response> {
        let Transfer { path, draft, key } = transfer;
        let draft = match draft {
            Ok(draft) => draft,
            Err(invalid) => return Err(self.invalid_body(invalid).await),
        };
        let payout = PendingTransfer { draft: &draft, is_by_path: path.is_some(), shows_recipient };
        let path = path.unwrap_or_else(|| Path::to(&TRANSFER));
        Ok(self.execute(&path, &payout, &self.preconditions(key)).await?.response)
    }
}

/// Removes the embedded user from a rendered transaction.
fn without_user(rendered: &str) -> Result<String> {
    let mut transaction: Map<String, Json> = serde_json::from_str(rendered).map_err(|_| Error::fault())?;
    transaction.shift_remove("user");
    Ok(Json::Object(transaction).to_string())
}
