//! Compile-time checks of all resource declarations. An invalid declaration fails the build, with a message that names
//! the resource and the field.
//!
//! The checks cover rules that types cannot express. Names refer to fields, filters fit the fields that they test, and
//! every role and every name is used once.
//!
//! ```compile_fail
//! use event_capture::schema::{Attr, Filter, Resource, Role, check, scalar::{Identifier, NonEmptyText}};
//!
//! const ID: Attr<Identifier> = Attr::new("hat_id", "");
//! const NAME: Attr<NonEmptyText> = Attr::new("name", "");
//! // The filter tests a field that the resource does not have.
//! static HATS: Resource = Resource {
//!     fields: &[ID.assigned()],
//!     filters: &[Filter::equals(&NAME, Role::Text)],
//!     ..Resource::new("hats", "hat", &ID)
//! };
//! const _: () = check::all(&[&HATS]);
//! ```
//!
//! ```compile_fail
//! use event_capture::schema::{Attr, Filter, scalar::NonEmptyText};
//!
//! // A text is neither earlier nor later.
//! const NAME: Attr<NonEmptyText> = Attr::new("name", "");
//! const FILTER: Filter = Filter::after("name_after", &NAME);
//! ```

use super::attribute::{Field, Input};
use super::filter::{Filter, Operator};
use super::index::Role;
use super::resource::{BelongsTo, OnParent, Resource};
use super::scalar::Kind;

/// Checks every declaration of a catalogue.
///
/// # Panics
/// If a declaration is invalid, at compile time. The message names the field: `events.user_name: …`.
pub const fn all(resources: &[&Resource]) {
    let mut position = 0;
    while position < resources.len() {
        let resource = resources[position];
        names(resource, resources, position);
        fields(resource);
        filters(resource);
        roles(resource);
        if let Some(relation) = &resource.belongs_to {
            relation_of(resource, relation, resources);
        }
        links(resource, resources);
        position += 1;
    }
}

const fn names(resource: &Resource, resources: &[&Resource], position: usize) {
    let mut other = 0;
    while other < position {
        refuse_if(same(resources[other].name, resource.name), resource, "", "another resource has this name");
        other += 1;
    }
}

const fn fields(resource: &Resource) {
    expect(resource, resource.id.name, Kind::Identifier, "the identifier is no field of the resource");
    if let Some(time) = resource.time {
        expect(resource, time.name, Kind::Time, "the time of the order is no field of the resource");
    }
    if let Some(second) = &resource.secondary_time {
        expect(resource, second.attribute.name, Kind::Time, "the second time is no field of the resource");
    }
    if let Some(unique) = &resource.unique {
        expect(resource, unique.attribute.name, Kind::Text, "the unique field is no field of the resource");
    }
    if let Some(variant) = resource.variant {
        expect(resource, variant, Kind::Choice, "the variant is no choice among the resource's fields");
    }
    let mut position = 0;
    while position < resource.fields.len() {
        let field = &resource.fields[position];
        let mut other = 0;
        while other < position {
            let twice = same(resource.fields[other].name, field.name);
            refuse_if(twice, resource, field.name, "another field has this name");
            other += 1;
        }
        position += 1;
    }
}

const fn filters(resource: &Resource) {
    let mut position = 0;
    while position < resource.filters.len() {
        let filter = &resource.filters[position];
        let Some(field) = find(resource, filter.field) else {
            refuse(resource, filter.name, "the filter tests what is no field of the resource")
        };
        fits(resource, filter, field);
        let mut other = 0;
        while other < position {
            refuse_if(
                same(resource.filters[other].name, filter.name),
                resource,
                filter.name,
                "another filter has this name",
            );
            other += 1;
        }
        refuse_if(
            same(resource.id.name, filter.name),
            resource,
            filter.name,
            "this filter follows from the identifier",
        );
        position += 1;
    }
}

