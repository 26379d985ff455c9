//! The service as `cargo run` starts it, for tests that kill it.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    local_stack::run(&local_stack::Options::parse())
}
