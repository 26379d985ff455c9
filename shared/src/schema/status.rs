//! The status of a record, and the counters that a parent keeps of its children by status.

use super::attribute::Attr;
use super::scalar::{Identifier, Time};
use crate::error::Code;

/// A status that changes along fixed transitions.
#[derive(Debug)]
pub struct Status {
    /// Field with the status.
    pub field: &'static str,
    /// Status of a record before its first transition.
    pub initial: &'static str,
    /// Allowed transitions, each from one status to the next.
    pub transitions: &'static [(&'static str, &'static str)],
    /// Field with the time of the last transition.
    pub changed_at: &'static Attr<Time>,
    /// Other fields that only a transition sets.
    pub result: &'static [&'static str],
    /// Problem code if a transition is not allowed.
    pub refused: Code,
}

impl Status {
    /// Returns true if a record may change from one status to the next.
    pub fn allows(&self, current: &str, next: &str) -> bool {
        self.transitions.contains(&(current, next))
    }

    /// Returns the fields that a transition sets in addition to the status.
    pub fn fields_of_transition(&self) -> impl Iterator<Item = &'static str> {
        self.result.iter().copied().chain([self.changed_at.name])
    }
}

/// Counters that a parent keeps of its children, one for each record that they refer to.
#[derive(Debug)]
pub struct ChildCounters {
    /// Field of the child with the identifier of that record.
    pub group_by: &'static Attr<Identifier>,
    /// Field of the child to add up.
    pub amount: &'static str,
    /// Status of children that do not count.
    pub excluded_status: &'static str,
}
