//! The schemas of the bodies of requests and responses.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use crate::error::{Code, ViolationCode};
use crate::resources::{self, Child, Member};
use crate::schema::scalar::{self, Kind, Scalar};
use crate::schema::{Embedded, Field, Input, ParentData, Reserved, Resource, Visibility};

/// The purpose of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// Renders a record that is not embedded.
    Response,
    /// Renders a record inside another.
    Embedded,
    /// Creates a record. The path sets this field, if any.
    Creates(Option<&'static str>),
    /// Stores a complete record under its identifier.
    Imports,
    /// Changes a record.
    Changes,
}

/// Returns the schemas of all resources and of errors, by name.
pub(super) fn all() -> Map<String, Json> {
    let mut schemas = Map::new();
    for resource in resources::ALL {
        let bound = resource.belongs_to.as_ref().map(|relation| relation.foreign_key.name);
        let new = [Body::Creates(None), Body::Creates(bound), Body::Imports];
        for body in [Body::Response, Body::Embedded].into_iter().chain(new).chain([Body::Changes]) {
            if body != Body::Changes || resource.is_changeable() {
                add(&mut schemas, resource, body);
            }
        }
    }
    let codes = |title: &str, names: Vec<&str>| json!({"title": title, "type": "string", "enum": names});
    let error = json!({"title": "Violation", "type": "object", "required": ["code", "detail"], "properties": {
        "pointer": {"type": "string", "description": "Position in the body (RFC 6901)"},
        "parameter": {"type": "string", "description": "Name of the path or query parameter"},
        "code": codes("ViolationCode", ViolationCode::ALL.map(ViolationCode::code).to_vec()),
        "detail": {"type": "string", "description": "The problem and the fix, for people"},
    }});
    let names = Code::ALL.map(|code| code.explanation().name).to_vec();
    let problem = json!({
        "type": "object",
        "description": "An error (RFC 9457). Branch on `code`; `detail` is for people and may change.",
        "required": ["type", "code", "title", "status", "detail"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference", "description": "URL of an explanation of the code"},
            "code": codes("ErrorCode", names),
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string", "description": "The problem and the fix, for people"},
            "request_id": {"type": "string", "description": "Identifier of the request in the log, as in the header `request-id`"},
            "errors": {"type": "array", "description": "All invalid values", "items": error},
        },
    });
    schemas.insert("Problem".to_owned(), problem);
    keep_used(&mut schemas, roots());
    schemas
}

/// Returns a reference to the schema of a resource's body.
pub(super) fn reference(resource: &'static Resource, body: Body) -> Json {
    json!({"$ref": format!("#/components/schemas/{}", name(resource, body, None))})
}

/// Adds the schema of a resource. A resource with variants gets a schema for each, and a schema that combines them.
fn add(schemas: &mut Map<String, Json>, resource: &'static Resource, body: Body) {
    let variant = resource.variant.and_then(|name| resource.field(name));
    let Some(field) = variant else {
        schemas.insert(name(resource, body, None), object(resource, body, None));
        return;
    };
    let names: Vec<_> = field.codec.variants.iter().map(|word| (*word, name(resource, body, Some(word)))).collect();
    for (word, name) in &names {
        schemas.insert(name.clone(), object(resource, body, Some(word)));
    }
    let pointer = |name: &String| format!("#/components/schemas/{name}");
    let references: Vec<_> = names.iter().map(|(_, name)| json!({"$ref": pointer(name)})).collect();
    // The body of a change does not name the variant of the record.
    let any = if body == Body::Changes {
        json!({"anyOf": references})
    } else {
        let mapping: Map<_, _> = names.iter().map(|(word, name)| ((*word).to_owned(), json!(pointer(name)))).collect();
        json!({"oneOf": references, "discriminator": {"propertyName": field.name, "mapping": mapping}})
    };
    schemas.insert(name(resource, body, None), any);
}

