//! Webhooks: what others send about the channel, on top of the pipeline as any client of it.

pub mod twitch;
