//! Specimens: pets, each remembered until it is forgotten. A user has at most one active.

use super::USERS;
use super::indexes::{BY_FORGOTTEN, BY_FORGOTTEN_AT, BY_OWNER};
use crate::error::Violation;
use crate::record::Record;
use crate::resource::{Field, Filter, Input, Kind, Leads, Link, Parent, Resource, Slot};

/// A pet of a user.
pub static SPECIMENS: Resource = Resource {
    name: "specimens",
    singular: "specimen",
    summary: "A pet of a user: active until it is forgotten.",
    id: "specimen_id",
    time: Some("born_at"),
    fields: &[
        Field::assigned("specimen_id", Kind::Own, "unique identifier"),
        Field::required("owner_id", Kind::Reference(&USERS), "the owning user; not required with `owner`").changeable(),
        Field::optional(
            "owner",
            Kind::One { resource: &USERS, by: "owner_id", nullable: false },
            "the owning user; created, or updated, by its platform_id",
        )
        .alone(),
        Field::with("born_at", Kind::Time, Input::Now, "when it was born; now unless given"),
        Field::optional("forgotten_at", Kind::Time, "when it was forgotten; null while it is active").changeable(),
    ],
    filters: &[
        Filter::key("specimen_id"),
        Filter::equals("owner_id", &BY_OWNER),
        Filter::before("forgotten_before", "forgotten_at").by(&BY_FORGOTTEN_AT),
        Filter::after("forgotten_after", "forgotten_at").by(&BY_FORGOTTEN_AT),
        Filter::is_set("forgotten", "forgotten_at", &BY_FORGOTTEN),
        Filter::before("born_before", "born_at"),
        Filter::after("born_after", "born_at"),
    ],
    links: &[Link { name: "owner", leads: Leads::One { to: &USERS, by: "owner_id" } }],
    parent: Some(Parent {
        resource: &USERS,
        by: "owner_id",
        slot: Slot::One("specimen_id"),
        while_unset: Some("forgotten_at"),
        mirrors: &[],
        inherits: &[],
    }),
    rules: forgotten_after_birth,
    ..Resource::BASE
};

fn forgotten_after_birth(specimen: &Record) -> Option<Violation> {
    let (born, forgotten) = (specimen.time_of("born_at")?, specimen.time_of("forgotten_at")?);
    let detail = format!("A specimen is forgotten after it is born: give a time from {born} on.");
    (forgotten < born).then(|| Violation::at("/forgotten_at", detail))
}
