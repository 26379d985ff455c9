//! Transactions, the only way to change a wallet, and transfers, which are two of them.
//!
//! A path may continue from here to the owner, and from a user to an event with a document that has an image.

use capture_core::resources::TRANSACTIONS;

use super::Group;

/// Group of transactions.
pub static GROUP: Group = Group {
    routes: &["/transactions", "/transactions/{proxy+}", "/transfers"],
    images: true,
    ..Group::of(&TRANSACTIONS)
};
