//! Statistics and totals of the channel, and leaderboards of its viewers.
//!
//! This function only reads: the upkeep computes the rollups. The statistics of a single user are a path of users.

use capture_core::schema::Role;

use super::Group;

/// Group of statistics.
pub static GROUP: Group = Group {
    routes: &["/statistics", "/totals", "/leaderboards/{proxy+}"],
    reads: &["rollups", "users"],
    // For the leaderboard of wallets, to find out if there are any events, and to count recent events one by one.
    queries: &[Role::Sum, Role::Time, Role::State, Role::Text2],
    ..Group::new("statistics")
};
