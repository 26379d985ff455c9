//! The catalogue of resources, and the graph of their relations.
//!
//! To add a resource, add a file here and its name to [`ALL`]. The compiler checks all resources together, as a
//! relation of one resource adds links and filters to another.

pub mod commands;
pub mod documents;
pub mod events;
mod graph;
pub mod inventory;
pub mod opt_outs;
pub mod overlays;
pub mod products;
pub mod purchases;
pub mod rules;
pub mod specimens;
pub mod stamps;
pub mod transactions;
pub mod transfers;
pub mod users;

pub use commands::COMMANDS;
pub use documents::DOCUMENTS;
pub use events::EVENTS;
pub use graph::{
    Child, Link, LinkTarget, Member, child_of_filter, children, field_of_filter, filters, in_order_of_references,
    is_unbounded, links, members, references,
};
pub use inventory::INVENTORY;
pub use opt_outs::OPT_OUTS;
pub use overlays::OVERLAYS;
pub use products::PRODUCTS;
pub use purchases::{PURCHASE_ALERT, PURCHASES};
pub use rules::RULES;
pub use specimens::SPECIMENS;
pub use stamps::STAMPS;
pub use transactions::TRANSACTIONS;
pub use transfers::TRANSFER;
pub use users::USERS;

use crate::schema::{Id, Key, Resource, check};

/// Every resource.
pub static ALL: [&Resource; 13] = [
    &STAMPS,
    &DOCUMENTS,
    &EVENTS,
    &USERS,
    &SPECIMENS,
    &INVENTORY,
    &TRANSACTIONS,
    &PRODUCTS,
    &PURCHASES,
    &OVERLAYS,
    &RULES,
    &COMMANDS,
    &OPT_OUTS,
];

const _: () = check::all(&ALL);

/// Bodies that are not records but are parsed and described like them.
static BODIES: [&Resource; 2] = [&TRANSFER, &PURCHASE_ALERT];

/// Returns the resource that the statistics count.
pub fn counted_resource() -> &'static Resource {
    let counted = ALL.into_iter().find(|resource| resource.statistics.is_some());
    counted.unwrap_or_else(|| unreachable!("one resource has statistics"))
}

/// Returns the key of the user that a token belongs to.
pub fn user_key(user_id: Id) -> Key {
    Key::new(&USERS, user_id)
}

/// Returns the key of the overlay that a connection names.
pub fn overlay_key(overlay_id: Id) -> Key {
    Key::new(&OVERLAYS, overlay_id)
}

/// Alternative first segment of user routes, only for paths with more segments: `/user/{user_id}/specimens`.
pub const USER: &str = "user";

/// Finds the resource of the routes that start with a segment.
pub fn by_first_segment(first: &str, has_more: bool) -> Option<&'static Resource> {
    if first == USER && has_more { Some(&USERS) } else { by_name(first) }
}

/// Finds a resource by the first segment of its routes.
pub fn by_name(name: &str) -> Option<&'static Resource> {
    ALL.into_iter().find(|resource| resource.name == name)
}

/// Parses the path of a record into its key.
pub fn parse_key(path: &str) -> Option<Key> {
    let (resource, id) = path.split_once('/')?;
    Some(Key::new(by_name(resource)?, Id::parse(id)?))
}
