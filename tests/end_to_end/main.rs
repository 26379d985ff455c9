//! Tests of the service over HTTP, through the gateway. A single binary links once, and its tests run in parallel.

mod api;
mod guarantees;
mod layers;
mod platform;
mod twitch;
