//! Event capture for live streams: the library that every Lambda function of the service uses.
//!
//! The layers, from the lowest: [`schema`], [`resources`], [`request`], [`table`], [`store`], [`operations`], [`webhooks`],
//! [`platform`]. A layer uses only the layers before it. All layers use [`error`]. ARCHITECTURE.md describes them.

pub mod error;
pub mod operations;
pub mod platform;
pub mod request;
pub mod resources;
pub mod schema;
pub mod store;
pub mod table;
pub mod webhooks;
