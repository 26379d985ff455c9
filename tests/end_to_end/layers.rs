//! Tests of single functions, by layer. They are here and not beside the functions, so that the library is compiled once.

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
