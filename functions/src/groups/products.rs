//! Products that viewers buy.

use event_capture::resources::PRODUCTS;

use super::Group;

/// Group of products.
pub static GROUP: Group = Group { routes: &["/products", "/products/{proxy+}"], ..Group::of(&PRODUCTS) };
