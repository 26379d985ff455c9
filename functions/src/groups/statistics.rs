//! Statistics and totals of the channel, and leaderboards of its viewers.
//!
//! This function only reads: the upkeep computes the rollups. The statistics of one user are a path of users.

use event_capture::schema::Role;

use super::Group;

/// Group of statistics.
pub static GROUP: Group = Group {
    routes: &["/statistics", "/totals", "/leaderboards/{proxy+}"],
    reads: &["rollups", "users"],
    // The leaderboard of wallets, whether there is any event, and the events that totals count one by one.
    queries: &[Role::Sum, Role::Time, Role::State, Role::OtherText],
    ..Group::new("statistics")
};
