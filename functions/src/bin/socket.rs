//! The function behind the WebSocket: accepts connections, and starts and ends their notifications.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    capture_core::lambda::function::run_socket().await
}
