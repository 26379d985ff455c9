//! Tests of single functions, by layer. They are here and not beside the functions, so that the library is compiled once.

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
