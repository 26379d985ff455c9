//! The scheduled function: completes interrupted deletions, deletes images without a record, and refreshes statistics.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    capture_core::lambda::function::run_upkeep().await
}
