//! Items in the inventories of users.
//!
//! A path may continue from here to the owner, and from a user to an event with a document that has an image.

use capture_core::resources::INVENTORY;

use super::Group;

/// Group of the inventory.
pub static GROUP: Group =
    Group { routes: &["/inventory", "/inventory/{proxy+}"], images: true, ..Group::of(&INVENTORY) };
