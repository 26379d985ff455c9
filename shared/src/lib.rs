//! Event capture for live streams: the library behind every Lambda function of the service.
//!
//! The layers, from the bottom up: [`schema`], [`resources`], [`request`], [`table`], [`store`], [`operations`],
//! [`economy`], [`feed`], [`statistics`], [`earning`], [`commands`], [`webhooks`], [`lambda`]. A layer uses only the layers before
//! it, and every layer may use [`error`] and [`response`]. ARCHITECTURE.md describes them.
//!
//! Without the `service` feature, the crate has only the layers without I/O and does not depend on an AWS crate. The
//! fuzz targets build it this way.

#![cfg_attr(not(feature = "service"), expect(dead_code, unused_imports, reason = "used by the layers that do I/O"))]

#[cfg(feature = "service")]
pub mod commands;
#[cfg(feature = "service")]
pub mod earning;
#[cfg(feature = "service")]
pub mod economy;
pub mod error;
#[cfg(feature = "service")]
pub mod feed;
#[cfg(feature = "service")]
pub mod lambda;
#[cfg(feature = "service")]
pub mod operations;
pub mod request;
pub mod resources;
pub mod response;
pub mod schema;
#[cfg(feature = "service")]
pub mod statistics;
#[cfg(feature = "service")]
pub mod store;
pub mod table;
pub mod webhooks;
