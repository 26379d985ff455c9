//! The rules of `docs/api.md` for any resource, derived from its declaration and a rendered record.

use capture_core::resources::{self, Child, LinkTarget};
use capture_core::schema::scalar::Kind;
use capture_core::schema::{Filter, Operator, ParentData, Resource, Timestamp};
use serde_json::{Map, Value, json};

/// Returns the value of a record that a filter tests.
pub fn filtered_value<'a>(resource: &Resource, filter: &Filter, record: &'a Value) -> &'a Value {
    // A hidden field repeats a field of the embedded child.
    let repeated = resources::children(resource).iter().find_map(|child| match &child.relation.parent_data {
        ParentData::One { embedded, mirrors, .. } => {
            let (own, _) = mirrors.iter().find(|(_, repeated)| *repeated == filter.field)?;
            Some(&record[embedded.field][*own])
        }
        _ => None,
    });
    repeated.unwrap_or(&record[filter.field])
}

/// Returns the embedded children that a filter tests.
pub fn parts<'a>(resource: &Resource, filter: &Filter, record: &'a Value) -> &'a [Value] {
    let child = resources::child_of_filter(resource, filter).expect("parts");
    let member = child.relation.parent_data.embedded().expect("parts that are shown").field;
    record[member].as_array().expect("a list")
}

/// Returns true if a filter matches a record, by the rules of `docs/api.md` alone.
pub fn matches_filter(resource: &Resource, filter: &Filter, wanted: &str, record: &Value) -> bool {
    let time = |text: &str| Timestamp::parse(text);
    let actual = filtered_value(resource, filter, record);
    match filter.operator {
        Operator::Equals if takes_several(resource, filter) => wanted.split(',').any(|wanted| plain(actual) == wanted),
        Operator::Equals => !actual.is_null() && plain(actual) == wanted,
        Operator::TextPrefix => actual.as_str().is_some_and(|actual| actual.starts_with(wanted)),
        Operator::AtLeast => actual.as_i64().is_some_and(|actual| actual >= wanted.parse().expect("an integer")),
        Operator::AtMost => actual.as_i64().is_some_and(|actual| actual <= wanted.parse().expect("an integer")),
        Operator::NamePrefix => {
            actual.as_str().is_some_and(|actual| actual.to_lowercase().starts_with(&wanted.to_lowercase()))
        }
        Operator::After => actual.as_str().is_some_and(|actual| time(actual) > time(wanted)),
        Operator::Before => actual.as_str().is_some_and(|actual| time(actual) < time(wanted)),
        Operator::IsSet => (!actual.is_null()).to_string() == wanted,
        Operator::IsUnset => actual.is_null().to_string() == wanted,
        Operator::HasChild => parts(resource, filter, record).iter().any(|part| plain(&part[filter.field]) == wanted),
    }
}

/// Returns true if a filter takes several values.
pub fn takes_several(resource: &Resource, filter: &Filter) -> bool {
    resources::field_of_filter(resource, filter).is_some_and(|field| filter.takes_several(field.codec.kind))
}

/// Renders a value as in a query.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns an operand that makes a filter match a record, or `None` if no operand does.
pub fn matching_operand(resource: &Resource, filter: &Filter, record: &Value) -> Option<String> {
    let actual = filtered_value(resource, filter, record);
    match filter.operator {
        Operator::IsSet => Some((!actual.is_null()).to_string()),
        Operator::IsUnset => Some(actual.is_null().to_string()),
        Operator::HasChild => Some(plain(&parts(resource, filter, record).first()?[filter.field])),
        _ if actual.is_null() => None,
        Operator::After => Some("2000-01-01T00:00:00Z".to_owned()),
        Operator::Before => Some("2100-01-01T00:00:00Z".to_owned()),
        Operator::Equals | Operator::AtLeast | Operator::AtMost => Some(plain(actual)),
        Operator::TextPrefix => Some(plain(actual).chars().take(2).collect()),
        Operator::NamePrefix => Some(plain(actual).chars().take(2).collect::<String>().to_uppercase()),
    }
}

/// Returns an operand that makes a filter not match a record.
pub fn nonmatching_operand(resource: &Resource, filter: &Filter, record: &Value) -> String {
    let actual = filtered_value(resource, filter, record);
    let field = resources::field_of_filter(resource, filter).expect("a field");
    match (filter.operator, field.codec.kind) {
        (Operator::IsSet, _) => actual.is_null().to_string(),
        (Operator::IsUnset, _) => (!actual.is_null()).to_string(),
        (Operator::After | Operator::Before, _) if actual.is_null() => "2000-01-01T00:00:00Z".to_owned(),
        (Operator::After | Operator::Before, _) => plain(actual),
        (Operator::AtLeast, _) => "9007199254740991".to_owned(),
        (Operator::AtMost, _) => "-9007199254740991".to_owned(),
        (_, Kind::Enum) => {
            let other = field.codec.variants.iter().find(|word| **word != plain(actual));
            (*other.expect("another word")).to_owned()
        }
        (_, Kind::Boolean) => (plain(actual) != "true").to_string(),
        (_, Kind::Identifier | Kind::Integer) => "5".to_owned(),
        _ => "another".to_owned(),
    }
}

/// Returns the parent and its link to the only child, if a record's body cannot name the parent.
pub fn path_through_parent(resource: &'static Resource) -> Option<(&'static Resource, &'static str)> {
    let relation = resource.belongs_to.as_ref()?;
    let hidden = resource.field(relation.foreign_key.name).is_some_and(|field| field.hidden);
    let is_slot = |child: &Child| child.resource == resource;
    let link = resources::links(relation.parent)
        .iter()
        .find(|link| matches!(&link.target, LinkTarget::One(child) if is_slot(child)));
    hidden.then(|| Some((relation.parent, link?.name)))?
}

/// Returns a new record's references to others, by field. `id_of` finds the identifier of a resource's record.
pub fn referred(resource: &Resource, id_of: impl Fn(&Resource) -> Value) -> Value {
    let references = resource.references.iter();
    references
        .map(|reference| (reference.foreign_key.name.to_owned(), id_of(reference.target)))
        .collect::<Map<_, _>>()
        .into()
}

/// Returns every resource, parents before their children.
pub fn parents_first() -> Vec<&'static Resource> {
    let mut ordered: Vec<&'static Resource> = Vec::new();
    while ordered.len() < resources::ALL.len() {
        for resource in resources::ALL {
            let ready = resource.belongs_to.as_ref().is_none_or(|relation| ordered.contains(&relation.parent));
            let ready = ready && resource.references.iter().all(|reference| ordered.contains(&reference.target));
            if ready && !ordered.contains(&resource) {
                ordered.push(resource);
            }
        }
    }
    ordered
}

/// Returns a new record's body, with its parent if the body may name it.
pub fn body_for(resource: &Resource, parent: Option<&Value>) -> Value {
    let mut body = crate::samples::full(resource);
    if let (Some(relation), Some(parent)) = (&resource.belongs_to, parent)
        && resource.field(relation.foreign_key.name).is_some_and(|field| !field.hidden)
    {
        body.insert(relation.foreign_key.name.to_owned(), parent[relation.parent.id.name].clone());
    }
    json!(body)
}
