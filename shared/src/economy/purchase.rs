//! POST of a purchase: one atomic change of the buyer, the product, and the records that prove it.

mod plan;

use self::plan::{NewIds, Order};
use crate::error::Result;
use crate::operations::{Attempts, Execution, stored};
use crate::request::{Draft, IdempotencyKey, Path};
use crate::resources::products::LAST_PURCHASE;
use crate::resources::purchases::{CREATED_AT, PRODUCT_ID, USER_ID};
use crate::resources::{PRODUCTS, USERS, products};
use crate::response::Response;
use crate::schema::{Depth, Key, Stored, Timestamp, Value};
use crate::store::Consistency;
use crate::table::{CommitError, Condition, KeyedRequest, REVISION, ReadSet, WriteSet, number};

/// Cooldown that an imported purchase starts.
pub(super) struct Cooldown {
    product: Option<Key>,
    began: Timestamp,
}

impl Cooldown {
    /// Find the cooldown of an imported purchase. One without a time was created now.
    pub(super) fn of(draft: &Draft, now: Timestamp) -> Self {
        let product = draft.get(&PRODUCT_ID).map(|id| Key::new(&PRODUCTS, id));
        Self { product, began: draft.get(&CREATED_AT).unwrap_or(now) }
    }
}

impl Execution {
    /// Execute POST of a purchase. A repeated request with an `Idempotency-Key` gets the stored response.
    pub(super) async fn purchase(&self, path: &Path, draft: &Draft, key: Option<IdempotencyKey>) -> Result<Response> {
        let keyed_request = key.map(|key| KeyedRequest::new(&self.caller, &key.key, &key.request));
        let keyed_request = keyed_request.as_ref();
        let run = async {
            let mut attempts = Attempts::default();
            loop {
                match Box::pin(self.purchase_once(path, draft, keyed_request)).await {
                    Ok(response) => return Ok(response),
                    Err(error) => attempts.back_off(error).await?,
                }
            }
        };
        self.with_idempotency(keyed_request, run).await
    }

    async fn purchase_once(
        &self,
        path: &Path,
        draft: &Draft,
        keyed_request: Option<&KeyedRequest>,
    ) -> Result<Response, CommitError> {
        let in_path = self.bound_parent(path).await?;
        let buyer = in_path.or_else(|| Some(Key::new(&USERS, draft.get(&USER_ID)?)));
        let product = draft.get(&PRODUCT_ID).map(|id| Key::new(&PRODUCTS, id));
        let mut reads: ReadSet = product.into_iter().map(|key| ReadSet::one(key, true)).collect();
        reads.records.extend(buyer);
        let snapshot = self.store.load(&reads, Consistency::Strong).await?;
        if let Some(user) = in_path.filter(|user| !snapshot.records.contains_key(user)) {
            return Err(user.not_found().into());
        }
        let buyer_pointer = if in_path.is_some() { "" } else { "/user_id" };
        let order = Order { draft, buyer, buyer_pointer, product, now: self.now };
        let next_id = || self.store.next_id(self.now);
        let ids = NewIds { purchase: next_id(), transaction: next_id(), item: next_id() };
        let (purchase, mut write_set) = order.plan(&snapshot, &ids)?;
        let response = Response::created(
            self.rendered(&purchase, &snapshot, Depth::TopLevel)?,
            Some(format!("/{}", purchase.key)),
        );
        let response = response.tagged(Self::tag(&purchase, &snapshot)?);
        if let Some(keyed_request) = keyed_request {
            keyed_request.keep(&stored(&response), self.now, &mut write_set)?;
        }
        self.store.commit(&write_set).await?;
        Ok(response)
    }

    /// Start the cooldown of an imported purchase's product, if it has one and no later purchase.
    pub(super) async fn start_cooldown(&self, cooldown: Cooldown) -> Result<()> {
        let Some(key) = cooldown.product else { return Ok(()) };
        let mut attempts = Attempts::default();
        loop {
            let snapshot = self.store.load(&ReadSet::one(key, true), Consistency::Strong).await?;
            let product = snapshot.records.get(&key).filter(|product| product.get(&products::COOLDOWN).is_some());
            let Some(product) = product else { return Ok(()) };
            let last = snapshot.states.get(&key).and_then(|state| state.0.get(LAST_PURCHASE)).cloned();
            let time = last.as_ref().and_then(Stored::digits).and_then(|digits| digits.parse::<i128>().ok());
            if time.is_some_and(|time| time >= cooldown.began.unix_nanos()) {
                return Ok(());
            }
            let mut write_set = WriteSet::default();
            let write = write_set.state(key);
            write.when(Condition::Is(REVISION.to_owned(), product.value(REVISION).map(Value::to_stored)));
            write.when(Condition::Is(LAST_PURCHASE.to_owned(), last));
            write.put_attribute(LAST_PURCHASE, Some(number(cooldown.began.unix_nanos())));
            match self.store.commit(&write_set).await {
                Ok(()) => return Ok(()),
                Err(error) => attempts.back_off(error).await?,
            }
        }
    }
}
