//! POST of a purchase: one atomic write of the buyer, the product, and the records of the purchase.

mod plan;

use self::plan::Order;
use crate::error::Result;
use crate::operations::{Execution, Plan, PlanContext, ResolvedPath, ResponseContent, Verb, retry_conflicts};
use crate::request::Draft;
use crate::resources::products::LAST_PURCHASE;
use crate::resources::purchases::{CREATED_AT, PRODUCT_ID, USER_ID};
use crate::resources::{PRODUCTS, USERS, products};
use crate::schema::{Key, StoredValue, Timestamp, Value};
use crate::store::Consistency;
use crate::table::{CommitError, Condition, REVISION, ReadSet, Snapshot, Tombstone, WriteSet, number};

/// A request to buy a product.
pub(super) struct Purchase<'a> {
    pub(super) draft: &'a Draft,
}

impl Purchase<'_> {
    fn buyer(&self, target: &ResolvedPath) -> Option<Key> {
        target.reference_from_path().map(|bound| bound.to).or_else(|| Some(Key::new(&USERS, self.draft.get(&USER_ID)?)))
    }

    fn product(&self) -> Option<Key> {
        self.draft.get(&PRODUCT_ID).map(|id| Key::new(&PRODUCTS, id))
    }
}

impl Verb for Purchase<'_> {
    fn reads(&self, target: &ResolvedPath, _: &Snapshot) -> ReadSet {
        let mut reads: ReadSet = self.product().into_iter().map(ReadSet::with_state).collect();
        reads.records.extend(self.buyer(target));
        reads
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        let in_path = target.reference_from_path().map(|bound| bound.to);
        if let Some(user) = in_path.filter(|user| !read.records.contains_key(user)) {
            return Err(user.not_found().into());
        }
        let order = Order {
            draft: self.draft,
            buyer: self.buyer(target),
            buyer_pointer: if in_path.is_some() { "" } else { "/user_id" },
            product: self.product(),
            now: context.now,
        };
        let (purchase, write_set) = order.plan(read, context)?;
        Ok(Plan { write_set, content: ResponseContent::Created(purchase), tombstone: Tombstone::default() })
    }
}

/// Cooldown started by an imported purchase.
pub(super) struct Cooldown {
    product: Option<Key>,
    began: Timestamp,
}

impl Cooldown {
    /// Returns the cooldown that an imported purchase starts, at its time of creation or, without one, at `now`.
    pub(super) fn of(draft: &Draft, now: Timestamp) -> Self {
        let product = draft.get(&PRODUCT_ID).map(|id| Key::new(&PRODUCTS, id));
        Self { product, began: draft.get(&CREATED_AT).unwrap_or(now) }
    }
}

impl Execution {
    /// Starts the cooldown of an imported purchase's product, if the product has a cooldown and no later purchase.
    pub(super) async fn start_cooldown(&self, cooldown: Cooldown) -> Result<()> {
        let Some(key) = cooldown.product else { return Ok(()) };
        retry_conflicts(|| async {
            let snapshot = self.store.load(&ReadSet::with_state(key), Consistency::Strong).await?;
            let product = snapshot.records.get(&key).filter(|product| product.get(&products::COOLDOWN).is_some());
            let Some(product) = product else { return Ok(()) };
            let last = snapshot.states.get(&key).and_then(|state| state.0.get(LAST_PURCHASE)).cloned();
            let time = last.as_ref().and_then(StoredValue::digits).and_then(|digits| digits.parse::<i128>().ok());
            if time.is_some_and(|time| time >= cooldown.began.unix_nanos()) {
                return Ok(());
            }
            let mut write_set = WriteSet::default();
            let write = write_set.state(key);
            write.require(Condition::Is(REVISION.to_owned(), product.value(REVISION).map(Value::to_stored)));
            write.require(Condition::Is(LAST_PURCHASE.to_owned(), last));
            write.put_attribute(LAST_PURCHASE, Some(number(cooldown.began.unix_nanos())));
            self.store.commit(&write_set).await
        })
        .await
    }
}
