//! Resources: the fields of their records, the filters of their lists, and their relations.
//!
//! Only the child declares a relation, because a parent should not change for a new child. Links, bound filters, the
//! owner index, the data stored on the parent and cascading deletion follow from this declaration.

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
/// use event_capture::schema::scalar::{Identifier, NonEmptyText};
/// use event_capture::schema::{Attr, Filter, Resource, Role, check};
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
    /// Primary time, which orders lists. None orders them by identifier, which is the time of creation.
    pub time: Option<&'static Attr<Time>>,
    /// Another time that lists can be filtered by.
    pub secondary_time: Option<SecondaryTime>,
    /// All fields, in the order of responses.
    pub fields: &'static [Field],
    /// Filters of the list route, the most selective first. Filters by identifier and by relation are implied.
    pub filters: &'static [Filter],
    /// Relation to the parent.
    pub belongs_to: Option<BelongsTo>,
    /// Field whose value is unique among the records.
    pub unique: Option<Unique>,
    /// Field whose value determines the other fields of a record.
    pub variant: Option<&'static str>,
    /// What requests may do with a stored record.
    pub lifecycle: Lifecycle,
    /// The status of a record, and its changes. None if the records have no status.
    pub status: Option<Status>,
    /// References to records that must exist when a record is created. They need not exist when it is imported, and may
    /// be deleted later.
    pub refers: &'static [Reference],
    /// Links to actions of a record, each a POST that creates no single record.
    pub actions: &'static [&'static str],
    /// Limits of the numbers of its records.
    pub limits: Limits,
    /// True if POST and PATCH return the record in its embedded form, without details.
    pub minimal_write_response: bool,
    /// Find the fields of a record that contradict each other. None if none can.
    pub contradictions: Option<fn(&Values) -> Vec<Contradiction>>,
    /// Changes of its records that are appended to the feed.
    pub feed: FeedPolicy,
    /// Statistics of its records and of their parents. None if its records are not counted.
    pub statistics: Option<Statistics>,
}

/// Fields of a record that contradict each other.
#[derive(Debug)]
pub struct Contradiction {
    /// All of them. The first one is reported.
    pub fields: &'static [&'static str],
    /// The violation, with its correction.
    pub invalid: InvalidValue,
}

/// What requests may do with a stored record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// Change and delete it.
    Free,
    /// Change it. It can be deleted only with its parent.
    Permanent,
    /// Neither. It can be deleted only with its parent.
    Immutable,
}

/// Limits of the numbers of records.
#[derive(Debug)]
pub struct Limits {
    /// Maximum number of records of the resource. One item then has the identifiers of all of them.
    pub records: Option<usize>,
    /// Limits for creating several records in one request, by PUT or embedded in their parent. None if the resource does
    /// not support it.
    pub bulk: Option<Bulk>,
}

/// A reference to a record that is no parent.
#[derive(Debug)]
pub struct Reference {
    /// Field with the identifier of the record.
    pub by: &'static Attr<Identifier>,
    /// Resource of the record.
    pub to: &'static Resource,
}

/// A choice of the changes that are appended to the feed.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeedPolicy {
    /// True if creations are appended.
    pub created: bool,
    /// True if changes of rendered fields are appended.
    pub updated: bool,
    /// True if deletions are appended.
    pub deleted: bool,
    /// Default members of a test record, in JSON. None if the resource has no alerts, which replay a record or
    /// append a test record.
    pub test_defaults: Option<fn(Timestamp) -> Json>,
}

/// A time that does not order the list.
#[derive(Clone, Copy, Debug)]
pub struct SecondaryTime {
    #[expect(missing_docs, reason = "the name says it all")]
    pub attribute: &'static Attr<Time>,
    /// True if this time is close to the primary time in nearly all records. Its index then contains only the others.
    /// If false, only some records have this time, and it is never before their primary time.
    pub near_primary: bool,
}

/// Limits for creating several records in one request. They are stored in one transaction, all or none.
#[derive(Debug)]
pub struct Bulk {
    /// Maximum number of records.
    pub max: usize,
    /// Maximum number of distinct parents.
    pub max_parents: usize,
}

impl Resource {
    /// Declare a resource with defaults for the optional parts, for use as `..Resource::new(…)`.
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
            refers: &[],
            actions: &[],
            limits: Limits { records: None, bulk: None },
            minimal_write_response: false,
            contradictions: None,
            feed: FeedPolicy { created: false, updated: false, deleted: false, test_defaults: None },
            statistics: None,
        }
    }

    /// Tell if PATCH may change a field.
    pub fn is_changeable(&self) -> bool {
        self.fields.iter().any(|field| field.changeable)
    }

    /// Tell if its records can be anonymized.
    pub fn is_personal(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.redaction, Some(Redaction::Identify { .. })))
    }

    /// Tell if a request may delete one of its records without the parent.
    pub fn is_deletable(&self) -> bool {
        self.lifecycle == Lifecycle::Free
    }

    /// Get the resource from which the unique values of its records are excluded.
    pub fn excludes(&self) -> Option<&'static Self> {
        self.unique.as_ref()?.excludes
    }

    /// List the fields of a record that contradict each other.
    pub fn contradictions(&self, values: &Values) -> Vec<Contradiction> {
        self.contradictions.map(|find| find(values)).unwrap_or_default()
    }

    /// Find a field by its name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A relation of a child to its parent, as declared by the child.
