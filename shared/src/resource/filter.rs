//! Filters: what a list can be asked for, and the indexes that find it.

use super::Resource;

/// One filter of a list: a query parameter, what it tests, and how its matches are found.
pub struct Filter {
    /// The query parameter.
    pub name: &'static str,
    /// The field that it tests.
    pub field: &'static str,
    /// The test.
    pub test: Test,
    /// How its matches are found.
    pub access: Access,
}

impl Filter {
    /// The filter by the record's own identifier.
    pub const fn key(name: &'static str) -> Self {
        Self { name, field: name, test: Test::Equals, access: Access::Key }
    }

    /// Equality with a field's value.
    pub const fn equals(name: &'static str, index: &'static Index) -> Self {
        Self { name, field: name, test: Test::Equals, access: Access::Index(index) }
    }

    /// The same filter, on a field of another name.
    #[must_use]
    pub const fn on(self, field: &'static str) -> Self {
        Self { field, ..self }
    }

    /// The list order's own time, strictly after a moment.
    pub const fn after(name: &'static str, field: &'static str) -> Self {
        Self { name, field, test: Test::After, access: Access::Order }
    }

    /// The list order's own time, strictly before a moment.
    pub const fn before(name: &'static str, field: &'static str) -> Self {
        Self { name, field, test: Test::Before, access: Access::Order }
    }

    /// The same filter, on a time that has an index of its own.
    #[must_use]
    pub const fn by(self, index: &'static Index) -> Self {
        Self { access: Access::Range(index), ..self }
    }

    /// Whether a field has a value (`true`) or none (`false`).
    pub const fn is_set(name: &'static str, field: &'static str, index: &'static Index) -> Self {
        Self { name, field, test: Test::IsSet, access: Access::Index(index) }
    }

    /// Whether a field has none (`true`) or a value (`false`).
    pub const fn is_unset(name: &'static str, field: &'static str, index: &'static Index) -> Self {
        Self { name, field, test: Test::IsUnset, access: Access::Index(index) }
    }

    /// Whether a record holds one of `resource` whose field of this name has the value.
    pub const fn holds(name: &'static str, resource: &'static Resource, index: &'static Index) -> Self {
        Self { name, field: name, test: Test::Holds(resource), access: Access::Through(index) }
    }

    /// Whether a path can bind this parameter to its own value.
    pub fn is_equality(&self) -> bool {
        matches!(self.test, Test::Equals)
    }
}

/// What a filter tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// A held record of this resource has the value.
    Holds(&'static Resource),
}

/// How the matches of a filter are found, the most selective first.
#[derive(Clone, Copy)]
pub enum Access {
    /// By the record's key.
    Key,
    /// By equality in an index.
    Index(&'static Index),
    /// By equality in an index of held records, which are ordered as their holders are.
    Through(&'static Index),
    /// By a range of an index with an order of its own.
    Range(&'static Index),
    /// By a range of the list's own order.
    Order,
}

/// A global secondary index: the table's attributes that partition and order it.
#[derive(Debug)]
pub struct Index {
    /// Its name, which says what it finds.
    pub name: &'static str,
    /// The attributes that must be equal; `shard` spreads a growing partition.
    pub hash: &'static [&'static str],
    /// The attributes that order it.
    pub range: &'static [&'static str],
}

impl Index {
    /// Whether the index is spread over [`crate::store::SHARDS`] partitions.
    pub fn sharded(&self) -> bool {
        self.hash.contains(&"shard")
    }

    /// The attribute that a filter's value is looked up in.
    pub fn key_attribute(&self) -> Option<&'static str> {
        self.hash.iter().copied().find(|name| !matches!(*name, "resource" | "shard"))
    }
}
