//! The OpenAPI 3.1 document, derived from the catalogue and the routes.

use http::Method;
use serde_json::{Map, Value as Json, json};

use crate::request::{MAX_LIMIT, Path, Target, every_path};
use crate::resources::{self, Child, Member};
use crate::schema::scalar::Scalar;
use crate::schema::{Field, Filter, Input, Kept, Resource, Shown, scalar};
use crate::webhooks::twitch;

/// What a body is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Shown,
    Embedded,
    Creates,
    Changes,
}

/// The whole document.
pub fn document() -> Json {
    let mut paths = Map::new();
    for path in every_path() {
        paths.insert(path.template(), path_item(&path));
    }
    paths.insert("/health".to_owned(), plain("Whether the service is there", &json!({"type": "object"})));
    paths.insert("/openapi.json".to_owned(), plain("This document", &json!({"type": "object"})));
    paths.insert("/images/{name}".to_owned(), image());
    paths["/health"]["get"]["security"] = json!([]);
    paths.insert(twitch::PATH.to_owned(), webhook());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Event capture for live streams",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Events, viewers and images of a channel. Routes chain: any link that follows one record may be followed by that record's links, at most 16 in all, as in /events/{event_id}/user/specimen/owner; what ends there has the methods of what it is. /user/{user_id}/… is the same as /users/{user_id}/….",
        },
        "paths": paths,
        "security": [{"token": []}],
        "components": {
            "schemas": schemas(),
            "responses": responses(),
            "securitySchemes": {"token": {
                "type": "http",
                "scheme": "bearer",
                "description": "With the scope `read` for GET and HEAD, with `write` for everything. On one machine only asked for with --require-token.",
            }},
        },
    })
}

fn path_item(path: &Path) -> Json {
    let template = path.template();
    let names = template.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let parameters: Vec<_> =
        names.map(|name| json!({"name": name, "in": "path", "required": true, "schema": identifier()})).collect();
    let mut item = Map::new();
    if !parameters.is_empty() {
        item.insert("parameters".to_owned(), Json::Array(parameters));
    }
    let target = path.target();
    for method in target.methods().into_iter().filter(|method| method != Method::HEAD) {
        item.insert(method.as_str().to_ascii_lowercase(), operation(path, target, &method));
    }
    Json::Object(item)
}

fn operation(path: &Path, target: Target, method: &Method) -> Json {
    let (resource, many) = match target {
        Target::Many(resource) => (resource, true),
        Target::One(resource) | Target::Slot(resource) => (resource, false),
        Target::Value(field) => return value_operation(field),
    };
    let shown = if resource.brief_when_written && matches!(*method, Method::POST | Method::PATCH) {
        Body::Embedded
    } else {
        Body::Shown
    };
    let reference = json!({"$ref": format!("#/components/schemas/{}", schema_name(resource, shown))});
    let list = json!({"type": "array", "items": reference});
    let plural = many && matches!(*method, Method::GET | Method::PUT);
    let (status, verb) = outcome(method, many);
    let mut operation = json!({
        "summary": format!("{verb} {}", if plural { resource.name } else { resource.singular }),
        "description": resource.summary,
        "responses": errors(method),
    });
    operation["responses"][status] = json!({
        "description": resource.summary,
        "content": {"application/json": {"schema": if plural { list } else { reference }}},
    });
    if method == Method::GET && many {
        operation["parameters"] = list_parameters(resource, path.bound_on_creation());
    }
    let body = match *method {
        Method::POST | Method::PUT => Body::Creates,
        Method::PATCH => Body::Changes,
        _ => return operation,
    };
    operation["requestBody"] = request_body(resource, body, method == Method::PUT);
    operation
}

/// The status of success, and what the method does.
fn outcome(method: &Method, many: bool) -> (&'static str, &'static str) {
    match *method {
        Method::POST => ("201", "Create"),
        Method::PUT => ("201", "Create several"),
        Method::PATCH => ("200", "Change"),
        Method::DELETE => ("200", "Delete"),
        _ if many => ("200", "List"),
        _ => ("200", "Show"),
    }
}

fn request_body(resource: &'static Resource, body: Body, list: bool) -> Json {
    let reference = json!({"$ref": format!("#/components/schemas/{}", schema_name(resource, body))});
    let schema = if list { json!({"type": "array", "items": reference}) } else { reference.clone() };
    let mut content = json!({"application/json": {"schema": schema}});
    if resource.fields.iter().any(Field::is_image) {
        content["multipart/form-data"] = json!({"schema": reference});
    }
    json!({"required": true, "content": content})
}

