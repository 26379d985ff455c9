//! Inventory: what a user has, each item active until it is used up.

use super::users::USERS;
use crate::schema::scalar::{Identifier, LongText, NonEmptyText, Quantity, Time};
use crate::schema::{Attr, BelongsTo, Embedded, Filter, Input, OnParent, Resource, Role, Visibility};

/// The item's own identifier.
pub const ITEM_ID: Attr<Identifier> = Attr::new("item_id", "unique identifier");
/// The owning user.
pub const OWNER_ID: Attr<Identifier> = Attr::new("owner_id", "the owning user; not required with `owner`");
/// What the item is.
pub const NAME: Attr<NonEmptyText> = Attr::new("name", "what it is");
/// How many there are.
pub const QUANTITY: Attr<Quantity> = Attr::new("quantity", "how many");
/// Anything.
pub const METADATA: Attr<LongText> = Attr::new("metadata", "anything");
/// When the item was created.
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "when it was created; an import may say");
/// When the item was used up.
pub const USED_AT: Attr<Time> = Attr::new("used_at", "when it was used up; null while it is active");

/// A thing that a user has.
pub static INVENTORY: Resource = Resource {
    summary: "A thing that a user has: active until it is used up.",
    time: Some(&CREATED_AT),
    fields: &[
        ITEM_ID.assigned(),
        OWNER_ID.required(),
        NAME.required().changeable(),
        QUANTITY.given(Input::Default(1)).changeable(),
        METADATA.optional().changeable(),
        CREATED_AT.given(Input::Now),
        USED_AT.optional().changeable(),
    ],
    filters: &[
        Filter::equals(&NAME, Role::Text),
        Filter::is_unset("active", &USED_AT, Role::State),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded {
            field: "owner",
            given: true,
            visibility: Visibility::TopLevel,
            meaning: "the owning user; created, or updated, by its platform_id",
        }),
        link: Some("inventory"),
        on_parent: OnParent::Many {
            embedded: Embedded {
                field: "inventory",
                given: false,
                visibility: Visibility::TopLevel,
                meaning: "the user's active inventory items, newest first",
            },
            ids: "inventory_ids",
            most: 1_000,
        },
        while_unset: Some(&USED_AT),
        ..BelongsTo::new(&USERS, &OWNER_ID)
    }),
    ..Resource::new("inventory", "inventory item", &ITEM_ID)
};
