//! The service as Lambda functions: entry points, routing, access control, API documents, logs and metrics.

pub mod access;
pub mod asyncapi;
pub mod authorizer;
mod compression;
mod errors;
pub mod follower;
#[cfg(feature = "aws")]
pub mod function;
pub mod gateway;
pub mod http;
pub mod log;
pub mod openapi;
pub mod pages;
pub mod router;
pub mod routes;
pub mod sequencer;
pub mod socket;
pub mod stream;
pub mod upkeep;

// For unit tests.
#[doc(hidden)]
pub use compression::{accepts_gzip, compress};
