//! The statistics of a resource: the counts and sums of its records. All rollups, routes and leaderboards follow from
//! this declaration.

use super::Role;
use super::attribute::Attr;
use super::scalar::{Count, Scalar, ShortText};

/// Statistics of the records of a resource, over periods of their primary time.
///
/// ```
/// use capture_core::schema::scalar::{Count, Identifier};
/// use capture_core::schema::{Attr, Measure, Resource, Statistics};
///
/// const HAT_ID: Attr<Identifier> = Attr::new("hat_id", "Unique identifier of the hat");
/// const PRICE: Attr<Count> = Attr::new("price", "Price of the hat");
///
/// static HATS: Resource = Resource {
///     fields: &[HAT_ID.assigned(), PRICE.required()],
///     statistics: Some(Statistics {
///         counts: &[],
///         measures: &[Measure::sum("spent", &PRICE, "Sum of the prices")],
///         totals: &[],
///         distinct: ("customers", "Number of different customers"),
///     }),
///     ..Resource::new("hats", "hat", &HAT_ID)
/// };
/// ```
#[derive(Debug)]
pub struct Statistics {
    /// Counts by the value of a field. Each is a member of a bucket.
    pub counts: &'static [CountBy],
    /// Measures. Each has a leaderboard, and each sum is a member of a bucket.
    pub measures: &'static [Measure],
    /// Totals. An exact leaderboard uses the index of the total with its name, and otherwise reads all records.
    pub totals: &'static [Total],
    /// Member of a bucket with the number of distinct parents, and its description.
    pub distinct: (&'static str, &'static str),
}

/// A count of records by the value of a field. Records without a value are skipped.
#[derive(Debug)]
pub struct CountBy {
    /// Member of a bucket.
    pub member: &'static str,
    pub field: &'static str,
    /// Values that a bucket always contains. Other values appear if their count is not zero.
    pub always: &'static [&'static str],
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
}

impl CountBy {
    /// Counts records by the value of an attribute.
    pub const fn new<S: Scalar>(member: &'static str, attribute: &Attr<S>, meaning: &'static str) -> Self {
        Self { member, field: attribute.name, always: S::VARIANTS, meaning }
    }
}

/// A counter that is exact for any interval, up to now. The records at both ends are counted one by one, so the index must
/// find few of them: chat messages have no total.
#[derive(Debug)]
pub struct Total {
    /// Member of the response.
    pub name: &'static str,
    /// Name of the counter.
    pub counter: &'static str,
    /// Index that finds the counted records.
    pub role: Role,
    /// Value that the index looks up.
    pub value: &'static str,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
}

/// A number per parent and period: the sum of a field of its records, or the number of records.
#[derive(Debug)]
pub struct Measure {
    /// Name of the leaderboard. For a sum, it is also the member of a bucket.
    pub name: &'static str,
    /// Contribution of a record.
    pub adds: Contribution,
    /// Description in the OpenAPI document.
    pub meaning: &'static str,
}

/// Contribution of a record to a measure.
#[derive(Debug)]
pub enum Contribution {
    /// Value of this field.
    Field(&'static str),
    /// One, if the record matches.
    One {
        /// Variant of the record. `None` matches all.
        variant: Option<&'static str>,
        /// A field and a value. The field must be null or have this value. `None` matches all.
        null_or: Option<(&'static str, &'static str)>,
    },
}

impl Total {
    /// Total of the counter with the same name.
    pub const fn new(name: &'static str, role: Role, value: &'static str, meaning: &'static str) -> Self {
        Self { name, counter: name, role, value, meaning }
    }
}

impl Measure {
    /// Sums an attribute.
    pub const fn sum(name: &'static str, attribute: &Attr<Count>, meaning: &'static str) -> Self {
        Self { name, adds: Contribution::Field(attribute.name), meaning }
    }

    /// Counts records.
    pub const fn count(name: &'static str, meaning: &'static str) -> Self {
        Self { name, adds: Contribution::One { variant: None, null_or: None }, meaning }
    }

    /// Counts records of a variant.
    pub const fn count_of(name: &'static str, variant: &'static str, meaning: &'static str) -> Self {
        Self { name, adds: Contribution::One { variant: Some(variant), null_or: None }, meaning }
    }

    /// Counts records of a variant where an attribute is null or has this value.
    pub const fn count_with(
        name: &'static str,
        variant: &'static str,
        attribute: &Attr<ShortText>,
        value: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            adds: Contribution::One { variant: Some(variant), null_or: Some((attribute.name, value)) },
            meaning,
        }
    }

    /// Returns true if the measure is the sum of a field.
    pub const fn is_sum(&self) -> bool {
        matches!(self.adds, Contribution::Field(_))
    }
}
