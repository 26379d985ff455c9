//! Tests of Twitch EventSub: the webhook and the command.

pub(crate) mod command;
mod commands;
pub(crate) mod connection;
mod facts;
mod removal;
pub(crate) mod webhook;
