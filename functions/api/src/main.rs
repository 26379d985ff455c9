//! The functions that serve HTTP: one binary, which the template deploys once for each resource group, with the routes
//! and the rights of that group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::platform::function::serve().await
}