fn value_operation(field: &str) -> Json {
    let schema = json!({"type": "object", "properties": {field: (scalar::Integer::CODEC.describe)()}});
    let mut operation = json!({"summary": format!("Show the {field}"), "responses": errors(&Method::GET)});
    operation["responses"]["200"] =
        json!({"description": "the value", "content": {"application/json": {"schema": schema}}});
    operation
}

fn plain(summary: &str, schema: &Json) -> Json {
    let response = json!({"description": summary, "content": {"application/json": {"schema": schema}}});
    json!({"get": {"summary": summary, "responses": {"200": response}}})
}

/// Where an image is.
fn image() -> Json {
    json!({
        "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
        "get": {
            "summary": "Fetch an image",
            "description": "The URL that a document shows. Its name is the only credential that it needs.",
            "security": [],
            "responses": {
                "307": {"description": "Where the bytes are, for some minutes", "headers": {"Location": {"schema": {"type": "string", "format": "uri"}}}},
                "404": {"$ref": "#/components/responses/404"},
                "503": {"$ref": "#/components/responses/503"},
            },
        },
    })
}

/// What Twitch calls: its own documentation says with what.
fn webhook() -> Json {
    json!({"post": {
        "summary": "Receive a message of Twitch EventSub",
        "description": "For Twitch alone, which signs what it sends. A challenge is answered 200 with its text, everything else that is signed 204.",
        "security": [],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": {
            "200": {"description": "The challenge", "content": {"text/plain": {"schema": {"type": "string"}}}},
            "204": {"description": "It has come, now or before"},
            "403": {"$ref": "#/components/responses/403"},
            "413": {"$ref": "#/components/responses/413"},
            "415": {"$ref": "#/components/responses/415"},
            "503": {"$ref": "#/components/responses/503"},
        },
    }})
}

fn list_parameters(resource: &'static Resource, bound: Option<&str>) -> Json {
    let filters = resources::filters(resource).iter().filter(|filter| Some(filter.name) != bound);
    let filters =
        filters.map(|filter| json!({"name": filter.name, "in": "query", "schema": filter_schema(resource, filter)}));
    let paging = [
        json!({"name": "order", "in": "query", "schema": {"enum": ["asc", "desc"], "default": "desc"}}),
        json!({"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT}}),
        json!({"name": "cursor", "in": "query", "schema": {"type": "string"}, "description": "from the Link header of the page before"}),
    ];
    filters.chain(paging).collect()
}

fn filter_schema(resource: &Resource, filter: &Filter) -> Json {
    if filter.is_flag() {
        return json!({"type": "boolean"});
    }
    match resources::tested(resource, filter) {
        // A filter may ask for what no value is.
        Some(field) if field.codec.kind == scalar::Kind::Integer => (scalar::Integer::CODEC.describe)(),
        Some(field) if field.codec.kind == scalar::Kind::Text => json!({"type": "string"}),
        Some(field) => (field.codec.describe)(),
        None => json!({"type": "string"}),
    }
}

fn errors(method: &Method) -> Json {
    let mut statuses = vec!["400", "401", "403", "404", "429", "503"];
    if matches!(*method, Method::POST | Method::PUT | Method::PATCH) {
        statuses.extend(["409", "413", "415", "422"]);
    }
    statuses.sort_unstable();
    let reference = |status| (status, json!({"$ref": format!("#/components/responses/{status}")}));
    statuses
        .into_iter()
        .map(reference)
        .map(|(status, reference)| (status.to_owned(), reference))
        .collect::<Map<_, _>>()
        .into()
}

fn responses() -> Json {
    let meanings = [
        ("400", "The body is not JSON, or a path or query value does not parse."),
        ("401", "No token, or an unknown one."),
        ("403", "The token's scope does not allow this."),
        ("404", "The record, or one on the way to it, does not exist."),
        ("409", "What is stored stands against it."),
        ("413", "The body or the image is too large."),
        ("415", "The route does not take this content type."),
        ("422", "The body breaks a rule."),
        ("429", "Too many requests; see Retry-After."),
        ("503", "The store is busy or away; see Retry-After."),
    ];
    let response = |(status, meaning): (&str, &str)| {
        let schema = json!({"$ref": "#/components/schemas/Problem"});
        (
            status.to_owned(),
            json!({"description": meaning, "content": {"application/problem+json": {"schema": schema}}}),
        )
    };
    meanings.into_iter().map(response).collect::<Map<_, _>>().into()
}

fn schemas() -> Json {
    let mut schemas = Map::new();
    for resource in resources::ALL {
        for body in [Body::Shown, Body::Embedded, Body::Creates, Body::Changes] {
            let unwanted = body == Body::Changes && resource.immutable;
            if !unwanted {
                schemas.insert(schema_name(resource, body), schema(resource, body));
            }
        }
    }
    let error = json!({"type": "object", "properties": {
        "pointer": {"type": "string", "description": "RFC 6901, into the body"},
        "parameter": {"type": "string", "description": "of the path or the query"},
        "detail": {"type": "string"},
    }});
    let problem = json!({"type": "object", "description": "RFC 9457", "required": ["type", "title", "status", "detail"], "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
        "request_id": {"type": "string", "description": "what the request is called in the log; the header `request-id` says it, too"},
        "errors": {"type": "array", "items": error},
    }});
    schemas.insert("Problem".to_owned(), problem);
    Json::Object(schemas)
}

fn schema_name(resource: &Resource, body: Body) -> String {
    let singular = resource.singular.replace(' ', "_");
    match body {
        Body::Shown => singular,
        Body::Embedded => format!("embedded_{singular}"),
        Body::Creates => format!("new_{singular}"),
        Body::Changes => format!("changed_{singular}"),
    }
}

/// The schema of a resource; one for each variant, where it has variants.
fn schema(resource: &'static Resource, body: Body) -> Json {
    let variants = resource.variant.and_then(|name| resource.field(name));
    let Some(field) = variants else { return object(resource, body, None) };
    json!({"oneOf": field.codec.words.iter().map(|word| object(resource, body, Some(word))).collect::<Vec<_>>()})
}

fn object(resource: &'static Resource, body: Body, variant: Option<&str>) -> Json {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for member in resources::members(resource) {
        let shown = match member {
            Member::Field(field) => plain_property(resource, field, body, variant),
            Member::Holder(relation, embedded) => {
                let schema = reference(relation.to, body);
                embedded_property(embedded, body, schema, false).map(|schema| (schema, body.is_shown()))
            }
            Member::Kept(child, embedded) => {
                let nullable = matches!(child.relation.kept, Kept::One { .. });
                embedded_property(embedded, body, kept_schema(*child, body), nullable)
                    .map(|schema| (schema, body.is_shown()))
            }
        };
        if let Some((schema, is_required)) = shown {
            properties.insert(member.name().to_owned(), schema);
            required.extend(is_required.then(|| member.name()));
        }
    }
    json!({"type": "object", "description": resource.summary, "additionalProperties": false, "properties": properties, "required": required})
}

