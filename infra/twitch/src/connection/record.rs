//! What the data folder stores about the connection, without secrets: the channel, and when messages may be missing.

use event_capture::schema::Timestamp;
use serde::{Deserialize, Serialize};

/// Maximum number of gaps.
const MAX_GAPS: usize = 100;

/// Channel of the data folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Channel {
    /// Twitch's ID of the broadcaster.
    pub platform_id: String,
    /// Display name. None until an account has logged in.
    pub name: Option<String>,
}

/// An interval whose messages Twitch has not repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gap {
    /// Time of the last message before.
    pub from: Timestamp,
    /// Time of the first welcome after.
    pub to: Timestamp,
}

/// State of the connection that survives the process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    pub channel: Option<Channel>,
    /// Client ID that was used last.
    pub client_id: Option<String>,
    /// Newest first.
    pub gaps: Vec<Gap>,
    /// Time of the last message of which no earlier one is missing in the table. None if no gap can begin.
    pub stored_until: Option<Timestamp>,
    /// Outage that a logout has ended. It becomes a gap with the next welcome.
    pub ended_outage: Option<Gap>,
    /// The last welcome, until its session is subscribed. True if it ended a gap. It survives a restart, because an outage
    /// may include one.
    pub unsubscribed: Option<bool>,
}

impl Record {
    /// Add a gap. Those within it are parts of the same outage.
    fn add_gap(&mut self, gap: Gap) {
        self.gaps.retain(|existing| existing.from < gap.from);
        self.gaps.insert(0, gap);
        self.gaps.truncate(MAX_GAPS);
    }

    /// Note that the session of the last welcome is subscribed.
    pub(super) fn subscribed(&mut self) {
        self.unsubscribed = None;
    }
}

/// Intervals without messages, from the messages and welcomes of this process.
#[derive(Debug, Default)]
pub(super) struct Outages {
    /// Time of the last message. None if no gap can begin.
    last_message: Option<Timestamp>,
}

impl Outages {
    /// Continue after a restart.
    pub(super) fn since(record: &Record) -> Self {
        Self { last_message: record.stored_until }
    }

    /// Note a message.
    pub(super) fn message(&mut self, at: Timestamp) {
        self.last_message = self.last_message.max(Some(at));
    }

    /// Note the welcome of a new session. A session that ended before it was subscribed belongs to the same outage.
    pub(super) fn welcome(&mut self, record: &mut Record, at: Timestamp) {
        if let Some(gap) = record.ended_outage.take() {
            record.add_gap(gap);
        }
        let ends_gap = match (record.unsubscribed, self.last_message) {
            (Some(ended_gap), _) => {
                if let Some(gap) = record.gaps.first_mut().filter(|_| ended_gap) {
                    gap.to = at;
                }
                ended_gap
            }
            (None, Some(from)) => {
                record.add_gap(Gap { from, to: at });
                true
            }
            (None, None) => false,
        };
        record.unsubscribed = Some(ends_gap);
        self.message(at);
    }

    /// Note a logout. `is_away` is true if the socket was away before.
    pub(super) fn logout(&mut self, record: &mut Record, is_away: bool, at: Timestamp) {
        let outage = self.last_message.take().filter(|_| is_away);
        match (record.unsubscribed.take(), outage) {
            // The welcome before has not ended the outage.
            (Some(true), Some(_)) => record.gaps.iter_mut().take(1).for_each(|gap| gap.to = at),
            (_, Some(from)) => record.ended_outage = Some(Gap { from, to: at }),
            (_, None) => {}
        }
        record.stored_until = None;
    }
}

#[cfg(test)]
mod tests {
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
        record.subscribed();
        outages.message(at(5));
        outages.welcome(&mut record, at(9));
        outages.welcome(&mut record, at(12));
        record.subscribed();
        assert_eq!(gaps(&record), [(5, 12)]);
        outages.welcome(&mut record, at(20));
        assert_eq!(gaps(&record), [(12, 20), (5, 12)]);
    }

    #[test]
    fn restart_ends_at_the_first_welcome_and_replaces_what_it_covers() {
        let mut record =
            Record { gaps: vec![Gap { from: at(4), to: at(6) }], stored_until: Some(at(3)), ..Record::default() };
        Outages::since(&record).welcome(&mut record, at(9));
        assert_eq!(gaps(&record), [(3, 9)]);
    }

    #[test]
    fn outage_with_a_refused_login_and_a_restart_is_one_gap() {
        let (mut record, mut outages) = (Record::default(), Outages::default());
        outages.welcome(&mut record, at(1));
        record.subscribed();
        outages.message(at(5));
        outages.welcome(&mut record, at(7));
        record.stored_until = Some(at(5));
        Outages::since(&record).welcome(&mut record, at(12));
        record.subscribed();
        assert_eq!(gaps(&record), [(5, 12)]);
        let mut outages = Outages::since(&Record { stored_until: Some(at(14)), ..Record::default() });
        outages.welcome(&mut record, at(16));
        outages.logout(&mut record, true, at(18));
        assert_eq!(gaps(&record), [(14, 18), (5, 12)]);
        outages.welcome(&mut record, at(25));
        assert_eq!(gaps(&record), [(14, 18), (5, 12)]);
    }

    #[test]
    fn time_after_a_logout_belongs_to_no_gap() {
        let (mut record, mut outages) = (Record::default(), Outages::default());
        outages.welcome(&mut record, at(1));
        record.subscribed();
        outages.logout(&mut record, true, at(4));
        assert_eq!(gaps(&record), []);
        outages.welcome(&mut record, at(8));
        assert_eq!(gaps(&record), [(1, 4)]);
        record.subscribed();
        outages.logout(&mut record, false, at(9));
        outages.welcome(&mut record, at(12));
        assert_eq!(gaps(&record), [(1, 4)]);
    }
}
