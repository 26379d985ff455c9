//! The operations of a path: their parameters, request bodies and responses.

use http::Method;
use serde_json::{Map, Value as Json, json};

use super::schemas::{self, Body};
use super::{BODY_CODES, COMMON_CODES, TOKEN_CODES, with_article, with_codes, with_headers};
use super::{economy, statistics};
use crate::error::Code;
use crate::request::{MAX_LIMIT, MAX_PREFIX, MAX_VALUES, Path, PathStep, Target};
use crate::resources::transfers::FROM_USER_ID;
use crate::resources::{self, LinkTarget, Member};
use crate::schema::scalar::{self, MAX_SHORT_TEXT_CHARS, Scalar};
use crate::schema::{Field, Filter, Lifecycle, Operator, ParentData, Resource};

/// Description of the PUT of one record.
const IMPORT: &str = "Stores a complete record under this identifier. If the record exists, it must be identical, except for times that the body omits. The feed does not report the creation. The token needs the scope `import`.";

/// Description of the action that anonymizes a record.
const ANONYMIZE: &str = "Permanently removes the `platform_id` and the name of the user, and the texts of the user's events, documents, items and purchases. Amounts, times, types, statistics and wallets stay. Leaderboards omit the user. The response is sent when everything is done. If that takes longer than a request, the rest is done within minutes. A repeated request does the same for records that were stored since.";

/// Returns the operations of a path.
pub(super) fn path_item(path: &Path) -> Json {
    let template = path.template();
    let names = template.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name: &str| {
        let resource = resources::ALL.iter().find(|resource| resource.id.name == name);
        let meaning = resource.map_or("", |resource| resource.id.meaning);
        json!({"name": name, "in": "path", "required": true, "schema": identifier(), "description": format!("{meaning}.")})
    };
    let parameters: Vec<_> = names.map(parameter).collect();
    let mut item = Map::new();
    if !parameters.is_empty() {
        item.insert("parameters".to_owned(), Json::Array(parameters));
    }
    for method in path.methods().into_iter().filter(|method| method != Method::HEAD) {
        item.insert(method.as_str().to_ascii_lowercase(), operation(path, &method));
    }
    Json::Object(item)
}

fn operation(path: &Path, method: &Method) -> Json {
    let (resource, many) = match path.target() {
        Target::Many(resource) => (resource, true),
        Target::One(resource) | Target::Slot(resource) => (resource, false),
        Target::Value(field) => return value_operation(path, field),
        Target::Statistics(_) => return statistics_operation(path),
        Target::Action(_) => {
            return economy::transfer(&operation_id(path, method), path.root.name, Some(FROM_USER_ID.name));
        }
        Target::Anonymize(resource) => return action_operation(path, resource),
    };
    let imports = *method == Method::PUT && !many;
    let rendered = match *method {
        Method::POST | Method::PUT | Method::PATCH if resource.minimal_write_response => Body::Embedded,
        _ => Body::Response,
    };
    let reference = schemas::reference(resource, rendered);
    let plural = many && matches!(*method, Method::GET | Method::PUT);
    let schema = if plural { json!({"type": "array", "items": reference}) } else { reference };
    let Success { status, verb, meaning, behavior, headers } = success(method, many);
    let conditional = match *method {
        Method::GET if many => None,
        Method::GET => Some("If-None-Match"),
        Method::PATCH | Method::DELETE => Some("If-Match"),
        _ => Some("Idempotency-Key"),
    };
    let mut operation = json!({
        "operationId": operation_id(path, method),
        "tags": [path.root.name],
        "summary": format!("{verb} {}", noun(path, plural)),
        "description": format!("{} {behavior}", resource.summary),
    });
    operation["responses"][status] = json!({
        "description": format!("The {meaning}{}.", if plural { resource.name } else { resource.singular }),
        "headers": with_headers(headers),
        "content": {"application/json": {"schema": schema}},
    });
    if imports {
        operation["responses"]["200"] = operation["responses"][status].clone();
        operation["responses"]["200"]["description"] = json!("The record is already stored and identical.");
    }
    if *method == Method::POST {
        operation["responses"][status]["links"] = links(resource);
    }
    if *method == Method::GET && many {
        operation["parameters"] = list_parameters(resource, path.bound_on_creation());
    }
    if let Some(name) = conditional {
        let further = (name == "If-Match").then_some("If-None-Match");
        let names = [name].into_iter().chain(further);
        let reference = |name| json!({"$ref": format!("#/components/parameters/{name}")});
        operation["parameters"] = names.map(reference).collect();
    }
    if conditional == Some("If-None-Match") {
        operation["responses"]["304"] =
            json!({"description": "The record still has this ETag.", "headers": with_headers(&["ETag"])});
    }
    let body = match *method {
        Method::PUT if imports => Body::Imports,
        Method::POST | Method::PUT => Body::Creates(path.bound_on_creation()),
        Method::PATCH => Body::Changes,
        _ => return with_codes(operation, &[&codes(method, Some(resource))]),
    };
    operation["requestBody"] = request_body(resource, body, plural);
    let own: &[Code] = if imports { &[Code::RecordDiffers, Code::DeletionInProgress] } else { &[] };
    with_codes(operation, &[&codes(method, Some(resource)), own])
}

