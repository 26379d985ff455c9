//! The WebSocket: notifies clients of new feed entries. It does not send the entries.
//!
//! The gateway holds the connections and calls this function for their events. `$connect` accepts or rejects a
//! connection, `subscribe` starts its notifications, and `$disconnect` removes it. A browser cannot send an
//! `Authorization` header, so it offers its token as a subprotocol.
//!
//! The table's stream delivers each change of the feed's head to the follower, which pushes it. Its mapping collects
//! changes for a second. The sequencer therefore never waits for a client, and a client receives at most one message
//! per second.
//!
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-route-keys-connect-disconnect.html>

use http::StatusCode;
use serde_json::{Value, json};

use super::access;
use crate::error::Result;
use crate::feed::zero_padded;
use crate::schema::{Id, Timestamp};
use crate::store::{Listeners, Scope, SocketConnection, Store, StoredToken, Token};

/// Subprotocol of the messages.
const SUBPROTOCOL: &str = "cloudevents.json";
/// Prefix of the subprotocol that contains the token.
const BEARER: &str = "bearer.";
/// Header with the subprotocols that a client offers.
const OFFERED: &str = "sec-websocket-protocol";

/// Handles an event of the gateway.
///
/// # Errors
/// If the store fails.
pub async fn handle(store: &Store, event: &Value, now: Timestamp) -> Result<Value> {
    let context = &event["requestContext"];
    let id = context["connectionId"].as_str().unwrap_or_default();
    let status = match context["routeKey"].as_str().unwrap_or_default() {
        "$connect" => return connect(store, event, now).await,
        "subscribe" => match subscribe(store, id, event["body"].as_str(), now).await {
            Ok(StatusCode::OK) => StatusCode::OK,
            // The client reconnects, and `$connect` rejects it if its token is invalid.
            subscribed => {
                store.close_connection(id).await;
                subscribed?
            }
        },
        "$disconnect" => {
            store.delete_connections(&[id]).await?;
            StatusCode::OK
        }
        // A keep-alive message changes nothing.
        _ => StatusCode::OK,
    };
    Ok(json!({"statusCode": status.as_u16()}))
}

/// Adds a connection to the listeners, and posts the head to it. Returns 401 if the connection is closed or its token
/// is revoked, and 400 if the overlay in its message is not a number.
async fn subscribe(store: &Store, id: &str, message: Option<&str>, now: Timestamp) -> Result<StatusCode> {
    let message: Value = message.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let overlay = match message.get("overlay") {
        None => None,
        Some(Value::Number(number)) => number.as_u64().and_then(Id::new),
        Some(_) => return Ok(StatusCode::BAD_REQUEST),
    };
    let Some(connection) = store.connection(id, now).await? else { return Ok(StatusCode::UNAUTHORIZED) };
    if let Some(token) = &connection.token
        && !store.has_token(token).await?
    {
        return Ok(StatusCode::UNAUTHORIZED);
    }
    store.add_listener(id, &SocketConnection { overlay, in_obs: message["in_obs"] == true, ..connection }).await?;
    // Read the head after adding the listener: every later change is pushed to it.
    let closed = store.push(&[id], &pushed(store.feed_head().await?.last)).await;
    store.delete_connections(&closed).await?;
    Ok(StatusCode::OK)
}

/// Accepts or rejects a new connection.
async fn connect(store: &Store, event: &Value, now: Timestamp) -> Result<Value> {
    let headers = event["headers"].as_object().into_iter().flatten();
    let mut subprotocols = headers.filter(|(name, _)| name.eq_ignore_ascii_case(OFFERED));
    let offered = subprotocols.next().and_then(|(_, value)| value.as_str()).unwrap_or_default();
    let offered: Vec<_> = offered.split(',').map(str::trim).collect();
    // A gateway that does not require tokens, as on a single machine, grants access itself.
    let is_authorized = !event["requestContext"]["authorizer"][access::ACCESS].is_null();
    let token = if is_authorized { None } else { token(store, &offered, now).await? };
    let status = if token.is_none() && !is_authorized {
        StatusCode::UNAUTHORIZED
    } else {
        let (token, ends) = token.map(|token| (token.id, token.expires_at)).unzip();
        let id = event["requestContext"]["connectionId"].as_str().unwrap_or_default();
        store
            .add_connection(
                id,
                &SocketConnection { since: now, token, ends: ends.flatten(), overlay: None, in_obs: false },
            )
            .await?;
        StatusCode::OK
    };
    let mut response = json!({"statusCode": status.as_u16()});
    if offered.contains(&SUBPROTOCOL) {
        response["headers"] = json!({"Sec-WebSocket-Protocol": SUBPROTOCOL});
    }
    Ok(response)
}

/// Finds the token among the offered subprotocols. Every scope that may read the feed may listen. Viewers may not.
async fn token(store: &Store, offered: &[&str], now: Timestamp) -> Result<Option<StoredToken>> {
    let token = offered.iter().find_map(|subprotocol| subprotocol.strip_prefix(BEARER)).and_then(Token::from_text);
    let Some(token) = token else { return Ok(None) };
    Ok(store.token(&token.hash()).await?.filter(|token| !token.has_expired(now) && token.scope != Scope::Viewer))
}

/// Posts the head to all listeners. A failure is logged and not retried: each client also polls the feed.
pub(super) async fn push_head(store: &Store, now: Timestamp) {
    let push = async {
        let Listeners { open, expired } = store.listeners(now).await?;
        // `$disconnect` is not always sent. Without this, the groups would grow with every stream.
        store.delete_connections(&expired.iter().map(String::as_str).collect::<Vec<_>>()).await?;
        if open.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = open.iter().map(|(id, _)| id.as_str()).collect();
        let closed = store.push(&ids, &pushed(store.feed_head().await?.last)).await;
        store.delete_connections(&closed).await
    };
    if let Err(error) = push.await {
        tracing::warn!(%error, "the feed's head could not be pushed");
    }
}

fn pushed(head: u64) -> String {
    json!({"feed-head": zero_padded(head)}).to_string()
}
