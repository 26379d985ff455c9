//! Rules: which events pay viewers, and how much.
//!
//! No link leads from a rule to another record, so this function has no right to any other. The follower pays.

use event_capture::resources::RULES;

use super::Group;

/// Group of rules.
pub static GROUP: Group = Group { routes: &["/rules", "/rules/{proxy+}"], ..Group::of(&RULES) };
