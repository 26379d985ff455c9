//! Rules: which events pay viewers, and how much.
//!
//! Rules do not link to other records, so this function does not have rights to any others. The follower pays.

use capture_core::resources::RULES;

use super::Group;

/// Group of rules.
pub static GROUP: Group = Group { routes: &["/rules", "/rules/{proxy+}"], ..Group::of(&RULES) };
