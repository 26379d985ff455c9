//! The catalogue: every resource, and what follows from how they relate.
//!
//! A new resource is a file here and its name in [`ALL`]. The compiler checks all of them together.

pub mod documents;
pub mod events;
mod graph;
pub mod inventory;
pub mod specimens;
pub mod stamps;
pub mod transactions;
pub mod users;

pub use documents::DOCUMENTS;
pub use events::EVENTS;
pub use graph::{Child, Leads, Link, Member, child_of_filter, children, filters, is_unbounded, links, members, tested};
pub use inventory::INVENTORY;
pub use specimens::SPECIMENS;
pub use stamps::STAMPS;
pub use transactions::TRANSACTIONS;
pub use users::USERS;

use crate::schema::{Id, Key, Resource, check};

/// Every resource.
pub static ALL: [&Resource; 7] = [&STAMPS, &DOCUMENTS, &EVENTS, &USERS, &SPECIMENS, &INVENTORY, &TRANSACTIONS];

const _: () = check::all(&ALL);

/// The resource of a route's first segment.
pub fn named(name: &str) -> Option<&'static Resource> {
    ALL.into_iter().find(|resource| resource.name == name)
}

/// The key of the record at a path.
pub fn key(path: &str) -> Option<Key> {
    let (resource, id) = path.split_once('/')?;
    Some(Key::new(named(resource)?, Id::parse(id)?))
}
