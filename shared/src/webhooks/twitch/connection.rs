//! The connection to Twitch, as shown by `/connections/twitch`.
//!
//! On one machine, the process itself holds a WebSocket to Twitch and implements [`Connection`]. A Lambda function
//! cannot hold a socket, so a deployed service describes the webhook instead.

use futures_util::future::BoxFuture;
use http::{Method, StatusCode};
use serde_json::{Value as Json, json};

use super::Twitch;
use crate::error::Result;
use crate::operations::Execution;
use crate::request::{NewConnection, Request, check_method};
use crate::resources::{COMMANDS, commands};
use crate::response::Response;
use crate::store::Chat;

/// Members that only a caller with the scope `import` may see. Anyone with the code can complete the login.
const LOGIN_MEMBERS: [&str; 2] = ["user_code", "verification_uri"];

/// A connection that this process holds.
pub trait Connection: std::fmt::Debug + Send + Sync {
    /// Describes the connection as GET returns it. With `has_commands`, the missing scopes include that of answers.
    fn describe(&self, has_commands: bool) -> Json;

    /// Starts a login, or returns the pending one. Uses the client ID of the request, if it has one.
    ///
    /// # Errors
    /// 409 if a connection exists, 422 if the client ID is missing or refused, 503 if Twitch does not respond.
    fn connect(&self, client_id: Option<String>) -> BoxFuture<'_, Result<Json>>;

    /// Ends the connection and forgets the login. Returns the previous description.
    fn disconnect(&self) -> BoxFuture<'_, Json>;
}

/// Answers a request about the connection of this process. `shows_login` is true if the caller may see the code.
///
/// # Errors
/// 400, 415 and 422 for an invalid request, 503 if the store fails, and those of [`Connection::connect`].
pub async fn handle(
    connection: &dyn Connection,
    execution: &Execution,
    shows_login: bool,
    request: &Request,
) -> Result<Response> {
    match request.method {
        Method::POST => {
            NewConnection::check_headers(&request.headers)?;
            // A pending login already has its client, so the body is ignored.
            let is_pending = connection.describe(false)["state"] == "pending";
            let NewConnection { client_id } =
                if is_pending { NewConnection::default() } else { NewConnection::parse(request)? };
            let description = connection.connect(client_id).await?;
            Ok(Response { status: StatusCode::ACCEPTED, ..Response::json(&description) })
        }
        Method::DELETE => Ok(Response::json(&connection.disconnect().await)),
        _ => {
            let commands = execution.store.all_of(&COMMANDS).await?;
            let has_commands = commands.iter().any(|command| command.get(&commands::ENABLED) == Some(true));
            let mut description = connection.describe(has_commands);
            if !shows_login {
                for member in LOGIN_MEMBERS {
                    description[member] = Json::Null;
                }
            }
            let language = execution.store.chat().map(Chat::language).unwrap_or_default();
            let headers = vec![("content-language", language.tag().to_owned())];
            Ok(Response { headers, ..Response::json(&description) })
        }
    }
}

/// Answers a request to a deployed service, which has only the webhook.
///
/// # Errors
/// 405 for methods other than GET and HEAD; 503 if the store fails.
pub async fn handle_deployed(twitch: Option<&Twitch>, execution: &Execution, request: &Request) -> Result<Response> {
    check_method(&request.method, &[Method::GET, Method::HEAD])?;
    let (enabled, channel) = match twitch {
        Some(twitch) => (twitch.count_subscriptions(&execution.store).await?, Some(twitch.channel())),
        None => (0, None),
    };
    Ok(Response::json(&json!({
        "transport": "webhook",
        "state": if twitch.is_some() { "connected" } else { "none" },
        "client_id": null,
        "user_code": null,
        "verification_uri": null,
        "expires_at": null,
        "channel": channel.map(|channel| json!({"platform_id": channel, "name": null})),
        "missing_scopes": [],
        "subscriptions": {"enabled": enabled, "failed": []},
        "connected_at": null,
        "last_message_at": null,
        "gaps": [],
        "error": null,
    })))
}
