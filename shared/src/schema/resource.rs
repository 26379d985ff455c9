//! A resource: what its records consist of, how they are found, and whom they belong to.
//!
//! A relation is said once, by the resource that belongs to another. Fields, links, bound filters, the owner's index, what
//! the holder keeps, and what its deletion takes along follow from there.

use serde_json::Value as Json;

use super::Timestamp;
use super::attribute::{Attr, Field};
use super::filter::Filter;
use super::scalar::{Identifier, Integer, NonEmptyText, ShortText, Time};
use super::values::Values;

/// A kind of record.
pub struct Resource {
    /// Plural, as in routes and keys: `events`.
    pub name: &'static str,
    /// Singular, for messages: `event`.
    pub singular: &'static str,
    /// Another first segment of its routes, which must go on from there.
    pub alias: Option<&'static str>,
    /// One sentence for the reader of the OpenAPI document.
    pub summary: &'static str,
    /// The record's own identifier.
    pub id: &'static Attr<Identifier>,
    /// The time that orders lists; `None` orders by identifier, which is the time of creation.
    pub time: Option<&'static Attr<Time>>,
    /// Another time that lists can be asked for.
    pub secondary_time: Option<SecondaryTime>,
    /// Every field, in the order in which responses show them.
    pub fields: &'static [Field],
    /// The filters of the list route, but for those that follow from identifier and relations; the most selective first.
    pub filters: &'static [Filter],
    /// Whom its records belong to.
    pub belongs_to: Option<BelongsTo>,
    /// The field that no two records may share.
    pub unique: Option<&'static Attr<NonEmptyText>>,
    /// The hidden field with the time as of which the changeable fields are known: what is older changes nothing.
    pub as_of: Option<&'static Attr<Time>>,
    /// The field whose word decides which other fields a record has.
    pub variant: Option<&'static str>,
    /// Whether a record can never be changed, nor deleted but with its holder.
    pub immutable: bool,
    /// Whether several are created in one request, by PUT and inside their holder, and how many.
    pub bulk: Option<Bulk>,
    /// Whether POST and PATCH answer with the record as it is embedded elsewhere, without details.
    pub minimal_write_response: bool,
    /// The rules that span several fields: which field breaks one, and what to do.
    pub rules: fn(&Values) -> Option<(&'static str, String)>,
    /// What the feed tells of its records.
    pub feed: FeedPolicy,
}

/// What the feed tells of the records of a resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeedPolicy {
    /// That one was created.
    pub created: bool,
    /// That a field of one has changed, which a response shows.
    pub updated: bool,
    /// That one was deleted.
    pub deleted: bool,
    /// That one was to be told again, or was tried out: what one has that is tried out and says nothing of it, in JSON.
    pub test_defaults: Option<fn(Timestamp) -> Json>,
}

/// A time that is not the one of the list's order.
#[derive(Clone, Copy, Debug)]
pub struct SecondaryTime {
    /// The field.
    pub attribute: &'static Attr<Time>,
    /// Whether it is nearly the list's own time in nearly all records, so that only the others are in its index. Otherwise
    /// only some records have it, and never a time before their own.
    pub near_primary: bool,
}

/// How many records one request creates: they are stored in one transaction, whole or not at all.
#[derive(Debug)]
pub struct Bulk {
    /// The most records.
    pub most: usize,
    /// The most holders that they may have.
    pub most_parents: usize,
}

impl Resource {
    /// The most common answers to the optional parts, to be overridden with `..Resource::new(…)`.
    pub const fn new(name: &'static str, singular: &'static str, id: &'static Attr<Identifier>) -> Self {
        Self {
            name,
            singular,
            alias: None,
            summary: "",
            id,
            time: None,
            secondary_time: None,
            fields: &[],
            filters: &[],
            belongs_to: None,
            unique: None,
            as_of: None,
            variant: None,
            immutable: false,
            bulk: None,
            minimal_write_response: false,
            rules: |_| None,
            feed: FeedPolicy { created: false, updated: false, deleted: false, test_defaults: None },
        }
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Whom the records of a resource belong to, and what that means to both.
#[derive(Debug)]
pub struct BelongsTo {
    /// The resource of the holder.
    pub to: &'static Resource,
    /// The field here that refers to it.
    pub by: &'static Attr<Identifier>,
    /// The holder, as it is shown inside; none where only its identifier is.
    pub embedded: Option<Embedded>,
    /// The link from the holder to all that belong to it; none where it keeps the only one.
    pub link: Option<&'static str>,
    /// What the holder keeps.
    pub on_parent: OnParent,
    /// The record is kept only while this field has no value.
    pub while_unset: Option<&'static Attr<Time>>,
    /// The field here that the holder's list has a filter by, of the same name: it keeps holders with such a part.
    pub child_filter: Option<&'static Attr<ShortText>>,
}

/// A record that is shown as a whole inside another.
#[derive(Debug)]
pub struct Embedded {
    /// The field that shows it.
    pub field: &'static str,
    /// Whether a body may give the whole record there.
    pub given: bool,
    /// Where it is shown.
    pub visibility: Visibility,
    /// The meaning, for the OpenAPI document.
    pub meaning: &'static str,
}

/// Where responses show an embedded record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// In every response.
    Always,
    /// Where the record around it is not embedded in another.
    TopLevel,
}

/// The position of a record in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The response is about the record.
    TopLevel,
    /// The record is a member of another one.
    Embedded,
}

impl Visibility {
    /// Returns true if a record at this depth shows the member.
    pub fn is_at(self, depth: Depth) -> bool {
        self == Self::Always || depth == Depth::TopLevel
    }
}

/// What a holder keeps of the records that belong to it. It changes together with them: that is what makes the rules
/// that span records hold.
#[derive(Debug)]
pub enum OnParent {
    /// Nothing.
    Nothing,
    /// The identifier of at most one.
    One {
        /// How it is shown inside the holder; the link of this name leads to it.
        embedded: Embedded,
        /// What its identifier is kept under: a field of the holder, or a part of its state.
        slot: &'static str,
        /// Fields that the holder repeats for its own filters: (the one here, the holder's).
        mirrors: &'static [(&'static str, &'static str)],
    },
    /// The identifiers of at most so many.
    Many {
        /// How they are shown inside the holder.
        embedded: Embedded,
        /// What their identifiers are kept under, in the holder's state.
        ids: &'static str,
        /// How many.
        most: usize,
    },
    /// The sum of a number.
    Sum {
        /// How it is shown inside the holder; the link of this name leads to it.
        embedded: Embedded,
        /// The number here.
        of: &'static Attr<Integer>,
    },
}

impl BelongsTo {
    /// What most relations have in common, to be overridden with `..BelongsTo::new(…)`.
    pub const fn new(to: &'static Resource, by: &'static Attr<Identifier>) -> Self {
        Self { to, by, embedded: None, link: None, on_parent: OnParent::Nothing, while_unset: None, child_filter: None }
    }

    /// Whether the holder knows all that belong to it; otherwise an index finds them.
    pub const fn is_complete(&self) -> bool {
        self.while_unset.is_none() && matches!(self.on_parent, OnParent::One { .. } | OnParent::Many { .. })
    }

    /// Whether the records are found by their holder in an index.
    pub const fn is_indexed(&self) -> bool {
        self.link.is_some() || !self.is_complete()
    }
}

impl OnParent {
    /// How what is kept is shown inside the holder.
    pub const fn embedded(&self) -> Option<&Embedded> {
        match self {
            Self::Nothing => None,
            Self::One { embedded, .. } | Self::Many { embedded, .. } | Self::Sum { embedded, .. } => Some(embedded),
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
