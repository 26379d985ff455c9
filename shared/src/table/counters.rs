//! Counters of a parent's children: the amount of each record that they refer to, and when the last child was created.
//!
//! All counters of a parent are one item next to its state. The deletion of the parent finds them there, and other
//! changes to the state do not become larger.

use std::borrow::Cow;

use super::item::{Item, counters_key, number};
use super::write::{Condition, Write};
use super::write_set::WriteSet;
use crate::error::Error;
use crate::schema::{Id, Record, StoredValue};

/// Counter of a child, in the item of its parent's counters.
pub(crate) struct Counter {
    pk: String,
    other: Id,
    /// Amount that the child adds.
    amount: i64,
    is_counted: bool,
}

impl Counter {
    /// Finds the counter of a record. `None` if its parent does not count it.
    pub(crate) fn of(child: &Record) -> Option<Self> {
        let counters = child.key.resource.belongs_to.as_ref()?.counters.as_ref()?;
        let status = child.key.resource.status.as_ref().and_then(|status| child.text(status.field));
        let (amount, is_counted) = (child.integer(counters.amount)?, status != Some(counters.excluded_status));
        Some(Self { pk: counters_key(child.parent()?), other: child.get(counters.group_by)?, amount, is_counted })
    }

    fn amount_name(&self) -> String {
        format!("count_{}", self.other)
    }

    fn time_name(&self) -> String {
        format!("last_{}", self.other)
    }

    fn write<'w>(&self, write_set: &'w mut WriteSet) -> &'w mut Write {
        write_set.write_item(self.pk.clone())
    }

    /// Counts a new child, and stores its time as that of the last child.
    pub(crate) fn add(&self, write_set: &mut WriteSet, nanoseconds: i128) {
        if self.is_counted {
            *self.write(write_set).add.entry(self.amount_name().into()).or_default() += self.amount;
        }
        self.write(write_set).put_attribute(&self.time_name(), Some(number(nanoseconds)));
    }

    /// Counts an imported child. `counters` is the item as read. The time of the last child never moves back.
    pub(crate) fn import(&self, write_set: &mut WriteSet, nanoseconds: i128, counters: Option<&Item>) {
        let stored = counters.and_then(|item| item.get(&self.time_name()));
        let last = stored.and_then(StoredValue::digits).and_then(|digits| digits.parse::<i128>().ok());
        self.write(write_set).require(Condition::Is(self.time_name(), stored.cloned()));
        self.add(write_set, last.map_or(nanoseconds, |last| last.max(nanoseconds)));
    }

    /// Requires that the counter is at most `max` after the write.
    pub(crate) fn limit(&self, write_set: &mut WriteSet, max: i64, error: Error) {
        self.write(write_set).require_or(Condition::Within(self.amount_name().into(), i64::MIN / 2, max), error);
    }

    /// Requires that the last child was not created after one time and until another, in nanoseconds since 1970.
    pub(crate) fn not_within(&self, write_set: &mut WriteSet, [after, until]: [i128; 2], error: Error) {
        self.write(write_set).require_or(Condition::NotWithin(Cow::Owned(self.time_name()), after, until), error);
    }
}

/// Stops counting a record on its parent if its new status does not count.
pub(crate) fn release_counter(before: &Record, after: &Record, write_set: &mut WriteSet) {
    let is_counted = |record: &Record| Counter::of(record).is_some_and(|counter| counter.is_counted);
    if let Some(counter) = Counter::of(before).filter(|counter| counter.is_counted && !is_counted(after)) {
        *counter.write(write_set).add.entry(counter.amount_name().into()).or_default() -= counter.amount;
    }
}
