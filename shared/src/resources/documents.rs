//! Documents: an image with a seal and stamps, on its own or with one event.

use super::events::EVENTS;
use crate::schema::scalar::{Identifier, Image, Integer, LongText, Time};
use crate::schema::{Attr, BelongsTo, Embedded, Filter, Input, OnParent, Resource, Role, Visibility};

/// The document's own identifier.
pub const DOCUMENT_ID: Attr<Identifier> = Attr::new("document_id", "unique identifier");
/// The image.
pub const DOCUMENT_DATA: Attr<Image> = Attr::new(
    "document_data",
    "the image: base64 or a data: URL in JSON, a file part in a form; in responses, an URL to fetch it from",
);
/// The seal.
pub const SEAL: Attr<Integer> = Attr::new("seal", "the seal");
/// When the document was created.
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "when it was created; an import may say");
/// Anything.
pub const METADATA: Attr<LongText> = Attr::new("metadata", "anything");
/// The event that the document is with.
const EVENT_ID: Attr<Identifier> = Attr::new("event_id", "");

/// An image with a seal and stamps.
pub static DOCUMENTS: Resource = Resource {
    summary: "An image with a seal and stamps on it, on its own or with one event.",
    time: Some(&CREATED_AT),
    fields: &[
        DOCUMENT_ID.assigned(),
        DOCUMENT_DATA.required().changeable(),
        SEAL.required().changeable(),
        CREATED_AT.given(Input::Now),
        METADATA.optional().changeable(),
        EVENT_ID.hidden(),
    ],
    filters: &[
        Filter::equals(&SEAL, Role::Number),
        Filter::equals(&METADATA, Role::Text),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    belongs_to: Some(BelongsTo {
        on_parent: OnParent::One {
            embedded: Embedded {
                field: "document",
                given: true,
                visibility: Visibility::Always,
                meaning: "the event's document with its stamps; null when none",
            },
            slot: "document_id",
            mirrors: &[("seal", "document_seal")],
        },
        ..BelongsTo::new(&EVENTS, &EVENT_ID)
    }),
    ..Resource::new("documents", "document", &DOCUMENT_ID)
};
