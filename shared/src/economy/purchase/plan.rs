//! Plans a purchase: checks the product's settings, and adds the writes with their conditions.

use time::Duration;

use crate::economy::payment::{Payment, require_balance};
use crate::error::{Code, Error, Violation, ViolationCode};
use crate::operations::{PlanContext, reference_not_found};
use crate::request::Draft;
use crate::resources::products::{self, LAST_PURCHASE};
use crate::resources::purchases::{
    ANSWER, CLOSED_AT, CREATED_AT, FULFILLED, ITEM_ID, NAME, PENDING, PRICE, PRODUCT_ID, QUANTITY, STATUS,
    TRANSACTION_ID, USER_ID,
};
use crate::resources::{INVENTORY, PURCHASES, inventory};
use crate::schema::{Id, Key, MAX_CLOCK_SKEW, MAX_INTEGER, Record, Timestamp, Value};
use crate::table::{
    CommitError, Condition, Counter, Membership, REVISION, Snapshot, WriteSet, join_generation, number, remaining_bytes,
};

/// Identifiers of the records that a purchase creates.
struct NewIds {
    purchase: Id,
    transaction: Id,
    item: Id,
}

/// A request to buy a product.
pub(super) struct Order<'a> {
    pub(super) draft: &'a Draft,
    pub(super) buyer: Option<Key>,
    /// Pointer to the field that names the buyer. Empty if the path names the buyer.
    pub(super) buyer_pointer: &'static str,
    pub(super) product: Option<Key>,
    pub(super) now: Timestamp,
}

/// A valid order with its records as read.
struct CheckedOrder<'a> {
    buyer: &'a Record,
    product: &'a Record,
    quantity: i64,
    total: i64,
    now: Timestamp,
    /// Current time. After several attempts, it is later than `now`, the time of the request.
    present: Timestamp,
}

impl Order<'_> {
    /// Plans the purchase. Returns its record and its writes.
    ///
    /// # Errors
    /// 422 with all violations of the body, or 409 if the product's settings do not allow the purchase.
    pub(super) fn plan(
        &self,
        snapshot: &Snapshot,
        context: &PlanContext<'_>,
    ) -> Result<(Record, WriteSet), CommitError> {
        let new_ids = &NewIds { purchase: context.next_id(), transaction: context.next_id(), item: context.next_id() };
        let order = self.check(snapshot, context.current_time())?;
        if snapshot.differs_from_state(order.product) {
            return Err(CommitError::Outdated);
        }
        order.check_settings(self.draft)?;
        let mut purchase = order.record(new_ids);
        purchase.put(ANSWER.name, self.draft.values.get(ANSWER.name).cloned().flatten());
        let mut write_set = WriteSet::default();
        if order.total > 0 {
            require_balance(&mut write_set, order.buyer.key);
        }
        let payment = Payment {
            id: new_ids.transaction,
            user: order.buyer,
            amount: -order.total,
            description: order.product.get(&products::NAME).unwrap_or_default(),
            cause: purchase.key.to_string(),
            pointer: "/quantity",
        };
        payment.add_to(&mut write_set, self.now);
        order.add_item(new_ids.item, self.buyer_pointer, &mut write_set);
        order.take_stock(&mut write_set);
        order.count(&purchase, &mut write_set);
        write_set.create(&purchase);
        Ok((purchase, write_set))
    }

    /// Checks the body against the records that it refers to.
    fn check<'s>(&self, snapshot: &'s Snapshot, present: Timestamp) -> Result<CheckedOrder<'s>, Error> {
        let find = |key: Option<Key>| key.and_then(|key| snapshot.records.get(&key));
        let missing = |key: Option<Key>, field: &str| {
            let key = key.filter(|key| !snapshot.records.contains_key(key));
            key.map(|key| reference_not_found(key, format!("/{field}")))
        };
        let mut violations: Vec<_> =
            missing(self.buyer, USER_ID.name).into_iter().chain(missing(self.product, PRODUCT_ID.name)).collect();
        let quantity = self.draft.get(&QUANTITY).unwrap_or(1);
        let price = find(self.product).and_then(|product| product.get(&products::PRICE)).unwrap_or_default();
        let total = price.checked_mul(quantity).filter(|total| *total <= MAX_INTEGER);
        if let Some(product) = find(self.product) {
            if product.get(&products::QUESTION).is_some() && self.draft.get(&ANSWER).is_none() {
                let detail = "Required. The product has a question, which the buyer must answer.";
                violations.push(Violation::at_pointer(
                    format!("/{}", ANSWER.name),
                    ViolationCode::Required.invalid_value(detail),
                ));
            }
            if total.is_none() {
                let detail = "The price of all units would exceed 9007199254740991. Buy fewer units.";
                violations.push(Violation::at_pointer(
                    format!("/{}", QUANTITY.name),
                    ViolationCode::OutOfRange.invalid_value(detail),
                ));
            }
        }
        match (find(self.buyer), find(self.product), total) {
            (Some(buyer), Some(product), Some(total)) if violations.is_empty() => {
                Ok(CheckedOrder { buyer, product, quantity, total, now: self.now, present })
            }
            _ => Err(Error::invalid(violations)),
        }
    }
}

