//! Purchases of products, their fulfilment and refunds.
//!
//! A path may continue from here to the buyer, and from a user to an event with a document that has an image.

use capture_core::resources::PURCHASES;

use super::Group;

/// Group of purchases.
pub static GROUP: Group =
    Group { routes: &["/purchases", "/purchases/{proxy+}"], images: true, ..Group::of(&PURCHASES) };
