//! The schema of a resource: attributes, relations, filters and indexes. All of it is data, checked at compile time.
//!
//! All other layers build on this one. It names no resource, apart from the sum that `by_sum` ranks.

mod attribute;
mod calendar;
pub mod check;
mod digest;
mod filter;
mod id;
mod index;
mod letter_case;
mod record;
mod redaction;
mod resource;
pub mod scalar;
mod statistics;
mod status;
mod timestamp;
mod value;
mod values;

pub use attribute::{Attr, DefaultValue, Field, Input, Reserved};
pub use calendar::{Calendar, Period, SEGMENT_SECONDS, Step};
pub use digest::digest;
pub use filter::{Filter, Operator};
pub use id::{Id, IdGenerator, MAX_INTEGER, time_of};
pub use index::{Index, Role, is_numeric};
pub use letter_case::{lower_case, sort_name};
pub use record::{Key, Record, SortKey, SortValue};
pub use redaction::Redaction;
pub use resource::{
    BelongsTo, Bulk, Contradiction, Depth, Embedded, FeedPolicy, Lifecycle, Limits, ParentData, Reference, Resource,
    SecondaryTime, Unique, Visibility,
};
pub use statistics::{Contribution, CountBy, Measure, Statistics, Total};
pub use status::{ChildCounters, Status};
pub use timestamp::{MAX_CLOCK_SKEW, Timestamp, sortable, unix_seconds};
pub use value::{OutOfLine, StoredValue, Value};
pub use values::Values;
