//! What a resource is made of: fields, filters, links, indexes. All of it data, read by every verb.
//!
//! Nothing here knows HTTP or DynamoDB's wire. The resources themselves are in [`crate::resources`].

use crate::error::Violation;
use crate::record::Record;

/// A kind of record: what it consists of, how it is found, where it leads.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, told apart by name")]
pub struct Resource {
    /// Plural, as in routes and keys: `events`.
    pub name: &'static str,
    /// Singular, for messages: `event`.
    pub singular: &'static str,
    /// One sentence for the reader of the OpenAPI document.
    pub summary: &'static str,
    /// The field that holds the record's own identifier: `event_id`.
    pub id: &'static str,
    /// The field whose time orders lists; `None` orders by identifier, which is the time of creation.
    pub time: Option<&'static str>,
    /// Every field, in the order in which responses show them.
    pub fields: &'static [Field],
    /// Every filter of the list route.
    pub filters: &'static [Filter],
    /// Where a path may go on from one record.
    pub links: &'static [Link],
    /// The record that this one belongs to.
    pub parent: Option<Parent>,
    /// The field that no two records may share.
    pub unique: Option<&'static str>,
    /// The field whose value decides which other fields a record has.
    pub variant: Option<&'static str>,
    /// Whether a record can never be changed, nor deleted but with its parent.
    pub immutable: bool,
    /// Whether PUT creates a list of records.
    pub bulk: bool,
    /// Whether POST and PATCH answer with the record as it is embedded elsewhere, without details.
    pub brief_when_written: bool,
    /// Whether the records that belong to one are more than it can know by itself: they are found by index.
    pub holds_without_limit: bool,
    /// The rules that span several fields; says what is wrong with a record.
    pub rules: fn(&Record) -> Option<Violation>,
}

impl Resource {
    /// The most common answers to the optional parts, to be overridden with `..Resource::BASE`.
    pub const BASE: Self = Self {
        name: "",
        singular: "",
        summary: "",
        id: "",
        time: Some("created_at"),
        fields: &[],
        filters: &[],
        links: &[],
        parent: None,
        unique: None,
        variant: None,
        immutable: false,
        bulk: false,
        brief_when_written: false,
        holds_without_limit: false,
        rules: |_| None,
    };

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The attribute that stores a field: the list order's two have the same name in every resource,
    /// so that the indexes can be shared.
    pub fn attribute(&self, field: &'static str) -> &'static str {
        match field {
            _ if field == self.id => "id",
            _ if Some(field) == self.time => "time",
            _ => field,
        }
    }
}

impl PartialEq for Resource {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Resource {}

impl PartialOrd for Resource {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Resource {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.name.cmp(other.name)
    }
}

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// One field of a resource.
pub struct Field {
    /// The name, on the wire and in the table.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What a body that creates a record may say.
    pub input: Input,
    /// Whether a PATCH may change it.
    pub changeable: bool,
    /// Where responses show it.
    pub shown: Shown,
    /// The meaning, for the OpenAPI document.
    pub meaning: &'static str,
}

impl Field {
    const fn new(name: &'static str, kind: Kind, input: Input, meaning: &'static str) -> Self {
        Self { name, kind, input, changeable: false, shown: Shown::Always, meaning }
    }

    /// A field that the service assigns.
    pub const fn assigned(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Input::Never, meaning)
    }

    /// A field that a new record must be given.
    pub const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Input::Required, meaning)
    }

    /// A field that may be null.
    pub const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Input::Optional, meaning)
    }

    /// A field with any other rule for input.
    pub const fn with(name: &'static str, kind: Kind, input: Input, meaning: &'static str) -> Self {
        Self::new(name, kind, input, meaning)
    }

    /// A field of the service's own bookkeeping, which no response shows.
    pub const fn hidden(name: &'static str, kind: Kind) -> Self {
        let field = Self::new(name, kind, Input::Never, "");
        Self { shown: Shown::Never, ..field }
    }

    /// The same field, open to PATCH.
    #[must_use]
    pub const fn changeable(self) -> Self {
        Self { changeable: true, ..self }
    }

    /// The same field, shown only where the record is not part of another.
    #[must_use]
    pub const fn alone(self) -> Self {
        Self { shown: Shown::Alone, ..self }
    }

    /// The rule for input in records of this variant; `None` where they have no such field.
    pub fn input_for(&self, variant: Option<&str>) -> Option<&Input> {
        match &self.input {
            Input::Variants(rules) => rules.iter().find(|(name, _)| Some(*name) == variant).map(|(_, input)| input),
            input => Some(input),
        }
    }

    /// Whether a response may show null.
    pub fn nullable(&self) -> bool {
        match (&self.input, &self.kind) {
            (Input::Variants(rules), _) => rules.iter().any(|(_, input)| matches!(input, Input::Optional)),
            (_, Kind::One { nullable, .. }) => *nullable,
            (Input::Optional, Kind::Many { .. }) => false,
            (input, _) => matches!(input, Input::Optional),
        }
    }
}

