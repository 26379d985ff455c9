//! Carrying out what a webhook has brought, once: what says that it was is stored in the same transaction.

use super::creation::unique_value;
use super::{Attempts, Execution, Reply};
use crate::body::Draft;
use crate::error::Result;
use crate::record::Key;
use crate::route::Path;
use crate::store::{Changes, Condition};
use crate::twitch::{Delivery, Marker};

impl Execution {
    /// What Twitch has sent. What had come before is answered like what comes for the first time.
    pub(super) async fn receive(&self, delivery: Delivery) -> Result<Reply> {
        let done = match delivery {
            Delivery::Challenge(text) => return Ok(Reply::text(text)),
            Delivery::Acknowledge => Ok(()),
            Delivery::Store(draft, markers) => self.store_once(*draft, &markers).await,
            Delivery::Update(draft, markers) => self.update_once(&draft, &markers).await,
        };
        match done {
            Err(error) if error.is_repeated() => Ok(Reply::nothing()),
            done => done.map(|()| Reply::nothing()),
        }
    }

    async fn store_once(&self, draft: Draft, markers: &[Marker]) -> Result<()> {
        let path = Path { root: draft.resource, steps: Vec::new() };
        Box::pin(self.create_all(&path, &[draft], false, markers)).await?;
        Ok(())
    }

    /// Gives the record of a unique value the values of a draft, if there is one.
    async fn update_once(&self, draft: &Draft, markers: &[Marker]) -> Result<()> {
        let mut attempts = Attempts::default();
        let Some((unique, reserved)) = unique_value(draft) else { return Ok(()) };
        while let Some((id, _)) = self.store.holder(&reserved).await? {
            let mut changes = Changes::default();
            let write = changes.write(Key::new(draft.resource, id)).when(Condition::Exists);
            let value = |field| draft.values.get(field).and_then(Option::as_ref);
            write.when_is(draft.resource, unique, value(unique));
            for field in draft.resource.fields.iter().filter(|field| field.changeable && field.name != unique) {
                if draft.values.contains_key(field.name) {
                    write.set_field(draft.resource, field.name, value(field.name));
                }
            }
            changes.once(markers);
            match self.store.commit(&changes).await {
                Ok(()) => return Ok(()),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
        Ok(())
    }
}
