//! The AsyncAPI 3.0 document of the feed, generated from the resources.

use serde_json::{Map, Value as Json, json};

use super::openapi::{self, EntryType};
use crate::feed::FEED;
use crate::request::MAX_ENTRIES;

/// Returns the document of a service. `socket` is the URL of its WebSocket, if it has one, and `needs_token` is true if
/// it requires tokens.
pub fn document(base: &str, socket: Option<&str>, needs_token: bool) -> Json {
    let mut document = feed(base);
    if needs_token {
        document["servers"]["service"]["security"] = json!([{"$ref": "#/components/securitySchemes/token"}]);
        document["components"]["securitySchemes"] = json!({"token": {"type": "http", "scheme": "bearer", "description": "A token of any scope. The scope `overlay` suffices."}});
    }
    if let Some((protocol, rest)) = socket.and_then(|socket| socket.split_once("://")) {
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        document["servers"]["socket"] = json!({
            "host": host,
            "protocol": protocol,
            "description": "Connect with the subprotocol `cloudevents.json`. If the service requires tokens, add the subprotocol `bearer.<token>`.",
        });
        let object = |required: &str, value: &Json| json!({"type": "object", "required": [required], "properties": {required: value}});
        let digits = json!({"type": "string", "pattern": "^[0-9]{16}$"});
        let mut subscription = object("action", &json!({"const": "subscribe"}));
        subscription["properties"]["overlay"] = json!({"type": "integer", "description": "Identifier of the overlay whose alerts the client shows. GET /connections/overlays then lists it."});
        subscription["properties"]["in_obs"] =
            json!({"type": "boolean", "description": "True if the client is a browser source of OBS."});
        document["channels"]["socket"] = json!({
            "address": format!("/{path}"),
            "servers": [{"$ref": "#/servers/socket"}],
            "description": "Notifies clients of new feed entries by the sequence number of the last one. It sends no entries, so clients that only poll the feed miss nothing.",
            "messages": {
                "subscribe": {"payload": subscription},
                "head": {"payload": object("feed-head", &digits)},
            },
        });
        document["channels"]["feed"]["servers"] = json!([{"$ref": "#/servers/service"}]);
        let operation = |action: &str, message: &str| {
            json!({
                "action": action,
                "channel": {"$ref": "#/channels/socket"},
                "messages": [{"$ref": format!("#/channels/socket/messages/{message}")}],
            })
        };
        document["operations"]["subscribe"] = operation("receive", "subscribe");
        document["operations"]["push"] = operation("send", "head");
    }
    document
}

fn feed(base: &str) -> Json {
    let messages = messages();
    let references = |prefix: &str| {
        let reference = |name: &String| (name.clone(), json!({"$ref": format!("{prefix}/{name}")}));
        messages.keys().map(reference).collect::<Map<_, _>>()
    };
    let in_channel: Vec<_> =
        messages.keys().map(|name| json!({"$ref": format!("#/channels/feed/messages/{name}")})).collect();
    let (protocol, host) = base.split_once("://").unwrap_or(("https", base));
    let (host, path) = host.split_once('/').map_or((host, String::new()), |(host, path)| (host, format!("/{path}")));
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Event capture for live streams: the feed",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": env!("CARGO_PKG_LICENSE")},
            "description": "The changes of a channel. Each change has one entry. Entries are in one order that never changes, and are numbered without gaps. To follow the feed, request the entries after the last sequence number that you know. Entries expire after 7 days.",
        },
        "defaultContentType": "application/cloudevents+json",
        "servers": {"service": {
            "host": host,
            "pathname": path,
            "protocol": protocol,
        }},
        "channels": {"feed": {
            "address": FEED,
            "description": "Returns a batch of CloudEvents (application/cloudevents-batch+json). `after` is the last sequence number that the client knows. Without `after`, the batch is empty, and the header `feed-head` contains the feed's last sequence number.",
            "messages": references("#/components/messages"),
            "bindings": {"http": {"bindingVersion": "0.3.0"}},
        }},
        "operations": {"follow": {
            "action": "send",
            "channel": {"$ref": "#/channels/feed"},
            "summary": "List feed entries",
            "messages": in_channel,
            "bindings": {"http": {
                "method": "GET",
                "query": {"type": "object", "properties": {
                    "after": {"type": "integer", "minimum": 0},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_ENTRIES},
                }},
                "bindingVersion": "0.3.0",
            }},
        }},
        "components": {
            "messages": messages,
            "schemas": schemas(),
        },
    })
}

/// Returns the schemas of the entries and everything that they contain. They omit `discriminator`, which differs in
/// AsyncAPI. The alternatives of a schema are distinct without it.
fn schemas() -> Map<String, Json> {
    let mut schemas = openapi::schemas();
    openapi::keep_used(&mut schemas, openapi::entry_types().iter().map(EntryType::schema_name));
    for schema in schemas.values_mut().filter_map(Json::as_object_mut) {
        schema.remove("discriminator");
    }
    schemas
}

/// Returns a message for each type of feed entry.
fn messages() -> Map<String, Json> {
    let message = |entry_type: EntryType| {
        let payload = json!({"$ref": format!("#/components/schemas/{}", entry_type.schema_name())});
        let EntryType { name, summary, .. } = entry_type;
        let message = json!({"name": name, "title": name, "summary": summary, "contentType": "application/cloudevents+json", "payload": payload});
        (name, message)
    };
    openapi::entry_types().into_iter().map(message).collect()
}
