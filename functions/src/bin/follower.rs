//! The second function on the table's stream: pushes the head of the feed to the socket's connections, and pays viewers
//! by the rules of the channel.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::lambda::function::run_follower().await
}
