//! The examples of bodies, composed from the examples of their members.
//!
//! Each field declares one value, so a new resource gets its examples without further text.

use serde_json::{Map, Value as Json, json};

/// Schemas by name.
type Schemas = Map<String, Json>;

const SCHEMAS: &str = "#/components/schemas/";

/// Adds an example to each JSON body of the document, and one for each alternative of its schema.
pub(super) fn add(document: &mut Json) {
    let schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let mut named = Schemas::new();
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    let operations = paths.filter_map(Json::as_object_mut).flat_map(Map::values_mut);
    for operation in operations {
        let bodies = ["/requestBody", "/responses/200", "/responses/201", "/responses/202"];
        for body in bodies {
            let Some(content) = operation.pointer_mut(&format!("{body}/content")).and_then(Json::as_object_mut) else {
                continue;
            };
            for (_, media) in content.iter_mut().filter(|(media_type, _)| media_type.ends_with("json")) {
                let examples = body_examples(&schemas, &media["schema"], &mut named);
                if !examples.is_empty() {
                    media["examples"] = Json::Object(examples);
                }
            }
        }
    }
    document["components"]["examples"] = Json::Object(named);
}

/// Returns the examples of a body, by name. The example of a named schema is a reference to `named`.
fn body_examples(schemas: &Schemas, schema: &Json, named: &mut Schemas) -> Map<String, Json> {
    if let Some(items) = schema.get("items") {
        let all: Vec<_> =
            alternatives(schemas, items).into_iter().filter_map(|one| build_example(schemas, one)).collect();
        return [("list".to_owned(), json!({"value": all}))].into_iter().filter(|_| !all.is_empty()).collect();
    }
    let mut examples = Map::new();
    for (index, one) in alternatives(schemas, schema).into_iter().enumerate() {
        let Some(value) = build_example(schemas, one) else { continue };
        let example = json!({"value": value});
        if let Some(name) = one["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS)) {
            named.insert(name.to_owned(), example);
            examples.insert(name.to_owned(), json!({"$ref": format!("#/components/examples/{name}")}));
        } else {
            examples.insert(one["title"].as_str().map_or(format!("example{index}"), str::to_owned), example);
        }
    }
    examples
}

/// Returns the alternatives of a schema, or the schema itself if it has none.
fn alternatives<'a>(schemas: &'a Schemas, schema: &'a Json) -> Vec<&'a Json> {
    let resolved = resolve(schemas, schema);
    match resolved["oneOf"].as_array().or(resolved["anyOf"].as_array()) {
        Some(all) => all.iter().collect(),
        None => vec![schema],
    }
}

fn resolve<'a>(schemas: &'a Schemas, schema: &'a Json) -> &'a Json {
    let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS));
    name.and_then(|name| schemas.get(name)).unwrap_or(schema)
}

/// Composes the example of a schema. `None` if a value lacks an example.
fn build_example(schemas: &Schemas, schema: &Json) -> Option<Json> {
    let schema = resolve(schemas, schema);
    if let Some(example) = schema.get("const").or(schema.pointer("/examples/0")) {
        return Some(example.clone());
    }
    if let Some(one) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return one.iter().find_map(|one| build_example(schemas, one));
    }
    match schema["type"].as_str()? {
        "object" => {
            let properties = schema["properties"].as_object()?;
            let is_required =
                |name: &String| schema["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
            let members =
                properties.iter().filter_map(|(name, schema)| Some((name.clone(), build_example(schemas, schema)?)));
            Some(members.filter(|(name, value)| !value.is_null() || is_required(name)).collect())
        }
        "array" => Some(json!([build_example(schemas, &schema["items"])?])),
        _ => None,
    }
}
