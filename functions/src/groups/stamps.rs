//! Stamps on documents.
//!
//! No image changes with a stamp, so this function has no right to them.

use event_capture::resources::STAMPS;

use super::Group;

/// Group of stamps.
pub static GROUP: Group = Group { routes: &["/stamps", "/stamps/{proxy+}"], ..Group::of(&STAMPS) };
