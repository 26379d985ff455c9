//! The function on the table's stream: appends changes of records to the feed, and marks the statistics that they
//! affect.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    capture_core::lambda::function::run_sequencer().await
}
