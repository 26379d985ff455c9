//! Stamps: marks on a document, each at a place and an angle.

use super::documents::DOCUMENTS;
use crate::schema::scalar::{Float, Identifier, Integer, ShortText};
use crate::schema::{Attr, BelongsTo, Bulk, Embedded, FeedPolicy, Filter, OnParent, Resource, Role, Visibility};

/// The stamp's own identifier.
pub const STAMP_ID: Attr<Identifier> = Attr::new("stamp_id", "unique across all stamps on all documents");
/// The document that the stamp is on.
pub const DOCUMENT_ID: Attr<Identifier> = Attr::new("document_id", "the document that the stamp is on");
/// The stamp's type.
pub const STAMP_TYPE: Attr<ShortText> = Attr::new("stamp_type", "any text");
/// Where the stamp is.
pub const POS_X: Attr<Integer> = Attr::new("pos_x", "x coordinate");
/// Where the stamp is.
pub const POS_Y: Attr<Integer> = Attr::new("pos_y", "y coordinate");
/// How the stamp is turned.
pub const ROTATION: Attr<Float> = Attr::new("rotation", "rotation in radians");

/// A mark on a document.
pub static STAMPS: Resource = Resource {
    summary: "A mark on a document, of a type, at a place and an angle.",
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
                meaning: "the stamps on it",
            },
            ids: "stamp_ids",
            most: 1_000,
        },
        child_filter: Some(&STAMP_TYPE),
        ..BelongsTo::new(&DOCUMENTS, &DOCUMENT_ID)
    }),
    // With the states of the documents this fills one transaction of 100 items.
    bulk: Some(Bulk { most: 80, most_parents: 10 }),
    feed: FeedPolicy { created: true, updated: true, deleted: true, test_defaults: None },
    ..Resource::new("stamps", "stamp", &STAMP_ID)
};
