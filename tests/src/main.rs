//! The service as `cargo run` starts it, for tests that kill it.

fn main() -> std::process::ExitCode {
    local_stack::main()
}
