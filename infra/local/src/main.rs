//! `cargo run`: the whole service on one machine.

/// A sixth of a request's time is allocation: this one is quicker, for some megabytes more.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    local_stack::main()
}
