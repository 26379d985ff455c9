//! Webhooks that receive events about the channel from other services. They use the pipeline like any other client.

pub mod twitch;
