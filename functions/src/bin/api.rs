//! The functions that serve HTTP. The template deploys this binary once for each resource group, with the routes and
//! permissions of that group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    event_capture::platform::function::serve().await
}
