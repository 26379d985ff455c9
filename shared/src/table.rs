//! The table: the layout of its items, and the three sets of an operation. An operation reads a [`ReadSet`] into a
//! [`Snapshot`] and writes a [`WriteSet`]. This layer does no I/O; `store` executes the sets.

mod compressed;
mod dedup_key;
mod document;
mod idempotency;
mod index_query;
mod item;
mod on_parent;
mod size;
mod snapshot;
mod tombstone;
mod write;
mod write_set;

pub(crate) use compressed::{compress, decompress};
pub use dedup_key::{DedupKey, Existing, MESSAGES, complete};
pub use document::{from_document, from_image, to_document};
pub use idempotency::{IdempotencyRecord, KeyedRequest, StoredResponse};
pub use index_query::{IndexQuery, Range, ViaChild};
pub use item::{CONTENT, DELETED, Item, PARENT_TIME, from_item, is_withdrawn, reservation, state_key, text_key};
pub(crate) use item::{flag, number, out_of_line_attribute, out_of_line_texts, stored_value};
pub(crate) use on_parent::{Membership, ids_as_read, rank, room_in, too_large};
pub use size::{LARGEST_RECORD, json_size, largest};
pub(crate) use snapshot::{BYTES, has_contents, is_of, shows_state};
pub use snapshot::{ReadSet, Slot, Snapshot, State, has_state, needed_to_remove, needed_to_render};
pub use tombstone::{TOMBSTONES, Tombstone, TombstoneItem};
pub use write::{CommitError, Condition, Kind, Placeholders, Write};
pub use write_set::{EXPIRES_AT, IMPORTED, SOURCE, WriteSet};
