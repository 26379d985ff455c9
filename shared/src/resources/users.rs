//! Users: viewers of the streaming platform, and what is theirs.

use super::indexes::{BY_NAME, BY_PLATFORM_ID};
use super::{EVENTS, INVENTORY, SPECIMENS, TRANSACTIONS};
use crate::resource::{Field, Filter, Input, Kind, Leads, Link, Resource};

/// A viewer of the streaming platform.
pub static USERS: Resource = Resource {
    name: "users",
    singular: "user",
    // The specification writes one route with the singular: `/user/{user_id}/specimens`.
    alias: Some("user"),
    summary: "A viewer of the streaming platform, with a specimen, an inventory and a wallet.",
    id: "user_id",
    fields: &[
        Field::assigned("user_id", Kind::Own, "internal identifier; not the platform's"),
        Field::required("platform_id", Kind::Name, "the streaming platform's identifier of the user").changeable(),
        Field::required("name", Kind::Name, "the platform's name of the user; may be out of date").changeable(),
        Field::with("created_at", Kind::Time, Input::Now, "when it was created; an import may say"),
        Field::assigned(
            "specimen",
            Kind::One { resource: &SPECIMENS, by: "specimen_id", nullable: true },
            "the user's active specimen, if any",
        )
        .alone(),
        Field::assigned(
            "inventory",
            Kind::Many { resource: &INVENTORY, ids: "inventory_ids" },
            "the user's active inventory items, newest first",
        )
        .alone(),
        Field::assigned("wallet", Kind::INTEGER, "current currency amount").alone(),
        Field::hidden("specimen_id", Kind::Reference(&SPECIMENS)),
        Field::hidden("inventory_ids", Kind::Ids(&INVENTORY)),
    ],
    filters: &[
        Filter::key("user_id"),
        Filter::equals("platform_id", &BY_PLATFORM_ID),
        Filter::equals("name", &BY_NAME),
        Filter::before("created_before", "created_at"),
        Filter::after("created_after", "created_at"),
    ],
    links: &[
        Link { name: "events", leads: Leads::Many { to: &EVENTS, binds: "user_id" } },
        Link { name: "transactions", leads: Leads::Many { to: &TRANSACTIONS, binds: "user_id" } },
        Link { name: "specimens", leads: Leads::Many { to: &SPECIMENS, binds: "owner_id" } },
        Link { name: "inventory", leads: Leads::Many { to: &INVENTORY, binds: "owner_id" } },
        Link { name: "specimen", leads: Leads::Slot { to: &SPECIMENS, by: "specimen_id", binds: "owner_id" } },
        Link { name: "wallet", leads: Leads::Value { field: "wallet" } },
    ],
    unique: Some("platform_id"),
    brief_when_written: true,
    holds_without_limit: true,
    ..Resource::BASE
};
