//! The table: the layout of its items, and the three sets of an operation. An operation reads a [`ReadSet`] into a
//! [`Snapshot`] and writes a [`WriteSet`].
//!
//! Goals:
//! - A rule that spans records is a condition of a write. A check before the write would leave a gap where another
//!   request can write.
//! - This layer does no I/O. A plan can therefore be tested without a store and repeated after a conflict.
//! - Everything that DynamoDB interprets (expressions, attribute values, keys) is rendered here, so one place knows how
//!   an item is stored. `store` only sends it.

mod attributes;
mod compressed;
mod counters;
mod dedup_key;
mod expression;
mod idempotency;
mod index_query;
mod index_range;
mod item;
mod parent_data;
mod size;
mod snapshot;
mod tombstone;
mod withdrawals;
mod write;
mod write_expression;
mod write_set;

pub(crate) use attributes::record_from;
pub use attributes::{attributes, from_document, item_from, to_document};
pub(crate) use compressed::{compress, decompress};
pub(crate) use counters::{Counter, release_counter};
pub use dedup_key::{COMPLETED_AT, DedupKey, MESSAGES, StoredReport, fill_missing_fields};
// Only for tests.
#[doc(hidden)]
pub use idempotency::LIFETIME;
pub use idempotency::{IdempotencyRecord, IdempotentRequest, StoredResponse};
pub use index_query::{IndexQuery, Range, ViaChild};
pub use index_range::{IndexRange, KeyCondition, Position};
pub use item::{
    CONTENT, DELETED, EXCLUDED_BY, EXPIRED, Item, PARENT_TIME, REDACTED, RESERVED_BY, counters_key, from_item,
    is_withdrawn, reservation_key, state_key, text_key,
};
pub(crate) use item::{
    GENERATION, PARENT_GENERATION, REVISION, out_of_line_attribute, out_of_line_texts, stored_value,
};
#[doc(hidden)]
pub use item::{MAX_INLINE_BYTES, attribute, flag, number, to_item};
pub(crate) use parent_data::{Membership, remaining_bytes, stored_ids, too_large};
#[doc(hidden)]
pub use size::escaped_len;
pub use size::{MAX_RECORD_BYTES, json_size, max_bytes};
pub(crate) use snapshot::{
    CHILDREN_BYTES, copy_parent_time, has_contents, has_fields_in_state, is_active_child, join_generation, reserved_by,
    shows_state,
};
pub use snapshot::{
    ReadSet, Reservation, Slot, Snapshot, State, has_state, is_child_of, reads_to_delete, reads_to_render,
};
pub use tombstone::{
    ClearedPeriod, CompletedRecords, DeletedParent, RedactedParent, TOMBSTONES, Tombstone, TombstoneItem,
};
pub use withdrawals::WithdrawalScope;
pub(crate) use withdrawals::{mark_withdrawn, withdrawals_key};
pub use write::{Action, CommitError, Condition, Write, WriteKind};
pub use write_expression::WriteExpression;
pub use write_set::{EXPIRES_AT, IMPORTED, REPORT_SOURCE, ReservationErrors, WriteSet};
pub(crate) use write_set::{RECORD_IDS, directory_key};
