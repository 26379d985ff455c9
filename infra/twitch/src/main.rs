//! The `twitch` command.

fn main() -> std::process::ExitCode {
    twitch::main()
}
