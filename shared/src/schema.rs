//! What a resource is made of: attributes, relations, filters, indexes. All of it data, checked by the compiler.
//!
//! Nothing in this layer knows a resource by name, HTTP, or DynamoDB. The resources are in [`crate::resources`].

mod attribute;
pub mod check;
mod filter;
mod id;
mod index;
mod record;
mod relation;
mod resource;
pub mod scalar;
mod timestamp;
mod value;

pub use attribute::{Attr, Field, Input};
pub use filter::{Filter, Test};
pub use id::{Id, Ids};
pub use index::{Index, Role};
pub use record::{Key, Position, Record};
pub use relation::{BelongsTo, Embedded, Kept, Shown};
pub use resource::{Bulk, Resource, SecondTime};
pub use timestamp::Timestamp;
pub use value::{MAX_INTEGER, Stored, Value};
