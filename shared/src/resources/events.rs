//! Events: what happened in the channel, of four concrete types.

use super::indexes::{BY_CREATED_AT, BY_DOCUMENT, BY_EVENT_TYPE, BY_NAME, BY_SEAL, BY_USER};
use super::{DOCUMENTS, STAMPS, USERS};
use crate::resource::Input::{Optional, Required, Variants};
use crate::resource::{Field, Filter, Kind, Leads, Link, Parent, Resource, Slot};

const TYPES: &[&str] = &["plain", "subscriber", "cheer", "raid"];

/// Something that happened in the channel.
pub static EVENTS: Resource = Resource {
    name: "events",
    singular: "event",
    summary: "Something that happened in the channel: a message, a subscription, a cheer or a raid.",
    id: "event_id",
    time: Some("occurred_at"),
    fields: &[
        Field::assigned("event_id", Kind::Own, "unique identifier"),
        Field::optional("document_id", Kind::Reference(&DOCUMENTS), "the event's document; null when none"),
        Field::optional(
            "document",
            Kind::One { resource: &DOCUMENTS, by: "document_id", nullable: true },
            "the event's document with its stamps; null when none",
        ),
        Field::required("user_id", Kind::Reference(&USERS), "the triggering user; not required with `user`"),
        Field::optional(
            "user",
            Kind::One { resource: &USERS, by: "user_id", nullable: false },
            "the triggering user; created, or updated, by its platform_id",
        ),
        Field::required("user_name", Kind::Name, "the user's name at the time of the event"),
        Field::required("occurred_at", Kind::Time, "when the event happened"),
        Field::assigned("created_at", Kind::Time, "when the event was stored"),
        Field::required("event_type", Kind::Choice(TYPES), "which type of event it is"),
        Field::with("tier", Kind::COUNT, Variants(&[("subscriber", Required)]), "subscription tier").changeable(),
        Field::with(
            "subscribed_length",
            Kind::COUNT,
            Variants(&[("subscriber", Required)]),
            "how long the user has been subscribed",
        )
        .changeable(),
        Field::with("amount", Kind::COUNT, Variants(&[("cheer", Required)]), "number of bits cheered").changeable(),
        Field::with("cheer_type", Kind::Label, Variants(&[("cheer", Optional)]), "type of cheer").changeable(),
        Field::with(
            "viewer_count",
            Kind::COUNT,
            Variants(&[("raid", Required)]),
            "number of viewers who came with the raid",
        )
        .changeable(),
        Field::with(
            "message",
            Kind::Prose,
            Variants(&[("plain", Required), ("subscriber", Optional), ("cheer", Optional)]),
            "message of the event",
        )
        .changeable(),
        Field::hidden("document_seal", Kind::INTEGER),
        Field::hidden("stamp_ids", Kind::Ids(&STAMPS)),
    ],
    filters: &[
        Filter::key("event_id"),
        Filter::equals("document_id", &BY_DOCUMENT),
        Filter::equals("user_id", &BY_USER),
        Filter::equals("document_seal", &BY_SEAL),
        Filter::equals("user_name", &BY_NAME),
        Filter::before("occurred_before", "occurred_at"),
        Filter::after("occurred_after", "occurred_at"),
        Filter::before("created_before", "created_at").by(&BY_CREATED_AT),
        Filter::after("created_after", "created_at").by(&BY_CREATED_AT),
        Filter::equals("event_type", &BY_EVENT_TYPE),
    ],
    links: &[
        Link { name: "document", leads: Leads::Slot { to: &DOCUMENTS, by: "document_id", binds: "event_id" } },
        Link { name: "user", leads: Leads::One { to: &USERS, by: "user_id" } },
    ],
    parent: Some(Parent {
        resource: &USERS,
        by: "user_id",
        slot: Slot::Nothing,
        while_unset: None,
        mirrors: &[],
        inherits: &[],
    }),
    variant: Some("event_type"),
    ..Resource::BASE
};
