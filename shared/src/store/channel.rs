//! The service's channel. Its own user does not count as a viewer.

use std::sync::{Arc, PoisonError, RwLock};

/// The platform's identifier of the channel, if configured. Clones share it: a service on one machine learns it only
/// when the channel logs in.
#[derive(Clone, Debug, Default)]
pub struct Channel(Arc<RwLock<Option<Arc<str>>>>);

impl Channel {
    /// Creates a channel with the configured identifier.
    pub fn new(platform_id: Option<String>) -> Self {
        Self(Arc::new(RwLock::new(platform_id.map(Arc::from))))
    }

    /// Returns the current identifier.
    pub fn get(&self) -> Option<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the identifier.
    pub fn set(&self, platform_id: &str) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(platform_id.into());
    }
}
