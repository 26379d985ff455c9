//! Payments: transactions that the service creates, with their effect on a wallet.

use crate::error::{Code, Error};
use crate::resources::TRANSACTIONS;
use crate::resources::transactions::{AMOUNT, CAUSE, CREATED_AT, DESCRIPTION, USER_ID, WALLET};
use crate::schema::{Id, Key, MAX_INTEGER, Record, Timestamp};
use crate::table::{Condition, Membership, WriteSet, join_generation};

/// A transaction that the service creates.
pub(super) struct Payment<'a> {
    pub(super) id: Id,
    /// Owner of the wallet.
    pub(super) user: &'a Record,
    pub(super) amount: i64,
    pub(super) description: &'a str,
    /// Path of the cause, such as `purchases/12`.
    pub(super) cause: String,
    /// Pointer to the field of the body that determines the amount.
    pub(super) pointer: &'static str,
}

impl Payment<'_> {
    /// Adds the writes of the transaction and of the wallet. Returns the transaction.
    pub(super) fn add_to(&self, write_set: &mut WriteSet, now: Timestamp) -> Record {
        let mut transaction = Record::new(Key::new(&TRANSACTIONS, self.id));
        transaction.set(&USER_ID, self.user.key.id);
        transaction.set(&AMOUNT, self.amount);
        transaction.set(&DESCRIPTION, self.description);
        transaction.set(&CAUSE, &self.cause);
        transaction.set(&CREATED_AT, now);
        join_generation(&mut transaction, self.user);
        write_set.create(&transaction);
        if let Some(membership) = Membership::of(&transaction) {
            membership.amount_at(self.pointer).add_to_parent(write_set, 0);
        }
        transaction
    }
}

/// Requires that a wallet is not negative after the payments in a write set.
pub(super) fn require_balance(write_set: &mut WriteSet, user: Key) {
    let error = Error::conflict_without_value(Code::InsufficientBalance, "The balance of the wallet is too low.");
    write_set.state(user).require_or(Condition::Within(WALLET.into(), 0, MAX_INTEGER), error);
}
