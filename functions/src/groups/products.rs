//! Products that viewers buy.

use capture_core::resources::PRODUCTS;

use super::Group;

/// Group of products.
pub static GROUP: Group = Group { routes: &["/products", "/products/{proxy+}"], ..Group::of(&PRODUCTS) };
