//! Compile-time checks of all resource declarations. An invalid declaration fails the build with a message that names
//! the resource and the field.
//!
//! The checks cover rules that types cannot express: names refer to fields, filters fit the fields that they test, and
//! every role and name is used at most once. At run time, an invalid declaration would only show in the responses of
//! one route.
//!
//! ```compile_fail
//! use capture_core::schema::{Attr, Filter, Resource, Role, check, scalar::{Identifier, NonEmptyText}};
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
//! use capture_core::schema::{Attr, Filter, scalar::NonEmptyText};
//!
//! // Texts are not times.
//! const NAME: Attr<NonEmptyText> = Attr::new("name", "");
//! const FILTER: Filter = Filter::after("name_after", &NAME);
//! ```

use super::attribute::{Field, Input};
use super::filter::{Filter, Operator};
use super::index::Role;
use super::resource::{BelongsTo, ParentData, Resource};
use super::scalar::Kind;

/// Loop over a slice. Constant functions do not support `for`.
macro_rules! each {
    ($index:ident, $element:ident in $slice:expr => $body:block) => {
        let mut $index = 0;
        while $index < $slice.len() {
            let $element = &$slice[$index];
            $body
            $index += 1;
        }
    };
}

/// Checks every resource of a catalogue.
///
/// # Panics
/// If a declaration is invalid, at compile time. The message names the field: `events.user_name: …`.
pub const fn all(resources: &[&Resource]) {
    each!(index, resource in resources => {
        each!(other, earlier in resources.split_at(index).0 => {
            reject_if(equal(earlier.name, resource.name), resource, "", "duplicate resource name");
        });
        check_fields(resource);
        check_filters(resource);
        check_roles(resource);
        if let Some(relation) = &resource.belongs_to {
            check_relation(resource, relation, resources);
        }
        check_links(resource, resources);
    });
}

const fn check_fields(resource: &Resource) {
    require(resource, resource.id.name, Kind::Identifier, "the id needs an Identifier field");
    if let Some(time) = resource.time {
        require(resource, time.name, Kind::Time, "the time needs a Time field");
    }
    if let Some(secondary) = &resource.secondary_time {
        require(resource, secondary.attribute.name, Kind::Time, "the secondary time needs a Time field");
    }
    if let Some(unique) = &resource.unique {
        require(resource, unique.attribute.name, Kind::Text, "the unique value needs a text field");
    }
    if let Some(status) = &resource.status {
        require(resource, status.field, Kind::Enum, "the status needs an Enum field");
        require(resource, status.changed_at.name, Kind::Time, "the time of a transition needs a Time field");
    }
    each!(index, reference in resource.references => {
        require(resource, reference.foreign_key.name, Kind::Identifier, "a reference needs an Identifier field");
    });
    if let Some(variant) = resource.variant {
        require(resource, variant, Kind::Enum, "the variant needs an Enum field");
    }
    each!(index, field in resource.fields => {
        if let Input::Since(flag) = &field.input {
            require(resource, flag, Kind::Boolean, "the flag of a time needs a Boolean field");
        }
        each!(other, earlier in resource.fields.split_at(index).0 => {
            reject_if(equal(earlier.name, field.name), resource, field.name, "duplicate field name");
        });
    });
}

const fn check_filters(resource: &Resource) {
    each!(index, filter in resource.filters => {
        let Some(field) = find_field(resource, filter.field) else {
            reject(resource, filter.name, "unknown field in filter")
        };
        check_operator(resource, filter, field);
        each!(other, earlier in resource.filters.split_at(index).0 => {
            reject_if(equal(earlier.name, filter.name), resource, filter.name, "duplicate filter name");
        });
        let is_implied = equal(resource.id.name, filter.name);
        reject_if(is_implied, resource, filter.name, "the filter by identifier is implied");
    });
}