/// Returns the names of the schemas of bodies. Not every resource is embedded, or created below its parent.
fn roots() -> Vec<String> {
    let roots = resources::ALL.iter().flat_map(|resource| {
        [Body::Response, Body::Creates(None), Body::Imports, Body::Changes].map(|body| name(resource, body, None))
    });
    let mut bound: BTreeSet<_> = crate::request::every_path()
        .iter()
        .filter_map(|path| Some(name(path.target().resource()?, Body::Creates(path.bound_on_creation()), None)))
        .collect();
    bound.extend(roots.chain(["Problem".to_owned()]));
    bound.extend(
        resources::ALL.iter().filter(|resource| resource.minimal_write_response).map(|r| name(r, Body::Embedded, None)),
    );
    bound.into_iter().collect()
}

/// Removes the schemas that `roots` do not use, directly or indirectly.
pub(in crate::lambda) fn keep_used(schemas: &mut Map<String, Json>, roots: impl IntoIterator<Item = String>) {
    let (mut used, mut open) = (BTreeSet::new(), Vec::from_iter(roots));
    while let Some(name) = open.pop() {
        if let Some(schema) = schemas.get(&name)
            && used.insert(name)
        {
            let text = schema.to_string();
            let named = text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
            open.extend(named.map(str::to_owned));
        }
    }
    schemas.retain(|name, _| used.contains(name));
}

/// Returns the name of a schema: `CheerEvent`, `NewCheerEvent`, `NewStampOfDocument`, `CompleteUser`, `UserChanges`.
///
/// If a resource has minimal responses to writes, its response to a GET has a name such as `UserDetails`.
fn name(resource: &'static Resource, body: Body, variant: Option<&str>) -> String {
    let one = pascal_case(&format!("{} {}", variant.unwrap_or_default(), resource.singular));
    match body {
        Body::Response if resource.minimal_write_response => format!("{one}Details"),
        Body::Embedded if !resource.minimal_write_response && differs_embedded(resource) => format!("Embedded{one}"),
        Body::Response | Body::Embedded => one,
        Body::Creates(bound) => match parent(resource, bound) {
            Some(parent) => format!("New{one}Of{}", pascal_case(parent.singular)),
            None => format!("New{one}"),
        },
        Body::Imports => format!("Complete{one}"),
        Body::Changes => format!("{one}Changes"),
    }
}

/// Joins and capitalizes words or the parts of a name: "inventory item" becomes `InventoryItem`.
pub(super) fn pascal_case(words: &str) -> String {
    let capitalized = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        first.to_ascii_uppercase() + rest
    };
    words.split([' ', '-', '_', '.']).map(capitalized).collect()
}

/// Returns true if a record has fewer members when it is embedded.
fn differs_embedded(resource: &'static Resource) -> bool {
    resources::members(resource).iter().any(|member| match member {
        Member::Field(_) => false,
        Member::Parent(_, embedded) | Member::OnParent(_, embedded) => embedded.visibility != Visibility::Always,
    })
}

/// Returns the parent that the path sets, if the body of another path could set it.
fn parent(resource: &Resource, bound: Option<&str>) -> Option<&'static Resource> {
    let relation = resource.belongs_to.as_ref().filter(|relation| Some(relation.foreign_key.name) == bound)?;
    resource.field(relation.foreign_key.name).is_some_and(|field| !field.hidden).then_some(relation.parent)
}

/// Returns the schema of a test record: that of a new record, except that fields with a default are optional.
pub(super) fn test_schema(resource: &'static Resource, test_defaults: &Json) -> Json {
    let variant = resource.variant.and_then(|name| resource.field(name));
    let variants = variant.map_or(vec![None], |field| field.codec.variants.iter().copied().map(Some).collect());
    let schemas = variants.into_iter().map(|variant| {
        let mut schema = object(resource, Body::Creates(None), variant);
        if let Some(Json::Array(required)) = schema.get_mut("required") {
            required.retain(|name| name.as_str().is_none_or(|name| test_defaults.get(name).is_none()));
        }
        if let Some(Json::Array(rules)) = schema.get_mut("allOf") {
            // A test without a user gets a default user.
            rules.retain(|rule| rule.pointer("/not/allOf/0/not").is_none());
        }
        // A test may have a reserved value.
        for field in resource.fields.iter().filter(|field| field.reserved.is_some()) {
            let value = schema.pointer_mut(&format!("/properties/{}/anyOf/0", field.name));
            value.and_then(Json::as_object_mut).map(|value| value.shift_remove("pattern"));
        }
        // A null counts as absent.
        for name in test_defaults.as_object().into_iter().flat_map(Map::keys) {
            let property = schema["properties"][name].take();
            schema["properties"][name] = json!({"anyOf": [property, {"type": "null"}]});
        }
        schema["title"] = json!(pascal_case(&format!("test {} {}", variant.unwrap_or_default(), resource.singular)));
        schema
    });
    let title = pascal_case(&format!("test {}", resource.singular));
    json!({"title": title, "oneOf": schemas.collect::<Vec<_>>()})
}