/// The successful response of a method.
struct Success {
    status: &'static str,
    /// Verb of the summary.
    verb: &'static str,
    /// Adjective before the name of the resource, such as `new `.
    meaning: &'static str,
    /// Behavior of the method that a client should know.
    behavior: &'static str,
    headers: &'static [&'static str],
}

fn success(method: &Method, many: bool) -> Success {
    let (status, verb, meaning, behavior, headers): (_, _, _, _, &[_]) = match *method {
        Method::POST => (
            "201",
            "Create",
            "new ",
            "Records in the body are also created, all or none. To retry safely, send the same `Idempotency-Key`.",
            &["Location", "ETag", "Idempotent-Replayed"],
        ),
        Method::PUT if many => ("201", "Create", "new ", "All are created, or none.", &["Idempotent-Replayed"]),
        Method::PUT => ("201", "Import", "stored ", IMPORT, &["ETag", "Idempotent-Replayed"]),
        Method::PATCH => (
            "200",
            "Update",
            "changed ",
            "Fields that the body omits keep their values. To avoid overwriting another change, send `If-Match`.",
            &["ETag"],
        ),
        Method::DELETE => {
            ("200", "Delete", "deleted ", "Everything that belongs to the record is deleted with it.", &[])
        }
        _ if many => ("200", "List", "matching ", "A record in the list matches all filters.", &["Link"]),
        _ => ("200", "Retrieve", "", "With `If-None-Match`, an unchanged record is 304 without a body.", &["ETag"]),
    };
    Success { status, verb, meaning, behavior, headers }
}

/// Returns a noun phrase for the target: "events", "an event", "the events of a user", "the specimen of a user".
fn noun(path: &Path, several: bool) -> String {
    let link = path.steps.iter().find_map(|step| if let PathStep::Link(link) = step { Some(link) } else { None });
    let parent = with_article(path.root.singular);
    match link.map(|link| (link.name, link.target)) {
        None if several => path.root.name.to_owned(),
        None => parent,
        Some((_, LinkTarget::Many(child))) if !several => {
            format!("{} of {parent}", with_article(child.resource.singular))
        }
        Some((name, _)) => format!("the {name} of {parent}"),
    }
}

