//! Specimens that users own, one of them active.
//!
//! A path may continue from here to the owner, and from a user to an event with a document that has an image.

use capture_core::resources::SPECIMENS;

use super::Group;

/// Group of specimens.
pub static GROUP: Group =
    Group { routes: &["/specimens", "/specimens/{proxy+}"], images: true, ..Group::of(&SPECIMENS) };
