//! Overlays: the settings of the pages that streaming software shows.
//!
//! No link leads from an overlay to another record, so this function has no right to any other.

use event_capture::resources::OVERLAYS;

use super::Group;

/// Group of overlays.
pub static GROUP: Group = Group { routes: &["/overlays", "/overlays/{proxy+}"], ..Group::of(&OVERLAYS) };
