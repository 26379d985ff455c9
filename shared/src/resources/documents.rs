//! Documents: an image with a seal and stamps, on its own or with one event.

use super::indexes::{BY_METADATA, BY_SEAL, DOCUMENTS_BY_STAMP_TYPE};
use super::{EVENTS, STAMPS};
use crate::resource::{Field, Filter, Kind, Leads, Link, Parent, Resource, Slot};

/// An image with a seal and stamps.
pub static DOCUMENTS: Resource = Resource {
    name: "documents",
    singular: "document",
    summary: "An image with a seal and stamps on it, on its own or with one event.",
    id: "document_id",
    fields: &[
        Field::assigned("document_id", Kind::Own, "unique identifier"),
        Field::required(
            "document_data",
            Kind::Image,
            "the image: base64 or a data: URL in JSON, a file part in a form; in responses, an URL to fetch it from",
        )
        .changeable(),
        Field::required("seal", Kind::INTEGER, "the seal").changeable(),
        Field::with("created_at", Kind::Time, crate::resource::Input::Now, "when it was created; an import may say"),
        Field::optional("metadata", Kind::Prose, "anything").changeable(),
        Field::optional("stamps", Kind::Many { resource: &STAMPS, ids: "stamp_ids" }, "the stamps on it"),
        Field::hidden("stamp_ids", Kind::Ids(&STAMPS)),
        Field::hidden("event_id", Kind::Reference(&EVENTS)),
    ],
    filters: &[
        Filter::key("document_id"),
        Filter::equals("seal", &BY_SEAL),
        Filter::equals("metadata", &BY_METADATA),
        Filter::holds("stamp_type", &STAMPS, &DOCUMENTS_BY_STAMP_TYPE),
        Filter::before("created_before", "created_at"),
        Filter::after("created_after", "created_at"),
    ],
    links: &[Link { name: "stamps", leads: Leads::Many { to: &STAMPS, binds: "document_id" } }],
    parent: Some(Parent {
        resource: &EVENTS,
        by: "event_id",
        slot: Slot::One("document_id"),
        while_unset: None,
        mirrors: &[("seal", "document_seal"), ("stamp_ids", "stamp_ids")],
        inherits: &[],
    }),
    ..Resource::BASE
};
