//! Plans: what is to be read and written for an operation. Nothing in this layer does I/O; `store` carries plans out.

mod change;
mod create;
mod delete;
mod document;
mod feed;
mod item;
mod keep;
mod loaded;
mod once;
mod outcome;
mod packed;
mod refresh;
mod search;
mod show;
mod size;
mod tombstone;
mod work;

pub use change::{Changed, change, no_such};
pub use create::{Created, Creation, Draw, Upload, references};
pub use delete::{Removal, remove, remove_seen};
pub use document::{from_document, from_image, to_document};
pub use feed::{
    Change, ChangeKind, Entry, FEED_HEAD, Head, MOST_APPENDED, PAGE_ENTRIES, REPLAYED, SequenceNumber, TESTED, advance,
    alert, append, checkpoint_key, coalesced, entry_key, is_shown_change, page_entries, page_key, pending,
    shown_by_alert, single_entry, stored_checkpoint,
};
pub use item::{CONTENT, GONE, HOLDER_TIME, Item, from_item, reservation, state_key, text_key};
pub use loaded::{Loaded, State, Wanted, has_state, needed_to_remove, needed_to_show};
pub use once::{MESSAGES, Met, Once, complete};
pub use outcome::{Keyed, Known, Outcome};
pub use refresh::refresh;
pub use search::{Range, Scan, Second, Source, Through, children_of, is_matched, search};
pub use show::{embedded, only_as_shown, show};
pub use size::{LARGEST_RECORD, json_size};
pub use tombstone::{TOMBSTONES, Tombstone, TombstoneItem};
pub use work::{Condition, EXPIRES_AT, Kind, Refusal, SOURCE, Work, Write};
