//! The table's global secondary indexes.
//!
//! Several resources share an index where they have the attribute in common; `resource`, the first key
//! attribute of each, keeps them apart: an event's `amount` is no transaction's. `template.yaml` declares the same list: a test compares the two.

use crate::resource::Index;

const ORDER: &[&str] = &["time", "id"];

const fn index(name: &'static str, hash: &'static [&'static str]) -> Index {
    Index { name, hash, range: ORDER }
}

/// Whole lists, in their own order.
pub static BY_TIME: Index = index("by_time", &["resource", "shard"]);
/// Events and transactions of a user.
pub static BY_USER: Index = index("by_user", &["resource", "user_id"]);
/// Specimens and inventory items of a user.
pub static BY_OWNER: Index = index("by_owner", &["resource", "owner_id"]);
/// Users and inventory items by name, events by the user's name at the time.
pub static BY_NAME: Index = index("by_name", &["resource", "name_digest"]);
/// Users by the platform's identifier.
pub static BY_PLATFORM_ID: Index = index("by_platform_id", &["resource", "platform_id_digest"]);
/// The event of a document, and its stamps.
pub static BY_DOCUMENT: Index = index("by_document", &["resource", "document_id"]);
/// Documents by seal, events by their document's seal.
pub static BY_SEAL: Index = index("by_seal", &["resource", "seal"]);
/// Documents by metadata.
pub static BY_METADATA: Index = index("by_metadata", &["resource", "metadata_digest"]);
/// Stamps by type.
pub static BY_STAMP_TYPE: Index = index("by_stamp_type", &["resource", "stamp_type_digest"]);
/// Documents by the type of a stamp on them: stamps, in the order of their documents.
pub static DOCUMENTS_BY_STAMP_TYPE: Index = Index {
    name: "documents_by_stamp_type",
    hash: &["resource", "stamp_type_digest"],
    range: &["document_created_at", "document_id", "id"],
};
/// Events by type.
pub static BY_EVENT_TYPE: Index = index("by_event_type", &["resource", "event_type", "shard"]);
/// Events in the order of their creation, which is not the order of their lists.
pub static BY_CREATED_AT: Index =
    Index { name: "by_created_at", hash: &["resource", "shard"], range: &["created_at", "id"] };
/// Specimens, remembered or forgotten.
pub static BY_FORGOTTEN: Index = index("by_forgotten", &["resource", "forgotten", "shard"]);
/// Forgotten specimens in the order in which they were.
pub static BY_FORGOTTEN_AT: Index =
    Index { name: "by_forgotten_at", hash: &["resource", "shard"], range: &["forgotten_at", "id"] };
/// Inventory items, active or used up.
pub static BY_ACTIVE: Index = index("by_active", &["resource", "active", "shard"]);
/// Transactions by amount.
pub static BY_AMOUNT: Index = index("by_amount", &["resource", "amount"]);
/// Transactions by description.
pub static BY_DESCRIPTION: Index = index("by_description", &["resource", "description_digest"]);
/// Transactions by reference.
pub static BY_REFERENCE: Index = index("by_reference", &["resource", "reference_digest"]);

/// All of them. DynamoDB allows 20 to a table.
pub static INDEXES: [&Index; 18] = [
    &BY_TIME,
    &BY_USER,
    &BY_OWNER,
    &BY_NAME,
    &BY_PLATFORM_ID,
    &BY_DOCUMENT,
    &BY_SEAL,
    &BY_METADATA,
    &BY_STAMP_TYPE,
    &DOCUMENTS_BY_STAMP_TYPE,
    &BY_EVENT_TYPE,
    &BY_CREATED_AT,
    &BY_FORGOTTEN,
    &BY_FORGOTTEN_AT,
    &BY_ACTIVE,
    &BY_AMOUNT,
    &BY_DESCRIPTION,
    &BY_REFERENCE,
];
