//! Stamps: marks on a document, each at a place and an angle.

use super::DOCUMENTS;
use super::indexes::{BY_DOCUMENT, BY_STAMP_TYPE};
use crate::resource::{Bulk, Field, Filter, Kind, Parent, Resource, Slot};

/// The largest number of stamps on one document.
const MAX_ON_A_DOCUMENT: usize = 1_000;

/// A mark on a document.
pub static STAMPS: Resource = Resource {
    name: "stamps",
    singular: "stamp",
    summary: "A mark on a document, of a type, at a place and an angle.",
    id: "stamp_id",
    time: None,
    fields: &[
        Field::assigned("stamp_id", Kind::Own, "unique across all stamps on all documents"),
        Field::required("document_id", Kind::Reference(&DOCUMENTS), "the document that the stamp is on").changeable(),
        Field::required("stamp_type", Kind::Label, "any text").changeable(),
        Field::required("pos_x", Kind::INTEGER, "x coordinate").changeable(),
        Field::required("pos_y", Kind::INTEGER, "y coordinate").changeable(),
        Field::required("rotation", Kind::Float, "rotation in radians").changeable(),
        Field::hidden("document_created_at", Kind::Time),
    ],
    filters: &[
        Filter::key("stamp_id"),
        Filter::equals("document_id", &BY_DOCUMENT),
        Filter::equals("stamp_type", &BY_STAMP_TYPE),
    ],
    parent: Some(Parent {
        resource: &DOCUMENTS,
        by: "document_id",
        slot: Slot::Many("stamp_ids", MAX_ON_A_DOCUMENT),
        while_unset: None,
        mirrors: &[],
        inherits: &[("created_at", "document_created_at")],
    }),
    // With the documents, and the events that those belong to, this fills one transaction of 100 items.
    bulk: Some(Bulk { most: 80, most_parents: 10 }),
    ..Resource::BASE
};
