//! A minimal function, the baseline of `cold-start`.

use lambda_http::{Error, Request, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    run(service_fn(|_: Request| async { Ok::<_, Error>("hello") })).await
}
