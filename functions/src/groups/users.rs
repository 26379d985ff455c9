//! Users: the viewers, with their wallets, and the start of most chained paths.
//!
//! The specification uses the singular in some paths, such as `/user/{id}/specimens`. The service accepts both.

use capture_core::resources::USERS;

use super::Group;

/// Group of users.
pub static GROUP: Group =
    Group { routes: &["/users", "/users/{proxy+}", "/user/{proxy+}"], images: true, ..Group::of(&USERS) };
