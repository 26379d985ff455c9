//! The secrets that Twitch signs with: given at the start, or read from Secrets Manager and read again every few minutes.

use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use time::Duration;

use crate::schema::Timestamp;
use crate::store::Store;

/// How long what was read counts as current.
const CURRENT: Duration = Duration::minutes(5);
/// A message that no known secret has signed makes the secret be read again, but not more often than this: anybody can send one.
const AGAIN: Duration = Duration::seconds(10);

/// The secrets that a message may be signed with: the current one, and the one before, while it is being replaced.
pub struct Secrets {
    /// Where they are read from; none, for those that were given.
    arn: Option<String>,
    known: Mutex<CachedSecrets>,
}

#[derive(Clone, Default)]
struct CachedSecrets {
    secrets: Vec<String>,
    read_at: Option<Timestamp>,
}

/// A secret as it is kept in Secrets Manager.
#[derive(Deserialize)]
struct SecretVersions {
    current: String,
    #[serde(default)]
    previous: String,
}

impl Secrets {
    /// Secrets that stay as they are.
    ///
    /// # Errors
    /// Says what a secret must be.
    pub fn given(current: String, previous: Option<String>) -> Result<Self, String> {
        let secrets: Vec<_> = [Some(current), previous].into_iter().flatten().collect();
        if !secrets.iter().all(|secret| is_secret(secret)) {
            return Err("TWITCH_SECRET and TWITCH_PREVIOUS_SECRET are 10 to 100 ASCII characters".to_owned());
        }
        Ok(Self { arn: None, known: Mutex::new(CachedSecrets { secrets, read_at: None }) })
    }

    /// Secrets that are kept in Secrets Manager, as `{"current": "…", "previous": "…"}`.
    pub fn stored(arn: String) -> Self {
        Self { arn: Some(arn), known: Mutex::default() }
    }

    /// What a message may be signed with. What was read some minutes ago is read again; where that fails, it stays good.
    pub async fn current(&self, store: &Store, now: Timestamp) -> Vec<String> {
        self.no_older_than(CURRENT, store, now).await
    }

    /// The same, for a message that none of the known ones has signed: perhaps there is a new one.
    pub async fn newest(&self, store: &Store, now: Timestamp) -> Vec<String> {
        self.no_older_than(AGAIN, store, now).await
    }

    async fn no_older_than(&self, age: Duration, store: &Store, now: Timestamp) -> Vec<String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // The clock may have been put back.
        let fresh = known.read_at.is_some_and(|read_at| read_at <= now && Some(now) < read_at.shifted(age));
        let Some(arn) = self.arn.as_ref().filter(|_| !fresh) else { return known.secrets };
        let read = store.secret(arn).await.ok().and_then(|text| secrets_in(&text));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Some(secrets) => *known = CachedSecrets { secrets, read_at: Some(now) },
            // Those that were read before stay good, and another try has to wait as long.
            None if !known.secrets.is_empty() => known.read_at = Some(now),
            None => {}
        }
        known.secrets.clone()
    }
}

fn is_secret(text: &str) -> bool {
    text.is_ascii() && (10..=100).contains(&text.len())
}

fn secrets_in(text: &str) -> Option<Vec<String>> {
    let stored: Option<SecretVersions> = serde_json::from_str(text).ok();
    let secrets = stored.map(|SecretVersions { current, previous }| [current, previous]).unwrap_or_default();
    let secrets: Vec<_> = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
    let good = !secrets.is_empty() && secrets.iter().all(|secret| is_secret(secret));
    if !good {
        tracing::error!(
            "the secret of Twitch's messages must be {{\"current\": …, \"previous\": …}}, each of 10 to 100 ASCII characters"
        );
    }
    good.then_some(secrets)
}
