//! Unit tests of the library, by layer. They are here, not next to the functions, so the library is compiled only once.

#[cfg(feature = "aws")]
mod aws;
mod earning;
mod feed;
mod lambda;
mod operations;
mod request;
mod schema;
mod statistics;
mod store;
mod table;
mod webhooks;
