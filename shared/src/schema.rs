//! What a resource is made of: attributes, relations, filters, indexes. All of it data, checked by the compiler.
//!
//! Nothing in this layer knows a resource by name, HTTP, or DynamoDB.

mod attribute;
pub mod check;
mod filter;
mod id;
mod index;
mod record;
mod resource;
pub mod scalar;
mod timestamp;
mod value;
mod values;

pub use attribute::{Attr, Field, Input};
pub use filter::{Filter, Test};
pub use id::{Id, Ids};
pub use index::{Index, Role};
pub use record::{Key, Position, Record};
pub use resource::{BelongsTo, Bulk, Depth, Embedded, FeedPolicy, OnParent, Resource, SecondaryTime, Visibility};
pub use timestamp::{Timestamp, sortable, unix_seconds};
pub use value::{MAX_INTEGER, OutOfLine, Stored, Value, digest};
pub use values::Values;
