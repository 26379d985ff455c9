//! The channel, whose own user is no viewer.

use std::sync::{Arc, PoisonError, RwLock};

/// Platform's identifier of the channel, if it is configured. Clones share it, because a service on one machine learns
/// it when the channel logs in.
#[derive(Clone, Debug, Default)]
pub struct Channel(Arc<RwLock<Option<Arc<str>>>>);

impl Channel {
    /// Set the identifier at the start.
    pub fn new(platform_id: Option<String>) -> Self {
        Self(Arc::new(RwLock::new(platform_id.map(Arc::from))))
    }

    /// Get the current identifier.
    pub fn get(&self) -> Option<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replace the identifier.
    pub fn set(&self, platform_id: &str) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(platform_id.into());
    }
}
