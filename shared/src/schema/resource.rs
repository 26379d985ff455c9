//! A resource: what its records consist of, how they are found, and whom they belong to.

use super::attribute::{Attr, Field};
use super::filter::Filter;
use super::record::Record;
use super::relation::BelongsTo;
use super::scalar::{Identifier, Name, Time};

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
    pub second_time: Option<SecondTime>,
    /// Every field, in the order in which responses show them.
    pub fields: &'static [Field],
    /// The filters of the list route, but for those that follow from identifier and relations; the most selective first.
    pub filters: &'static [Filter],
    /// Whom its records belong to.
    pub belongs_to: Option<BelongsTo>,
    /// The field that no two records may share.
    pub unique: Option<&'static Attr<Name>>,
    /// The hidden field with the time as of which the changeable fields are known: what is older changes nothing.
    pub as_of: Option<&'static Attr<Time>>,
    /// The field whose word decides which other fields a record has.
    pub variant: Option<&'static str>,
    /// Whether a record can never be changed, nor deleted but with its holder.
    pub immutable: bool,
    /// Whether several are created in one request, by PUT and inside their holder, and how many.
    pub bulk: Option<Bulk>,
    /// Whether POST and PATCH answer with the record as it is embedded elsewhere, without details.
    pub brief_when_written: bool,
    /// The rules that span several fields: which field breaks one, and what to do.
    pub rules: fn(&Record) -> Option<(&'static str, String)>,
}

/// A time that is not the one of the list's order.
#[derive(Clone, Copy, Debug)]
pub struct SecondTime {
    /// The field.
    pub attribute: &'static Attr<Time>,
    /// Whether it is nearly the list's own time in nearly all records, so that only the others are in its index. Otherwise
    /// only some records have it, and never a time before their own.
    pub tied: bool,
}

/// How many records one request creates: they are stored in one transaction, whole or not at all.
#[derive(Debug)]
pub struct Bulk {
    /// The most records.
    pub most: usize,
    /// The most holders that they may have.
    pub most_holders: usize,
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
            second_time: None,
            fields: &[],
            filters: &[],
            belongs_to: None,
            unique: None,
            as_of: None,
            variant: None,
            immutable: false,
            bulk: None,
            brief_when_written: false,
            rules: |_| None,
        }
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
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
