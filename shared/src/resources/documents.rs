//! Documents: images with a seal and stamps, standalone or attached to one event. Events copy the seal to filter by it.

use super::events::EVENTS;
use crate::error::Code;
use crate::schema::scalar::{Identifier, Image, Integer, LongText, Time};
use crate::schema::{Attr, BelongsTo, Embedded, Filter, Input, ParentData, Resource, Role, Visibility};

pub const DOCUMENT_ID: Attr<Identifier> = Attr::new("document_id", "Unique identifier of the document").example("2210");
pub const DOCUMENT_DATA: Attr<Image> = Attr::new(
    "document_data",
    "Image of the document: base64 or a data: URL in JSON, a file part in a form, a download URL in responses",
)
.example(ONE_PIXEL);
/// A PNG of one pixel.
const ONE_PIXEL: &str =
    "\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4tsMGAASSAev29zeYAAAAAElFTkSuQmCC\"";
pub const SEAL: Attr<Integer> = Attr::new("seal", "Seal of the document").example("7");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");
pub const METADATA: Attr<LongText> = Attr::new("metadata", "Free-form text").example("\"drawn in 40 seconds\"");
/// Event that the document is attached to.
const EVENT_ID: Attr<Identifier> = Attr::new("event_id", "");

pub static DOCUMENTS: Resource = Resource {
    summary: "An image with a seal and stamps, standalone or attached to one event.",
    time: Some(&CREATED_AT),
    fields: &[
        DOCUMENT_ID.assigned(),
        DOCUMENT_DATA.required().changeable(),
        SEAL.required().changeable(),
        CREATED_AT.input(Input::Now),
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
        parent_data: ParentData::One {
            embedded: Embedded {
                field: "document",
                settable: true,
                visibility: Visibility::Always,
                meaning: "Document of the event with its stamps, or null",
            },
            slot: "document_id",
            mirrors: &[("seal", "document_seal")],
            occupied: Code::DocumentExists,
            attached: Code::DocumentAttached,
        },
        ..BelongsTo::new(&EVENTS, &EVENT_ID)
    }),
    ..Resource::new("documents", "document", &DOCUMENT_ID)
};
