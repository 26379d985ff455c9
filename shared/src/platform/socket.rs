//! The socket: it says that the feed has something new, and nothing else.
//!
//! The gateway holds the connections, and calls for what happens to each: `$connect`, which decides, `subscribe`, from which on it is
//! told, and `$disconnect`. A browser can't send a header with its token: it offers it as a subprotocol.
//!
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-route-keys-connect-disconnect.html>

use http::StatusCode;
use serde_json::{Value, json};

use super::authorizer;
use crate::error::Result;
use crate::execute::in_digits;
use crate::schema::Timestamp;
use crate::store::{Store, Token};

/// The subprotocol, and how the one begins that has the token.
const SUBPROTOCOL: &str = "cloudevents.json";
const BEARER: &str = "bearer.";
const OFFERED: &str = "sec-websocket-protocol";
/// An audience belongs elsewhere.
const MOST: usize = 1_000;

/// Answers one event of the gateway.
///
/// # Errors
/// When the store fails.
pub async fn answer(store: &Store, event: &Value, now: Timestamp) -> Result<Value> {
    let store = store.for_request();
    let context = &event["requestContext"];
    let id = context["connectionId"].as_str().unwrap_or_default();
    let status = match context["routeKey"].as_str().unwrap_or_default() {
        "$connect" => return connect(&store, event, now).await,
        "subscribe" => {
            store.open_socket(id, now).await?;
            let text = message(store.feed_head().await?);
            if !store.push(&[id.to_owned()], &text).await.is_empty() {
                store.close_sockets(&[id]).await?;
            }
            StatusCode::OK
        }
        "$disconnect" => {
            store.close_sockets(&[id]).await?;
            StatusCode::OK
        }
        _ => StatusCode::OK,
    };
    Ok(json!({"statusCode": status.as_u16()}))
}

/// Decides whether a connection may be.
async fn connect(store: &Store, event: &Value, now: Timestamp) -> Result<Value> {
    let headers = event["headers"].as_object().into_iter().flatten();
    let mut offered = headers.filter(|(name, _)| name.eq_ignore_ascii_case(OFFERED));
    let offered = offered.next().and_then(|(_, value)| value.as_str()).unwrap_or_default();
    let offered: Vec<_> = offered.split(',').map(str::trim).collect();
    // Where no token is asked for, as on one machine, the gateway says so.
    let vouched = !event["requestContext"]["authorizer"][authorizer::CONTEXT].is_null();
    let status = if !vouched && !is_known(store, &offered, now).await? {
        StatusCode::UNAUTHORIZED
    } else if store.sockets(now).await?.len() >= MOST {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::OK
    };
    let mut answer = json!({"statusCode": status.as_u16()});
    if offered.contains(&SUBPROTOCOL) {
        answer["headers"] = json!({"Sec-WebSocket-Protocol": SUBPROTOCOL});
    }
    Ok(answer)
}

/// Whether a token is among what is offered: any scope may listen, for it may read the feed.
async fn is_known(store: &Store, offered: &[&str], now: Timestamp) -> Result<bool> {
    let token = offered.iter().find_map(|one| one.strip_prefix(BEARER)).and_then(Token::from_text);
    let Some(token) = token else { return Ok(false) };
    Ok(store.token(&token.hash()).await?.is_some_and(|token| !token.has_ended(now)))
}

/// Tells all who listen how far the feed is. What fails is no fault of the feed's, and is not done again.
pub async fn tell(store: &Store, head: u64, now: Timestamp) {
    let told = async {
        let open = store.sockets(now).await?;
        let gone = store.push(&open, &message(head)).await;
        store.close_sockets(&gone).await
    };
    if let Err(error) = told.await {
        tracing::warn!(%error, "the socket was not told");
    }
}

fn message(head: u64) -> String {
    json!({"feed-head": in_digits(head)}).to_string()
}
