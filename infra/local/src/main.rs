//! `cargo run`: the whole service on one machine.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    local_stack::run(&local_stack::Options::parse())
}
