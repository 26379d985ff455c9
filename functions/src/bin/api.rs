//! The functions that serve HTTP. The template deploys this binary once per resource group and names the group in
//! `GROUP`.

use functions::groups;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let group = groups::from_variable(std::env::var("GROUP").ok().as_deref())?;
    capture_core::lambda::function::serve(group.routes).await
}
