//! The table's indexes, named by what they do: all resources share them.
//!
//! A resource maps its filters to roles. What a role looks records up by is stored under the role's own name, so that a
//! filter in a role that its resource has free is one line, and no deployment. `template.yaml` declares the same indexes:
//! a test compares the two.

/// A way to find records of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// All of them, in the order of their lists.
    Time,
    /// By the record that they belong to.
    Owner,
    /// By one of few words, or by whether a field has a value.
    State,
    /// By a number.
    Number,
    /// By a text of any length.
    Text,
    /// By another text.
    OtherText,
    /// All that have another time, in its order.
    OtherTime,
    /// By a text of theirs, in the order of the records that they belong to.
    Part,
}

/// A global secondary index.
#[derive(Debug)]
pub struct Index {
    /// Its name.
    pub name: &'static str,
    /// The attributes that must be equal.
    pub hash: &'static [&'static str],
    /// The attributes that order it: a time, and what decides ties.
    pub range: &'static [&'static str],
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 8] =
        [Self::Time, Self::Owner, Self::State, Self::Number, Self::Text, Self::OtherText, Self::OtherTime, Self::Part];

    /// The index of the role.
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
            Self::OtherTime => {
                &Index { name: "by_other_time", hash: &["resource", "shard"], range: &["other_time", "id"] }
            }
            Self::Part => &Index {
                name: "by_part",
                hash: &["resource", "part", "shard"],
                range: &["holder_time", "holder", "id"],
            },
        }
    }

    /// The attribute that the role looks records up by; none for those that only order them.
    pub const fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Time => None,
            Self::Owner => Some("owner"),
            Self::State => Some("state"),
            Self::Number => Some("number"),
            Self::Text => Some("text"),
            Self::OtherText => Some("other_text"),
            Self::OtherTime => Some("other_time"),
            Self::Part => Some("part"),
        }
    }

    /// Whether the index is spread over the shards: one partition takes 1,000 writes a second, and what belongs to one
    /// record is never that hot.
    pub const fn is_sharded(self) -> bool {
        !matches!(self, Self::Owner)
    }

    /// Whether the attribute is a digest: texts may be empty or longer than a key can be.
    pub const fn is_digest(self) -> bool {
        matches!(self, Self::Text | Self::OtherText | Self::Part)
    }
}
