//! Plans the change of a purchase's status. A refund pays back the price and takes back the item.

use crate::economy::payment::Payment;
use crate::error::{Error, Violation, ViolationCode};
use crate::resources::purchases::{CLOSED_AT, ITEM_ID, NAME, PRICE, PRODUCT_ID, QUANTITY, REFUND_ID, REFUNDED, STATUS};
use crate::resources::{INVENTORY, PRODUCTS, inventory, products};
use crate::schema::{Id, Key, MAX_INTEGER, Record, Timestamp};
use crate::table::{
    CommitError, Condition, Membership, PARENT_GENERATION, ReadSet, Snapshot, WriteSet, is_child_of, release_counter,
};

/// A change of a purchase's status.
pub(super) struct StatusChange<'a> {
    pub(super) before: &'a Record,
    /// Buyer.
    pub(super) user: &'a Record,
    /// New status.
    pub(super) status: &'a str,
    pub(super) now: Timestamp,
}

/// Collects the records that a change of status may write: the buyer, the product and the item.
pub(super) fn references(purchase: &Record) -> ReadSet {
    let mut reads: ReadSet =
        purchase.get(&PRODUCT_ID).into_iter().map(|id| ReadSet::with_state(Key::new(&PRODUCTS, id))).collect();
    reads.records.extend(purchase.parent());
    reads.records.extend(purchase.get(&ITEM_ID).map(|id| Key::new(&INVENTORY, id)));
    reads
}

impl StatusChange<'_> {
    /// Plans the change. Returns the changed purchase and the writes. `refund` is the identifier of the transaction
    /// that pays back the price.
    ///
    /// # Errors
    /// 409 if the status does not allow the change.
    pub(super) fn plan(&self, snapshot: &Snapshot, refund: Id) -> Result<(Record, WriteSet), CommitError> {
        self.check()?;
        let (mut after, mut write_set) = (self.before.clone(), WriteSet::default());
        after.set(&STATUS, self.status);
        after.set(&CLOSED_AT, self.now);
        if self.status == REFUNDED {
            after.set(&REFUND_ID, refund);
            let payment = Payment {
                id: refund,
                user: self.user,
                amount: self.before.get(&PRICE).unwrap_or_default(),
                description: self.before.get(&NAME).unwrap_or_default(),
                cause: self.before.key.to_string(),
                pointer: "/status",
            };
            payment.add_to(&mut write_set, self.now);
            self.return_stock(snapshot, &mut write_set);
            self.take_item(snapshot, &mut write_set);
            release_counter(self.before, &after, &mut write_set);
        }
        let write = write_set.update(self.before, &after);
        for field in [STATUS.name, CLOSED_AT.name, REFUND_ID.name, PARENT_GENERATION] {
            write.require_unchanged(self.before, field);
        }
        Ok((after, write_set))
    }

    fn check(&self) -> Result<(), Error> {
        let from = self.before.get(&STATUS).unwrap_or_default();
        let Some(status) = &self.before.key.resource.status else { return Err(Error::fault()) };
        if status.allows(from, self.status) {
            return Ok(());
        }
        let (title, to) = (self.before.key.title(), self.status);
        Err(Error::conflict_without_value(status.refused, format!("{title} is {from}, and cannot become {to}.")))
    }

    /// Returns the units to the stock, if the product exists and has a limited stock.
    fn return_stock(&self, snapshot: &Snapshot, write_set: &mut WriteSet) {
        let product = self.before.get(&PRODUCT_ID).and_then(|id| snapshot.records.get(&Key::new(&PRODUCTS, id)));
        let Some(product) = product.filter(|product| product.get(&products::STOCK).is_some()) else { return };
        let detail = "The stock would exceed 9007199254740991. Set a smaller stock of the product first.";
        let error =
            Error::invalid(vec![Violation::at_pointer("/status", ViolationCode::OutOfRange.invalid_value(detail))]);
        let quantity = self.before.get(&QUANTITY).unwrap_or(1);
        let write = write_set.state(product.key).require(Condition::Has(products::STOCK.name));
        *write.add.entry(products::STOCK.name.into()).or_default() += quantity;
        write.require_or(Condition::Within(products::STOCK.name.into(), 0, MAX_INTEGER), error);
    }

    /// Deletes the item that the buyer received, if the buyer still has it and has not used it.
    fn take_item(&self, snapshot: &Snapshot, write_set: &mut WriteSet) {
        let item = self.before.get(&ITEM_ID).and_then(|id| snapshot.records.get(&Key::new(&INVENTORY, id)));
        let is_unused = |item: &&Record| is_child_of(item, self.user) && item.get(&inventory::USED_AT).is_none();
        let Some(item) = item.filter(is_unused) else { return };
        if let Some(membership) = Membership::of(item) {
            membership.remove_from_parent(write_set);
        }
        write_set.write_texts(Some(item), None);
        let write = write_set.delete(item.key);
        let fields =
            item.key.resource.fields.iter().map(|field| field.name).filter(|name| *name != item.key.resource.id.name);
        for field in fields.chain([PARENT_GENERATION]) {
            write.require_unchanged(item, field);
        }
    }
}
