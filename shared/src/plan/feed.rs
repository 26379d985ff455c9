//! The feed: what it tells, in one order that never changes, numbered without gaps.
//!
//! An entry refers to what it tells of, and repeats nothing of it: what is deleted is gone here, too. All entries of one write follow
//! the number that `feed/head` has, which is the condition of the write. Of each change there is a mark, so that a change that comes
//! twice is told once.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use time::Duration;

use super::document::{from_document, to_document};
use super::item::{Item, from_item, number};
use super::packed::{pack, unpack};
use super::work::{Condition, Kind, Work};
use crate::error::{Error, Result, Violation};
use crate::resources;
use crate::schema::{Id, Key, Timestamp};

/// For so long an entry can be asked for.
const KEPT: Duration = Duration::days(7);
/// For so long a change is known to have been told: longer than a stream of DynamoDB keeps it, which is a day.
const MARKED: Duration = Duration::days(2);
/// The most that an alert shows, in bytes, packed: an item has at most 400 KB.
const LARGEST_ALERT: usize = 350_000;
/// The item that has the last number.
pub const FEED_HEAD: &str = "feed/head";
/// As many entries as fit into one transaction of 100 items, each with its mark, beside the head.
pub const MOST_TOLD: usize = 49;
const LAST: &str = "last";

/// The type of an alert about a record that is told again.
pub const REPLAYED: &str = "alert.replayed";
/// The type of an alert about what is nowhere but in it.
pub const TESTED: &str = "alert.tested";

/// What the feed tells at one number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The type of what has happened, such as `event.created`.
    pub kind: String,
    /// What it has happened to, such as `events/77`.
    pub subject: String,
    /// When.
    #[serde(rename = "at")]
    pub time: Timestamp,
}

/// The item of an entry.
#[derive(Serialize, Deserialize)]
struct EntryItem {
    #[serde(flatten)]
    entry: Entry,
    expires_at: i64,
}

/// The item of the mark of a change.
#[derive(Serialize, Deserialize)]
struct Mark {
    expires_at: i64,
}

/// The item of the feed's last number.
#[derive(Serialize, Deserialize)]
struct Head {
    last: u64,
}

/// The item of an alert; an alert about a record shows nothing of its own.
#[derive(Serialize, Deserialize)]
struct AlertItem {
    #[serde(with = "serde_bytes", default, skip_serializing_if = "Option::is_none")]
    shown: Option<Vec<u8>>,
    expires_at: i64,
}

/// A change that is to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What tells it from every other change, however often it comes.
    pub id: String,
    /// What is told of it.
    pub entry: Entry,
}

/// What becomes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// It was not there before.
    Created,
    /// It has changed in what a response shows.
    Updated,
    /// It is not there any more.
    Deleted,
}

impl Entry {
    /// What is told of what becomes of the item with this partition key, if anything.
    pub fn of(pk: &str, became: Became, time: Timestamp) -> Option<Self> {
        let entry = |kind: String, subject: &str| Self { kind, subject: subject.to_owned(), time };
        if let Some(alert) = pk.strip_prefix("alerts/").filter(|_| became == Became::Created) {
            let (_, about) = alert.split_once('/')?;
            return Some(match about {
                "test" => entry(TESTED.to_owned(), pk.strip_suffix("/test")?),
                subject => entry(REPLAYED.to_owned(), subject),
            });
        }
        let resource = resources::key(pk)?.resource;
        match became {
            Became::Created if resource.told.created => Some(entry(format!("{}.created", resource.singular), pk)),
            Became::Updated if resource.told.updated => Some(entry(format!("{}.updated", resource.singular), pk)),
            Became::Deleted if resource.told.deleted => Some(entry(format!("{}.deleted", resource.singular), pk)),
            _ => None,
        }
    }

    /// The record that it is about, where it is about one.
    pub fn record(&self) -> Option<Key> {
        resources::key(&self.subject)
    }

    /// The partition key of the alert that it has its data from.
    pub fn alert(&self) -> Option<String> {
        (self.kind == TESTED).then(|| format!("{}/test", self.subject))
    }

    /// Reads an item; `None` when it can't be asked for any more.
    pub fn load(item: &Item, now: Timestamp) -> Option<Self> {
        let EntryItem { entry, expires_at } = from_document(item)?;
        (expires_at > now.unix_seconds()).then_some(entry)
    }
}

/// The partition key of the entry with this number.
pub fn entry_key(number: u64) -> String {
    format!("feed/{number}")
}

/// The partition key of the mark of a change.
pub fn mark_key(change: &Change) -> String {
    format!("feed/of/{}", change.id)
}

/// The number of the last entry, by the item that has it.
pub fn last_number(head: Option<&Item>) -> u64 {
    head.and_then(from_document).map(|Head { last }| last).unwrap_or_default()
}

/// Whether two images of an item differ in a field that a response shows. What the item repeats of others is none.
pub fn is_shown_change(before: &Item, after: &Item) -> bool {
    let record = |item: &Item| from_item(|name| item.get(name).cloned());
    let (Some(before), Some(after)) = (record(before), record(after)) else { return false };
    let shown = after.key.resource.fields.iter().filter(|field| !field.hidden);
    shown.into_iter().any(|field| before.value(field.name) != after.value(field.name))
}

