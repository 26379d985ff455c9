//! Transactions, the only way to change a wallet, and transfers, which are two of them.
//!
//! A path may go on from here to the owner, and from a user to an event whose document has an image.

use event_capture::resources::TRANSACTIONS;

use super::Group;

/// Group of transactions.
pub static GROUP: Group = Group {
    routes: &["/transactions", "/transactions/{proxy+}", "/transfers"],
    images: true,
    ..Group::of(&TRANSACTIONS)
};
