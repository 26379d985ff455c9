//! State of the connection in the data folder, without secrets: the channel, and when messages may be missing.
//!
//! All times are Twitch's message timestamps, since the machine's clock may be changed. A session is *incomplete* from
//! its welcome until Twitch has responded for each subscription.
//!
//! | Event | `last_message`, in memory | The record |
//! | --- | --- | --- |
//! | message | its time | |
//! | stored | | `stored_until` is its time |
//! | welcome | its time | a gap since the last message; `is_incomplete` |
//! | welcome, `is_incomplete` | its time | the newest gap continues, from the last message at the latest |
//! | subscribed | the welcome's time, if it was none | not `is_incomplete`; then as if a message were stored |
//! | start of a process | `stored_until` | |
//! | logout | none | no `stored_until`; a current outage ends now |
//!
//! A gap requires a last message: before the first stored message of a login, nothing is known to be missing.

use std::time::Instant;

use capture_core::schema::Timestamp;
use serde::{Deserialize, Serialize};

/// Maximum number of gaps.
const MAX_GAPS: usize = 100;

/// The channel that a data folder is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Channel {
    /// Twitch user ID of the broadcaster.
    pub platform_id: String,
    /// Display name. `None` until an account has logged in.
    pub name: Option<String>,
}

/// A period with possibly missing messages, which Twitch does not repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gap {
    /// Time of the last message before the gap.
    pub from: Timestamp,
    /// Time of the first welcome after the gap.
    pub to: Timestamp,
}

/// A subscription that could not be created or has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FailedSubscription {
    /// Unique label: the type with its direction.
    pub label: String,
    /// Type, such as `channel.cheer`.
    pub name: String,
    pub reason: String,
    /// Whether it takes another login to fix this.
    pub is_forbidden: bool,
    /// Whether the subscription is retried.
    pub is_busy: bool,
}

/// Persistent state of the connection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    pub channel: Option<Channel>,
    /// Most recently used client ID.
    pub client_id: Option<String>,
    /// Gaps, newest first.
    pub gaps: Vec<Gap>,
    /// Time up to which all received messages are stored. `None` if no gap can start.
    pub stored_until: Option<Timestamp>,
    /// Outage that ended with a logout. The next welcome turns it into a gap.
    pub ended_outage: Option<Gap>,
    /// Whether the session after the newest gap is not subscribed yet. If it ends before that, the outage continues.
    pub is_incomplete: bool,
    /// Subscriptions that Twitch denies to the account, until the next login.
    pub forbidden: Vec<FailedSubscription>,
}

impl Record {
    /// Adds a gap, and merges it with adjacent and overlapping ones. Empty gaps are ignored.
    fn add_gap(&mut self, mut gap: Gap) {
        if gap.to <= gap.from {
            return;
        }
        let touches = |other: &mut Gap| other.from <= gap.to && gap.from <= other.to;
        let (from, to) = self
            .gaps
            .extract_if(.., touches)
            .fold((gap.from, gap.to), |(from, to), other| (from.min(other.from), to.max(other.to)));
        gap = Gap { from, to };
        let newer = self.gaps.iter().take_while(|other| other.from > gap.from).count();
        self.gaps.insert(newer, gap);
        if self.gaps.len() > MAX_GAPS
            && let Some(oldest) = self.gaps.pop()
            && let Some(next) = self.gaps.last_mut()
        {
            next.from = oldest.from;
        }
    }

    /// Records that everything up to a time is stored. From the first notification or subscribed session on (`begins`),
    /// messages may be missing. Returns true if this is that moment.
    pub(super) fn advance_stored_until(&mut self, until: Timestamp, begins: bool) -> bool {
        let is_first = self.stored_until.is_none() && begins;
        if is_first || self.stored_until.is_some() {
            self.stored_until = self.stored_until.max(Some(until));
        }
        is_first
    }
}

/// Tracks outages by the messages and welcomes that this process receives.
#[derive(Debug, Default)]
pub(super) struct Outages {
    /// Time of the last message. `None` if no gap can start.
    last_message: Option<Timestamp>,
    /// Time of the last welcome.
    welcome: Option<Timestamp>,
    /// Twitch's last timestamp, and when this process received it.
    clock: Option<(Timestamp, Instant)>,
}

impl Outages {
    /// Restores the state after a restart.
    pub(super) fn since(record: &Record) -> Self {
        Self { last_message: record.stored_until, ..Self::default() }
    }