/// Returns a unique identifier: `list_events`, `get_event`, `create_event_of_user`, `change_user_of_event`.
fn operation_id(path: &Path, method: &Method) -> String {
    let verb = match (method, path.target()) {
        (_, Target::Anonymize(_)) => return format!("anonymize_{}", path.root.singular),
        (&Method::PUT, Target::One(_)) => "import",
        (&Method::POST | &Method::PUT, _) => "create",
        (&Method::PATCH, _) => "change",
        (&Method::DELETE, _) => "delete",
        (_, Target::Many(_)) => "list",
        _ => "get",
    };
    let several = matches!((method, path.target()), (&Method::PUT | &Method::GET, Target::Many(_)));
    let called = |resource: &Resource| if several { resource.name } else { resource.singular };
    let link = path.steps.iter().find_map(|step| if let PathStep::Link(link) = step { Some(link) } else { None });
    let parent = path.root.singular;
    let noun = match link.map(|link| (link.name, link.target)) {
        None => called(path.root).to_owned(),
        Some((_, LinkTarget::Many(child))) => format!("{}_of_{parent}", called(child.resource)),
        Some((_, LinkTarget::Action)) => format!("transfer_of_{parent}"),
        // The parent also has a list of these records.
        Some((name, LinkTarget::One(child))) if !child.relation.is_complete() => format!("active_{name}_of_{parent}"),
        Some((name, _)) => format!("{name}_of_{parent}"),
    };
    format!("{verb}_{}", noun.replace([' ', '-'], "_"))
}

/// Returns links from a created record to the operations that take its identifier.
fn links(resource: &Resource) -> Json {
    let parameters = json!({resource.id.name: format!("$response.body#/{}", resource.id.name)});
    let verbs: &[&str] = match resource {
        Resource { lifecycle: Lifecycle::Immutable, .. } => &["get"],
        Resource { lifecycle: Lifecycle::Permanent, .. } => &["get", "change"],
        _ if !resource.is_changeable() => &["get", "delete"],
        _ => &["get", "change", "delete"],
    };
    let link = |verb: &&str| {
        let id = format!("{verb}_{}", resource.singular.replace([' ', '-'], "_"));
        (id.clone(), json!({"operationId": id, "parameters": parameters}))
    };
    verbs.iter().map(link).collect::<Map<_, _>>().into()
}

fn request_body(resource: &'static Resource, body: Body, list: bool) -> Json {
    let reference = schemas::reference(resource, body);
    let schema = if list {
        let most = resource.limits.bulk.as_ref().map_or(0, |bulk| bulk.max);
        json!({"type": "array", "maxItems": most, "items": reference})
    } else {
        reference
    };
    let mut content = json!({"application/json": {"schema": schema}});
    if let Some(image) = resource.fields.iter().find(|field| field.is_image()).filter(|_| !list) {
        content["multipart/form-data"] = form(resource, body, image);
    }
    json!({"required": true, "content": content})
}

/// Returns the schema of a form: the image as bytes, children as JSON in one part or one part each, every other field
/// as text.
fn form(resource: &'static Resource, body: Body, image: &Field) -> Json {
    let mut schema = schemas::object(resource, body, None);
    let mut encoding = Map::new();
    for (name, property) in schema["properties"].as_object_mut().into_iter().flatten() {
        if name == image.name {
            // JSON Schema lacks a keyword for bytes, but client generators support this format.
            *property = json!({"type": "string", "format": "binary", "description": image.meaning});
            encoding.insert(name.clone(), json!({"contentType": "image/png, image/jpeg, image/gif, image/webp"}));
        } else if property["type"] == "array" || property["anyOf"][0]["type"] == "array" {
            encoding.insert(name.clone(), json!({"contentType": "application/json"}));
        }
    }
    json!({"schema": schema, "encoding": encoding})
}

fn value_operation(path: &Path, field: &str) -> Json {
    let mut value = (scalar::Integer::CODEC.describe)();
    value["examples"] = json!([250]);
    let title = schemas::pascal_case(field);
    let schema = json!({"title": title, "type": "object", "required": [field], "properties": {field: value}});
    let mut operation = json!({
        "operationId": operation_id(path, &Method::GET),
        "tags": [path.root.name],
        "summary": format!("Retrieve {}", noun(path, true)),
        "description": "The sum of all transactions of the user. Only a new transaction changes it.",
    });
    operation["responses"]["200"] = json!({
        "description": "The value.",
        "headers": with_headers(&[]),
        "content": {"application/json": {"schema": schema}},
    });
    with_codes(operation, &[&codes(&Method::GET, None)])
}

