//! The status of a record, and the counters that a parent keeps of its children by their status.

use super::attribute::Attr;
use super::scalar::{Identifier, Time};
use crate::error::Code;

/// A status that changes along fixed transitions.
#[derive(Debug)]
pub struct Status {
    /// Field with the status.
    pub field: &'static str,
    /// Status of a record that waits for its first transition.
    pub initial: &'static str,
    /// Transitions that are allowed, each from a status to another one.
    pub transitions: &'static [(&'static str, &'static str)],
    /// Field with the time of the last transition.
    pub changed_at: &'static Attr<Time>,
    /// Further fields that only a transition sets.
    pub result: &'static [&'static str],
    /// Code of the problem if a transition is not allowed.
    pub refused: Code,
}

impl Status {
    /// Tell if a record may change from a status to another one.
    pub fn allows(&self, current: &str, next: &str) -> bool {
        self.transitions.contains(&(current, next))
    }

    /// List the fields that a transition sets, but for the status itself.
    pub fn fields_of_transition(&self) -> impl Iterator<Item = &'static str> {
        self.result.iter().copied().chain([self.changed_at.name])
    }
}

/// Counters that a parent keeps of its children, one for each record that they refer to.
#[derive(Debug)]
pub struct ChildCounters {
    /// Field of the child with the identifier of the other record.
    pub by: &'static Attr<Identifier>,
    /// Field of the child that is summed up.
    pub of: &'static str,
    /// Status of children that do not count.
    pub except: &'static str,
}
