//! Tests of guarantees that hold for every request: no lost or duplicated effects, bounded cost, and a serial order.

pub(crate) mod archive;
pub(crate) mod backlog;
pub(crate) mod concurrency;
pub(crate) mod cost;
pub(crate) mod crash;
#[cfg(feature = "aws")]
mod dynamodb;
mod earning;
pub(crate) mod fault_injection;
pub(crate) mod faults;
pub(crate) mod large;
pub(crate) mod linearizability;
pub(crate) mod list_oracle;
pub(crate) mod model;
pub(crate) mod privacy;
pub(crate) mod robustness;
pub(crate) mod simulation;
pub(crate) mod statistics;
pub(crate) mod sweep;
pub(crate) mod throughput;
pub(crate) mod transfer;
#[cfg(feature = "aws")]
mod two_tables;
pub(crate) mod uploads;
