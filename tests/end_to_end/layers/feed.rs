//! Unit tests of `shared/src/feed`.

use capture_core::feed::entries::{ChangeKind, Entry, RecordChange, SequenceNumber};
use capture_core::feed::head::{FEED_HEAD, Head, advance, append, changes_after, checkpoint_key};
use capture_core::schema::{StoredValue, Timestamp};
use time::Duration;

#[test]
fn entry_type_and_subject_derive_from_the_item_key() {
    let now = Timestamp::now();
    let feed = |pk: &str, kind| Entry::of(pk, kind, now).map(|entry| (entry.kind, entry.subject));
    let some = |kind: &str, subject: &str| Some((kind.to_owned(), subject.to_owned()));
    assert_eq!(feed("events/7", ChangeKind::Created), some("event.created", "events/7"));
    assert_eq!(feed("events/7", ChangeKind::Deleted), some("event.deleted", "events/7"));
    assert_eq!(feed("stamps/7", ChangeKind::Created), some("stamp.created", "stamps/7"));
    assert_eq!(feed("alerts/5/events/7", ChangeKind::Created), some("alert.replayed", "events/7"));
    assert_eq!(feed("alerts/5/test", ChangeKind::Created), some("alert.tested", "alerts/5"));
    assert_eq!(feed("alerts/5/skip", ChangeKind::Created), some("alert.skipped", "alerts/5"));
    assert_eq!(feed("alerts/5/clear", ChangeKind::Created), some("alert.cleared", "alerts/5"));
    assert_eq!(feed("overlays/5", ChangeKind::Updated), some("overlay.updated", "overlays/5"));
    assert_eq!(feed("overlays/5", ChangeKind::Created), None);
    for pk in ["events/7/text/ab", "users/7", "feed/7", "feed/head", "users/platform_id/x", "alerts/5", "events"] {
        assert_eq!(feed(pk, ChangeKind::Created), None, "{pk}");
    }
    assert_eq!(feed("events/7", ChangeKind::Updated), some("event.updated", "events/7"));
    assert_eq!(feed("stamps/7", ChangeKind::Deleted), some("stamp.deleted", "stamps/7"));
    assert_eq!(feed("alerts/5/test", ChangeKind::Deleted), None);
    assert_eq!(feed("users/7", ChangeKind::Updated), None);
}

/// Returns the current time, at the stream's precision.
fn now() -> Timestamp {
    Timestamp::from_unix_millis(Timestamp::now().unix_millis() / 1_000 * 1_000).expect("a time")
}

fn change(number: u64) -> RecordChange {
    let entry = Entry::of(&format!("events/{}", 1_750_000_000_000_000 + number), ChangeKind::Created, now());
    let sequence_number = SequenceNumber(format!("{:028}", 4_421_584_500_000_000_017_450_439_091 + u128::from(number)));
    RecordChange { sequence_number, entry: entry.expect("an entry") }
}

fn shard(number: u64) -> String {
    format!("shardId-00000001414576573{number:03}-f55eea83")
}

/// Appends many changes from this number of shards. Returns the size of the largest head, in bytes.
fn largest_head(shards: u64) -> usize {
    let (mut head, mut largest) = (Head::default(), 0);
    for number in 0..400 {
        let change = change(number);
        let write_set = append(&head, Some(&shard(number % shards)), &[&change], Timestamp::now()).expect("a write");
        let item = &write_set.writes[FEED_HEAD].set;
        let bytes = |value: &StoredValue| value.clone().into_text().map_or(9, |text| text.len());
        largest = largest.max(item.iter().map(|(name, value)| name.len() + bytes(value)).sum::<usize>() + 11);
        head = Head::load(Some(item));
        assert_eq!(head.last, number + 1);
        assert_eq!(head.shard_checkpoint(&shard(number % shards)), Some(&change.sequence_number));
    }
    largest
}

#[test]
fn head_fits_in_one_write_unit_with_8_shards_and_in_three_with_50() {
    assert!(largest_head(8) <= 1_024, "{} bytes", largest_head(8));
    assert!(largest_head(50) <= 3 * 1_024, "{} bytes", largest_head(50));
}

#[test]
fn checkpoint_of_an_ended_shard_leaves_the_head() {
    let mut head = Head::default();
    for (number, hours) in [(1, 0), (2, 4), (3, 6)] {
        let now = now().checked_add(Duration::hours(hours)).expect("a time");
        let write_set = append(&head, Some(&shard(number)), &[&change(number)], now).expect("a write");
        head = Head::load(Some(&write_set.writes[FEED_HEAD].set));
        let stored = write_set.writes.get(&checkpoint_key(&shard(1)));
        assert_eq!(stored.is_some(), hours == 6, "{hours} hours");
    }
    assert_eq!((1..=3).filter(|number| head.shard_checkpoint(&shard(*number)).is_some()).count(), 2);
}

#[test]
fn advanced_head_starts_a_new_page() {
    let write_set = append(&Head::default(), None, &[&change(1), &change(2)], Timestamp::now()).expect("a write");
    let head = Head::load(Some(&write_set.writes[FEED_HEAD].set));
    assert_eq!(head.entries(Timestamp::now()).len(), 2);
    let write_set = advance(&head, 3).expect("a write");
    let head = Head::load(Some(&write_set.writes[FEED_HEAD].set));
    assert_eq!((head.last, head.entries(Timestamp::now()).len()), (5, 0));
    let write_set = append(&head, None, &[&change(3)], Timestamp::now()).expect("a write");
    let head = Head::load(Some(&write_set.writes[FEED_HEAD].set));
    assert_eq!(head.entries(Timestamp::now()).keys().copied().collect::<Vec<_>>(), [6]);
}

#[test]
fn sequence_numbers_compare_numerically() {
    let number = |digits: &str| SequenceNumber(digits.to_owned());
    assert!(number("9") < number("10") && number("10") < number("11"));
    let changes = [change(1), change(2), change(2), change(3)];
    let after = changes_after(&changes, Some(changes[0].sequence_number.clone()));
    assert_eq!(after, [&changes[1], &changes[3]]);
}
