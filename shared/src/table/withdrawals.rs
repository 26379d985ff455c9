//! Marks of withdrawn periods. A service that takes back everything from some time, such as a cleared chat, may report
//! some of it later. The marks tell what comes late.
//!
//! The marks of some authors share an item, so that a report costs one small read. What is withdrawn of everybody is
//! marked in every item.

use std::fmt::Write as _;

use time::Duration;

use super::item::{Item, number};
use super::write::Condition;
use super::write_set::{EXPIRES_AT, WriteSet};
use crate::schema::{Stored, Timestamp, digest};

/// Number of items. With 64, the marks of 4,000 authors a day take one read unit per report and less. A transaction
/// writes all of them, and has at most 100 writes.
const ITEMS: u8 = 64;
/// Time for which a mark holds, at least. Reports come later than that only if they are sent again by hand.
const LIFETIME: Duration = Duration::hours(25);
/// Attribute of the periods that are withdrawn of everybody.
const EVERYBODY: &str = "everybody";

/// A period whose reports are withdrawn: after one time, and until another one, inclusively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// End of the time before it.
    pub since: Timestamp,
    #[expect(missing_docs, reason = "the name says it")]
    pub until: Timestamp,
}

/// Build the partition key of the item with the marks of an author, or of everybody.
pub fn withdrawals_key(author: Option<&str>) -> String {
    let item = author.map_or(0, |author| author_digest(author).bytes().fold(0, u8::wrapping_add) % ITEMS);
    item_key(item)
}

fn item_key(item: u8) -> String {
    format!("webhooks/withdrawn/{item}")
}

/// The digest hides who was withdrawn, and is a valid name of an attribute.
fn author_digest(author: &str) -> String {
    digest(author)
}

fn attribute(author: Option<&str>) -> String {
    author.map_or_else(|| EVERYBODY.to_owned(), author_digest)
}

/// Tell if the marks in an item cover a report of an author.
pub fn covers(item: &Item, author: &str, sent_at: Timestamp) -> bool {
    let periods = [None, Some(author)].into_iter().flat_map(|author| periods(item, &attribute(author)));
    periods.into_iter().any(|period| period.since < sent_at && sent_at <= period.until)
}

/// Plan the mark of a period, for an author or for everybody. `item` was read under [`withdrawals_key`].
pub fn mark_withdrawn(item: &Item, author: Option<&str>, period: Period, now: Timestamp, write_set: &mut WriteSet) {
    let name = attribute(author);
    let mut kept: Vec<_> = periods(item, &name).into_iter().filter(|kept| is_current(kept, now)).collect();
    kept.push(period);
    let value = Some(Stored::Text(written(&merged(kept))));
    let expires_at = number(now.shifted(2 * LIFETIME).unwrap_or(now).unix_seconds());
    let own = withdrawals_key(author);
    for pk in if author.is_some() { vec![own.clone()] } else { (0..ITEMS).map(item_key).collect() } {
        let write = write_set.write_item(pk);
        write.put_attribute(&name, value.clone()).put_attribute(EXPIRES_AT, Some(expires_at.clone()));
    }
    let write = write_set.write_item(own);
    write.when(Condition::Is(name.clone(), item.get(&name).cloned()));
    let is_over = |other: &&String| {
        let periods = periods(item, other);
        **other != name && !periods.is_empty() && !periods.iter().any(|period| is_current(period, now))
    };
    for other in item.keys().filter(is_over) {
        write.put_attribute(other, None);
    }
}

fn is_current(period: &Period, now: Timestamp) -> bool {
    now.shifted(-LIFETIME).is_none_or(|earliest| earliest < period.until)
}

/// Join periods that touch.
fn merged(mut periods: Vec<Period>) -> Vec<Period> {
    periods.sort_by_key(|period| period.since);
    let mut merged: Vec<Period> = Vec::new();
    for period in periods {
        match merged.last_mut() {
            Some(last) if period.since <= last.until => last.until = last.until.max(period.until),
            _ => merged.push(period),
        }
    }
    merged
}

/// Read the periods in an attribute. It has none if it is another kind of attribute.
fn periods(item: &Item, name: &str) -> Vec<Period> {
    let text = item.get(name).and_then(Stored::text).unwrap_or_default();
    let period = |text: &str| {
        let (since, until) = text.split_once('/')?;
        Some(Period { since: Timestamp::parse(since)?, until: Timestamp::parse(until)? })
    };
    text.split(' ').filter_map(period).collect()
}

fn written(periods: &[Period]) -> String {
    let mut text = String::new();
    for Period { since, until } in periods {
        let _ = write!(text, "{since}/{until} ");
    }
    text.truncate(text.trim_end().len());
    text
}