/// Checks that a filter's test fits its field, and that a role or a key finds the matches.
const fn fits(resource: &Resource, filter: &Filter, field: &Field) {
    match filter.operator {
        Operator::After | Operator::Before => {
            let own = if let Some(time) = resource.time { same(time.name, field.name) } else { false };
            let second = if let Some(second) = &resource.secondary_time {
                same(second.attribute.name, field.name)
            } else {
                false
            };
            refuse_if(
                !own && !second,
                resource,
                filter.name,
                "no index orders by this time: name it as the second time",
            );
        }
        Operator::IsSet | Operator::IsUnset => {
            let optional = matches!(field.input, Input::Optional);
            refuse_if(!optional, resource, filter.name, "the field always has a value");
            refuse_if(
                !is(filter.role, Role::State),
                resource,
                filter.name,
                "whether a field has a value is found by Role::State",
            );
        }
        Operator::Equals => finds_equal(resource, filter, field),
        Operator::Prefix => {
            let right = matches!(field.codec.kind, Kind::Text) && is(filter.role, Role::Name);
            refuse_if(!right, resource, filter.name, "only names have a prefix, which Role::Name finds");
        }
        Operator::HasChild => refuse(resource, filter.name, "a filter by parts follows from their relation"),
    }
}

/// Checks that a role or a key finds the records whose field equals a value.
const fn finds_equal(resource: &Resource, filter: &Filter, field: &Field) {
    let Some(role) = filter.role else {
        let unique = if let Some(unique) = &resource.unique { same(unique.attribute.name, field.name) } else { false };
        let refers = matches!(field.codec.kind, Kind::Identifier);
        return refuse_if(
            !unique && !refers,
            resource,
            filter.name,
            "nothing finds this filter's matches: give it a role",
        );
    };
    let right = match field.codec.kind {
        Kind::Integer => matches!(role, Role::Number),
        Kind::Text => matches!(role, Role::Text | Role::OtherText | Role::ThirdText),
        Kind::Choice => matches!(role, Role::State),
        Kind::Identifier => matches!(role, Role::Owner),
        Kind::Boolean | Kind::Float | Kind::Time | Kind::Image | Kind::Object => false,
    };
    refuse_if(!right, resource, filter.name, "the role does not look up values of this scalar");
}

const fn roles(resource: &Resource) {
    let owner = if let Some(relation) = &resource.belongs_to { relation.is_indexed() } else { false };
    let mut position = 0;
    while position < resource.filters.len() {
        let filter = &resource.filters[position];
        if let Some(role) = filter.role {
            refuse_if(owner && matches!(role, Role::Owner), resource, filter.name, "Role::Owner is the relation's");
            let mut other = 0;
            while other < position {
                let twice = is(resource.filters[other].role, role);
                refuse_if(twice, resource, filter.name, "another filter of the resource has this role");
                other += 1;
            }
        }
        position += 1;
    }
}

const fn relation_of(resource: &Resource, relation: &BelongsTo, resources: &[&Resource]) {
    let by = relation.by.name;
    expect(resource, by, Kind::Identifier, "the relation names a reference that is not a field of the resource");
    refuse_if(!contains(resources, relation.to), resource, by, "the parent is not in the catalogue");
    // An index must find the children that the parent does not store. Otherwise a deletion would miss them.
    let lost = !relation.is_complete() && relation.link.is_none();
    refuse_if(
        lost,
        resource,
        by,
        "the parent does not keep all of them: give a link, whose index the deletion goes by",
    );
    if let Some(attribute) = relation.while_unset {
        expect(
            resource,
            attribute.name,
            Kind::Time,
            "the relation depends on a name that is not a field of the resource",
        );
    }
    if let Some(attribute) = relation.child_filter {
        expect(resource, attribute.name, Kind::Text, "the relation's filter names no field of the resource");
        let clash = find(relation.to, attribute.name).is_some();
        refuse_if(clash, resource, attribute.name, "the parent has a field of the name of this filter");
    }
    match &relation.on_parent {
        OnParent::Sum { of, .. } => {
            expect(resource, of.name, Kind::Integer, "the sum needs an integer field of the resource");
        }
        OnParent::One { mirrors, .. } => {
            let mut position = 0;
            while position < mirrors.len() {
                let (own, repeated) = mirrors[position];
                refuse_if(
                    find(resource, own).is_none(),
                    resource,
                    own,
                    "the parent repeats what is no field of the resource",
                );
                refuse_if(
                    find(relation.to, repeated).is_none(),
                    resource,
                    repeated,
                    "the parent has no such field to repeat in",
                );
                position += 1;
            }
        }
        OnParent::Nothing | OnParent::Many { .. } => {}
    }
    if let Some(embedded) = relation.on_parent.embedded() {
        refuse_if(
            find(relation.to, embedded.field).is_some(),
            resource,
            embedded.field,
            "the parent has a field of this name",
        );
    }
}

