//! The scheduled function: completes interrupted deletions, deletes images without a record, and refreshes statistics.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::lambda::function::run_upkeep().await
}
