//! Twitch's servers on this machine, for trying out the connection by hand: `cargo run -p end-to-end --bin
//! twitch-mock`.
//!
//! Prints the service's options. `POST /command` controls the mock, with the body that `Mock::command` takes. `GET /said`
//! lists the messages that the service has sent to the chat.

#[tokio::main]
async fn main() {
    let mock = end_to_end::twitch_mock::Mock::start().await;
    println!("cargo run -- --twitch-client-id mock {}", mock.arguments().join(" "));
    println!(
        "curl --json '{{\"command\": \"consent\", \"user_id\": \"1337\", \"name\": \"Ann\"}}' {}/command",
        mock.base
    );
    std::future::pending::<()>().await;
}
