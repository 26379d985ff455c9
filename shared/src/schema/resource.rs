//! Resources: the fields of their records, the filters of their lists, and their relations.
//!
//! Only the child declares a relation, so a parent does not change for a new child. Links, bound filters, the owner
//! index, the data stored on the parent and cascading deletion follow from this declaration.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::Timestamp;
use super::attribute::{Attr, Field};
use super::filter::Filter;
use super::letter_case::lower_case;
use super::redaction::Redaction;
use super::scalar::{Identifier, Integer, NonEmptyText, ShortText, Time};
use super::statistics::Statistics;
use super::status::{ChildCounters, Status};
use super::values::Values;
use crate::error::{Code, InvalidValue};

/// A kind of record.
///
/// ```
/// use capture_core::schema::scalar::{Identifier, NonEmptyText};
/// use capture_core::schema::{Attr, Filter, Resource, Role, check};
///
/// const HAT_ID: Attr<Identifier> = Attr::new("hat_id", "Unique identifier of the hat");
/// const NAME: Attr<NonEmptyText> = Attr::new("name", "Name of the hat");
///
/// static HATS: Resource = Resource {
///     summary: "A hat.",
///     fields: &[HAT_ID.assigned(), NAME.required().changeable()],
///     filters: &[Filter::equals(&NAME, Role::Text)],
///     ..Resource::new("hats", "hat", &HAT_ID)
/// };
/// const _: () = check::all(&[&HATS]);
/// ```
pub struct Resource {
    /// Plural, as in routes and keys: `events`.
    pub name: &'static str,
    /// Singular, for messages: `event`.
    pub singular: &'static str,
    /// Description in the OpenAPI document, in one or two sentences.
    pub summary: &'static str,
    /// Field with the identifier of a record.
    pub id: &'static Attr<Identifier>,
    /// Primary time, which orders lists. Without it, lists are ordered by identifier, which is the time of creation.
    pub time: Option<&'static Attr<Time>>,
    /// A second time that lists can be filtered by.
    pub secondary_time: Option<SecondaryTime>,
    /// All fields, in the order of responses.
    pub fields: &'static [Field],
    /// Filters of the list route. Filters by identifier and by relation are implied.
    pub filters: &'static [Filter],
    /// Relation to the parent.
    pub belongs_to: Option<BelongsTo>,
    /// Field that is unique among the records.
    pub unique: Option<Unique>,
    /// Field that determines which other fields a record has.
    pub variant: Option<&'static str>,
    /// Changes that requests may make to a stored record.
    pub lifecycle: Lifecycle,
    /// Status of a record, and its transitions. `None` if records do not have a status.
    pub status: Option<Status>,
    /// References to records that must exist when a record is created. They may be missing when it is imported, and may
    /// be deleted later.
    pub references: &'static [Reference],
    /// Links to actions of a record. Each is a POST that does not create a single record.
    pub actions: &'static [&'static str],
    /// Limits on the number of records.
    pub limits: Limits,
    /// Whether POST and PATCH return the record in its embedded form, without details.
    pub minimal_write_response: bool,
    /// Function that finds contradicting fields of a record. `None` if no fields can contradict each other.
    pub contradictions: Option<fn(&Values) -> Vec<Contradiction>>,
    /// Changes that are appended to the feed.
    pub feed: FeedPolicy,
    /// Statistics of the records and their parents. `None` if the records are not counted.
    pub statistics: Option<Statistics>,
}

/// Fields of a record that contradict each other.
#[derive(Debug)]
pub struct Contradiction {
    /// All of these fields. The first is reported.
    pub fields: &'static [&'static str],
    /// The violation and how to correct it.
    pub invalid: InvalidValue,
}

/// Changes that requests may make to a stored record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// Updates and deletion.
    Free,
    /// Updates. The record is deleted only with its parent.
    Permanent,
    /// None. The record is deleted only with its parent.
    Immutable,
}

/// Limits on the number of records.
#[derive(Debug)]
pub struct Limits {
    /// Maximum number of records of the resource. If set, one item stores the identifiers of all of them.
    pub records: Option<usize>,
    /// Limits for creating several records in one request, by PUT or embedded in their parent. `None` if this is not
    /// supported.
    pub bulk: Option<Bulk>,
}

/// A reference to a record that is not the parent.
#[derive(Debug)]
pub struct Reference {
    /// Field with the identifier of the record.
    pub foreign_key: &'static Attr<Identifier>,
    /// Resource of the record.
    pub target: &'static Resource,
}

