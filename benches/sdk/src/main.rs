//! A function that answers each request with the SDK calls in the variable `CALLS`: a list of rounds, each with calls
//! that are made in parallel. `cold-start` sets it to the calls that a request to the service makes.

use std::collections::HashMap;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::SharedCredentialsProvider;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, ReturnConsumedCapacity};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use futures_util::future::try_join_all;
use lambda_http::{Error, Request, run, service_fn};
use serde_json::Value;

/// An item, a key, or the values of an expression.
type Map = HashMap<String, AttributeValue>;

/// A call and its parameters.
enum Call {
    Get { table: String, key: Map, strong: bool },
    Batch { table: String, keys: Vec<Map>, strong: bool },
    Query { body: Value, values: Map },
    Put { body: Value, item: Map, values: Option<Map> },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let calls: Value = serde_json::from_str(&std::env::var("CALLS")?)?;
    let rounds: Vec<Vec<Call>> =
        list(&calls).iter().map(|round| list(round).iter().filter_map(call).collect()).collect();
    let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    let config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(std::env::var("AWS_REGION")?))
        .credentials_provider(SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
        .endpoint_url(std::env::var("AWS_ENDPOINT_URL_DYNAMODB")?)
        .http_client(http)
        .build();
    let (client, rounds) = (&Client::new(&config), &rounds);
    run(service_fn(async |_: Request| {
        for round in rounds {
            try_join_all(round.iter().map(|call| call.make(client))).await?;
        }
        Ok::<_, Error>("made")
    }))
    .await
}

impl Call {
    async fn make(&self, client: &Client) -> Result<(), Error> {
        let capacity = ReturnConsumedCapacity::Total;
        match self {
            Self::Get { table, key, strong } => {
                let get = client.get_item().table_name(table).set_key(Some(key.clone())).consistent_read(*strong);
                get.return_consumed_capacity(capacity).send().await?;
            }
            Self::Batch { table, keys, strong } => {
                let keys =
                    KeysAndAttributes::builder().set_keys(Some(keys.clone())).consistent_read(*strong).build()?;
                let get = client.batch_get_item().request_items(table, keys);
                get.return_consumed_capacity(capacity).send().await?;
            }
            Self::Query { body, values } => {
                let query = client
                    .query()
                    .set_table_name(text(&body["TableName"]))
                    .set_index_name(text(&body["IndexName"]))
                    .set_key_condition_expression(text(&body["KeyConditionExpression"]))
                    .set_filter_expression(text(&body["FilterExpression"]))
                    .set_expression_attribute_names(names(body))
                    .set_expression_attribute_values(Some(values.clone()))
                    .set_scan_index_forward(body["ScanIndexForward"].as_bool())
                    .set_limit(body["Limit"].as_i64().and_then(|limit| i32::try_from(limit).ok()));
                query.return_consumed_capacity(capacity).send().await?;
            }
            Self::Put { body, item, values } => {
                // A different item each time, since the service creates one.
                let mut item = item.clone();
                item.insert("pk".to_owned(), AttributeValue::S(format!("measured/{}", fastrand::u64(..))));
                let put = client
                    .put_item()
                    .set_table_name(text(&body["TableName"]))
                    .set_item(Some(item))
                    .set_condition_expression(text(&body["ConditionExpression"]))
                    .set_expression_attribute_names(names(body))
                    .set_expression_attribute_values(values.clone());
                put.return_consumed_capacity(capacity).send().await?;
            }
        }
        Ok(())
    }
}

/// Reads a call from DynamoDB's JSON. Returns `None` for an operation that is not measured.
fn call(call: &Value) -> Option<Call> {
    let body = &call["body"];
    let strong = |body: &Value| body["ConsistentRead"].as_bool().unwrap_or_default();
    Some(match call["operation"].as_str()? {
        "GetItem" => Call::Get { table: text(&body["TableName"])?, key: map(&body["Key"])?, strong: strong(body) },
        "BatchGetItem" => {
            let (table, asked) = body["RequestItems"].as_object()?.iter().next()?;
            let keys = list(&asked["Keys"]).iter().filter_map(map).collect();
            Call::Batch { table: table.clone(), keys, strong: strong(asked) }
        }
        "Query" => Call::Query { values: map(&body["ExpressionAttributeValues"])?, body: body.clone() },
        "PutItem" => {
            Call::Put { item: map(&body["Item"])?, values: map(&body["ExpressionAttributeValues"]), body: body.clone() }
        }
        _ => return None,
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn names(body: &Value) -> Option<HashMap<String, String>> {
    body["ExpressionAttributeNames"]
        .as_object()?
        .iter()
        .map(|(name, value)| Some((name.clone(), text(value)?)))
        .collect()
}

fn map(value: &Value) -> Option<Map> {
    value.as_object()?.iter().map(|(name, value)| Some((name.clone(), attribute(value)?))).collect()
}

fn attribute(value: &Value) -> Option<AttributeValue> {
    let (kind, value) = value.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "S" => AttributeValue::S(text(value)?),
        "N" => AttributeValue::N(text(value)?),
        "BOOL" => AttributeValue::Bool(value.as_bool()?),
        "NULL" => AttributeValue::Null(true),
        "L" => AttributeValue::L(list(value).iter().map(attribute).collect::<Option<_>>()?),
        "M" => AttributeValue::M(map(value)?),
        _ => return None,
    })
}