/// Leaves of several updates of one record the last: an entry shows the record as it is when it is read.
pub fn coalesced(changes: Vec<Change>) -> Vec<Change> {
    let is_update = |change: &Change| change.entry.kind.ends_with(".updated");
    let last: BTreeMap<_, _> = changes
        .iter()
        .enumerate()
        .map(|(position, change)| ((change.entry.kind.clone(), change.entry.subject.clone()), position))
        .collect();
    let is_last = |position: usize, change: &Change| {
        last.get(&(change.entry.kind.clone(), change.entry.subject.clone())) == Some(&position)
    };
    let kept =
        changes.into_iter().enumerate().filter(|(position, change)| !is_update(change) || is_last(*position, change));
    kept.map(|(_, change)| change).collect()
}

/// Of several changes those that are not told yet, each once.
pub fn untold<'a>(changes: &'a [Change], marked: &BTreeSet<String>) -> Vec<&'a Change> {
    let mut seen = BTreeSet::new();
    changes.iter().filter(|change| !marked.contains(&mark_key(change)) && seen.insert(&change.id)).collect()
}

/// Tells of changes, after the entry with the last number.
///
/// # Errors
/// Never: an entry is plain text.
pub fn tell(last: u64, changes: &[&Change], now: Timestamp) -> Result<Work> {
    let mut work = Work::default();
    let end = last + changes.len() as u64;
    let head = work.write_item(FEED_HEAD.to_owned());
    head.set = to_document(&Head { last: end })?;
    let known = (last > 0).then(|| number(last));
    head.when(Condition::Is(LAST.to_owned(), known));
    for (place, change) in (last + 1..).zip(changes) {
        let entry = work.write_item(entry_key(place));
        entry.kind = Kind::Put;
        entry.set = to_document(&EntryItem { entry: change.entry.clone(), expires_at: ends(now, KEPT) })?;
        entry.when(Condition::Missing);
        let mark = work.write_item(mark_key(change));
        mark.kind = Kind::Put;
        mark.set = to_document(&Mark { expires_at: ends(now, MARKED) })?;
        mark.when(Condition::Missing);
    }
    Ok(work)
}

/// Moves the head on without entries. What was read before a restore is then behind it: numbers are never used again.
///
/// # Errors
/// Never: the head is a number.
pub fn advance(last: u64, by: u64) -> Result<Work> {
    let mut work = Work::default();
    let head = work.write_item(FEED_HEAD.to_owned());
    head.set = to_document(&Head { last: last + by })?;
    head.when(Condition::Is(LAST.to_owned(), (last > 0).then(|| number(last))));
    Ok(work)
}

/// An alert: a record is told again, or what is shown is tried out.
///
/// # Errors
/// 422, where what is shown is more than an item has room for.
pub fn alert(id: Id, about: &str, shown: Option<&str>, now: Timestamp, work: &mut Work) -> Result<()> {
    let write = work.write_item(format!("alerts/{id}/{about}"));
    write.kind = Kind::Put;
    let shown = shown.map(|shown| pack(shown.as_bytes())).transpose()?;
    if shown.as_ref().is_some_and(|packed| packed.len() > LARGEST_ALERT) {
        let detail = "This is more than can be tried out: send less of it.";
        return Err(Error::invalid(vec![Violation::at("", detail)]));
    }
    // A day longer than its entry.
    write.set = to_document(&AlertItem { shown, expires_at: ends(now, KEPT + Duration::DAY) })?;
    write.when(Condition::Missing);
    Ok(())
}

/// What an alert shows.
pub fn shown_by_alert(item: &Item) -> Option<String> {
    let AlertItem { shown, .. } = from_document(item)?;
    String::from_utf8(unpack(&shown?).ok()?).ok()
}

fn ends(now: Timestamp, after: Duration) -> i64 {
    now.shifted(after).unwrap_or(now).unix_seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_follows_from_the_key_of_what_changes() {
        let now = Timestamp::now();
        let told = |pk: &str, became| Entry::of(pk, became, now).map(|entry| (entry.kind, entry.subject));
        let some = |kind: &str, subject: &str| Some((kind.to_owned(), subject.to_owned()));
        assert_eq!(told("events/7", Became::Created), some("event.created", "events/7"));
        assert_eq!(told("events/7", Became::Deleted), some("event.deleted", "events/7"));
        assert_eq!(told("stamps/7", Became::Created), some("stamp.created", "stamps/7"));
        assert_eq!(told("alerts/5/events/7", Became::Created), some("alert.replayed", "events/7"));
        assert_eq!(told("alerts/5/test", Became::Created), some("alert.tested", "alerts/5"));
        for pk in ["events/7/text/ab", "users/7", "feed/7", "feed/head", "users/platform_id/x", "alerts/5", "events"] {
            assert_eq!(told(pk, Became::Created), None, "{pk}");
        }
        assert_eq!(told("events/7", Became::Updated), some("event.updated", "events/7"));
        assert_eq!(told("stamps/7", Became::Deleted), some("stamp.deleted", "stamps/7"));
        assert_eq!(told("alerts/5/test", Became::Deleted), None);
        assert_eq!(told("users/7", Became::Updated), None);
    }
}
