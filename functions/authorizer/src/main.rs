//! The function that the gateway asks about tokens.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::platform::function::authorize().await
}