/// Selection of the changes that are appended to the feed.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeedPolicy {
    /// Whether creations are appended.
    pub created: bool,
    /// Whether changes to rendered fields are appended.
    pub updated: bool,
    /// Whether deletions are appended.
    pub deleted: bool,
    /// Default members of a test record, in JSON. `None` if the resource does not support alerts, which replay a record
    /// or append a test record.
    pub test_defaults: Option<fn(Timestamp) -> Json>,
}

/// A time that does not order the list.
#[derive(Clone, Copy, Debug)]
pub struct SecondaryTime {
    pub attribute: &'static Attr<Time>,
    /// Whether this time is close to the primary time in nearly all records. Its index then contains only the others.
    /// If false, only some records have this time, and it is never before their primary time.
    pub near_primary: bool,
}

/// Limits for creating several records in one request. They are stored in one transaction.
#[derive(Debug)]
pub struct Bulk {
    /// Maximum number of records.
    pub max: usize,
    /// Maximum number of distinct parents.
    pub max_parents: usize,
}

impl Resource {
    /// Declares a resource with defaults for the optional parts, for use as `..Resource::new(…)`.
    pub const fn new(name: &'static str, singular: &'static str, id: &'static Attr<Identifier>) -> Self {
        Self {
            name,
            singular,
            summary: "",
            id,
            time: None,
            secondary_time: None,
            fields: &[],
            filters: &[],
            belongs_to: None,
            unique: None,
            variant: None,
            lifecycle: Lifecycle::Free,
            status: None,
            references: &[],
            actions: &[],
            limits: Limits { records: None, bulk: None },
            minimal_write_response: false,
            contradictions: None,
            feed: FeedPolicy { created: false, updated: false, deleted: false, test_defaults: None },
            statistics: None,
        }
    }

    /// Returns true if a PATCH may change at least one field.
    pub fn is_changeable(&self) -> bool {
        self.fields.iter().any(|field| field.changeable)
    }

    /// Returns true if its records can be anonymized.
    pub fn is_personal(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.redaction, Some(Redaction::Identify { .. })))
    }

    /// Returns true if a request may delete a record without its parent.
    pub fn is_deletable(&self) -> bool {
        self.lifecycle == Lifecycle::Free
    }

    /// Returns true if values of a field that differ only in case are the same.
    pub fn ignores_case(&self, field: &str) -> bool {
        self.unique.is_some_and(|unique| unique.ignores_case && unique.attribute.name == field)
    }

    /// Returns the resource that must not use this resource's unique values.
    pub fn excludes(&self) -> Option<&'static Self> {
        self.unique.as_ref()?.excludes
    }

    /// Returns the fields of a record that contradict each other.
    pub fn contradictions(&self, values: &Values) -> Vec<Contradiction> {
        self.contradictions.map(|find| find(values)).unwrap_or_default()
    }

    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A relation of a child to its parent, as declared by the child.
///
/// ```
/// use capture_core::schema::scalar::Identifier;
/// use capture_core::schema::{Attr, BelongsTo, Resource, check};
///
/// const HEAD_ID: Attr<Identifier> = Attr::new("head_id", "Identifier of the head");
/// const HAT_ID: Attr<Identifier> = Attr::new("hat_id", "Unique identifier of the hat");
///
/// static HEADS: Resource =
///     Resource { fields: &[HEAD_ID.assigned()], ..Resource::new("heads", "head", &HEAD_ID) };
/// static HATS: Resource = Resource {
///     fields: &[HAT_ID.assigned(), HEAD_ID.required()],
///     belongs_to: Some(BelongsTo { link: Some("hats"), ..BelongsTo::new(&HEADS, &HEAD_ID) }),
///     ..Resource::new("hats", "hat", &HAT_ID)
/// };
/// const _: () = check::all(&[&HEADS, &HATS]);
/// ```
#[derive(Debug)]
pub struct BelongsTo {
    /// Resource of the parent.
    pub parent: &'static Resource,
    /// Field of the child that refers to the parent.
    pub foreign_key: &'static Attr<Identifier>,
    /// Parent as embedded in the child. `None` if only its identifier is rendered.
    pub embedded: Option<Embedded>,
    /// Link from the parent to its children. `None` if the parent stores its only child.
    pub link: Option<&'static str>,
    /// Data that the parent stores about its children.
    pub parent_data: ParentData,
    /// Field of the child that must be null for the parent to store the child.
    pub while_unset: Option<&'static Attr<Time>>,
    /// Field of the child that also filters the list of parents, under the same name. The filter matches parents that
    /// have a child with the value.
    pub child_filter: Option<&'static Attr<ShortText>>,
    /// Counters of the children, in an item next to the parent's state.
    pub counters: Option<ChildCounters>,
}

