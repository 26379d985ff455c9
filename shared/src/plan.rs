//! Plans: the reads and writes of an operation. This layer does no I/O; `store` executes the plans.

mod change;
mod compressed;
mod create;
mod dedup_key;
mod delete;
mod document;
mod feed;
mod idempotency;
mod item;
mod on_parent;
mod refresh;
mod render;
mod search;
mod size;
mod snapshot;
mod tombstone;
mod write_set;

pub use change::{Changed, change, no_such};
pub use create::{Created, Creation, NextId, Upload, references};
pub use dedup_key::{DedupKey, Existing, MESSAGES, complete};
pub use delete::{Removal, remove, remove_seen};
pub use document::{from_document, from_image, to_document};
pub use feed::{
    Change, ChangeKind, Entry, FEED_HEAD, Head, MOST_APPENDED, PAGE_ENTRIES, REPLAYED, SequenceNumber, TESTED, advance,
    alert, alert_content, append, checkpoint_key, coalesced, entry_key, is_visible_change, page_entries, page_key,
    pending, single_entry, stored_checkpoint,
};
pub use idempotency::{IdempotencyRecord, KeyedRequest, StoredResponse};
pub use item::{CONTENT, DELETED, Item, PARENT_TIME, from_item, reservation, state_key, text_key};
pub use refresh::refresh;
pub use render::{embedded, only_as_rendered, render};
pub use search::{IndexQuery, Range, Secondary, Source, ViaChild, children_of, is_matched, search};
pub use size::{LARGEST_RECORD, json_size};
pub use snapshot::{ReadSet, Snapshot, State, has_state, needed_to_remove, needed_to_render};
pub use tombstone::{TOMBSTONES, Tombstone, TombstoneItem};
pub use write_set::{CommitError, Condition, EXPIRES_AT, Kind, SOURCE, Write, WriteSet};
