//! The schemas of feed entries: a CloudEvent of each type, and their union.

use serde_json::{Map, Value as Json, json};

use super::schemas::{self, Body, pascal_case};
use super::with_article;
use crate::feed::FEED;
use crate::feed::entries::{CLEARED, REPLAYED, SKIPPED, TESTED};
use crate::request::{CLEAR, CONTROL, ENTRY, SKIP};
use crate::resources;

/// A type of feed entry.
pub struct EntryType {
    /// `type` of the entries.
    pub name: String,
    /// Sentence about when entries of this type occur.
    pub summary: String,
    /// Schema of their `data`, if they have any.
    data: Option<Json>,
}

impl EntryType {
    /// Returns the name of the schema: `EventCreatedEntry`.
    pub fn schema_name(&self) -> String {
        format!("{}Entry", pascal_case(&self.name))
    }

    fn schema(&self) -> Json {
        let digits = json!({"title": "SequenceNumber", "type": "string", "pattern": "^[0-9]{16}$", "examples": ["0000000000000412"], "description": "The sequence number of the entry, in 16 digits."});
        let mut schema = json!({
            "type": "object",
            "description": format!("{}.", self.summary),
            "required": ["specversion", "id", "sequence", "source", "type", "subject", "time", "datacontenttype"],
            "properties": {
                "specversion": {"title": "SpecVersion", "const": "1.0", "type": "string"},
                "id": digits,
                "sequence": digits,
                "source": {"title": "EntrySource", "const": FEED, "type": "string"},
                "type": {"const": self.name, "type": "string"},
                "subject": {"type": "string", "description": "The path of the record without its first slash.", "examples": ["events/7301"]},
                "time": {"type": "string", "format": "date-time", "description": "The time of the change.", "examples": ["2026-11-20T18:30:00Z"]},
                "datacontenttype": {"title": "EntryContentType", "const": "application/json", "type": "string"},
            },
        });
        if let Some(data) = &self.data {
            schema["properties"]["data"] = data.clone();
        }
        schema
    }
}

/// Returns all types of feed entries.
pub fn types() -> Vec<EntryType> {
    let mut types = Vec::new();
    let mut add = |name: &str, summary: String, data: Option<Json>| {
        types.push(EntryType { name: name.to_owned(), summary, data });
    };
    for resource in resources::ALL {
        let (name, feed) = (resource.singular, resource.feed);
        let one = with_article(name);
        let mut record = schemas::reference(resource, Body::Response);
        record["description"] = json!("The record as a GET returns it now. Absent if the record no longer exists.");
        if feed.created {
            add(&format!("{name}.created"), format!("Occurs when {one} is created"), Some(record.clone()));
        }
        if feed.updated {
            add(&format!("{name}.updated"), format!("Occurs when {one} is updated"), Some(record.clone()));
        }
        if feed.deleted {
            add(&format!("{name}.deleted"), format!("Occurs when {one} is deleted"), None);
        }
        if feed.test_defaults.is_some() {
            add(REPLAYED, format!("Occurs when {one} is replayed"), Some(record.clone()));
            let mut purchase = schemas::object(&resources::PURCHASE_ALERT, Body::Creates(None), None);
            purchase["title"] = json!("PurchaseAlert");
            let data = json!({"anyOf": [record, purchase]});
            add(TESTED, "Occurs when a test alert is sent. No record is stored".to_owned(), Some(data));
        }
    }
    let number = json!({"type": "integer", "minimum": 1, "examples": [411]});
    let control =
        |title: &str, properties: Json| Some(json!({"title": title, "type": "object", "properties": properties}));
    let skip = control("SkippedAlert", json!({CONTROL: {"const": SKIP, "type": "string"}, ENTRY: number}));
    add(SKIPPED, "Occurs when overlays should drop the alert of an entry. `data` has its number".to_owned(), skip);
    let clear = control("ClearedAlerts", json!({CONTROL: {"const": CLEAR, "type": "string"}}));
    add(CLEARED, "Occurs when overlays should drop the alerts of all earlier entries".to_owned(), clear);
    types
}

/// Adds the schema of each type, and their union `Entry`.
pub(super) fn add_schemas(schemas: &mut Map<String, Json>) {
    let (mut references, mut mapping) = (Vec::new(), Map::new());
    for entry_type in types() {
        let pointer = format!("#/components/schemas/{}", entry_type.schema_name());
        references.push(json!({"$ref": pointer}));
        schemas.insert(entry_type.schema_name(), entry_type.schema());
        mapping.insert(entry_type.name, json!(pointer));
    }
    let discriminator = json!({"propertyName": "type", "mapping": mapping});
    schemas.insert("Entry".to_owned(), json!({"oneOf": references, "discriminator": discriminator}));
}
