//! Stands in for AWS in front of a DynamoDB, for tests of the functions' binaries: `aws http://127.0.0.1:8000`. Prints
//! the variables with its endpoints.

#[tokio::main]
async fn main() {
    twitch::tls::install();
    let endpoint = std::env::args().nth(1).expect("the endpoint of a DynamoDB");
    let aws = end_to_end::aws::Aws::start(&endpoint).await;
    println!("EVENT_CAPTURE_DYNAMODB_ENDPOINT={} EVENT_CAPTURE_S3_ENDPOINT={}", aws.dynamodb, aws.s3);
    std::future::pending::<()>().await;
}
