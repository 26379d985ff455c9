//! Outcomes: what a request with a key of its own was answered with, kept in the unit of work that has its effect.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::Duration;

use super::item::{Item, number};
use super::packed::{pack, unpack};
use super::work::{Condition, EXPIRES_AT, Kind, Work};
use crate::error::{Error, Result};
use crate::schema::{Stored, Timestamp};

/// For so long the same request is answered with its outcome.
const KEPT: Duration = Duration::hours(24);
/// An item has at most 400 KB: a longer outcome is in several.
const PART: usize = 350_000;
const REQUEST: &str = "request";
const OUTCOME: &str = "outcome";
const PARTS: &str = "parts";

/// What a request was answered with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The status.
    pub status: u16,
    /// Where the new record is.
    pub location: Option<String>,
    /// The tag of the new record.
    pub etag: Option<String>,
    /// The body.
    pub body: String,
}

/// The key of a request, and who it is of.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// The partition key of the item that has the outcome.
    pub pk: String,
    /// What tells the request from others with the key.
    pub request: String,
}

/// What is known of a key.
#[derive(Debug, PartialEq)]
pub struct Known {
    /// What tells the request from others.
    pub request: String,
    /// The outcome's first part.
    first: Vec<u8>,
    /// How many parts more there are.
    more: usize,
}

impl Keyed {
    /// The key of a caller's request: another caller's is another one.
    pub fn new(caller: &str, key: &str, request: &str) -> Self {
        let digest = Sha256::digest(format!("{caller}\n{key}"));
        Self { pk: format!("keys/{}", hex::encode(&digest[..16])), request: request.to_owned() }
    }

    /// The partition keys of an outcome's further parts.
    pub fn parts(&self, known: &Known) -> Vec<String> {
        (1..=known.more).map(|part| self.part(part)).collect()
    }

    fn part(&self, part: usize) -> String {
        format!("{}/{part}", self.pk)
    }

    /// Keeps the outcome of a unit of work in it, unless the key has one.
    ///
    /// # Errors
    /// Never: an outcome is plain text.
    pub fn keep(&self, outcome: &Outcome, now: Timestamp, work: &mut Work) -> Result<()> {
        let text = serde_json::to_vec(outcome).map_err(|_| Error::fault())?;
        let packed = pack(&text)?;
        let seconds = now.unix_millis() / 1_000;
        let until = now.shifted(KEPT).unwrap_or(now).unix_millis() / 1_000;
        let parts = packed.chunks(PART).enumerate();
        for (part, bytes) in parts {
            let write = work.write_item(if part == 0 { self.pk.clone() } else { self.part(part) });
            write.kind = Kind::Put;
            write.set.insert(OUTCOME.to_owned(), Stored::Bytes(bytes.to_vec()));
            write.set.insert(EXPIRES_AT.to_owned(), number(until));
        }
        let write = work.write_item(self.pk.clone());
        write.set.insert(REQUEST.to_owned(), Stored::Text(self.request.clone()));
        write.set.insert(PARTS.to_owned(), number(packed.len().div_ceil(PART) - 1));
        // The table forgets what has expired hours later.
        write.or(Condition::MissingOrBefore(EXPIRES_AT, seconds), Error::repeated());
        Ok(())
    }
}

impl Known {
    /// Reads an item; `None` when it has expired.
    pub fn load(item: &Item, now: Timestamp) -> Option<Self> {
        let whole = |name: &str| item.get(name)?.digits()?.parse::<i128>().ok();
        let expired = whole(EXPIRES_AT)? < now.unix_millis() / 1_000;
        let (Stored::Bytes(first), request) = (item.get(OUTCOME)?, item.get(REQUEST)?.text()?) else { return None };
        let more = usize::try_from(whole(PARTS)?).ok()?;
        (!expired).then(|| Self { request: request.to_owned(), first: first.clone(), more })
    }

    /// The outcome, with its further parts.
    ///
    /// # Errors
    /// When one of them is not there.
    pub fn outcome(self, parts: &[Option<Item>]) -> Result<Outcome> {
        let mut packed = self.first;
        for part in parts {
            let Some(Stored::Bytes(bytes)) = part.as_ref().and_then(|part| part.get(OUTCOME)) else {
                return Err(Error::unavailable());
            };
            packed.extend_from_slice(bytes);
        }
        serde_json::from_slice(&unpack(&packed)?).map_err(|_| Error::fault())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_back_for_a_day_however_long_it_is() {
        let now = Timestamp::now();
        let keyed = Keyed::new("me", "key", "request");
        for length in [10, 3_000_000] {
            // What does not shrink.
            let body: String = (0..length).map(|_| fastrand::alphanumeric()).collect();
            let outcome = Outcome { status: 201, location: Some("/users/5".to_owned()), etag: None, body };
            let mut work = Work::default();
            keyed.keep(&outcome, now, &mut work).expect("it is kept");
            let item = |pk: &str| work.writes.get(pk).map(|write| write.set.clone());
            let known = Known::load(&item(&keyed.pk).expect("an item"), now).expect("it is known");
            assert_eq!(known.request, "request");
            let parts: Vec<_> = keyed.parts(&known).iter().map(|pk| item(pk)).collect();
            assert_eq!(parts.len() + 1, work.writes.len());
            assert_eq!(known.outcome(&parts).expect("an outcome"), outcome);
            let tomorrow = now.shifted(KEPT + Duration::seconds(2)).expect("a time");
            assert_eq!(Known::load(&item(&keyed.pk).expect("an item"), tomorrow), None);
        }
        assert_ne!(keyed.pk, Keyed::new("you", "key", "request").pk);
    }
}