/// Returns the schema of a resource's body as an object.
pub(super) fn object(resource: &'static Resource, body: Body, variant: Option<&str>) -> Json {
    let (mut properties, mut required, mut rules) = (Map::new(), Vec::new(), Vec::new());
    for member in resources::members(resource) {
        let rendered = match member {
            Member::Field(field) => plain_property(resource, field, body, variant),
            Member::Parent(relation, embedded) => {
                rules.extend(either(body, relation.foreign_key.name, embedded, true));
                embedded_property(embedded, body, inner(relation.parent, body), false)
                    .filter(|_| !is_bound(body, relation.foreign_key.name))
            }
            Member::OnParent(child, embedded) => {
                if let ParentData::One { slot, .. } = child.relation.parent_data {
                    rules.extend(either(body, slot, embedded, false));
                }
                let nullable = matches!(child.relation.parent_data, ParentData::One { .. });
                let mut property = embedded_property(embedded, body, kept_schema(*child, body), nullable);
                if let Some((schema, _)) = property.as_mut().filter(|_| nullable && !body.is_visible()) {
                    // The example of a new event omits the document, which is a separate example.
                    schema["examples"] = json!([null]);
                }
                property
            }
        };
        if let Some((schema, is_required)) = rendered {
            properties.insert(member.name().to_owned(), schema);
            required.extend(is_required.then(|| member.name()));
        }
    }
    let mut object = json!({"type": "object", "description": resource.summary, "properties": properties});
    // A later version may add members to a response. Other bodies also accept fields that the path sets, and null for
    // fields of another variant, but listing those would give each generated type dozens of useless members.
    if !body.is_visible() && variant.is_none() && !matches!(body, Body::Creates(Some(_))) {
        object["additionalProperties"] = json!(false);
    }
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    if !rules.is_empty() {
        object["allOf"] = Json::Array(rules.into_iter().flatten().collect());
    }
    object
}

fn is_bound(body: Body, field: &str) -> bool {
    matches!(body, Body::Creates(Some(bound)) if bound == field)
}

/// Returns the rule that a body has either a reference or the embedded record, but not both. If `is_required`, the body
/// must have one of them.
fn either(body: Body, by: &str, embedded: &Embedded, is_required: bool) -> Option<Vec<Json>> {
    let accepts_embedded = matches!(body, Body::Creates(_)) && embedded.settable && !is_bound(body, by);
    accepts_embedded.then(|| {
        let has = |name: &str| json!({"required": [name], "properties": {name: {"not": {"type": "null"}}}});
        let both = json!({"not": {"allOf": [has(by), has(embedded.field)]}});
        // Client generators create two more types for `anyOf`.
        let one = json!({"not": {"allOf": [{"not": has(by)}, {"not": has(embedded.field)}]}});
        if is_required { vec![both, one] } else { vec![both] }
    })
}

impl Body {
    fn is_visible(self) -> bool {
        matches!(self, Self::Response | Self::Embedded)
    }
}

