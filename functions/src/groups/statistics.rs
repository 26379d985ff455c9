//! Statistics of the channel, and leaderboards of its viewers.
//!
//! This function only reads: the upkeep computes the rollups. The statistics of one user are a path of users.

use event_capture::schema::Role;

use super::Group;

/// Group of statistics.
pub static GROUP: Group = Group {
    routes: &["/statistics", "/leaderboards/{proxy+}"],
    reads: &["rollups", "users"],
    // The leaderboard of wallets, and whether there is any event.
    queries: &[Role::Sum, Role::Time],
    ..Group::new("statistics")
};
