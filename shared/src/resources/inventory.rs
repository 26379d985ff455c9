//! Inventory items of users, active until they are used up. The user's state lists the active items for GET of a user.

use super::users::USERS;
use crate::schema::scalar::{Identifier, LongText, NonEmptyText, Quantity, Time};
use crate::schema::{
    Attr, BelongsTo, DefaultValue, Embedded, Filter, Input, ParentData, Redaction, Resource, Role, Visibility,
};

pub const ITEM_ID: Attr<Identifier> = Attr::new("item_id", "Unique identifier of the item").example("930");
pub const OWNER_ID: Attr<Identifier> =
    Attr::new("owner_id", "Identifier of the owning user; not required with `owner`").example("415");
pub const NAME: Attr<NonEmptyText> = Attr::new("name", "Name of the item").example("\"golden acorn\"");
pub const QUANTITY: Attr<Quantity> = Attr::new("quantity", "Quantity of the item").example("3");
pub const METADATA: Attr<LongText> = Attr::new("metadata", "Free-form text").example("\"won in the autumn raffle\"");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");
pub const USED_AT: Attr<Time> =
    Attr::new("used_at", "Time at which the item was used up; null while the item is active");

pub static INVENTORY: Resource = Resource {
    summary: "An inventory item of a user, active until it is used up.",
    time: Some(&CREATED_AT),
    fields: &[
        ITEM_ID.assigned(),
        OWNER_ID.required(),
        NAME.required().changeable(),
        QUANTITY.input(Input::Default(DefaultValue::Integer(1))).changeable(),
        METADATA.optional().changeable().redacted(Redaction::Clear),
        CREATED_AT.input(Input::Now),
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
            settable: true,
            visibility: Visibility::TopLevel,
            meaning: "Owning user; created or updated by its `platform_id`",
        }),
        link: Some("inventory"),
        parent_data: ParentData::Many {
            embedded: Embedded {
                field: "inventory",
                settable: false,
                visibility: Visibility::TopLevel,
                meaning: "Active inventory items of the user, newest first",
            },
            ids: "inventory_ids",
            max: 1_000,
        },
        while_unset: Some(&USED_AT),
        ..BelongsTo::new(&USERS, &OWNER_ID)
    }),
    ..Resource::new("inventory", "inventory item", &ITEM_ID)
};
