//! The second function on the table's stream: pushes the feed's head to the socket's connections, pays viewers by the
//! channel's rules, and carries out chat commands.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    capture_core::lambda::function::run_follower().await
}
