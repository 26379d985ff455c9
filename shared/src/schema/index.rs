//! The indexes of the table, named by their role. All resources share them.
//!
//! A resource maps its filters to roles. A record stores the lookup value of a role under the role's own name. A new
//! filter in an unused role is therefore one line of code and needs no new index. `template.yaml` declares the same
//! indexes, and a test compares the two.

/// The role of an index: the way in which it finds records of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Finds all records, in the order of their lists.
    Time,
    /// Finds records by their parent.
    Owner,
    /// Finds records by one of few words, or by the presence of a value.
    State,
    /// Finds records by a number.
    Number,
    /// Finds records by a text of any length.
    Text,
    /// Finds records by another text.
    OtherText,
    /// Finds records by a third text.
    ThirdText,
    /// Finds the records that have a secondary time, in the order of that time.
    OtherTime,
    /// Finds records by the beginning of a name, in the order of names.
    Name,
    /// Finds children by a text, in the order of their parents.
    Part,
}

/// A global secondary index.
#[derive(Debug)]
pub struct Index {
    /// The name.
    pub name: &'static str,
    /// The attributes of the partition key.
    pub hash: &'static [&'static str],
    /// The attributes of the sort key: a time, and attributes that break ties.
    pub range: &'static [&'static str],
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 10] = [
        Self::Time,
        Self::Owner,
        Self::State,
        Self::Number,
        Self::Text,
        Self::OtherText,
        Self::ThirdText,
        Self::OtherTime,
        Self::Name,
        Self::Part,
    ];

    /// Returns the index of the role.
    pub const fn index(self) -> &'static Index {
        const ORDER: &[&str] = &["time", "id"];
        match self {
            Self::Time => &Index { name: "by_time", hash: &["resource", "shard"], range: ORDER },
            Self::Owner => &Index { name: "by_owner", hash: &["resource", "owner"], range: ORDER },
            Self::State => &Index { name: "by_state", hash: &["resource", "state", "shard"], range: ORDER },
            Self::Number => &Index { name: "by_number", hash: &["resource", "number", "shard"], range: ORDER },
            Self::Text => &Index { name: "by_text", hash: &["resource", "text", "shard"], range: ORDER },
            Self::OtherText => {
                &Index { name: "by_other_text", hash: &["resource", "other_text", "shard"], range: ORDER }
            }
            Self::ThirdText => {
                &Index { name: "by_third_text", hash: &["resource", "third_text", "shard"], range: ORDER }
            }
            Self::OtherTime => {
                &Index { name: "by_other_time", hash: &["resource", "shard"], range: &["other_time", "id"] }
            }
            Self::Name => &Index { name: "by_name", hash: &["resource", "shard"], range: &["sort_name", "id"] },
            Self::Part => &Index {
                name: "by_part",
                hash: &["resource", "part", "shard"],
                range: &["holder_time", "holder", "id"],
            },
        }
    }

    /// Returns the attribute that the role looks records up by. None if the role only orders records.
    pub const fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Time => None,
            Self::Owner => Some("owner"),
            Self::State => Some("state"),
            Self::Number => Some("number"),
            Self::Text => Some("text"),
            Self::OtherText => Some("other_text"),
            Self::ThirdText => Some("third_text"),
            Self::OtherTime => Some("other_time"),
            Self::Name => Some("sort_name"),
            Self::Part => Some("part"),
        }
    }

    /// Returns true if the index is spread over the shards.
    ///
    /// One partition takes 1,000 writes a second. The children of one record never reach that rate, so the owner index
    /// needs no shards.
    pub const fn is_sharded(self) -> bool {
        !matches!(self, Self::Owner)
    }

    /// Returns true if the attribute is a digest, because a text may be empty or longer than a key.
    pub const fn is_digest(self) -> bool {
        matches!(self, Self::Text | Self::OtherText | Self::ThirdText | Self::Part)
    }
}
