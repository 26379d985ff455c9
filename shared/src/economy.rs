//! The economy: purchases in the store, their fulfilment and refunds, and transfers between wallets.
//!
//! These verbs know their nouns, unlike those of `operations`, because each changes records of several resources in one
//! write. Their plans do no I/O. The write's own conditions decide, and the answer to a failed write has the items that
//! explain it.

mod payment;
mod purchase;
mod settlement;
mod transfer;

pub use transfer::{TRANSFERS, Transfer};

use crate::error::Result;
use crate::operations::Execution;
use crate::request::Operation;
use crate::resources::PURCHASES;
use crate::response::Response;

impl Execution {
    /// Execute an operation on records: a verb of the economy, or one that all resources have.
    ///
    /// # Errors
    /// The errors that depend on stored data: 404, 409, 422, 503.
    pub async fn run_with_economy(&self, operation: Operation) -> Result<Response> {
        match operation {
            Operation::Create(path, draft, key) if draft.resource == &PURCHASES => {
                Box::pin(self.purchase(&path, &draft, key)).await
            }
            Operation::Change(path, change, tags) if path.target().resource() == Some(&PURCHASES) => {
                Box::pin(self.settle(&path, change, tags.as_ref())).await
            }
            Operation::Import(record, draft, key) if draft.resource == &PURCHASES => {
                let cooldown = purchase::Cooldown::of(&draft, self.now);
                let response = self.run(Operation::Import(record, draft, key)).await?;
                self.start_cooldown(cooldown).await?;
                Ok(response)
            }
            operation => self.run(operation).await,
        }
    }
}
