//! Fields: what a record consists of, what a body may say of it, where it is shown.

use super::Resource;

/// One field of a resource.
pub struct Field {
    /// The name, on the wire and in the table.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What a body that creates a record may say.
    pub input: Input,
    /// Whether a PATCH may change it.
    pub changeable: bool,
    /// Where responses show it.
    pub shown: Shown,
    /// The meaning, for the OpenAPI document.
    pub meaning: &'static str,
}

impl Field {
    const fn new(name: &'static str, kind: Kind, input: Input, meaning: &'static str) -> Self {
        Self { name, kind, input, changeable: false, shown: Shown::Always, meaning }
    }

    /// A field that the service assigns.
    pub const fn assigned(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Input::Never, meaning)
    }

    /// A field that a new record must be given.
    pub const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Input::Required, meaning)
    }

    /// A field that may be null.
    pub const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Input::Optional, meaning)
    }

    /// A field with any other rule for input.
    pub const fn with(name: &'static str, kind: Kind, input: Input, meaning: &'static str) -> Self {
        Self::new(name, kind, input, meaning)
    }

    /// A field of the service's own bookkeeping, which no response shows.
    pub const fn hidden(name: &'static str, kind: Kind) -> Self {
        let field = Self::new(name, kind, Input::Never, "");
        Self { shown: Shown::Never, ..field }
    }

    /// The same field, open to PATCH.
    #[must_use]
    pub const fn changeable(self) -> Self {
        Self { changeable: true, ..self }
    }

    /// The same field, shown only where the record is not part of another.
    #[must_use]
    pub const fn alone(self) -> Self {
        Self { shown: Shown::Alone, ..self }
    }

    /// The rule for input in records of this variant; `None` where they have no such field.
    pub fn input_for(&self, variant: Option<&str>) -> Option<&Input> {
        match &self.input {
            Input::Variants(rules) => rules.iter().find(|(name, _)| Some(*name) == variant).map(|(_, input)| input),
            input => Some(input),
        }
    }

    /// Whether a response may show null.
    pub fn nullable(&self) -> bool {
        match (&self.input, &self.kind) {
            (Input::Variants(rules), _) => rules.iter().any(|(_, input)| matches!(input, Input::Optional)),
            (_, Kind::One { nullable, .. }) => *nullable,
            (Input::Optional, Kind::Many { .. }) => false,
            (input, _) => matches!(input, Input::Optional),
        }
    }
}

/// What values a field takes.
pub enum Kind {
    /// The record's own identifier.
    Own,
    /// The identifier of a record of another resource.
    Reference(&'static Resource),
    /// A whole number, at least this.
    Integer(i64),
    /// A finite number.
    Float,
    /// 1 … 1,024 characters.
    Name,
    /// At most 1,024 characters.
    Label,
    /// At most 100,000 bytes of UTF-8.
    Prose,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A moment.
    Time,
    /// An image's bytes coming in, its URL going out; stored as the key of its object.
    Image,
    /// The identifiers of held records.
    Ids(&'static Resource),
    /// A whole record, embedded: the one that field `by` refers to.
    One {
        /// Of which resource.
        resource: &'static Resource,
        /// The field that refers to it.
        by: &'static str,
        /// Whether there may be none.
        nullable: bool,
    },
    /// Whole records, embedded: those whose identifiers field `ids` holds.
    Many {
        /// Of which resource.
        resource: &'static Resource,
        /// The field that refers to them.
        ids: &'static str,
    },
}

impl Kind {
    /// Any whole number.
    pub const INTEGER: Self = Self::Integer(-crate::value::MAX_INTEGER);
    /// A whole number that is never negative.
    pub const COUNT: Self = Self::Integer(0);
}

/// What a body that creates a record may say about a field.
pub enum Input {
    /// Nothing: the service assigns it.
    Never,
    /// It must be there; a reference may be given as the whole record instead.
    Required,
    /// It may be there.
    Optional,
    /// It may be there, and is the time of creation otherwise.
    Now,
    /// It may be there, and is this number otherwise.
    Default(i64),
    /// It depends on the record's variant; other variants have no such field.
    Variants(&'static [(&'static str, Input)]),
}

/// Where responses show a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// In every response.
    Always,
    /// Where the record is not embedded in another.
    Alone,
    /// Nowhere.
    Never,
}
