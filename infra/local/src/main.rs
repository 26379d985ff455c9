//! `cargo run`: the whole service on one machine.

fn main() -> std::process::ExitCode {
    local_stack::main()
}
