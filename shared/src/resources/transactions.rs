//! Transactions: the only way to change a wallet. They never change themselves.

use super::users::USERS;
use crate::schema::scalar::{Identifier, Integer, LongText, ShortText, Time};
use crate::schema::{Attr, BelongsTo, Embedded, Filter, OnParent, Resource, Role, Visibility};

/// The transaction's own identifier.
pub const TRANSACTION_ID: Attr<Identifier> = Attr::new("transaction_id", "unique identifier");
/// The user.
pub const USER_ID: Attr<Identifier> = Attr::new("user_id", "the user; must exist already");
/// What is added to the wallet.
pub const AMOUNT: Attr<Integer> = Attr::new("amount", "currency added to the wallet; may be negative");
/// What it was for.
pub const DESCRIPTION: Attr<LongText> = Attr::new("description", "what it was for");
/// A reference of the caller's.
pub const REFERENCE: Attr<ShortText> = Attr::new("reference", "a reference of the caller's");
/// When it took effect.
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "when it took effect");

/// A change of a wallet.
pub static TRANSACTIONS: Resource = Resource {
    summary: "A change of a user's wallet. A wallet is the sum of its user's transactions.",
    time: Some(&CREATED_AT),
    fields: &[
        TRANSACTION_ID.assigned(),
        USER_ID.required(),
        AMOUNT.required(),
        DESCRIPTION.required(),
        REFERENCE.optional(),
        CREATED_AT.assigned(),
    ],
    filters: &[
        Filter::equals(&REFERENCE, Role::OtherText),
        Filter::equals(&DESCRIPTION, Role::Text),
        Filter::equals(&AMOUNT, Role::Number),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded { field: "user", given: false, visibility: Visibility::Always, meaning: "the user" }),
        link: Some("transactions"),
        on_parent: OnParent::Sum {
            embedded: Embedded {
                field: "wallet",
                given: false,
                visibility: Visibility::TopLevel,
                meaning: "current currency amount",
            },
            of: &AMOUNT,
        },
        ..BelongsTo::new(&USERS, &USER_ID)
    }),
    immutable: true,
    ..Resource::new("transactions", "transaction", &TRANSACTION_ID)
};
