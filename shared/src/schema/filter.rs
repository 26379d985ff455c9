//! Filters of lists, and the index roles that find their matches.
//!
//! Nearly every filter has an index role, because a list that tests all records would become slower with each of them.

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
    #[expect(missing_docs, reason = "the name says it all")]
    pub operator: Operator,
    /// Index role that finds its matches. None if a key or the index of another filter finds them.
    pub role: Option<Role>,
    /// A value of so many records that the index leaves them out. The list's own order finds them.
    pub common: Option<&'static str>,
    /// The only value that the index has. The list's own order finds the others.
    pub only: Option<&'static str>,
}

/// A comparison of a field with the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Equal to the whole value.
    Equals,
    /// Strictly later than the value.
    After,
    /// Strictly earlier than the value.
    Before,
    /// Has a value.
    IsSet,
    /// Has no value.
    IsUnset,
    /// Begins with the value, without regard to case. The list is in the order of the field.
    Prefix,
    /// Begins with the value.
    BeginsWith,
    /// Equal to the value, or greater.
    AtLeast,
    /// Equal to the value, or less.
    AtMost,
    /// A child of the record has the value in the field of this name.
    HasChild,
}

impl Filter {
    const fn new(name: &'static str, field: &'static str, operator: Operator, role: Option<Role>) -> Self {
        Self { name, field, operator, role, common: None, only: None }
    }

    /// Match a field's whole value. A role finds the records.
    pub const fn equals<S: Scalar>(attribute: &Attr<S>, role: Role) -> Self {
        Self::new(attribute.name, attribute.name, Operator::Equals, Some(role))
    }

    /// Leave the records with this value, which most records have, out of the index.
    #[must_use]
    pub const fn without_index_of(self, common: &'static str) -> Self {
        Self { common: Some(common), ..self }
    }

    /// Put only the records with this value, which few have at a time, into the index.
    #[must_use]
    pub const fn with_index_of(self, only: &'static str) -> Self {
        Self { only: Some(only), ..self }
    }

    /// Tell if the index has the records with a value.
    pub fn is_indexed(&self, value: &str) -> bool {
        self.common != Some(value) && self.only.is_none_or(|only| only == value)
    }

    /// Match a field that refers to one other record. The key of that record finds the match.
    pub const fn refers(attribute: &Attr<Identifier>) -> Self {
        Self::new(attribute.name, attribute.name, Operator::Equals, None)
    }

    /// Match the unique field. The reservation of the value finds the record.
    pub const fn unique<S: Scalar>(attribute: &Attr<S>) -> Self {
        Self::new(attribute.name, attribute.name, Operator::Equals, None)
    }

    /// Match times strictly after a given time.
    ///
    /// The attribute is the primary or the secondary time of the resource.
    pub const fn after(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Operator::After, None)
    }

    /// Match times strictly before a given time.
    ///
    /// The attribute is the primary or the secondary time of the resource.
    pub const fn before(name: &'static str, attribute: &Attr<Time>) -> Self {
        Self::new(name, attribute.name, Operator::Before, None)
    }

    /// Match records with (`true`) or without (`false`) a value in a field.
    pub const fn is_set<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Operator::IsSet, Some(role))
    }

    /// Match records without (`true`) or with (`false`) a value in a field.
    pub const fn is_unset<S: Scalar>(name: &'static str, attribute: &Attr<S>, role: Role) -> Self {
        Self::new(name, attribute.name, Operator::IsUnset, Some(role))
    }

    /// Match names that begin with a value, without regard to case. The list is in the order of names.
    pub const fn prefix<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::Prefix, Some(Role::Name))
    }

    /// Match texts that begin with a value. Each record is tested.
    pub const fn begins_with<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::BeginsWith, None)
    }

    /// Match integers from a value on. Each record is tested.
    pub const fn at_least<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::AtLeast, None)
    }

    /// Match integers up to a value. Each record is tested.
    pub const fn at_most<S: Scalar>(name: &'static str, attribute: &Attr<S>) -> Self {
        Self::new(name, attribute.name, Operator::AtMost, None)
    }

    /// Match records with a child whose attribute has the value.
    pub const fn has_child(attribute: &Attr<ShortText>) -> Self {
        Self::new(attribute.name, attribute.name, Operator::HasChild, Some(Role::Part))
    }

    /// Match the identifier of the record or of its parent.
    pub const fn identifier(field: &'static str, role: Option<Role>) -> Self {
        Self::new(field, field, Operator::Equals, role)
    }

    /// Tell if the parameter takes several values of a field of this kind. A text may contain the separator.
    pub fn takes_several(&self, kind: Kind) -> bool {
        self.operator == Operator::Equals && matches!(kind, Kind::Identifier | Kind::Enum)
    }

    /// Tell if the parameter is a boolean.
    pub fn is_flag(&self) -> bool {
        matches!(self.operator, Operator::IsSet | Operator::IsUnset)
    }
}
