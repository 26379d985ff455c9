//! The secrets that Twitch signs with. They are set at the start, or read from Secrets Manager every few minutes. A
//! rotation then needs no deployment.

use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use time::Duration;

use crate::schema::Timestamp;
use crate::store::Store;

/// How long a process relies on secrets that it has read.
pub const MAX_CACHE_AGE: Duration = Duration::minutes(5);
/// Minimum time between two reads because of an unknown signature. Anyone can send such a message.
pub const MIN_RELOAD_INTERVAL: Duration = Duration::seconds(10);

/// Secrets that a message may be signed with: the current one and, during a rotation, the previous one.
pub struct Secrets {
    /// Secret in Secrets Manager. `None` if the secrets were set at the start.
    arn: Option<String>,
    cache: Mutex<CachedSecrets>,
}

/// Secrets that a process has read.
#[derive(Clone, Default)]
pub struct CachedSecrets {
    /// The valid secrets.
    pub secrets: Vec<String>,
    /// Time when they were read. `None` if they were set at the start.
    pub read_at: Option<Timestamp>,
}

impl CachedSecrets {
    /// Returns true if the secrets were read less than `age` ago. The clock may have been set back since.
    pub fn is_fresh(&self, age: Duration, now: Timestamp) -> bool {
        self.read_at.is_some_and(|read_at| read_at <= now && Some(now) < read_at.checked_add(age))
    }
}

/// JSON of a secret in Secrets Manager.
#[derive(Deserialize)]
struct SecretVersions {
    current: String,
    #[serde(default)]
    previous: String,
}

impl Secrets {
    /// Creates secrets that never change.
    ///
    /// # Errors
    /// If a secret is invalid. The message describes the required format.
    pub fn fixed(current: String, previous: Option<String>) -> Result<Self, String> {
        let secrets: Vec<_> = [Some(current), previous].into_iter().flatten().collect();
        if !secrets.iter().all(|secret| is_valid(secret)) {
            return Err("TWITCH_SECRET and TWITCH_PREVIOUS_SECRET must have 10 to 100 ASCII characters.".to_owned());
        }
        Ok(Self { arn: None, cache: Mutex::new(CachedSecrets { secrets, read_at: None }) })
    }

    /// Creates secrets that are read from Secrets Manager, as `{"current": "…", "previous": "…"}`.
    pub fn in_secrets_manager(arn: String) -> Self {
        Self { arn: Some(arn), cache: Mutex::default() }
    }

    /// Returns the valid secrets. Reads them again after a few minutes. If that fails, the cached secrets remain valid.
    pub async fn cached(&self, store: &Store, now: Timestamp) -> Vec<String> {
        self.no_older_than(MAX_CACHE_AGE, store, now).await
    }

    /// Returns the valid secrets after an unknown signature. Reads them again to find a new secret.
    pub async fn reloaded(&self, store: &Store, now: Timestamp) -> Vec<String> {
        self.no_older_than(MIN_RELOAD_INTERVAL, store, now).await
    }

    async fn no_older_than(&self, age: Duration, store: &Store, now: Timestamp) -> Vec<String> {
        let cached = self.cache.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(arn) = self.arn.as_ref().filter(|_| !cached.is_fresh(age, now)) else { return cached.secrets };
        let secrets = store.secret(arn).await.ok().and_then(|text| parse_secrets(&text));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        match secrets {
            Some(secrets) => *cache = CachedSecrets { secrets, read_at: Some(now) },
            // The cached secrets remain valid, and the next attempt has to wait as long.
            None if !cache.secrets.is_empty() => cache.read_at = Some(now),
            None => {}
        }
        cache.secrets.clone()
    }
}

fn is_valid(secret: &str) -> bool {
    secret.is_ascii() && (10..=100).contains(&secret.len())
}

/// Parses the JSON of a secret. `None` if it is invalid.
pub fn parse_secrets(text: &str) -> Option<Vec<String>> {
    let versions: Option<SecretVersions> = serde_json::from_str(text).ok();
    let secrets = versions.map(|SecretVersions { current, previous }| [current, previous]).unwrap_or_default();
    let secrets: Vec<_> = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
    if secrets.is_empty() || !secrets.iter().all(|secret| is_valid(secret)) {
        tracing::error!(
            "invalid Twitch secret: it must be {{\"current\": …, \"previous\": …}}, each of 10 to 100 ASCII characters"
        );
        return None;
    }
    Some(secrets)
}
