//! The Lambda functions. `bin/` has one binary per kind of trigger, and [`groups`] is the table of contents of the HTTP
//! API.
//!
//! The groups are a library so the local stack can run them in its own process.

pub mod groups;
