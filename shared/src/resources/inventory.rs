//! Inventory: what a user has, each item active until it is used up.

use super::USERS;
use super::indexes::{BY_ACTIVE, BY_NAME, BY_OWNER};
use crate::resource::{Field, Filter, Input, Kind, Leads, Link, Parent, Resource, Slot};

/// The largest number of active items of one user.
const MAX_ACTIVE: usize = 1_000;

/// A thing that a user has.
pub static INVENTORY: Resource = Resource {
    name: "inventory",
    singular: "inventory item",
    summary: "A thing that a user has: active until it is used up.",
    id: "item_id",
    fields: &[
        Field::assigned("item_id", Kind::Own, "unique identifier"),
        Field::required("owner_id", Kind::Reference(&USERS), "the owning user; not required with `owner`"),
        Field::optional(
            "owner",
            Kind::One { resource: &USERS, by: "owner_id", nullable: false },
            "the owning user; created, or updated, by its platform_id",
        )
        .alone(),
        Field::required("name", Kind::Name, "what it is").changeable(),
        Field::with("quantity", Kind::Integer(1), Input::Default(1), "how many").changeable(),
        Field::optional("metadata", Kind::Prose, "anything").changeable(),
        Field::with("created_at", Kind::Time, Input::Now, "when it was created; an import may say"),
        Field::optional("used_at", Kind::Time, "when it was used up; null while it is active").changeable(),
    ],
    filters: &[
        Filter::key("item_id"),
        Filter::equals("owner_id", &BY_OWNER),
        Filter::equals("name", &BY_NAME),
        Filter::is_unset("active", "used_at", &BY_ACTIVE),
        Filter::before("created_before", "created_at"),
        Filter::after("created_after", "created_at"),
    ],
    links: &[Link { name: "owner", leads: Leads::One { to: &USERS, by: "owner_id" } }],
    parent: Some(Parent {
        resource: &USERS,
        by: "owner_id",
        slot: Slot::Many("inventory_ids", MAX_ACTIVE),
        while_unset: Some("used_at"),
        mirrors: &[],
        inherits: &[],
    }),
    ..Resource::BASE
};
