//! The feed of all changes, and alerts.
//!
//! This function reads every record that an entry shows. It writes alerts but not records. The sequencer writes the
//! feed.

use super::Group;

/// Group of the feed.
pub static GROUP: Group = Group {
    routes: &["/feed", "/alerts"],
    reads: &["documents", "events", "feed", "overlays", "purchases", "stamps", "users"],
    writes: &["alerts", "keys"],
    ..Group::new("feed")
};
