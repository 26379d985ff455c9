//! Running as a function: init, the routes and what each needs, who may call, what is logged and measured.

pub mod access;
pub mod asyncapi;
pub mod authorizer;
pub mod function;
pub mod http;
pub mod log;
pub mod openapi;
pub mod pages;
pub mod router;
pub mod sequencer;
pub mod socket;
pub mod upkeep;