/// What values a field takes.
pub enum Kind {
    /// The record's own identifier.
    Own,
    /// The identifier of a record of another resource.
    Reference(&'static Resource),
    /// A whole number, at least this.
    Integer(i64),
    /// A finite number.
    Float,
    /// 1 … 1,024 characters.
    Name,
    /// At most 1,024 characters.
    Label,
    /// At most 100,000 bytes of UTF-8.
    Prose,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A moment.
    Time,
    /// An image's bytes coming in, its URL going out; stored as the key of its object.
    Image,
    /// The identifiers of held records.
    Ids(&'static Resource),
    /// A whole record, embedded: the one that field `by` refers to.
    One {
        /// Of which resource.
        resource: &'static Resource,
        /// The field that refers to it.
        by: &'static str,
        /// Whether there may be none.
        nullable: bool,
    },
    /// Whole records, embedded: those whose identifiers field `ids` holds.
    Many {
        /// Of which resource.
        resource: &'static Resource,
        /// The field that refers to them.
        ids: &'static str,
    },
}

impl Kind {
    /// Any whole number.
    pub const INTEGER: Self = Self::Integer(-crate::value::MAX_INTEGER);
    /// A whole number that is never negative.
    pub const COUNT: Self = Self::Integer(0);
}

/// What a body that creates a record may say about a field.
pub enum Input {
    /// Nothing: the service assigns it.
    Never,
    /// It must be there; a reference may be given as the whole record instead.
    Required,
    /// It may be there.
    Optional,
    /// It may be there, and is the time of creation otherwise.
    Now,
    /// It may be there, and is this number otherwise.
    Default(i64),
    /// It depends on the record's variant; other variants have no such field.
    Variants(&'static [(&'static str, Input)]),
}

/// Where responses show a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// In every response.
    Always,
    /// Where the record is not embedded in another.
    Alone,
    /// Nowhere.
    Never,
}

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

/// A step from one record to another, or to many.
pub struct Link {
    /// The path segment.
    pub name: &'static str,
    /// What it leads to.
    pub leads: Leads,
}

/// Where a link leads.
pub enum Leads {
    /// To the record that field `by` refers to.
    One {
        /// The resource there.
        to: &'static Resource,
        /// The field here.
        by: &'static str,
    },
    /// To the record that slot `by` refers to, if any; POST fills the slot, with `binds` set.
    Slot {
        /// The resource there.
        to: &'static Resource,
        /// The field here.
        by: &'static str,
        /// The field there that refers back.
        binds: &'static str,
    },
    /// To the records whose field `binds` is this one.
    Many {
        /// The resource there.
        to: &'static Resource,
        /// The field there that refers back.
        binds: &'static str,
    },
    /// To the bare value of a field.
    Value {
        /// The field here.
        field: &'static str,
    },
}

/// The record that another belongs to, and what it keeps of it.
///
/// A parent must exist when a child is stored, and each child takes its place in the parent in the same
/// transaction: this is what makes the rules of the specification hold under concurrency.
pub struct Parent {
    /// The resource of the parent.
    pub resource: &'static Resource,
    /// The child's field that refers to it.
    pub by: &'static str,
    /// What the parent keeps of the child.
    pub slot: Slot,
    /// The child takes its place only while this field of it has no value.
    pub while_unset: Option<&'static str>,
    /// The child's fields that the parent repeats, for its own filters and reads: (child's, parent's).
    pub mirrors: &'static [(&'static str, &'static str)],
    /// The parent's fields that the child repeats, where they never change: (parent's, child's).
    pub inherits: &'static [(&'static str, &'static str)],
}

impl Parent {
    /// Whether the parent's own parent repeats what the parent keeps, so that both must be told.
    pub fn is_repeated(&self) -> bool {
        let Slot::Many(field, _) = self.slot else { return false };
        self.resource.parent.as_ref().is_some_and(|above| above.mirrors.iter().any(|(own, _)| *own == field))
    }
}

/// What a parent keeps of a child.
pub enum Slot {
    /// Nothing; it only has to exist.
    Nothing,
    /// The identifier of at most one child.
    One(&'static str),
    /// The identifiers of at most so many children.
    Many(&'static str, usize),
    /// The sum of the children's field: (parent's, child's).
    Sum(&'static str, &'static str),
}
