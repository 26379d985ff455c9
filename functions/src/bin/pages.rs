//! The function that serves the web pages. It needs neither the table nor the bucket.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::lambda::function::serve_pages().await
}
