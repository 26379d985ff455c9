//! The function that serves the web pages. It needs neither the table nor the bucket.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    capture_core::lambda::function::serve_pages().await
}
