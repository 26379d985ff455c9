//! The resource groups: the routes of each HTTP function, and the data that it may access.
//!
//! The gateway selects a function by the first segment of a path, so a path belongs to that segment's group.
//! `/events/77/user/specimen` is a path of events, although it ends at a specimen. Each function therefore needs the
//! code of all resources, and one artifact serves all groups: they differ only in routes and rights.
//!
//! `template.yaml` grants the rights. `tests/end_to_end/platform/functions.rs` checks that its functions, routes and
//! rights match the groups.

use capture_core::schema::{Resource, Role};

pub mod commands;
pub mod connections;
pub mod documents;
pub mod events;
pub mod feed;
pub mod inventory;
pub mod opt_outs;
pub mod overlays;
pub mod pages;
pub mod products;
pub mod purchases;
pub mod rules;
pub mod service;
pub mod specimens;
pub mod stamps;
pub mod statistics;
pub mod tokens;
pub mod transactions;
pub mod users;

/// All resource groups.
pub static ALL: [&Group; 19] = [
    &stamps::GROUP,
    &documents::GROUP,
    &events::GROUP,
    &users::GROUP,
    &specimens::GROUP,
    &inventory::GROUP,
    &transactions::GROUP,
    &products::GROUP,
    &purchases::GROUP,
    &overlays::GROUP,
    &rules::GROUP,
    &commands::GROUP,
    &opt_outs::GROUP,
    &statistics::GROUP,
    &feed::GROUP,
    &tokens::GROUP,
    &connections::GROUP,
    &service::GROUP,
    &pages::GROUP,
];

/// A resource group, served by one function.
#[derive(Debug)]
pub struct Group {
    /// Value of the variable `GROUP`, and the name of the function.
    pub name: &'static str,
    /// Routes in the template's form: a path, a prefix with `{proxy+}`, or `$default`.
    pub routes: &'static [&'static str],
    /// Resource that its paths start with. A path may end at any record that links lead to from there, so the function
    /// may write all of them.
    pub records: Option<&'static Resource>,
    /// Other items that the function reads, by the first segment of their keys.
    pub reads: &'static [&'static str],
    /// Other items that the function reads and writes.
    pub writes: &'static [&'static str],
    /// Indexes that it queries, other than those for the lists of its records.
    pub queries: &'static [Role],
    /// Whether the function stores images.
    pub images: bool,
    /// Whether the function only deletes images.
    pub deletes_images: bool,
}

impl Group {
    /// Creates a group without routes or rights.
    const fn new(name: &'static str) -> Self {
        let (images, deletes_images) = (false, false);
        Self { name, routes: &[], records: None, reads: &[], writes: &[], queries: &[], images, deletes_images }
    }

    /// Creates the group of a resource, without routes.
    const fn of(resource: &'static Resource) -> Self {
        Self { records: Some(resource), ..Self::new(resource.name) }
    }
}

/// Returns the group that the variable `GROUP` names.
///
/// # Errors
/// If it does not name a group. A function that served all routes instead would hide the mistake behind its missing
/// rights.
pub fn from_variable(name: Option<&str>) -> Result<&'static Group, String> {
    let name = name.unwrap_or_default();
    ALL.into_iter().find(|group| group.name == name).ok_or_else(|| {
        let names = ALL.map(|group| group.name).join(", ");
        format!("GROUP does not name a resource group: {name:?}. Set it to one of {names}.")
    })
}
