//! Stamps on documents.
//!
//! Stamps do not change images, so this function does not have rights to them.

use capture_core::resources::STAMPS;

use super::Group;

/// Group of stamps.
pub static GROUP: Group = Group { routes: &["/stamps", "/stamps/{proxy+}"], ..Group::of(&STAMPS) };
