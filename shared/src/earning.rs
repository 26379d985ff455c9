//! Earning: rules pay viewers for the new events of the table's stream (ADR 20).
//!
//! Nothing is added to the write of an event. `lambda/follower` receives the new events, `plan` decides which payments
//! they are due, and `pay` stores those that are not stored yet. A payment is a transaction whose identifier derives from
//! its cause, so a batch that is delivered again pays nobody twice.

mod pay;
pub mod plan;
