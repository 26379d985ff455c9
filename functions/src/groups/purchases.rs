//! Purchases of products, their fulfilment and refunds.
//!
//! A path may go on from here to the buyer, and from a user to an event whose document has an image.

use event_capture::resources::PURCHASES;

use super::Group;

/// Group of purchases.
pub static GROUP: Group =
    Group { routes: &["/purchases", "/purchases/{proxy+}"], images: true, ..Group::of(&PURCHASES) };
