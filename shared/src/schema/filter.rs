//! Filters: what a list can be asked for, and which index role finds it.

use super::attribute::Attr;
use super::index::Role;
use super::scalar::{Identifier, Scalar, ShortText, Time};

/// One filter of a list: a query parameter, what it tests, and how its matches are found.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// The query parameter.
    pub name: &'static str,
    /// The field that it tests.
    pub field: &'static str,
    /// The test.
    pub test: Test,
    /// The index role that finds its matches; none where a key or another filter's index does.
    pub role: Option<Role>,
}

/// What a filter tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Equal, on the whole value.
    Equals,
    /// Strictly later.
    After,
    /// Strictly earlier.
    Before,
    /// The field has a value.
    IsSet,
    /// The field has no value.
    IsUnset,
    /// A part has the value: one of the records that tell of their holder under this name.
    HasPart,
}

impl Filter {
    const fn new(name: &'static str, field: &'static str, test: Test, role: Option<Role>) -> Self {
        Self { name, field, test, role }
    }

    /// Equality with a field's value, found by a role.
    pub const fn equals<S: Scalar>(attribute: &Attr<S>, role: Role) -> Self {
        Self::new(attribute.name, attribute.name, Test::Equals, Some(role))
    }

    /// Equality with a field that refers to one other record, which is found by its key.
    pub const fn refers(attribute: &Attr<Identifier>) -> Self {
        Self::new(attribute.name, attribute.name, Test::Equals, None)
    }

    /// Equality with the field that no two records share, which is found by its reservation.
    pub const fn unique<S: Scalar>(attribute: &Attr<S>) -> Self {
        Self::new(attribute.name, attribute.name, Test::Equals, None)
    }

    /// Strictly after a moment: the list's own time, or the resource's second time.
    pub const fn after(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Test::After, None)
    }

    /// Strictly before a moment: the list's own time, or the resource's second time.
    pub const fn before(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Test::Before, None)
    }

    /// Whether a field has a value (`true`) or none (`false`).
    pub const fn is_set<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Test::IsSet, Some(role))
    }

    /// Whether a field has none (`true`) or a value (`false`).
    pub const fn is_unset<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Test::IsUnset, Some(role))
    }

    /// Whether a record has a part whose attribute has the value.
    pub const fn has_part(attribute: &Attr<ShortText>) -> Self {
        Self::new(attribute.name, attribute.name, Test::HasPart, Some(Role::Part))
    }

    /// The filter by a field that names the record itself, or the one that it belongs to.
    pub const fn identifier(field: &'static str, role: Option<Role>) -> Self {
        Self::new(field, field, Test::Equals, role)
    }

    /// Whether the parameter is `true` or `false`.
    pub fn is_flag(&self) -> bool {
        matches!(self.test, Test::IsSet | Test::IsUnset)
    }
}
