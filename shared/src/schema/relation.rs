//! Relations: each is said once, by the resource that belongs to another.
//!
//! Fields, links, bound filters, the owner's index, what the holder keeps, and what its deletion takes along follow
//! from here.

use super::attribute::Attr;
use super::resource::Resource;
use super::scalar::{Identifier, Integer, Label, Time};

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
    pub kept: Kept,
    /// The record is kept only while this field has no value.
    pub while_unset: Option<&'static Attr<Time>>,
    /// The field here that the holder's list has a filter by, of the same name: it keeps holders with such a part.
    pub tells: Option<&'static Attr<Label>>,
}

/// A record that is shown as a whole inside another.
#[derive(Debug)]
pub struct Embedded {
    /// The field that shows it.
    pub field: &'static str,
    /// Whether a body may give the whole record there.
    pub given: bool,
    /// Where it is shown.
    pub shown: Shown,
    /// The meaning, for the OpenAPI document.
    pub meaning: &'static str,
}

/// Where responses show an embedded record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In every response.
    Always,
    /// Where the record around it is not embedded in another.
    Alone,
}

/// What a holder keeps of the records that belong to it. It changes together with them: that is what makes the rules
/// that span records hold.
#[derive(Debug)]
pub enum Kept {
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
        Self { to, by, embedded: None, link: None, kept: Kept::Nothing, while_unset: None, tells: None }
    }

    /// Whether the holder knows all that belong to it; otherwise an index finds them.
    pub const fn is_complete(&self) -> bool {
        self.while_unset.is_none() && matches!(self.kept, Kept::One { .. } | Kept::Many { .. })
    }

    /// Whether the records are found by their holder in an index.
    pub const fn is_indexed(&self) -> bool {
        self.link.is_some() || !self.is_complete()
    }
}

impl Kept {
    /// How what is kept is shown inside the holder.
    pub const fn embedded(&self) -> Option<&Embedded> {
        match self {
            Self::Nothing => None,
            Self::One { embedded, .. } | Self::Many { embedded, .. } | Self::Sum { embedded, .. } => Some(embedded),
        }
    }
}
