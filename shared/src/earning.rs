//! Earning: rules pay viewers for new events from the table's stream (ADR 20).
//!
//! Earning adds nothing to the write of an event. `lambda/follower` receives the new events, `plan` decides which
//! payments are due, and `pay` stores those that are not stored yet. A payment is a transaction with an identifier that
//! derives from its cause, so a redelivered batch pays no viewer twice. The command `payments` finds and makes those that a lost batch left out.

mod pay;
pub mod plan;