fn action_operation(path: &Path, resource: &'static Resource) -> Json {
    let schema = schemas::reference(resource, Body::Embedded);
    let mut operation = json!({
        "operationId": operation_id(path, &Method::POST),
        "tags": [path.root.name],
        "summary": format!("Anonymize {}", with_article(path.root.singular)),
        "description": ANONYMIZE,
        "parameters": [{"$ref": "#/components/parameters/Idempotency-Key"}],
        "requestBody": {
            "required": false,
            "content": {"application/json": {"schema": {"type": "object", "additionalProperties": false, "examples": [{}]}}},
        },
    });
    operation["responses"]["200"] = json!({
        "description": format!("The anonymized {}.", resource.singular),
        "headers": with_headers(&["ETag", "Idempotent-Replayed"]),
        "content": {"application/json": {"schema": schema}},
    });
    let mut codes = codes(&Method::POST, None);
    codes.retain(|code| *code != Code::RecordTooLarge);
    with_codes(operation, &[&codes])
}

fn statistics_operation(path: &Path) -> Json {
    let operation = json!({
        "operationId": operation_id(path, &Method::GET),
        "tags": [path.root.name],
        "summary": format!("List the statistics of {}", with_article(path.root.singular)),
        "description": statistics::DESCRIPTION,
        "parameters": statistics::parameters(),
        "responses": {"200": statistics::response_of_user()},
    });
    with_codes(operation, &[&codes(&Method::GET, None)])
}

