//! What a resource is made of: fields, filters, links, indexes. All of it data, read by every verb.
//!
//! Nothing here knows HTTP or DynamoDB's wire. The resources themselves are in [`crate::resources`].

mod field;
mod filter;

pub use field::{Field, Input, Kind, Shown};
pub use filter::{Access, Filter, Index, Test};

use crate::error::Violation;
use crate::record::Record;

/// A kind of record: what it consists of, how it is found, where it leads.
pub struct Resource {
    /// Plural, as in routes and keys: `events`.
    pub name: &'static str,
    /// Singular, for messages: `event`.
    pub singular: &'static str,
    /// Another first segment of its routes, which must go on from there.
    pub alias: Option<&'static str>,
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
    /// Whether several are created in one request, by PUT and inside their parent, and how many.
    pub bulk: Option<Bulk>,
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
        alias: None,
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
        bulk: None,
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

/// How many records one request creates: they are stored in one transaction, whole or not at all.
pub struct Bulk {
    /// The most records.
    pub most: usize,
    /// The most parents that they may have.
    pub most_parents: usize,
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