/// Returns the schema of a field, and true if the body must have it. `None` if the body cannot have it.
fn plain_property(
    resource: &'static Resource,
    field: &Field,
    body: Body,
    variant: Option<&str>,
) -> Option<(Json, bool)> {
    if field.hidden {
        return None;
    }
    let input = field.input_for(variant).filter(|_| !is_bound(body, field.name))?;
    let instead = |member: &Member| match member {
        Member::Parent(relation, embedded) => embedded.settable && relation.foreign_key.name == field.name,
        Member::OnParent(child, embedded) => {
            let slot = if let ParentData::One { slot, .. } = child.relation.parent_data { slot } else { "" };
            embedded.settable && slot == field.name
        }
        Member::Field(_) => false,
    };
    let must_be_given = matches!(input, Input::Required);
    let replaceable = resources::members(resource).iter().any(instead);
    let is_required = match body {
        Body::Response | Body::Embedded => true,
        Body::Creates(_) if input.is_assigned() => return None,
        Body::Creates(_) => must_be_given && !replaceable,
        Body::Imports => input.is_required_in_import(),
        Body::Changes if !field.changeable => return None,
        Body::Changes => false,
    };
    let mut schema = match variant {
        Some(word) if resource.variant == Some(field.name) => json!({"type": "string", "const": word}),
        _ if field.is_image() && body.is_visible() => json!({"type": "string", "format": "uri"}),
        _ => describe(resource, field),
    };
    let example = example(field, body).filter(|_| !(replaceable && matches!(body, Body::Creates(_))));
    if let (Some(reserved), Body::Creates(_)) = (field.reserved, body) {
        let (Reserved::Prefix(beginning) | Reserved::PrefixWithId(beginning) | Reserved::Always(beginning, _)) =
            reserved;
        schema["pattern"] = json!(format!("^(?!{beginning})"));
    }
    // In a request, null counts as absent or clears the field.
    let nullable = if body.is_visible() {
        field.is_nullable(variant)
    } else {
        !(must_be_given || is_required) || (replaceable && matches!(body, Body::Creates(_)))
    };
    if nullable {
        schema = json!({"anyOf": [schema, {"type": "null"}]});
    }
    schema["description"] = json!(field.meaning);
    if let Some(example) = example {
        schema["examples"] = json!([example]);
    }
    Some((schema, is_required))
}

/// Returns the schema of a field's values. An enum has a title.
pub(super) fn describe(resource: &Resource, field: &Field) -> Json {
    let mut schema = (field.codec.describe)();
    if field.codec.kind == Kind::Enum {
        let is_named = field.name.starts_with(resource.singular);
        let name = if is_named { field.name.to_owned() } else { format!("{} {}", resource.singular, field.name) };
        schema["title"] = json!(pascal_case(&name));
    }
    schema
}

/// Returns an example of a field. `None` if the examples of the body omit the field.
fn example(field: &Field, body: Body) -> Option<Json> {
    match field.codec.kind {
        Kind::Image if body.is_visible() => Some(json!("https://capture.example.com/images/2210-5f3a9c.png")),
        // A new record usually has the current time.
        Kind::Time if matches!((body, &field.input), (Body::Creates(_), Input::Now | Input::Optional)) => None,
        // The record in a response is active, and a change makes it inactive.
        Kind::Time if body.is_visible() && matches!(field.input, Input::Optional) => Some(Json::Null),
        Kind::Time => Some(json!("2026-11-20T18:30:00Z")),
        _ => serde_json::from_str(field.example).ok(),
    }
}

/// Returns the schema of an embedded record, and true if the body must have it. `None` if the body cannot have it.
fn embedded_property(embedded: &Embedded, body: Body, schema: Json, nullable: bool) -> Option<(Json, bool)> {
    let appears = match body {
        Body::Response => true,
        Body::Embedded => embedded.visibility == Visibility::Always,
        Body::Creates(_) => embedded.settable,
        Body::Imports | Body::Changes => false,
    };
    let nullable = nullable || !body.is_visible();
    let mut schema = if nullable { json!({"anyOf": [schema, {"type": "null"}]}) } else { schema };
    schema["description"] = json!(embedded.meaning);
    appears.then(|| (schema, body.is_visible()))
}

fn kept_schema(child: Child, body: Body) -> Json {
    match child.relation.parent_data {
        ParentData::Many { .. } => {
            // Their parent is the record that contains them.
            let body = if body.is_visible() { body } else { Body::Creates(Some(child.relation.foreign_key.name)) };
            json!({"type": "array", "items": inner(child.resource, body)})
        }
        ParentData::Sum { addend: of, .. } => {
            let mut sum = (scalar::Integer::CODEC.describe)();
            sum["examples"] = serde_json::from_str(of.example).map_or(json!([]), |example: Json| json!([example]));
            sum
        }
        ParentData::One { .. } | ParentData::Nothing => inner(child.resource, body),
    }
}

/// Returns a reference to the schema of an embedded record.
fn inner(resource: &'static Resource, body: Body) -> Json {
    reference(resource, if body.is_visible() { Body::Embedded } else { body })
}
