//! Transactions: the only way to change a wallet. They are immutable, as the wallet is their sum.

use super::users::USERS;
use crate::schema::scalar::{Identifier, Integer, LongText, ShortText, Time};
use crate::schema::{Attr, BelongsTo, Embedded, Filter, Lifecycle, ParentData, Resource, Role, Visibility};

pub const TRANSACTION_ID: Attr<Identifier> =
    Attr::new("transaction_id", "Unique identifier of the transaction").example("6402");
pub const USER_ID: Attr<Identifier> = Attr::new("user_id", "Identifier of an existing user").example("415");
pub const AMOUNT: Attr<Integer> =
    Attr::new("amount", "Currency amount added to the wallet; may be negative").example("250");
pub const DESCRIPTION: Attr<LongText> =
    Attr::new("description", "Purpose of the transaction").example("\"daily bonus\"");
pub const REFERENCE: Attr<ShortText> =
    Attr::new("reference", "Reference assigned by the client").example("\"daily-2026-11-20\"");
pub const CAUSE: Attr<ShortText> =
    Attr::new("cause", "Cause assigned by the service, such as `rules/3`, `purchases/12` or `transfers/77`")
        .example("null");
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "Time at which the transaction took effect");

/// Member of a user that contains the sum of the user's transactions.
pub const WALLET: &str = "wallet";

pub static TRANSACTIONS: Resource = Resource {
    summary: "A change of a user's wallet. The balance of a wallet is the sum of its user's transactions.",
    time: Some(&CREATED_AT),
    fields: &[
        TRANSACTION_ID.assigned(),
        USER_ID.required(),
        AMOUNT.required(),
        DESCRIPTION.required(),
        REFERENCE.optional(),
        CAUSE.assigned_or_null(),
        CREATED_AT.assigned(),
    ],
    filters: &[
        Filter::equals(&REFERENCE, Role::Text2),
        Filter::equals(&CAUSE, Role::Text3),
        Filter::equals(&DESCRIPTION, Role::Text),
        Filter::equals(&AMOUNT, Role::Number),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
        Filter::at_least("amount_min", &AMOUNT),
        Filter::at_most("amount_max", &AMOUNT),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded {
            field: "user",
            settable: false,
            visibility: Visibility::Always,
            meaning: "User of the transaction",
        }),
        link: Some("transactions"),
        parent_data: ParentData::Sum {
            embedded: Embedded {
                field: WALLET,
                settable: false,
                visibility: Visibility::TopLevel,
                meaning: "Current currency amount",
            },
            addend: &AMOUNT,
        },
        ..BelongsTo::new(&USERS, &USER_ID)
    }),
    lifecycle: Lifecycle::Immutable,
    ..Resource::new("transactions", "transaction", &TRANSACTION_ID)
};
