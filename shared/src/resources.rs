//! The catalogue: every resource, and every index that their filters share.
//!
//! A new resource is a file here and its name in [`ALL`].

mod documents;
mod events;
mod indexes;
mod inventory;
mod specimens;
mod stamps;
mod transactions;
mod users;

pub use documents::DOCUMENTS;
pub use events::EVENTS;
pub use indexes::{BY_TIME, INDEXES};
pub use inventory::INVENTORY;
pub use specimens::SPECIMENS;
pub use stamps::STAMPS;
pub use transactions::TRANSACTIONS;
pub use users::USERS;

use crate::resource::Resource;

/// Every resource.
pub static ALL: [&Resource; 7] = [&STAMPS, &DOCUMENTS, &EVENTS, &USERS, &SPECIMENS, &INVENTORY, &TRANSACTIONS];

/// The resource of a route's first segment.
pub fn named(name: &str) -> Option<&'static Resource> {
    ALL.into_iter().find(|resource| resource.name == name)
}