impl CheckedOrder<'_> {
    /// Checks that the product's settings allow the order.
    fn check_settings(&self, draft: &Draft) -> Result<(), Error> {
        if self.product.get(&products::ENABLED) != Some(true) {
            return Err(Error::conflict_without_value(
                Code::ProductDisabled,
                format!("{} is disabled.", self.product.key.title()),
            ));
        }
        match draft.get(&PRICE) {
            Some(seen) if seen != self.total => {
                let detail = format!("The price is now {}. Show it to the buyer, then send it as price.", self.total);
                Err(Error::conflict_without_value(Code::PriceChanged, detail))
            }
            _ => Ok(()),
        }
    }

    fn record(&self, new_ids: &NewIds) -> Record {
        let mut purchase = Record::new(Key::new(&PURCHASES, new_ids.purchase));
        let is_automatic = self.product.get(&products::AUTOMATIC) == Some(true);
        purchase.set(&USER_ID, self.buyer.key.id);
        purchase.set(&PRODUCT_ID, self.product.key.id);
        purchase.set(&QUANTITY, self.quantity);
        purchase.set(&PRICE, self.total);
        purchase.put(NAME.name, self.product.value(products::NAME.name).cloned());
        purchase.set(&STATUS, if is_automatic { FULFILLED } else { PENDING });
        purchase.set(&TRANSACTION_ID, new_ids.transaction);
        purchase.put(ITEM_ID.name, self.product.get(&products::ITEM_NAME).map(|_| Value::Id(new_ids.item)));
        purchase.set(&CREATED_AT, self.now);
        purchase.put(CLOSED_AT.name, is_automatic.then_some(Value::Time(self.now)));
        join_generation(&mut purchase, self.buyer);
        purchase
    }

    /// Adds the inventory item, if the product has one.
    fn add_item(&self, id: Id, buyer_pointer: &str, write_set: &mut WriteSet) {
        let Some(name) = self.product.get(&products::ITEM_NAME) else { return };
        let mut item = Record::new(Key::new(&INVENTORY, id));
        item.set(&inventory::OWNER_ID, self.buyer.key.id);
        item.set(&inventory::NAME, name);
        item.set(&inventory::QUANTITY, self.quantity);
        item.set(&inventory::CREATED_AT, self.now);
        join_generation(&mut item, self.buyer);
        write_set.create(&item);
        if let Some(membership) = Membership::of(&item) {
            membership.requested_at(buyer_pointer).add_to_parent(write_set, remaining_bytes(self.buyer));
        }
    }

    /// Takes the units from the stock, and starts the cooldown. A product with neither is not written: its buyers would
    /// conflict.
    fn take_stock(&self, write_set: &mut WriteSet) {
        let stock = self.product.get(&products::STOCK);
        let cooldown = self.product.get(&products::COOLDOWN);
        if stock.is_none() && cooldown.is_none() {
            return;
        }
        let revision = self.product.value(REVISION).map(Value::to_stored);
        let write = write_set.state(self.product.key).require(Condition::Is(REVISION.to_owned(), revision));
        if stock.is_some() {
            *write.add.entry(products::STOCK.name.into()).or_default() -= self.quantity;
            let detail = format!("{} has fewer units left than ordered.", self.product.key.title());
            let in_stock = Condition::Within(products::STOCK.name.into(), 0, MAX_INTEGER);
            write.require_or(in_stock, Error::conflict_without_value(Code::OutOfStock, detail));
        }
        if let Some(seconds) = cooldown {
            let [after, until] = self.cooldown(seconds);
            write.require_or(Condition::NotWithin(LAST_PURCHASE.into(), after, until), on_cooldown());
            write.put_attribute(LAST_PURCHASE, Some(number(self.now.unix_nanos())));
        }
    }

    /// Counts the units in the buyer's counters, within the product's limits per buyer.
    fn count(&self, purchase: &Record, write_set: &mut WriteSet) {
        let Some(counter) = Counter::of(purchase) else { return };
        counter.add(write_set, self.now.unix_nanos());
        if let Some(seconds) = self.product.get(&products::USER_COOLDOWN) {
            counter.not_within(write_set, self.cooldown(seconds), on_cooldown());
        }
        if let Some(max) = self.product.get(&products::MAX_PER_USER) {
            let detail = format!("A viewer can buy at most {max} units of this product.");
            counter.limit(write_set, max, Error::conflict_without_value(Code::LimitReached, detail));
        }
    }

    /// Returns the range of last purchase times that block a purchase, in nanoseconds since 1970. Later times were set
    /// by a clock that has been set back since, and are ignored.
    fn cooldown(&self, seconds: i64) -> [i128; 2] {
        let after = self.now.unix_nanos() - Duration::seconds(seconds).whole_nanoseconds();
        [after, self.present.unix_nanos() + MAX_CLOCK_SKEW.whole_nanoseconds()]
    }
}

fn on_cooldown() -> Error {
    Error::conflict_without_value(
        Code::OnCooldown,
        "The product was bought recently. Retry after the seconds in Retry-After.",
    )
}
