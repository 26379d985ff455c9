//! The resource groups: the routes of each HTTP function, and the data that it may access.
//!
//! A path belongs to the group of its first segment, because the gateway selects a function by it.
//! `/events/77/user/specimen` is a path of events, although it ends at a specimen. So each function needs the code of all
//! resources, and one artifact serves all groups: they differ in routes and rights only.
//!
//! `template.yaml` grants the rights. Its functions, routes and rights equal those of the groups, which
//! `tests/end_to_end/platform/functions.rs` compares.

use event_capture::schema::{Resource, Role};

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

/// Every group.
pub static ALL: [&Group; 18] = [
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
    &opt_outs::GROUP,
    &statistics::GROUP,
    &feed::GROUP,
    &tokens::GROUP,
    &connections::GROUP,
    &service::GROUP,
    &pages::GROUP,
];

/// A resource group. One function serves it.
#[derive(Debug)]
pub struct Group {
    /// Value of the variable `GROUP`, and the name of the function.
    pub name: &'static str,
    /// Routes in the template's form: a path, a prefix with `{proxy+}`, or `$default`.
    pub routes: &'static [&'static str],
    /// Resource that its paths begin with. The function writes every record that links lead to from there, because a
    /// path may end at any of them.
    pub records: Option<&'static Resource>,
    /// Other items that the function reads, by the first segment of their keys.
    pub reads: &'static [&'static str],
    /// Other items that the function reads and writes.
    pub writes: &'static [&'static str],
    /// Indexes that it queries, other than those of the lists of its records.
    pub queries: &'static [Role],
    /// True if the function stores images.
    pub images: bool,
    /// True if the function only deletes images.
    pub deletes_images: bool,
}

impl Group {
    /// Create a group without routes and rights.
    const fn new(name: &'static str) -> Self {
        let (images, deletes_images) = (false, false);
        Self { name, routes: &[], records: None, reads: &[], writes: &[], queries: &[], images, deletes_images }
    }

    /// Create the group of a resource, without routes.
    const fn of(resource: &'static Resource) -> Self {
        Self { records: Some(resource), ..Self::new(resource.name) }
    }
}

/// Get the group that the variable `GROUP` names.
///
/// # Errors
/// If it names none. A function that served all routes instead would hide the mistake behind its missing rights.
pub fn from_variable(name: Option<&str>) -> Result<&'static Group, String> {
    let name = name.unwrap_or_default();
    ALL.into_iter().find(|group| group.name == name).ok_or_else(|| {
        let names = ALL.map(|group| group.name).join(", ");
        format!("GROUP names no resource group: {name:?}. Set it to one of {names}.")
    })
}
