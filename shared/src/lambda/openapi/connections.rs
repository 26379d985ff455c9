//! The operations of the connection to Twitch, and of the overlays' connections.

use serde_json::{Value as Json, json};

use super::{ALWAYS, BEHIND_TOKEN, SERVICE, WITH_BODY, WITHOUT_QUERY, with_codes, with_headers};
use crate::error::Code;
use crate::schema::MAX_INTEGER;

/// Describe a text that may be null.
fn text(meaning: &str, example: &str) -> Json {
    json!({"type": ["string", "null"], "examples": [example], "description": meaning})
}

/// Describe a time that may be null.
fn time(meaning: &str) -> Json {
    json!({"type": ["string", "null"], "format": "date-time", "examples": ["2026-11-20T18:30:00Z"], "description": meaning})
}

/// Describe an object. All members are always present.
fn object(title: &str, properties: &Json) -> Json {
    let required: Vec<_> = properties.as_object().into_iter().flat_map(serde_json::Map::keys).collect();
    json!({"title": title, "type": "object", "required": required, "properties": properties})
}

/// Describe the connection.
fn connection() -> Json {
    let failed = object(
        "FailedSubscription",
        &json!({
            "type": {"type": "string", "examples": ["channel.bits.use"], "description": "Type of the subscription."},
            "reason": {"type": "string", "examples": ["subscription missing proper authorization"], "description": "Twitch's reason."},
        }),
    );
    let subscriptions = object(
        "TwitchSubscriptions",
        &json!({
            "enabled": {"type": "integer", "minimum": 0, "examples": [29], "description": "Number of subscriptions that Twitch holds."},
            "failed": {"type": "array", "items": failed, "examples": [[]], "description": "Subscriptions that failed."},
        }),
    );
    let channel = object(
        "TwitchChannel",
        &json!({
            "platform_id": {"type": "string", "examples": ["1337"], "description": "Twitch's identifier of the broadcaster."},
            "name": text("Display name. Null if it is unknown.", "Ann"),
        }),
    );
    let channel = json!({
        "anyOf": [channel, {"type": "null"}],
        "examples": [{"platform_id": "1337", "name": "Ann"}],
        "description": "The channel. Null until it is decided.",
    });
    let moment = |meaning: &str| json!({"type": "string", "format": "date-time", "examples": ["2026-11-20T18:30:00Z"], "description": meaning});
    let gap = object(
        "Gap",
        &json!({"from": moment("Time of the last message before."), "to": moment("Time of the first welcome after.")}),
    );
    object(
        "TwitchConnection",
        &json!({
            "transport": {"type": "string", "enum": ["websocket", "webhook"], "examples": ["websocket"], "description": "`webhook` in a deployed service."},
            "state": {"type": "string", "enum": ["none", "pending", "connecting", "connected", "reauthorize"], "examples": ["connected"], "description": "`pending` waits for the streamer's consent. In `reauthorize`, Twitch refuses the token: log in again."},
            "client_id": text("Client ID of the login, or else the client ID that a login would use.", "abc123"),
            "user_code": text("Code of a pending login. Null without the scope `import`.", "ABCDEFGH"),
            "verification_uri": text("Page that takes the code. Null without the scope `import`.", "https://www.twitch.tv/activate"),
            "expires_at": time("Time at which the code expires."),
            "channel": channel,
            "missing_scopes": {"type": "array", "items": {"type": "string"}, "examples": [[]], "description": "Scopes that the token lacks."},
            "subscriptions": subscriptions,
            "connected_at": time("Time at which the connection was established."),
            "last_message_at": time("Time of the last message, keepalives included."),
            "gaps": {"type": "array", "items": gap, "examples": [[]], "description": "Intervals with possibly missing messages, newest first, at most 100."},
            "error": text("The last error, and how to fix it.", "Twitch refuses the login. Log in again."),
        }),
    )
}

/// Describe the list of connected overlays.
pub(super) fn overlays() -> Json {
    let identifier = json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_INTEGER, "examples": [3], "description": "Identifier of the overlay."});
    let mut overlay = object(
        "ConnectedOverlay",
        &json!({
            "overlay_id": identifier,
            "connections": {"type": "integer", "minimum": 1, "examples": [1], "description": "Number of subscriptions that name the overlay."},
        }),
    );
    overlay["properties"]["in_obs"] = json!({"type": "integer", "minimum": 1, "examples": [1], "description": "Number of these subscriptions from pages in OBS. Omitted if zero."});
    let content = json!({"application/json": {"schema": {"type": "array", "items": overlay}}});
    let responses = json!({"200": {"description": "The connected overlays, by identifier.", "headers": with_headers(&[]), "content": content}});
    let get = json!({"operationId": "list_connected_overlays", "tags": [SERVICE], "summary": "List the overlays that are connected to the socket", "description": "The overlays that a subscription of the socket names. A connection that ended without a close frame may be listed for up to ten more minutes. A page that only polls the feed is not listed.", "responses": responses});
    json!({"get": with_codes(get, &[&WITHOUT_QUERY, &BEHIND_TOKEN, &ALWAYS])})
}

/// Describe the operations of the connection to Twitch.
pub(super) fn twitch() -> Json {
    let response = |description: &str| json!({"description": description, "headers": with_headers(&[]), "content": {"application/json": {"schema": connection()}}});
    let get = json!({"operationId": "get_twitch_connection", "tags": [SERVICE], "summary": "Retrieve the connection to Twitch", "description": "A deployed service describes its webhook.", "responses": {"200": response("The connection.")}});
    let body = json!({
        "title": "TwitchLogin",
        "type": "object",
        "properties": {"client_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 1_024, "examples": ["abc123"], "description": "Client ID of an application of the type Public. Defaults to the client ID of the option, or the last client ID."}},
        "additionalProperties": false,
    });
    let post = json!({
        "operationId": "connect_twitch",
        "tags": [SERVICE],
        "summary": "Log in at Twitch, and connect",
        "description": "Returns a code that the streamer confirms at Twitch. The service then connects. A pending login is returned again. Not available in a deployed service. Does not accept an Idempotency-Key.",
        "requestBody": {"required": false, "content": {"application/json": {"schema": body}}},
        "responses": {"202": response("The pending login.")},
    });
    let delete = json!({"operationId": "disconnect_twitch", "tags": [SERVICE], "summary": "End the connection to Twitch", "description": "Revokes the token and forgets the login. Not available in a deployed service.", "responses": {"200": response("The connection before it ended.")}});
    let own = [Code::InvalidHeader, Code::ConnectionExists, Code::PlatformUnavailable];
    json!({
        "get": with_codes(get, &[&WITHOUT_QUERY, &BEHIND_TOKEN, &ALWAYS]),
        "post": with_codes(post, &[&WITHOUT_QUERY, &WITH_BODY, &own, &BEHIND_TOKEN, &ALWAYS]),
        "delete": with_codes(delete, &[&WITHOUT_QUERY, &BEHIND_TOKEN, &ALWAYS]),
    })
}
