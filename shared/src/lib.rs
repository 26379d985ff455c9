//! Event capture for live streams: what every function of the service is made of.
//!
//! A request's way: [`http`] → [`route`] → [`operation`] → [`execute`] → [`store`] → [`http`]. The nouns are in
//! [`resources`], as data; the verbs never name one. ARCHITECTURE.md has the map.

pub mod access;
pub mod authorizer;
pub mod body;
pub mod error;
pub mod execute;
pub mod function;
pub mod http;
pub mod ids;
pub mod image;
pub mod log;
pub mod openapi;
pub mod operation;
pub mod query;
pub mod record;
pub mod resource;
pub mod resources;
pub mod route;
pub mod store;
pub mod twitch;
pub mod upkeep;
pub mod value;
