//! Overlays: the settings of the pages that streaming software shows.
//!
//! Overlays do not link to other records, so this function does not have rights to any others.

use capture_core::resources::OVERLAYS;

use super::Group;

/// Group of overlays.
pub static GROUP: Group = Group { routes: &["/overlays", "/overlays/{proxy+}"], ..Group::of(&OVERLAYS) };
