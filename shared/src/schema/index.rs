//! The indexes of the table, named by their role. The table has few indexes and each costs a write, so all resources
//! share them.
//!
//! A resource maps its filters to roles. A record stores the lookup value under the name of the role. A new filter in
//! an unused role is therefore one line of code and needs no new index. `template.yaml` declares the same indexes, and
//! a test compares the two.

/// The role of an index: how it finds the records of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Finds all records, in list order.
    Time,
    /// Finds records by their parent.
    Owner,
    /// Finds records by an enum or boolean value, or by whether a field is null.
    State,
    /// Finds records by a number.
    Number,
    /// Finds records by a text of any length.
    Text,
    /// Finds records by another text.
    Text2,
    /// Finds records by a third text.
    Text3,
    /// Finds the records that have a secondary time, ordered by that time.
    SecondaryTime,
    /// Finds records by the prefix of a name, ordered by name.
    Name,
    /// Finds children by a text, ordered by parent, for a filter of the parents.
    Part,
    /// Finds parents, ordered by the sum of their children. Its items are the states of the parents.
    Sum,
}

/// A global secondary index.
#[derive(Debug)]
pub struct Index {
    pub name: &'static str,
    /// Attribute that records are looked up by. `None` if the role only orders records.
    pub attribute: Option<&'static str>,
    /// Attributes of the partition key.
    pub hash: &'static [&'static str],
    /// Attributes of the sort key: a time, and attributes that break ties.
    pub range: &'static [&'static str],
    /// Whether the index contains only keys instead of entire items.
    pub keys_only: bool,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 11] = [
        Self::Time,
        Self::Owner,
        Self::State,
        Self::Number,
        Self::Text,
        Self::Text2,
        Self::Text3,
        Self::SecondaryTime,
        Self::Name,
        Self::Part,
        Self::Sum,
    ];

    /// Returns the index of the role.
    pub const fn index(self) -> &'static Index {
        const ORDER: &[&str] = &["time", "id"];
        /// Declares an index by its name, the attribute of the role, its partition key and its sort key.
        macro_rules! index {
            ($name:literal, $attribute:expr, $hash:expr, $range:expr) => {
                &Index { name: $name, attribute: $attribute, hash: &$hash, range: $range, keys_only: false }
            };
        }
        match self {
            Self::Time => index!("by_time", None, ["resource", "shard"], ORDER),
            Self::Owner => index!("by_owner", Some("owner"), ["resource", "owner"], ORDER),
            Self::State => index!("by_state", Some("state"), ["resource", "state", "shard"], ORDER),
            Self::Number => index!("by_number", Some("number"), ["resource", "number", "shard"], ORDER),
            Self::Text => index!("by_text", Some("text"), ["resource", "text", "shard"], ORDER),
            Self::Text2 => index!("by_text_2", Some("text_2"), ["resource", "text_2", "shard"], ORDER),
            Self::Text3 => index!("by_text_3", Some("text_3"), ["resource", "text_3", "shard"], ORDER),
            Self::SecondaryTime => {
                index!("by_secondary_time", Some("secondary_time"), ["resource", "shard"], &["secondary_time", "id"])
            }
            Self::Name => index!("by_name", Some("sort_name"), ["resource", "shard"], &["sort_name", "id"]),
            Self::Part => {
                index!("by_part", Some("part"), ["resource", "part", "shard"], &["parent_time", "parent", "id"])
            }
            Self::Sum => &Index {
                name: "by_sum",
                attribute: Some("wallet"),
                hash: &["summed", "shard"],
                range: &["wallet", "id"],
                // A state may be large, and a payment should not rewrite a copy of it.
                keys_only: true,
            },
        }
    }

    /// Returns the attribute that records are looked up by. `None` if the role only orders records.
    pub const fn attribute(self) -> Option<&'static str> {
        self.index().attribute
    }

    /// Returns true if the index is spread over the shards.
    ///
    /// A partition accepts 1,000 writes a second. The children of one record never reach that rate, so the owner index
    /// needs no shards.
    pub const fn is_sharded(self) -> bool {
        !matches!(self, Self::Owner)
    }

    /// Returns true if the attribute contains a digest. A text may be empty or too long for a key.
    pub const fn is_digest(self) -> bool {
        matches!(self, Self::Text | Self::Text2 | Self::Text3 | Self::Part)
    }
}

/// Returns true if an attribute of an index is a number. The others are texts.
pub fn is_numeric(attribute: &str) -> bool {
    ["id", "number", "owner", "parent", "shard", "wallet"].contains(&attribute)
}
