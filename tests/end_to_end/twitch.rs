//! Tests of Twitch EventSub: the webhook and the command.

pub(crate) mod command;
pub(crate) mod connection;
pub(crate) mod webhook;