impl Body {
    fn is_shown(self) -> bool {
        matches!(self, Self::Shown | Self::Embedded)
    }
}

/// The schema of a value, and whether it must be there; `None` where the body has no such member.
fn plain_property(
    resource: &'static Resource,
    field: &Field,
    body: Body,
    variant: Option<&str>,
) -> Option<(Json, bool)> {
    let input = field.input_for(variant).filter(|_| !field.hidden)?;
    let instead = |member: &Member| match member {
        Member::Holder(relation, embedded) => embedded.given && relation.by.name == field.name,
        Member::Field(_) | Member::Kept(..) => false,
    };
    let is_required = match body {
        Body::Shown | Body::Embedded => true,
        Body::Creates if matches!(input, Input::Never) => return None,
        Body::Creates => matches!(input, Input::Required) && !resources::members(resource).iter().any(instead),
        Body::Changes if !field.changeable => return None,
        Body::Changes => false,
    };
    let mut schema = match variant {
        Some(word) if resource.variant == Some(field.name) => json!({"const": word}),
        _ if field.is_image() && body.is_shown() => json!({"type": "string", "format": "uri"}),
        _ => (field.codec.describe)(),
    };
    if field.is_nullable(variant) {
        schema = json!({"anyOf": [schema, {"type": "null"}]});
    }
    schema["description"] = json!(field.meaning);
    Some((schema, is_required))
}

fn embedded_property(embedded: &crate::schema::Embedded, body: Body, schema: Json, nullable: bool) -> Option<Json> {
    let appears = match body {
        Body::Shown => true,
        Body::Embedded => embedded.shown == Shown::Always,
        Body::Creates => embedded.given,
        Body::Changes => false,
    };
    let mut schema = if nullable { json!({"anyOf": [schema, {"type": "null"}]}) } else { schema };
    schema["description"] = json!(embedded.meaning);
    appears.then_some(schema)
}

fn kept_schema(child: Child, body: Body) -> Json {
    match child.relation.kept {
        Kept::Many { .. } => json!({"type": "array", "items": reference(child.resource, body)}),
        Kept::Sum { .. } => (scalar::Integer::CODEC.describe)(),
        Kept::One { .. } | Kept::Nothing => reference(child.resource, body),
    }
}

fn reference(resource: &Resource, body: Body) -> Json {
    let inner = if body == Body::Creates { Body::Creates } else { Body::Embedded };
    json!({"$ref": format!("#/components/schemas/{}", schema_name(resource, inner))})
}

fn identifier() -> Json {
    (scalar::Identifier::CODEC.describe)()
}