///
/// ```
/// use event_capture::schema::scalar::Identifier;
/// use event_capture::schema::{Attr, BelongsTo, Resource, check};
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
    pub to: &'static Resource,
    /// Field of the child that refers to the parent.
    pub by: &'static Attr<Identifier>,
    /// Parent as embedded in the child. None if only its identifier is rendered.
    pub embedded: Option<Embedded>,
    /// Link from the parent to its children. None if the parent stores its only child.
    pub link: Option<&'static str>,
    /// Data that the parent stores about its children.
    pub on_parent: OnParent,
    /// Field of the child that must be unset for the parent to store the child.
    pub while_unset: Option<&'static Attr<Time>>,
    /// Field of the child that the list of parents can be filtered by, under the same name. The filter matches
    /// parents that have a child with the value.
    pub child_filter: Option<&'static Attr<ShortText>>,
    /// Counters of the children, in an item beside the parent's state.
    pub counters: Option<ChildCounters>,
}

/// A record that is embedded as a whole in another.
#[derive(Debug)]
pub struct Embedded {
    /// Member that contains it.
    pub field: &'static str,
    /// True if a body may have the whole record in this member.
    pub settable: bool,
    /// Depths at which it is rendered.
    pub visibility: Visibility,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
}

/// A choice of the depths at which an embedded record is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// At every depth.
    Always,
    /// Only if the enclosing record is at the top level.
    TopLevel,
}

/// A depth of a record in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    #[expect(missing_docs, reason = "the name says it all")]
    TopLevel,
    /// The record is a member of another record.
    Embedded,
}

impl Visibility {
    /// Tell if a record at this depth contains the member.
    pub fn is_at(self, depth: Depth) -> bool {
        self == Self::Always || depth == Depth::TopLevel
    }
}

/// A field whose value no two records share.
#[derive(Clone, Copy, Debug)]
pub struct Unique {
    #[expect(missing_docs, reason = "the name says it all")]
    pub attribute: &'static Attr<NonEmptyText>,
    /// Code of the problem if another record has the value.
    pub duplicate: Code,
    /// True if values that differ only in upper and lower case are the same.
    pub ignores_case: bool,
    /// Hidden field with the time of the newest report that was found by the value. An older report changes nothing.
    pub reported_at: Option<&'static Attr<Time>>,
    /// Resource whose records may not have the value of a record of this one. A record that has it is anonymized.
    pub excludes: Option<&'static Resource>,
}

impl Unique {
    /// Declare a unique field. Upper and lower case differ.
    pub const fn new(attribute: &'static Attr<NonEmptyText>, duplicate: Code) -> Self {
        Self { attribute, duplicate, ignores_case: false, reported_at: None, excludes: None }
    }

    /// Store the time of the newest report of a record in a hidden field.
    #[must_use]
    pub const fn reported_at(self, attribute: &'static Attr<Time>) -> Self {
        Self { reported_at: Some(attribute), ..self }
    }

    /// Exclude the values from another resource.
    #[must_use]
    pub const fn excluding(self, excluded: &'static Resource) -> Self {
        Self { excludes: Some(excluded), ..self }
    }

    /// Treat values that differ only in upper and lower case as the same.
    #[must_use]
    pub const fn ignoring_case(self) -> Self {
        Self { ignores_case: true, ..self }
    }

    /// Convert a value to the one that is reserved.
    pub fn reserved_value<'a>(&self, value: &'a str) -> Cow<'a, str> {
        if self.ignores_case { Cow::Owned(lower_case(value)) } else { Cow::Borrowed(value) }
    }
}

/// Data that a parent stores about its children. It changes in the same transaction as the children, which enforces
/// the rules that span records.
#[derive(Debug)]
pub enum OnParent {
    #[expect(missing_docs, reason = "the name says it all")]
    Nothing,
    /// Identifier of at most one child.
    One {
        /// Child as embedded in the parent. A link of the same name leads to the child.
        embedded: Embedded,
        /// Name under which its identifier is stored: a field of the parent, or an attribute of its state item.
        slot: &'static str,
        /// Pairs of a child field and the parent field that copies it, for filters of the parent.
        mirrors: &'static [(&'static str, &'static str)],
        /// Code of the problem if the parent has a child already.
        occupied: Code,
        /// Code of the problem if the child is attached to another parent.
        attached: Code,
    },
    /// Identifiers of a bounded number of children.
    Many {
        /// Children as embedded in the parent.
        embedded: Embedded,
        /// Name under which their identifiers are stored, in the state item of the parent.
        ids: &'static str,
        /// Maximum number of children.
        max: usize,
    },
    /// Sum of a numeric field of the children.
    Sum {
        /// Sum as embedded in the parent. A link of the same name leads to the sum.
        embedded: Embedded,
        /// Numeric field of the child.
        of: &'static Attr<Integer>,
    },
}

impl BelongsTo {
    /// Declare a relation with defaults for the optional parts, for use as `..BelongsTo::new(…)`.
    pub const fn new(to: &'static Resource, by: &'static Attr<Identifier>) -> Self {
        Self {
            to,
            by,
            embedded: None,
            link: None,
            on_parent: OnParent::Nothing,
            while_unset: None,
            child_filter: None,
            counters: None,
        }
    }

    /// Tell if the parent stores all its children. Otherwise an index finds them.
    pub const fn is_complete(&self) -> bool {
        self.while_unset.is_none() && matches!(self.on_parent, OnParent::One { .. } | OnParent::Many { .. })
    }

    /// Tell if an index finds the children of a parent.
    pub const fn is_indexed(&self) -> bool {
        self.link.is_some() || !self.is_complete()
    }
}

impl OnParent {
    /// Get the stored data as embedded in the parent.
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