/// Checks that a filter's operator fits its field, and that a role or a key finds the matches.
const fn check_operator(resource: &Resource, filter: &Filter, field: &Field) {
    match filter.operator {
        Operator::After | Operator::Before => {
            let is_time = matches!(resource.time, Some(time) if equal(time.name, field.name));
            let is_secondary =
                matches!(&resource.secondary_time, Some(secondary) if equal(secondary.attribute.name, field.name));
            let detail = "a time filter needs the time or the secondary time of the resource";
            reject_if(!is_time && !is_secondary, resource, filter.name, detail);
        }
        Operator::IsSet | Operator::IsUnset => {
            let is_optional = matches!(field.input, Input::Optional);
            reject_if(!is_optional, resource, filter.name, "a presence filter needs an optional field");
            let has_role = matches!(filter.role, Some(Role::State));
            reject_if(!has_role, resource, filter.name, "a presence filter needs Role::State");
        }
        Operator::Equals => check_equality(resource, filter, field),
        Operator::NamePrefix => {
            let fits = matches!(field.codec.kind, Kind::Text) && matches!(filter.role, Some(Role::Name));
            reject_if(!fits, resource, filter.name, "a prefix filter needs a text field and Role::Name");
        }
        Operator::TextPrefix => {
            let fits = matches!(field.codec.kind, Kind::Text) && !field.codec.out_of_line;
            reject_if(!fits, resource, filter.name, "a filter by the beginning of a text needs a short text");
        }
        Operator::AtLeast | Operator::AtMost => {
            let fits = matches!(field.codec.kind, Kind::Integer);
            reject_if(!fits, resource, filter.name, "a filter by the size of a number needs an integer");
        }
        Operator::HasChild => reject(resource, filter.name, "a filter by children is declared by their relation"),
    }
}

/// Checks that a role or a key finds the records where the field equals a value.
const fn check_equality(resource: &Resource, filter: &Filter, field: &Field) {
    let Some(role) = filter.role else {
        let is_unique = matches!(&resource.unique, Some(unique) if equal(unique.attribute.name, field.name));
        let is_reference = matches!(field.codec.kind, Kind::Identifier);
        let detail = "an equality filter needs a role, a unique field or an Identifier field";
        return reject_if(!is_unique && !is_reference, resource, filter.name, detail);
    };
    let fits = match field.codec.kind {
        Kind::Integer => matches!(role, Role::Number),
        Kind::Text => matches!(role, Role::Text | Role::Text2 | Role::Text3),
        Kind::Enum => matches!(role, Role::State | Role::Text),
        Kind::Boolean => matches!(role, Role::State),
        Kind::Identifier => matches!(role, Role::Owner | Role::Number),
        Kind::Float | Kind::Time | Kind::Image | Kind::Object => false,
    };
    reject_if(!fits, resource, filter.name, "wrong role for the kind of the field");
}

const fn check_roles(resource: &Resource) {
    let has_owner = matches!(&resource.belongs_to, Some(relation) if relation.is_indexed());
    each!(index, filter in resource.filters => {
        if let Some(role) = filter.role {
            let is_owner = has_owner && matches!(role, Role::Owner);
            reject_if(is_owner, resource, filter.name, "duplicate role: the relation has Role::Owner");
            each!(other, earlier in resource.filters.split_at(index).0 => {
                let is_duplicate = matches!(earlier.role, Some(other) if other as u8 == role as u8);
                reject_if(is_duplicate, resource, filter.name, "duplicate role: another filter has it");
            });
        }
    });
}

