//! Opt-outs: the viewers who do not want to be stored.
//!
//! An opt-out anonymizes the user, so this function writes users and everything that contains a viewer's text.

use capture_core::resources::OPT_OUTS;
use capture_core::schema::Role;

use super::Group;

/// Group of opt-outs.
pub static GROUP: Group = Group {
    routes: &["/opt-outs", "/opt-outs/{proxy+}"],
    writes: &["documents", "events", "inventory", "purchases", "stamps", "tombstones", "users"],
    queries: &[Role::Owner],
    deletes_images: true,
    ..Group::of(&OPT_OUTS)
};
