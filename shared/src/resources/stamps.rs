//! Stamps: marks on a document, each with a position and a rotation. The document embeds them, and stores their
//! identifiers in its state.

use super::documents::DOCUMENTS;
use crate::schema::scalar::{Float, Identifier, Integer, ShortText};
use crate::schema::{
    Attr, BelongsTo, Bulk, Embedded, FeedPolicy, Filter, Limits, ParentData, Resource, Role, Visibility,
};

pub const STAMP_ID: Attr<Identifier> =
    Attr::new("stamp_id", "Unique identifier of the stamp, across all documents").example("3105");
pub const DOCUMENT_ID: Attr<Identifier> =
    Attr::new("document_id", "Identifier of the document that the stamp is on").example("2210");
pub const STAMP_TYPE: Attr<ShortText> = Attr::new("stamp_type", "Type of the stamp; any text").example("\"star\"");
pub const POS_X: Attr<Integer> = Attr::new("pos_x", "X coordinate").example("120");
pub const POS_Y: Attr<Integer> = Attr::new("pos_y", "Y coordinate").example("48");
pub const ROTATION: Attr<Float> = Attr::new("rotation", "Rotation in radians").example("0.5");

pub static STAMPS: Resource = Resource {
    summary: "A mark on a document, with a type, a position and a rotation.",
    fields: &[
        STAMP_ID.assigned(),
        DOCUMENT_ID.required().changeable(),
        STAMP_TYPE.required().changeable(),
        POS_X.required().changeable(),
        POS_Y.required().changeable(),
        ROTATION.required().changeable(),
    ],
    filters: &[Filter::equals(&STAMP_TYPE, Role::Text)],
    belongs_to: Some(BelongsTo {
        link: Some("stamps"),
        parent_data: ParentData::Many {
            embedded: Embedded {
                field: "stamps",
                settable: true,
                visibility: Visibility::Always,
                meaning: "Stamps on the document",
            },
            ids: "stamp_ids",
            max: 1_000,
        },
        child_filter: Some(&STAMP_TYPE),
        ..BelongsTo::new(&DOCUMENTS, &DOCUMENT_ID)
    }),
    // The stamps and the state items of their documents fit into one transaction of 100 items.
    limits: Limits { records: None, bulk: Some(Bulk { max: 80, max_parents: 10 }) },
    feed: FeedPolicy { created: true, updated: true, deleted: true, test_defaults: None },
    ..Resource::new("stamps", "stamp", &STAMP_ID)
};