    /// Records a message. Messages may be missing from the first notification on.
    pub(super) fn message(&mut self, at: Timestamp, is_notification: bool) {
        self.clock = Some((at, Instant::now()));
        if is_notification || self.last_message.is_some() {
            self.last_message = self.last_message.max(Some(at));
        }
    }

    /// Estimates the current time by Twitch's clock.
    pub(super) fn now(&self) -> Timestamp {
        let elapsed =
            |(at, since): (Timestamp, Instant)| at.checked_add(time::Duration::try_from(since.elapsed()).ok()?);
        self.clock.and_then(elapsed).unwrap_or_else(Timestamp::now)
    }

    /// Records the welcome of a new session.
    pub(super) fn welcome(&mut self, record: &mut Record, at: Timestamp) {
        if let Some(gap) = record.ended_outage.take() {
            record.add_gap(gap);
        }
        let outage = record.gaps.first().filter(|_| record.is_incomplete).map(|gap| gap.from);
        if let Some(from) = self.last_message.min(outage.or(self.last_message)) {
            record.add_gap(Gap { from, to: at });
            record.is_incomplete = true;
        }
        self.welcome = Some(at);
        self.message(at, false);
    }

    /// Records that the current session is subscribed. Returns the time of the last message.
    pub(super) fn subscribed(&mut self, record: &mut Record) -> Option<Timestamp> {
        record.is_incomplete = false;
        self.last_message = self.last_message.or(self.welcome);
        self.last_message
    }

    /// Records a logout. `is_away` is true if the socket was already disconnected.
    pub(super) fn logout(&mut self, record: &mut Record, is_away: bool) {
        let outage = record.gaps.first().filter(|_| record.is_incomplete).map(|gap| gap.from);
        if let Some(last) = self.last_message.take().filter(|_| is_away || outage.is_some()) {
            let from = outage.map_or(last, |from| from.min(last));
            // After a restart, the machine's clock is used, which may be slow.
            record.ended_outage = Some(Gap { from, to: self.now().max(last) });
        }
        (record.is_incomplete, record.stored_until) = (false, None);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::fmt::Write as _;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_seconds(seconds).expect("a time")
    }

    fn gaps(record: &Record) -> Vec<(i64, i64)> {
        record.gaps.iter().map(|gap| (gap.from.unix_seconds(), gap.to.unix_seconds())).collect()
    }

    #[test]
    fn first_connection_makes_no_gap_and_each_outage_makes_one() {
        let (mut record, mut outages) = (Record::default(), Outages::default());
        outages.welcome(&mut record, at(1));
        outages.welcome(&mut record, at(2));
        outages.subscribed(&mut record);
        outages.message(at(5), false);
        outages.welcome(&mut record, at(9));
        outages.welcome(&mut record, at(12));
        outages.subscribed(&mut record);
        assert_eq!(gaps(&record), [(5, 12)]);
        outages.message(at(13), false);
        outages.welcome(&mut record, at(20));
        assert_eq!(gaps(&record), [(13, 20), (5, 12)]);
        outages.subscribed(&mut record);
        outages.welcome(&mut record, at(25));
        assert_eq!(gaps(&record), [(13, 25), (5, 12)], "gaps that touch are one");
    }

    #[test]
    fn time_after_a_logout_belongs_to_no_gap() {
        let (mut record, mut outages) = (Record::default(), Outages::default());
        outages.welcome(&mut record, at(1));
        outages.subscribed(&mut record);
        outages.logout(&mut record, true);
        assert_eq!(gaps(&record), []);
        outages.welcome(&mut record, at(8));
        assert_eq!(gaps(&record), [(1, 1)], "the clock of this test stands still");
        outages.subscribed(&mut record);
        outages.logout(&mut record, false);
        outages.welcome(&mut record, at(12));
        assert_eq!(gaps(&record), [(1, 1)]);
    }

    #[test]
    fn oldest_of_more_than_a_hundred_gaps_become_one() {
        let mut record = Record::default();
        for number in 0..102 {
            record.add_gap(Gap { from: at(number * 10), to: at(number * 10 + 5) });
        }
        assert_eq!((record.gaps.len(), gaps(&record)[99]), (100, (0, 25)));
        assert_eq!(gaps(&record)[0], (1_010, 1_015));
    }

    /// A message in a history: its time, and whether it is stored.
    struct Sent {
        at: i64,
        is_stored: bool,
    }

