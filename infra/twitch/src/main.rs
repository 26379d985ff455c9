//! `twitch`: subscribes, checks, replays.

fn main() -> std::process::ExitCode {
    twitch::main()
}
