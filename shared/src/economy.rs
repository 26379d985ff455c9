//! The economy: purchases of products, their fulfilment and refunds, and transfers between wallets.
//!
//! Unlike the verbs of `operations`, these change records of several resources in one write, and are specific to them.
//! Their plans do no I/O. The write's conditions decide, and a failed write returns the items that explain it.

mod payment;
mod purchase;
mod settlement;
mod transfer;

use self::purchase::{Cooldown, Purchase};
use self::settlement::Settlement;
use crate::error::Result;
use crate::operations::{Execution, Preconditions};
use crate::request::Operation;
use crate::resources::PURCHASES;
use crate::resources::purchases::STATUS;
use crate::response::Response;

impl Execution {
    /// Executes an operation on records, including those that only the economy implements.
    ///
    /// # Errors
    /// The errors that depend on stored data: 404, 409, 412, 422, 503.
    pub async fn run_with_economy(&self, operation: Operation) -> Result<Response> {
        match operation {
            Operation::Create(path, draft, key) if draft.resource == &PURCHASES => {
                Ok(self.execute(&path, &Purchase { draft: &draft }, &self.preconditions(key)).await?.response)
            }
            Operation::Change(path, change, tags) if path.target().resource() == Some(&PURCHASES) => {
                let (prefetched, draft) = self.bind(&path, change).await?;
                let settlement = Settlement { status: draft.get(&STATUS) };
                let preconditions = Preconditions { tags: tags.as_ref(), idempotent_request: None };
                Ok(self.execute_from(Some(prefetched), &path, &settlement, &preconditions).await?.response)
            }
            Operation::Import(record, draft, key) if draft.resource == &PURCHASES => {
                let cooldown = Cooldown::of(&draft, self.now);
                let response = self.run(Operation::Import(record, draft, key)).await?;
                self.start_cooldown(cooldown).await?;
                Ok(response)
            }
            operation => self.run(operation).await,
        }
    }
}
