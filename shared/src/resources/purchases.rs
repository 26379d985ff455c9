//! Purchases of products. A purchase copies the name and price of its product, which may later change or be deleted.

use super::products::PRODUCTS;
use super::users::USERS;
use crate::error::Code;
use crate::schema::scalar::{Between, BriefText, Count, Enum, Identifier, NonEmptyText, Time, Variants};
use crate::schema::{
    Attr, BelongsTo, ChildCounters, DefaultValue, Embedded, FeedPolicy, Filter, Input, Lifecycle, Redaction, Reference,
    Resource, Role, Status, Visibility,
};

pub const PURCHASE_ID: Attr<Identifier> = Attr::new("purchase_id", "Unique identifier of the purchase").example("512");
pub const USER_ID: Attr<Identifier> = Attr::new("user_id", "Identifier of the buyer, an existing user").example("415");
pub const PRODUCT_ID: Attr<Identifier> = Attr::new("product_id", "Identifier of the product").example("88");
pub const QUANTITY: Attr<Between<1, 1_000>> = Attr::new("quantity", "Number of units").example("1");
pub const PRICE: Attr<Count> =
    Attr::new("price", "Price of all units; in a new purchase, the price that the buyer saw").example("400");
pub const NAME: Attr<NonEmptyText> =
    Attr::new("name", "Name of the product at the time of the purchase").example("\"golden acorn\"");
pub const ANSWER: Attr<BriefText> = Attr::new("answer", "Answer to the question of the product").example("\"green\"");
pub const STATUS: Attr<Enum<PurchaseStatus>> =
    Attr::new("status", "Status of the purchase; `refunded` pays back the price").example("\"fulfilled\"");
pub const TRANSACTION_ID: Attr<Identifier> =
    Attr::new("transaction_id", "Identifier of the transaction that paid the price").example("6402");
pub const REFUND_ID: Attr<Identifier> =
    Attr::new("refund_id", "Identifier of the transaction that paid back the price").example("null");
pub const ITEM_ID: Attr<Identifier> =
    Attr::new("item_id", "Identifier of the inventory item that the buyer got").example("930");
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "Time of the purchase");
pub const CLOSED_AT: Attr<Time> = Attr::new("closed_at", "Time of the last change of the status");

pub const PENDING: &str = "pending";
pub const FULFILLED: &str = "fulfilled";
pub const REFUNDED: &str = "refunded";

/// Statuses of purchases.
pub struct PurchaseStatus;

impl Variants for PurchaseStatus {
    const VARIANTS: &'static [&'static str] = &[PENDING, FULFILLED, REFUNDED];
}

pub static PURCHASES: Resource = Resource {
    summary: "A purchase of a product by a user. It is pending until it is fulfilled or refunded.",
    time: Some(&CREATED_AT),
    fields: &[
        PURCHASE_ID.assigned(),
        USER_ID.required(),
        PRODUCT_ID.required(),
        QUANTITY.input(Input::Default(DefaultValue::Integer(1))),
        PRICE.input(Input::Expected),
        NAME.assigned_or_imported(),
        ANSWER.optional().redacted(Redaction::Clear),
        STATUS.assigned_or_imported().changeable(),
        TRANSACTION_ID.assigned_or_imported(),
        REFUND_ID.assigned_or_null(),
        ITEM_ID.assigned_or_null(),
        CREATED_AT.assigned(),
        CLOSED_AT.assigned_or_null(),
    ],
    filters: &[
        Filter::equals(&PRODUCT_ID, Role::Number),
        // Only the short queue of pending purchases needs an index entry.
        Filter::equals(&STATUS, Role::State).with_index_of(PENDING),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded { field: "user", settable: false, visibility: Visibility::Always, meaning: "Buyer" }),
        link: Some("purchases"),
        counters: Some(ChildCounters { group_by: &PRODUCT_ID, amount: QUANTITY.name, excluded_status: REFUNDED }),
        ..BelongsTo::new(&USERS, &USER_ID)
    }),
    lifecycle: Lifecycle::Permanent,
    status: Some(Status {
        field: STATUS.name,
        initial: PENDING,
        transitions: &[(PENDING, FULFILLED), (PENDING, REFUNDED), (FULFILLED, REFUNDED)],
        changed_at: &CLOSED_AT,
        result: &[REFUND_ID.name],
        refused: Code::PurchaseClosed,
    }),
    references: &[Reference { foreign_key: &PRODUCT_ID, target: &PRODUCTS }],
    feed: FeedPolicy { created: true, updated: true, deleted: false, test_defaults: None },
    ..Resource::new("purchases", "purchase", &PURCHASE_ID)
};

pub const USER_NAME: Attr<NonEmptyText> = Attr::new("user_name", "Name of the buyer").example("\"juniper_plays\"");

/// The body of a test alert about a purchase. It is not a record.
pub static PURCHASE_ALERT: Resource = Resource {
    summary: "A purchase in a test alert.",
    fields: &[
        NAME.required(),
        PRICE.required(),
        QUANTITY.input(Input::Default(DefaultValue::Integer(1))),
        USER_NAME.required(),
        ANSWER.optional(),
    ],
    ..Resource::new("purchase alerts", "purchase alert", &PURCHASE_ID)
};
