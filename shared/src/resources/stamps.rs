//! Stamps: marks on a document, each with a position and a rotation.

use super::documents::DOCUMENTS;
use crate::schema::scalar::{Float, Identifier, Integer, ShortText};
use crate::schema::{Attr, BelongsTo, Bulk, Embedded, FeedPolicy, Filter, OnParent, Resource, Role, Visibility};

/// The identifier of the stamp.
pub const STAMP_ID: Attr<Identifier> = Attr::new("stamp_id", "Unique identifier of the stamp, across all documents");
/// The document that the stamp is on.
pub const DOCUMENT_ID: Attr<Identifier> = Attr::new("document_id", "Identifier of the document that the stamp is on");
/// The type of the stamp.
pub const STAMP_TYPE: Attr<ShortText> = Attr::new("stamp_type", "Type of the stamp; any text");
/// The x coordinate of the stamp.
pub const POS_X: Attr<Integer> = Attr::new("pos_x", "X coordinate");
/// The y coordinate of the stamp.
pub const POS_Y: Attr<Integer> = Attr::new("pos_y", "Y coordinate");
/// The rotation of the stamp.
pub const ROTATION: Attr<Float> = Attr::new("rotation", "Rotation in radians");

/// The stamps resource.
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
        on_parent: OnParent::Many {
            embedded: Embedded {
                field: "stamps",
                given: true,
                visibility: Visibility::Always,
                meaning: "Stamps on the document",
            },
            ids: "stamp_ids",
            most: 1_000,
        },
        child_filter: Some(&STAMP_TYPE),
        ..BelongsTo::new(&DOCUMENTS, &DOCUMENT_ID)
    }),
    // The stamps and the state items of their documents fit into one transaction of 100 items.
    bulk: Some(Bulk { most: 80, most_parents: 10 }),
    feed: FeedPolicy { created: true, updated: true, deleted: true, test_defaults: None },
    ..Resource::new("stamps", "stamp", &STAMP_ID)
};
