//! Filters of lists, and the index roles that find their matches.
//!
//! Nearly every filter has an index role. A list that tests all records would become slower with each new record.

use super::attribute::Attr;
use super::index::Role;
use super::scalar::{Identifier, Kind, Scalar, ShortText, Time};

/// A filter of a list: a query parameter, the field that it tests, and the index role that finds its matches.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Query parameter.
    pub name: &'static str,
    /// Field that it tests.
    pub field: &'static str,
    pub operator: Operator,
    /// Index role that finds its matches. `None` if a key or the index of another filter finds them.
    pub role: Option<Role>,
    /// Value of so many records that the index omits them. The list's default order finds them.
    pub unindexed_value: Option<&'static str>,
    /// Only value in the index. The list's default order finds the others.
    pub only_indexed_value: Option<&'static str>,
}

/// A comparison of a field with the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Equals the value.
    Equals,
    /// Is strictly later than the value.
    After,
    /// Is strictly earlier than the value.
    Before,
    /// Is not null.
    IsSet,
    /// Is null.
    IsUnset,
    /// Starts with the value, ignoring case. The list is ordered by the field.
    NamePrefix,
    /// Starts with the value.
    TextPrefix,
    /// Is greater than or equal to the value.
    AtLeast,
    /// Is less than or equal to the value.
    AtMost,
    /// A child of the record has the value in the field with this name.
    HasChild,
}

impl Filter {
    const fn new(name: &'static str, field: &'static str, operator: Operator, role: Option<Role>) -> Self {
        Self { name, field, operator, role, unindexed_value: None, only_indexed_value: None }
    }

    /// Matches records with exactly this value. The role finds them.
    pub const fn equals<S: Scalar>(attribute: &Attr<S>, role: Role) -> Self {
        Self::new(attribute.name, attribute.name, Operator::Equals, Some(role))
    }

    /// Leaves the records with this value out of the index. Use it for a value that most records have.
    #[must_use]
    pub const fn without_index_of(self, common: &'static str) -> Self {
        Self { unindexed_value: Some(common), ..self }
    }

    /// Index only the records with this value. Use it for a value that few records have at a time.
    #[must_use]
    pub const fn with_index_of(self, only: &'static str) -> Self {
        Self { only_indexed_value: Some(only), ..self }
    }

    /// Returns true if the index contains the records with this value.
    pub fn is_indexed(&self, value: &str) -> bool {
        self.unindexed_value != Some(value) && self.only_indexed_value.is_none_or(|only| only == value)
    }

    /// Matches a field that refers to one other record. That record's key finds the match.
    pub const fn refers(attribute: &Attr<Identifier>) -> Self {
        Self::new(attribute.name, attribute.name, Operator::Equals, None)
    }

    /// Matches the unique field. The reservation of the value finds the record.
    pub const fn unique<S: Scalar>(attribute: &Attr<S>) -> Self {
        Self::new(attribute.name, attribute.name, Operator::Equals, None)
    }

    /// Matches times strictly after the parameter.
    ///
    /// The attribute is the primary or the secondary time of the resource.
    pub const fn after(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Operator::After, None)
    }

    /// Matches times strictly before the parameter.
    ///
    /// The attribute is the primary or the secondary time of the resource.
    pub const fn before(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Operator::Before, None)
    }

    /// Matches records with (`true`) or without (`false`) a value in a field.
    pub const fn is_set<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Operator::IsSet, Some(role))
    }

    /// Matches records without (`true`) or with (`false`) a value in a field.
    pub const fn is_unset<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Operator::IsUnset, Some(role))
    }

    /// Matches names that start with a value, ignoring case. The list is ordered by name.
    pub const fn prefix<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::NamePrefix, Some(Role::Name))
    }

    /// Matches texts that start with a value. Every record is tested.
    pub const fn begins_with<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::TextPrefix, None)
    }

    /// Matches integers greater than or equal to a value. Every record is tested.
    pub const fn at_least<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::AtLeast, None)
    }

    /// Matches integers less than or equal to a value. Every record is tested.
    pub const fn at_most<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::AtMost, None)
    }

    /// Matches records that have a child with the value in this attribute.
    pub const fn has_child(attribute: &Attr<ShortText>) -> Self {
        Self::new(attribute.name, attribute.name, Operator::HasChild, Some(Role::Part))
    }

    /// Matches the identifier of the record or of its parent.
    pub const fn identifier(field: &'static str, role: Option<Role>) -> Self {
        Self::new(field, field, Operator::Equals, role)
    }

    /// Returns true if the parameter accepts several values for a field of this kind. A text may contain the separator.
    pub fn takes_several(&self, kind: Kind) -> bool {
        self.operator == Operator::Equals && matches!(kind, Kind::Identifier | Kind::Enum)
    }

    /// Returns true if the parameter is a boolean.
    pub fn is_flag(&self) -> bool {
        matches!(self.operator, Operator::IsSet | Operator::IsUnset)
    }
}
