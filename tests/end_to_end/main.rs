//! The service over HTTP, through the gateway. One binary: it links once, and its tests run in parallel.

mod catalogue;
mod concurrency;
mod cost;
mod crash;
mod documents;
mod errors;
mod events;
mod faults;
mod images;
mod inventory;
mod lists;
mod observability;
mod oracle;
mod price;
mod robustness;
mod routes;
mod specimens;
mod stamps;
mod template;
mod tokens;
mod transactions;
mod twitch;
mod twitch_command;
mod upgrades;
mod users;