/// Checks that no two children of this resource are linked by the same name.
const fn links(parent: &Resource, resources: &[&Resource]) {
    let mut position = 0;
    while position < resources.len() {
        let mut other = 0;
        while other < position {
            if let (Some(one), Some(two)) = (&resources[position].belongs_to, &resources[other].belongs_to)
                && same(one.to.name, parent.name)
                && same(two.to.name, parent.name)
            {
                let clash = meets(one.link, two.link)
                    || meets(one.link, rendered(&two.on_parent))
                    || meets(rendered(&one.on_parent), two.link)
                    || meets(rendered(&one.on_parent), rendered(&two.on_parent));
                refuse_if(
                    clash,
                    resources[position],
                    one.by.name,
                    "another relation to the same parent has a link of this name",
                );
            }
            other += 1;
        }
        position += 1;
    }
}

const fn rendered(on_parent: &OnParent) -> Option<&'static str> {
    match on_parent.embedded() {
        Some(embedded) => Some(embedded.field),
        None => None,
    }
}

const fn meets(one: Option<&str>, two: Option<&str>) -> bool {
    if let (Some(one), Some(two)) = (one, two) { same(one, two) } else { false }
}

const fn contains(resources: &[&Resource], wanted: &Resource) -> bool {
    let mut position = 0;
    while position < resources.len() {
        if same(resources[position].name, wanted.name) {
            return true;
        }
        position += 1;
    }
    false
}

/// Fails the build unless the resource has a field of this name and kind.
const fn expect(resource: &Resource, name: &str, kind: Kind, what: &str) {
    let found = match find(resource, name) {
        Some(field) => field.codec.kind as u8 == kind as u8,
        None => false,
    };
    refuse_if(!found, resource, name, what);
}

const fn find(resource: &Resource, name: &str) -> Option<&'static Field> {
    let mut position = 0;
    while position < resource.fields.len() {
        if same(resource.fields[position].name, name) {
            return Some(&resource.fields[position]);
        }
        position += 1;
    }
    None
}

const fn is(role: Option<Role>, wanted: Role) -> bool {
    if let Some(role) = role { role as u8 == wanted as u8 } else { false }
}

const fn same(one: &str, two: &str) -> bool {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    let mut position = 0;
    while position < one.len() && position < two.len() && one[position] == two[position] {
        position += 1;
    }
    position == one.len() && position == two.len()
}

const fn refuse_if(wrong: bool, resource: &Resource, name: &str, what: &str) {
    if wrong {
        refuse(resource, name, what);
    }
}

/// Fails the build with the message `resource.name: what`.
///
/// Const evaluation cannot format text, so the message is assembled byte by byte.
const fn refuse(resource: &Resource, name: &str, what: &str) -> ! {
    let parts = [resource.name, ".", name, ": ", what];
    let (mut text, mut length, mut part) = ([0; 256], 0, 0);
    while part < parts.len() {
        let (bytes, mut position) = (parts[part].as_bytes(), 0);
        while position < bytes.len() && length < text.len() {
            text[length] = bytes[position];
            (length, position) = (length + 1, position + 1);
        }
        part += 1;
    }
    match std::str::from_utf8(text.split_at(length).0) {
        Ok(message) => panic!("{}", message),
        Err(_) => panic!("a declaration is wrong"),
    }
}

#[cfg(test)]
mod tests;