    /// A queue entry: its time, the message, and whether messages may be missing from then on.
    type Queued = (Timestamp, Option<usize>, bool);

    /// Runs a random history of sessions, kills and logins. Returns its steps if a lost message is not in any gap.
    fn run_history(seed: u64) -> Result<(), String> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut record, mut outages, mut saved) = (Record::default(), Outages::default(), Record::default());
        let (mut sent, mut queue): (Vec<Sent>, VecDeque<Queued>) = (Vec::new(), VecDeque::new());
        let (mut now, mut is_open, mut is_logged_in, mut done) = (0, false, true, String::new());
        // Number of initial messages that need no gap, before the first stored message of a login.
        let mut excused = 0;
        let store = |sent: &mut Vec<Sent>, message: Option<usize>| {
            if let Some(message) = message {
                sent[message].is_stored = true;
            }
        };
        for _ in 0..rng.usize(5..40) {
            now += rng.i64(1..5);
            let step = rng.u32(..20);
            let _ = write!(done, "{now}: {step} {}; ", if is_open { "open" } else { "away" });
            match step {
                // Twitch sends a message, which arrives if the socket is open.
                0..=8 if is_logged_in => {
                    sent.push(Sent { at: now, is_stored: false });
                    if is_open {
                        outages.message(at(now), true);
                        queue.push_back((at(now), Some(sent.len() - 1), true));
                    } else if record.stored_until.is_none() && queue.iter().all(|(_, _, begins)| !begins) {
                        excused = sent.len();
                    }
                }
                // The service stores a message.
                9..=11 => {
                    if let Some((until, message, begins)) = queue.pop_front() {
                        store(&mut sent, message);
                        if record.advance_stored_until(until, begins) {
                            saved = record.clone();
                        }
                    }
                }
                12 => saved = record.clone(),
                // A session starts, is subscribed, and ends.
                13 | 14 if !is_open && is_logged_in => {
                    outages.welcome(&mut record, at(now));
                    queue.push_back((at(now), None, false));
                    (saved, is_open) = (record.clone(), true);
                }
                15 if is_open => {
                    let last = outages.subscribed(&mut record);
                    queue.extend(last.map(|last| (last, None, true)));
                    saved = record.clone();
                }
                16 => is_open = false,
                // The process is killed, and loses everything that is not stored.
                17 => {
                    if saved.stored_until.is_none() {
                        excused = sent.len();
                    }
                    queue.clear();
                    (record, is_open) = (saved.clone(), false);
                    outages = Outages::since(&record);
                }
                // Messages in the queue at a logout are stored later.
                18 if rng.bool() && is_logged_in => {
                    if outages.last_message.is_none() {
                        excused = sent.len();
                    }
                    queue.drain(..).for_each(|(_, message, _)| store(&mut sent, message));
                    outages.clock = Some((at(now), Instant::now()));
                    outages.logout(&mut record, !is_open);
                    (saved, is_open, is_logged_in) = (record.clone(), false, false);
                }
                19 => is_logged_in = true,
                _ => {}
            }
        }
        queue.drain(..).for_each(|(_, message, _)| store(&mut sent, message));
        // A final session reveals all gaps.
        if !is_open {
            outages.welcome(&mut record, at(now + 10));
        }
        let is_in = |gap: &Gap, sent: &Sent| gap.from <= at(sent.at) && at(sent.at) <= gap.to;
        for sent in sent.iter().skip(excused).filter(|sent| !sent.is_stored) {
            if !record.gaps.iter().any(|gap| is_in(gap, sent)) {
                let gaps = gaps(&record);
                return Err(format!("seed {seed}: the message of {} lies in no gap: {gaps:?}\n{done}", sent.at));
            }
        }
        let is_ordered = record.gaps.iter().all(|gap| gap.from < gap.to);
        let is_apart = record.gaps.windows(2).all(|gaps| gaps[1].to < gaps[0].from);
        (is_ordered && is_apart).then_some(()).ok_or(format!("seed {seed}: {:?}\n{done}", gaps(&record)))
    }

    #[test]
    fn every_message_that_is_sent_and_not_stored_lies_in_a_gap() {
        let failed: Vec<_> = (0..100_000).filter_map(|seed| run_history(seed).err()).collect();
        assert!(failed.is_empty(), "{} histories, such as\n{}", failed.len(), failed[0]);
    }
}