/// A record that is embedded in another record.
#[derive(Debug)]
pub struct Embedded {
    /// Member that contains it.
    pub field: &'static str,
    /// Whether a body may contain the record in this member.
    pub settable: bool,
    /// Depths at which it is rendered.
    pub visibility: Visibility,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
}

/// Depths at which an embedded record is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// At every depth.
    Always,
    /// Only if the enclosing record is at the top level.
    TopLevel,
}

/// Depth of a record in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    TopLevel,
    /// The record is a member of another record.
    Embedded,
}

impl Visibility {
    /// Returns true if a record at this depth contains the member.
    pub fn is_at(self, depth: Depth) -> bool {
        self == Self::Always || depth == Depth::TopLevel
    }
}

/// A field that is unique among the records of a resource.
#[derive(Clone, Copy, Debug)]
pub struct Unique {
    pub attribute: &'static Attr<NonEmptyText>,
    /// Problem code if another record has the value.
    pub duplicate: Code,
    /// Whether values that differ only in case are the same.
    pub ignores_case: bool,
    /// Hidden field with the time of the newest report that matched the value. Older reports change nothing.
    pub reported_at: Option<&'static Attr<Time>>,
    /// Resource that must not use these values. A record of it that already does is anonymized.
    pub excludes: Option<&'static Resource>,
}

impl Unique {
    /// Declares a unique field. Values are case-sensitive.
    pub const fn new(attribute: &'static Attr<NonEmptyText>, duplicate: Code) -> Self {
        Self { attribute, duplicate, ignores_case: false, reported_at: None, excludes: None }
    }

    /// Stores the time of a record's newest report in a hidden field.
    #[must_use]
    pub const fn reported_at(self, attribute: &'static Attr<Time>) -> Self {
        Self { reported_at: Some(attribute), ..self }
    }

    /// Excludes the values from another resource.
    #[must_use]
    pub const fn excluding(self, excluded: &'static Resource) -> Self {
        Self { excludes: Some(excluded), ..self }
    }

    /// Treats values that differ only in case as the same.
    #[must_use]
    pub const fn ignoring_case(self) -> Self {
        Self { ignores_case: true, ..self }
    }

    /// Returns the form of a value that is reserved.
    pub fn reserved_value<'a>(&self, value: &'a str) -> Cow<'a, str> {
        if self.ignores_case { Cow::Owned(lower_case(value)) } else { Cow::Borrowed(value) }
    }
}

/// Data that a parent stores about its children. It changes in the same transaction as the children, which enforces
/// rules that span records.
#[derive(Debug)]
pub enum ParentData {
    Nothing,
    /// Identifier of at most one child.
    One {
        /// Child as embedded in the parent. A link of the same name leads to the child.
        embedded: Embedded,
        /// Field of the parent, or attribute of its state item, with the identifier.
        slot: &'static str,
        /// Pairs of a child field and the parent field that copies it, for filters of the parent.
        mirrors: &'static [(&'static str, &'static str)],
        /// Problem code if the parent already has a child.
        occupied: Code,
        /// Problem code if the child is attached to another parent.
        attached: Code,
    },
    /// Identifiers of a bounded number of children.
    Many {
        /// Children as embedded in the parent.
        embedded: Embedded,
        /// Attribute of the parent's state item with the identifiers.
        ids: &'static str,
        /// Maximum number of children.
        max: usize,
    },
    /// Sum of a numeric field of the children.
    Sum {
        /// Sum as embedded in the parent. A link of the same name leads to the sum.
        embedded: Embedded,
        /// Numeric field of the child.
        addend: &'static Attr<Integer>,
    },
}

impl BelongsTo {
    /// Declares a relation with defaults for the optional parts, for use as `..BelongsTo::new(…)`.
    pub const fn new(parent: &'static Resource, foreign_key: &'static Attr<Identifier>) -> Self {
        Self {
            parent,
            foreign_key,
            embedded: None,
            link: None,
            parent_data: ParentData::Nothing,
            while_unset: None,
            child_filter: None,
            counters: None,
        }
    }

    /// Returns true if the parent stores all its children. Otherwise, an index finds them.
    pub const fn is_complete(&self) -> bool {
        self.while_unset.is_none() && matches!(self.parent_data, ParentData::One { .. } | ParentData::Many { .. })
    }

    /// Returns true if an index finds the children of a parent.
    pub const fn is_indexed(&self) -> bool {
        self.link.is_some() || !self.is_complete()
    }
}

impl ParentData {
    /// Returns the stored data as embedded in the parent.
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
