//! The AsyncAPI 3.0 document of the feed. The messages are generated from the resources.

use serde_json::{Map, Value as Json, json};

use super::openapi::{self, EntryType};

/// The document of a service with a socket that requires tokens.
const DOCUMENT: &str = include_str!("asyncapi.json");

/// Returns the document of a service. `socket` is the URL of its WebSocket, if it has one, and `needs_token` is true if
/// it requires tokens.
pub fn document(base: &str, socket: Option<&str>, needs_token: bool) -> Json {
    let mut document: Json = serde_json::from_str(DOCUMENT).unwrap_or_default();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    // 1. The addresses.
    let (protocol, host, path) = split(base);
    let service = &mut document["servers"]["service"];
    service["protocol"] = protocol.into();
    service["host"] = host.into();
    service["pathname"] = path.into();
    if let Some(socket) = socket {
        let (protocol, host, path) = split(socket);
        document["servers"]["socket"]["protocol"] = protocol.into();
        document["servers"]["socket"]["host"] = host.into();
        document["channels"]["socket"]["address"] = if path.is_empty() { "/" } else { path }.into();
    } else {
        for pointer in [
            "/servers/socket",
            "/channels/socket",
            "/channels/feed/servers",
            "/operations/subscribe",
            "/operations/push",
        ] {
            remove(&mut document, pointer);
        }
    }
    if !needs_token {
        remove(&mut document, "/servers/service/security");
        remove(&mut document, "/components/securitySchemes");
    }
    // 2. The messages.
    let messages = messages();
    let reference = |prefix: &str, name: &String| json!({"$ref": format!("{prefix}/{name}")});
    let of_channel = messages.keys().map(|name| (name.clone(), reference("#/components/messages", name)));
    document["channels"]["feed"]["messages"] = Json::Object(of_channel.collect());
    let of_operation = messages.keys().map(|name| reference("#/channels/feed/messages", name));
    document["operations"]["follow"]["messages"] = of_operation.collect();
    document["components"]["messages"] = messages.into();
    document["components"]["schemas"] = schemas().into();
    document
}

/// Splits a URL into its protocol, its host, and its path, which is empty or starts with a slash.
fn split(url: &str) -> (&str, &str, &str) {
    let (protocol, rest) = url.split_once("://").unwrap_or(("https", url));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    (protocol, host, path)
}

/// Removes a member of an object.
fn remove(document: &mut Json, pointer: &str) {
    if let Some((parent, name)) = pointer.rsplit_once('/')
        && let Some(members) = document.pointer_mut(parent).and_then(Json::as_object_mut)
    {
        members.shift_remove(name);
    }
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
