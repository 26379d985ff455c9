//! Event capture for live streams: what every function of the service is made of.
//!
//! The layers, from below: [`schema`], [`resources`], [`request`], [`plan`], [`store`], [`execute`], [`webhooks`],
//! [`platform`]. Each uses those before it and none after it; [`error`] is used by all. ARCHITECTURE.md has the map.

pub mod error;
pub mod execute;
pub mod plan;
pub mod platform;
pub mod request;
pub mod resources;
pub mod schema;
pub mod store;
pub mod webhooks;
