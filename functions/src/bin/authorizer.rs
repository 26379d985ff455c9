//! The Lambda authorizer: reports the access of each request's token to the gateway.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    capture_core::lambda::function::authorize().await
}
