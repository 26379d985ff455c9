//! Event capture for live streams: the library that every Lambda function of the service uses.
//!
//! The layers, from the lowest: [`schema`], [`resources`], [`request`], [`table`], [`store`], [`operations`], [`economy`],
//! [`feed`], [`statistics`], [`earning`], [`webhooks`], [`lambda`]. A layer uses only the layers before it. All layers use [`error`] and
//! [`response`]. ARCHITECTURE.md describes them.
//!
//! Without the feature `service`, the crate has only the layers that do no I/O, and needs no AWS crate. The fuzz targets use
//! it so.

#![cfg_attr(not(feature = "service"), expect(dead_code, unused_imports, reason = "used by the layers that do I/O"))]

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