fn list_parameters(resource: &'static Resource, bound: Option<&str>) -> Json {
    let filters = resources::filters(resource).iter().filter(|filter| Some(filter.name) != bound);
    let filters = filters.map(|filter| {
        let schema = filter_schema(resource, filter);
        let mut parameter =
            json!({"name": filter.name, "in": "query", "schema": schema, "description": matches(resource, filter)});
        if schema["type"] == "array" {
            // Commas separate the values, instead of a parameter for each value.
            parameter["explode"] = json!(false);
        }
        parameter
    });
    let paging = [
        json!({"name": "order", "in": "query", "schema": {"title": "Order", "type": "string", "enum": ["asc", "desc"]}, "description": order(resource)}),
        json!({"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT}, "description": "The number of records on a page. The last page may have fewer. Without it, the response has all matching records, up to 5 MB of JSON or 500 read units; then `Link` has the next page."}),
        json!({"name": "cursor", "in": "query", "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"}, "description": "The cursor from the `Link` header of the previous page."}),
    ];
    filters.chain(paging).collect()
}

/// Describes the records that match a filter.
fn matches(resource: &'static Resource, filter: &Filter) -> String {
    let (field, records) = (filter.field, resource.name);
    match filter.operator {
        Operator::Equals if takes_several(resource, filter) => {
            format!("Only {records} whose `{field}` is one of these comma-separated values.")
        }
        Operator::Equals if resource.ignores_case(field) => {
            format!("Only {records} whose `{field}` is this text, in upper or lower case.")
        }
        Operator::Equals => format!("Only {records} whose `{field}` is this value."),
        Operator::AtLeast => format!("Only {records} whose `{field}` is at least this number."),
        Operator::AtMost => format!("Only {records} whose `{field}` is at most this number."),
        Operator::TextPrefix => format!("Only {records} whose `{field}` starts with this text."),
        Operator::After => format!("Only {records} whose `{field}` is later than this time."),
        Operator::Before => format!("Only {records} whose `{field}` is earlier than this time."),
        Operator::IsSet => format!("`true`: only {records} with `{field}`. `false`: only those without."),
        Operator::IsUnset => format!("`true`: only {records} without `{field}`. `false`: only those with it."),
        Operator::NamePrefix => {
            format!("Only {records} whose `{field}` starts with this text, in upper or lower case.")
        }
        Operator::HasChild => format!("Only {records} with a part that has this value in its `{field}`."),
    }
}

/// Describes the orders of a list, and its default.
fn order(resource: &Resource) -> String {
    let by_name = resource.filters.iter().find(|filter| filter.operator == Operator::NamePrefix);
    let by_name = by_name.map(|filter| format!(" With {}, the order is by name, and the default is asc.", filter.name));
    format!("`desc`, the default, is newest first, and `asc` oldest first.{}", by_name.unwrap_or_default())
}

fn filter_schema(resource: &Resource, filter: &Filter) -> Json {
    if filter.is_flag() {
        return json!({"type": "boolean"});
    }
    match filter.operator {
        Operator::NamePrefix => return json!({"type": "string", "minLength": 1, "maxLength": MAX_PREFIX}),
        Operator::TextPrefix => return json!({"type": "string", "minLength": 1, "maxLength": MAX_SHORT_TEXT_CHARS}),
        _ => {}
    }
    match resources::field_of_filter(resource, filter) {
        // A filter also accepts values outside the limits of the field.
        Some(field) if field.codec.kind == scalar::Kind::Integer => (scalar::Integer::CODEC.describe)(),
        Some(field) if field.codec.kind == scalar::Kind::Text => json!({"type": "string"}),
        Some(field) if takes_several(resource, filter) => {
            json!({"type": "array", "minItems": 1, "maxItems": MAX_VALUES, "items": schemas::describe(resource, field)})
        }
        Some(field) => schemas::describe(resource, field),
        None => json!({"type": "string"}),
    }
}

fn takes_several(resource: &Resource, filter: &Filter) -> bool {
    resources::field_of_filter(resource, filter).is_some_and(|field| filter.takes_several(field.codec.kind))
}

/// Returns the codes that an operation on a resource may respond with.
fn codes(method: &Method, resource: Option<&'static Resource>) -> Vec<Code> {
    let mut codes = vec![Code::InvalidParameter, Code::PathTooLong, Code::RecordNotFound];
    codes.extend(TOKEN_CODES.iter().chain(&COMMON_CODES));
    if matches!(*method, Method::POST | Method::PUT | Method::PATCH) {
        codes.extend(BODY_CODES.iter().chain(&[Code::RecordTooLarge]));
        codes.extend(resource.into_iter().flat_map(conflicts));
        codes.extend(resource.into_iter().flat_map(|resource| economy::conflicts(method, resource)));
    }
    match *method {
        Method::POST | Method::PUT => codes.extend([Code::InvalidHeader, Code::IdempotencyKeyReused]),
        Method::PATCH => codes.extend([Code::InvalidHeader, Code::EtagMismatch, Code::TooManyEmbeddedRecords]),
        Method::DELETE => codes.extend([Code::InvalidHeader, Code::EtagMismatch]),
        _ => {}
    }
    codes
}

/// Returns the codes of the conflicts that a record of a resource, or a record in its body, may cause.
fn conflicts(resource: &'static Resource) -> Vec<Code> {
    let with_children = resources::members(resource).iter().filter_map(|member| match member {
        Member::OnParent(child, _) => Some(child.resource),
        _ => None,
    });
    let slots = with_children.chain([resource]).filter_map(|resource| resource.belongs_to.as_ref());
    let slots = slots.flat_map(|relation| match relation.parent_data {
        ParentData::One { occupied, attached, .. } => vec![occupied, attached],
        _ => Vec::new(),
    });
    let parent =
        resource.belongs_to.as_ref().filter(|relation| relation.embedded.as_ref().is_some_and(|one| one.settable));
    let people = parent.map(|relation| relation.parent).into_iter().chain([resource]).filter(|one| one.is_personal());
    let opted_out = people.map(|_| Code::OptedOut);
    slots.chain(resource.unique.iter().map(|unique| unique.duplicate)).chain(opted_out).collect()
}

fn identifier() -> Json {
    (scalar::Identifier::CODEC.describe)()
}
