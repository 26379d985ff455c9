//! Tests of each resource and route against `docs/api.md`.

pub(crate) mod catalogue;
pub(crate) mod documents;
pub(crate) mod errors;
pub(crate) mod etags;
pub(crate) mod events;
pub(crate) mod feed;
pub(crate) mod idempotency;
pub(crate) mod images;
pub(crate) mod import;
pub(crate) mod inventory;
pub(crate) mod lists;
mod openapi;
pub(crate) mod overlays;
pub(crate) mod privacy;
pub(crate) mod routes;
pub(crate) mod shards;
pub(crate) mod sizes;
pub(crate) mod specimens;
pub(crate) mod stamps;
pub(crate) mod statistics;
pub(crate) mod texts;
pub(crate) mod tokens;
pub(crate) mod transactions;
pub(crate) mod users;
