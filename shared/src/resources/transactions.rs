//! Transactions: the only way to change a wallet. They never change themselves.

use super::USERS;
use super::indexes::{BY_AMOUNT, BY_DESCRIPTION, BY_REFERENCE, BY_USER};
use crate::resource::{Field, Filter, Kind, Leads, Link, Parent, Resource, Slot};

/// A change of a wallet.
pub static TRANSACTIONS: Resource = Resource {
    name: "transactions",
    singular: "transaction",
    summary: "A change of a user's wallet. A wallet is the sum of its user's transactions.",
    id: "transaction_id",
    fields: &[
        Field::assigned("transaction_id", Kind::Own, "unique identifier"),
        Field::required("user_id", Kind::Reference(&USERS), "the user; must exist already"),
        Field::assigned("user", Kind::One { resource: &USERS, by: "user_id", nullable: false }, "the user"),
        Field::required("amount", Kind::INTEGER, "currency added to the wallet; may be negative"),
        Field::required("description", Kind::Prose, "what it was for"),
        Field::optional("reference", Kind::Label, "a reference of the caller's"),
        Field::assigned("created_at", Kind::Time, "when it took effect"),
    ],
    filters: &[
        Filter::key("transaction_id"),
        Filter::equals("user_id", &BY_USER),
        Filter::equals("reference", &BY_REFERENCE),
        Filter::equals("description", &BY_DESCRIPTION),
        Filter::equals("amount", &BY_AMOUNT),
        Filter::before("created_before", "created_at"),
        Filter::after("created_after", "created_at"),
    ],
    links: &[Link { name: "user", leads: Leads::One { to: &USERS, by: "user_id" } }],
    parent: Some(Parent {
        resource: &USERS,
        by: "user_id",
        slot: Slot::Sum("wallet", "amount"),
        while_unset: None,
        mirrors: &[],
        inherits: &[],
    }),
    immutable: true,
    ..Resource::BASE
};
