//! The scheduled function: completes interrupted deletions, and deletes images without a record.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::platform::function::run_upkeep().await
}
