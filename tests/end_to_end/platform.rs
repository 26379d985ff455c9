//! Tests of the template, the architecture, upgrades, logs and prices.

pub(crate) mod architecture;
mod aws_runtime;
pub(crate) mod commands;
pub(crate) mod functions;
mod instructions;
pub(crate) mod names;
pub(crate) mod observability;
pub(crate) mod price;
pub(crate) mod request_path;
mod stored_items;
pub(crate) mod template;
pub(crate) mod upgrades;
