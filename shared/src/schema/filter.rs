//! Filters of lists, and the index roles that find their matches.

use super::attribute::Attr;
use super::index::Role;
use super::scalar::{Identifier, Scalar, ShortText, Time};

/// A filter of a list: a query parameter, the field that it tests, and the index role that finds its matches.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// The query parameter.
    pub name: &'static str,
    /// The field that it tests.
    pub field: &'static str,
    /// The test.
    pub test: Test,
    /// The index role that finds its matches. None if a key or the index of another filter finds them.
    pub role: Option<Role>,
    /// The value of so many records that the index leaves them out. The list's own order finds them.
    pub common: Option<&'static str>,
}

/// The test of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The field equals the whole value.
    Equals,
    /// The field is strictly later.
    After,
    /// The field is strictly earlier.
    Before,
    /// The field has a value.
    IsSet,
    /// The field has no value.
    IsUnset,
    /// The field begins with the value, without regard to case. The list is in the order of the field.
    Prefix,
    /// A child of the record has the value in the field of this name.
    HasPart,
}

impl Filter {
    const fn new(name: &'static str, field: &'static str, test: Test, role: Option<Role>) -> Self {
        Self { name, field, test, role, common: None }
    }

    /// Returns a filter for equality with a field's value, found by a role.
    pub const fn equals<S: Scalar>(attribute: &Attr<S>, role: Role) -> Self {
        Self::new(attribute.name, attribute.name, Test::Equals, Some(role))
    }

    /// Returns the same filter without an index entry for the records with this value, which most records have.
    #[must_use]
    pub const fn without_index_of(self, common: &'static str) -> Self {
        Self { common: Some(common), ..self }
    }

    /// Returns a filter for equality with a field that refers to one other record. The key of that record finds the
    /// match.
    pub const fn refers(attribute: &Attr<Identifier>) -> Self {
        Self::new(attribute.name, attribute.name, Test::Equals, None)
    }

    /// Returns a filter for equality with the unique field. The reservation of the value finds the match.
    pub const fn unique<S: Scalar>(attribute: &Attr<S>) -> Self {
        Self::new(attribute.name, attribute.name, Test::Equals, None)
    }

    /// Returns a filter for times strictly after a given time.
    ///
    /// The attribute is the primary or the secondary time of the resource.
    pub const fn after(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Test::After, None)
    }

    /// Returns a filter for times strictly before a given time.
    ///
    /// The attribute is the primary or the secondary time of the resource.
    pub const fn before(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Test::Before, None)
    }

    /// Returns a filter for records with (`true`) or without (`false`) a value in a field.
    pub const fn is_set<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Test::IsSet, Some(role))
    }

    /// Returns a filter for records without (`true`) or with (`false`) a value in a field.
    pub const fn is_unset<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Test::IsUnset, Some(role))
    }

    /// Returns a filter for names that begin with a value, without regard to case. It orders the list by name.
    pub const fn prefix<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Test::Prefix, Some(Role::Name))
    }

    /// Returns a filter for records with a child whose attribute has the value.
    pub const fn has_part(attribute: &Attr<ShortText>) -> Self {
        Self::new(attribute.name, attribute.name, Test::HasPart, Some(Role::Part))
    }

    /// Returns a filter by the identifier of the record or of its parent.
    pub const fn identifier(field: &'static str, role: Option<Role>) -> Self {
        Self::new(field, field, Test::Equals, role)
    }

    /// Returns true if the parameter is a boolean.
    pub fn is_flag(&self) -> bool {
        matches!(self.test, Test::IsSet | Test::IsUnset)
    }
}
