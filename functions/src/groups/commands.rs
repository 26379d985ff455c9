//! Commands that viewers type in the channel's chat.
//!
//! Commands do not link to other records, so this function does not have rights to any others. The follower acts.

use capture_core::resources::COMMANDS;

use super::Group;

/// Group of commands.
pub static GROUP: Group = Group { routes: &["/commands", "/commands/{proxy+}"], ..Group::of(&COMMANDS) };
