//! The function behind the socket: who may connect, and who is told.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::platform::function::run_socket().await
}
