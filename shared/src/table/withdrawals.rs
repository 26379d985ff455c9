//! Marks of withdrawn periods. A service that takes back everything from some time, such as a cleared chat, may report
//! some of it later. The marks identify these late reports.
//!
//! The marks of several authors share an item, so a report costs one small read. A withdrawal for everybody is marked
//! in every item.

use std::fmt::Write as _;

use time::Duration;

use super::item::{Item, number};
use super::tombstone::ClearedPeriod;
use super::write::Condition;
use super::write_set::{EXPIRES_AT, WriteSet};
use crate::schema::{StoredValue, Timestamp, digest};

/// Number of items. With 64, the marks of 4,000 authors a day cost at most one read unit per report. A transaction
/// writes all of them, and has at most 100 writes.
const ITEMS: u8 = 64;
/// Minimum time for which a mark holds. Later reports only arrive if they are sent again by hand.
const LIFETIME: Duration = Duration::hours(25);
/// Attribute of the periods that are withdrawn for everybody.
const EVERYBODY: &str = "everybody";

/// Returns the partition key of the item with the marks of an author, or of everybody.
pub fn withdrawals_key(author: Option<&str>) -> String {
    let item = author.map_or(0, |author| digest(author).bytes().fold(0, u8::wrapping_add) % ITEMS);
    item_key(item)
}

fn item_key(item: u8) -> String {
    format!("webhooks/withdrawn/{item}")
}

/// Reports that are withdrawn in a period.
#[derive(Clone, Copy, Debug)]
pub enum WithdrawalScope<'a> {
    Everybody,
    /// All reports of this author.
    Author(&'a str),
    /// The reports of this author that have a text with this digest.
    Text(&'a str, &'a str),
}

impl<'a> WithdrawalScope<'a> {
    /// Returns the author, if any.
    pub fn author(self) -> Option<&'a str> {
        match self {
            Self::Everybody => None,
            Self::Author(author) | Self::Text(author, _) => Some(author),
        }
    }

    /// Returns the name of the attribute. A digest hides who was withdrawn, and is a valid name.
    fn attribute(self) -> String {
        match self {
            Self::Everybody => EVERYBODY.to_owned(),
            Self::Author(author) => digest(author),
            Self::Text(author, text) => digest(&format!("{author} {text}")),
        }
    }
}

/// Returns true if the marks in an item cover a report of an author, with the digest of its text.
pub fn covers(item: &Item, author: &str, text: Option<&str>, sent_at: Timestamp) -> bool {
    let by_text = text.map(|text| WithdrawalScope::Text(author, text));
    let withdrawn = [WithdrawalScope::Everybody, WithdrawalScope::Author(author)].into_iter().chain(by_text);
    let mut periods = withdrawn.flat_map(|withdrawn| periods(item, &withdrawn.attribute()));
    periods.any(|period| period.contains(sent_at))
}

/// Plans the mark of a period. `item` must have been read under [`withdrawals_key`].
pub fn mark_withdrawn(
    item: &Item,
    withdrawn: WithdrawalScope<'_>,
    period: ClearedPeriod,
    now: Timestamp,
    write_set: &mut WriteSet,
) {
    let (author, name) = (withdrawn.author(), withdrawn.attribute());
    let mut current: Vec<_> = periods(item, &name).into_iter().filter(|period| is_current(period, now)).collect();
    current.push(period);
    let value = Some(StoredValue::Text(format_periods(&merged(current))));
    let expires_at = number(now.checked_add(2 * LIFETIME).unwrap_or(now).unix_seconds());
    let own = withdrawals_key(author);
    for pk in if author.is_some() { vec![own.clone()] } else { (0..ITEMS).map(item_key).collect() } {
        let write = write_set.write_item(pk);
        write.put_attribute(&name, value.clone()).put_attribute(EXPIRES_AT, Some(expires_at.clone()));
    }
    let write = write_set.write_item(own);
    write.require(Condition::Is(name.clone(), item.get(&name).cloned()));
    let is_over = |other: &&String| {
        let periods = periods(item, other);
        **other != name && !periods.is_empty() && !periods.iter().any(|period| is_current(period, now))
    };
    for other in item.keys().filter(is_over) {
        write.put_attribute(other, None);
    }
}

fn is_current(period: &ClearedPeriod, now: Timestamp) -> bool {
    now.checked_add(-LIFETIME).is_none_or(|earliest| earliest < period.until)
}

/// Joins periods that touch.
fn merged(mut periods: Vec<ClearedPeriod>) -> Vec<ClearedPeriod> {
    periods.sort_by_key(|period| period.since);
    let mut merged: Vec<ClearedPeriod> = Vec::new();
    for period in periods {
        match merged.last_mut() {
            Some(last) if period.since <= last.until => last.until = last.until.max(period.until),
            _ => merged.push(period),
        }
    }
    merged
}

/// Returns the periods in an attribute. Empty for other kinds of attributes.
fn periods(item: &Item, name: &str) -> Vec<ClearedPeriod> {
    let text = item.get(name).and_then(StoredValue::text).unwrap_or_default();
    let period = |text: &str| {
        let (since, until) = text.split_once('/')?;
        Some(ClearedPeriod { since: Timestamp::parse(since)?, until: Timestamp::parse(until)? })
    };
    text.split(' ').filter_map(period).collect()
}

fn format_periods(periods: &[ClearedPeriod]) -> String {
    let mut text = String::new();
    for ClearedPeriod { since, until } in periods {
        let _ = write!(text, "{since}/{until} ");
    }
    text.truncate(text.trim_end().len());
    text
}
