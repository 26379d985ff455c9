//! The function behind `/health`, `/openapi.json`, and every path that is no route.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::function::serve_without_records().await
}
