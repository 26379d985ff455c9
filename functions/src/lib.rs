//! The Lambda functions. `bin/` has a binary for each kind of trigger, and [`groups`] has the table of contents of the
//! HTTP API.
//!
//! The groups are a library because the local stack invokes them inside its own process.

pub mod groups;
