//! User counters: how records are counted, and how counters are merged and stored.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::schema::{Contribution, Id, Record, Statistics};

/// Counters by name: `<member>/<value>` for a count by field, otherwise the name of the measure.
pub type Counters = BTreeMap<String, u64>;

/// Counters by number, in ascending order.
type Numbered = Vec<(usize, u64)>;

/// Counters of every user in a period.
///
/// A large channel has millions of counters, so they are stored by number.
#[derive(Clone, Debug, Default)]
pub struct Tallies {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    users: BTreeMap<Id, Numbered>,
}

/// Stored form. Each user is a list of the identifier, then the number and the value of each counter.
#[derive(Serialize, Deserialize)]
struct Encoded {
    names: Vec<String>,
    users: Vec<Vec<u64>>,
}

/// Returns what a record contributes to the counters of its parent.
pub fn contribution(statistics: &Statistics, record: &Record) -> Counters {
    let by_field = statistics.counts.iter().filter_map(|count| {
        let value = record.text(count.field)?;
        Some((format!("{}/{value}", count.member), 1))
    });
    let measured = statistics.measures.iter().filter_map(|measure| {
        let value = match measure.adds {
            Contribution::Field(field) => record.integer(field).and_then(|value| u64::try_from(value).ok())?,
            Contribution::One { variant, null_or } => {
                let is_variant = variant.is_none() || record.variant() == variant;
                let is_value = null_or.is_none_or(|(field, value)| record.text(field).is_none_or(|text| text == value));
                u64::from(is_variant && is_value)
            }
        };
        Some((measure.name.to_owned(), value))
    });
    by_field.chain(measured).filter(|(_, value)| *value > 0).collect()
}

impl Tallies {
    /// Adds counters to those of a user.
    pub fn add(&mut self, user: Id, counters: &Counters) {
        let numbered: Vec<_> = counters.iter().map(|(name, value)| (self.number(name), *value)).collect();
        add_all(self.users.entry(user).or_default(), numbered);
    }

    /// Adds the counters of another period.
    pub fn merge(&mut self, other: Self) {
        let numbers: Vec<_> = other.names.iter().map(|name| self.number(name)).collect();
        for (user, counters) in other.users {
            let numbered = counters.into_iter().map(|(number, value)| (numbers[number], value));
            add_all(self.users.entry(user).or_default(), numbered);
        }
    }

    /// Returns the number of a counter. A new counter gets the next number.
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Returns the number of users.
    pub fn user_count(&self) -> usize {
        self.users.len()
    }

    /// Returns the number of counters of all users.
    pub fn counter_count(&self) -> usize {
        self.users.values().map(Vec::len).sum()
    }

    /// Returns the sums over all users.
    pub fn totals(&self) -> Counters {
        let mut totals = vec![0u64; self.names.len()];
        for (number, value) in self.users.values().flatten() {
            totals[*number] = totals[*number].saturating_add(*value);
        }
        self.names.iter().cloned().zip(totals).filter(|(_, total)| *total > 0).collect()
    }

    /// Returns the counters of one user.
    pub fn of(&self, user: Id) -> Counters {
        let counters = self.users.get(&user).into_iter().flatten();
        counters.map(|(number, value)| (self.names[*number].clone(), *value)).collect()
    }

    /// Ranks the users by a counter, highest first. Equal values are ordered by identifier.
    pub fn ranking(&self, counter: &str) -> Vec<(Id, u64)> {
        let Some(number) = self.numbers.get(counter) else { return Vec::new() };
        let value = |counters: &[(usize, u64)]| {
            counters.iter().find(|(candidate, _)| candidate == number).map(|(_, value)| *value)
        };
        let mut ranking: Vec<_> =
            self.users.iter().filter_map(|(user, counters)| Some((*user, value(counters)?))).collect();
        ranking.sort_by_key(|(user, value)| (std::cmp::Reverse(*value), *user));
        ranking
    }

    /// Serializes the users of each of `parts` parts to the stored form. Equal tallies have equal forms.
    ///
    /// # Errors
    /// 500 if JSON cannot be written, which does not happen.
    pub fn encode(&self, parts: u64) -> Result<Vec<Vec<u8>>> {
        let mut by_part: BTreeMap<u64, Vec<(Id, &Numbered)>> = BTreeMap::new();
        for (user, counters) in &self.users {
            by_part.entry(part_of(*user, parts)).or_default().push((*user, counters));
        }
        let encode = |part| {
            let users = by_part.remove(&part).unwrap_or_default();
            let used: BTreeSet<_> =
                users.iter().flat_map(|(_, counters)| counters.iter()).map(|(number, _)| *number).collect();
            let mut used: Vec<_> = used.into_iter().map(|number| (&self.names[number], number)).collect();
            used.sort_unstable();
            let renumbered: BTreeMap<usize, u64> = used.iter().map(|(_, number)| *number).zip(0..).collect();
            let users = users.into_iter().map(|(user, counters)| {
                let mut numbered: Vec<_> =
                    counters.iter().map(|(number, value)| (renumbered[number], *value)).collect();
                numbered.sort_unstable();
                let counters = numbered.into_iter().flat_map(|(number, value)| [number, value]);
                std::iter::once(user.number()).chain(counters).collect()
            });
            let encoded =
                Encoded { users: users.collect(), names: used.iter().map(|(name, _)| (*name).clone()).collect() };
            serde_json::to_vec(&encoded).map_err(|_| Error::fault())
        };
        (0..parts).map(encode).collect()
    }

    /// Parses the stored form.
    ///
    /// # Errors
    /// 500 if it is malformed.
    pub fn decode(text: &[u8]) -> Result<Self> {
        let Encoded { names, users } = serde_json::from_slice(text).map_err(|_| Error::fault())?;
        let decode = |user: Vec<u64>| {
            let (id, counters) = user.split_first()?;
            let (pairs, _) = counters.as_chunks();
            let counter = |[number, value]: &[u64; 2]| {
                usize::try_from(*number).ok().filter(|number| *number < names.len()).map(|number| (number, *value))
            };
            Some((Id::new(*id)?, pairs.iter().map(counter).collect::<Option<_>>()?))
        };
        let users = users.into_iter().map(decode).collect::<Option<_>>().ok_or_else(Error::fault)?;
        let numbers = names.iter().cloned().zip(0..).collect();
        Ok(Self { names, numbers, users })
    }
}

/// Returns the part that holds a user. The low bits of identifiers are random.
pub fn part_of(user: Id, parts: u64) -> u64 {
    user.number() % parts.max(1)
}

/// Adds counters to others. Each number then occurs once.
fn add_all(counters: &mut Numbered, more: impl IntoIterator<Item = (usize, u64)>) {
    counters.extend(more);
    counters.sort_unstable_by_key(|(number, _)| *number);
    counters.dedup_by(|duplicate, kept| {
        let is_same = duplicate.0 == kept.0;
        if is_same {
            kept.1 = kept.1.saturating_add(duplicate.1);
        }
        is_same
    });
}