const fn check_relation(resource: &Resource, relation: &BelongsTo, resources: &[&Resource]) {
    let by = relation.foreign_key.name;
    require(resource, by, Kind::Identifier, "a relation needs an Identifier field");
    let mut is_known = false;
    each!(index, other in resources => {
        is_known |= equal(other.name, relation.parent.name);
    });
    reject_if(!is_known, resource, by, "unknown parent: it is not in the catalogue");
    // An index must find the children that the parent does not store. Otherwise a deletion would miss them.
    let detail = "a cascading child without a complete list on its parent needs a link with an index";
    reject_if(!relation.is_complete() && relation.link.is_none(), resource, by, detail);
    if let Some(attribute) = relation.while_unset {
        require(resource, attribute.name, Kind::Time, "while_unset needs a Time field");
    }
    if let Some(counters) = &relation.counters {
        require(resource, counters.group_by.name, Kind::Identifier, "counters need an Identifier field");
        require(resource, counters.amount, Kind::Integer, "counters need an Integer field");
    }
    if let Some(attribute) = relation.child_filter {
        require(resource, attribute.name, Kind::Text, "a filter by children needs a text field");
        reject_if_field(
            relation.parent,
            resource,
            attribute.name,
            "duplicate filter name: the parent has such a field",
        );
    }
    match &relation.parent_data {
        ParentData::Sum { addend: of, .. } => require(resource, of.name, Kind::Integer, "a sum needs an Integer field"),
        ParentData::One { mirrors, .. } => {
            each!(index, mirror in mirrors => {
                let (field, copy) = *mirror;
                reject_if(find_field(resource, field).is_none(), resource, field, "unknown field in mirrors");
                let is_unknown = find_field(relation.parent, copy).is_none();
                reject_if(is_unknown, resource, copy, "unknown field of the parent in mirrors");
            });
        }
        ParentData::Nothing | ParentData::Many { .. } => {}
    }
    if let Some(embedded) = relation.parent_data.embedded() {
        reject_if_field(relation.parent, resource, embedded.field, "duplicate member: the parent has such a field");
    }
}

/// Checks that no two children of this resource have the same link name.
const fn check_links(parent: &Resource, resources: &[&Resource]) {
    each!(index, resource in resources => {
        each!(other, earlier in resources.split_at(index).0 => {
            if let (Some(one), Some(two)) = (&resource.belongs_to, &earlier.belongs_to)
                && equal(one.parent.name, parent.name)
                && equal(two.parent.name, parent.name)
            {
                let (one_names, two_names) = (link_names(one), link_names(two));
                let is_duplicate = shares_name(one_names, two_names.0) || shares_name(one_names, two_names.1);
                reject_if(is_duplicate, resource, one.foreign_key.name, "duplicate link name: another child of the parent has it");
            }
        });
    });
}

/// Returns the names of the links from a parent: to its children, and to its data about them.
const fn link_names(relation: &BelongsTo) -> (Option<&str>, Option<&str>) {
    match relation.parent_data.embedded() {
        Some(embedded) => (relation.link, Some(embedded.field)),
        None => (relation.link, None),
    }
}

const fn shares_name(names: (Option<&str>, Option<&str>), name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    matches!(names.0, Some(other) if equal(other, name)) || matches!(names.1, Some(other) if equal(other, name))
}

/// Fails the build unless the resource has a field of this name and kind.
const fn require(resource: &Resource, name: &str, kind: Kind, detail: &str) {
    let has_field = matches!(find_field(resource, name), Some(field) if field.codec.kind as u8 == kind as u8);
    reject_if(!has_field, resource, name, detail);
}

/// Fails the build if the parent has a field of this name.
const fn reject_if_field(parent: &Resource, resource: &Resource, name: &str, detail: &str) {
    reject_if(find_field(parent, name).is_some(), resource, name, detail);
}

const fn find_field(resource: &Resource, name: &str) -> Option<&'static Field> {
    let mut found = None;
    each!(index, field in resource.fields => {
        if equal(field.name, name) {
            found = Some(field);
        }
    });
    found
}

const fn equal(one: &str, two: &str) -> bool {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    let mut is_equal = one.len() == two.len();
    each!(index, byte in one => {
        is_equal = is_equal && *byte == two[index];
    });
    is_equal
}

const fn reject_if(is_invalid: bool, resource: &Resource, name: &str, detail: &str) {
    if is_invalid {
        reject(resource, name, detail);
    }
}

/// Fails the build with the message `resource.name: detail`.
///
/// Const evaluation cannot format text, so the message is assembled byte by byte.
const fn reject(resource: &Resource, name: &str, detail: &str) -> ! {
    let (mut text, mut length) = ([0; 256], 0);
    each!(index, part in [resource.name, ".", name, ": ", detail] => {
        each!(offset, byte in part.as_bytes() => {
            if length < text.len() {
                text[length] = *byte;
                length += 1;
            }
        });
    });
    match std::str::from_utf8(text.split_at(length).0) {
        Ok(message) => panic!("{}", message),
        Err(_) => panic!("invalid declaration"),
    }
}
