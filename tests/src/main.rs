//! The service as `cargo run` starts it, for tests that kill it. With `GATED=FOLDER`, a gate stands in front of its
//! stores.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    if let Some(folder) = std::env::var_os("GATED") {
        end_to_end::gate::serve(folder.as_ref());
        return std::process::ExitCode::SUCCESS;
    }
    event_capture::main()
}
