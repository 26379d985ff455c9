//! Redaction: how anonymization changes the fields of a record and of its children.

/// A change to a field when its record, or the parent, is anonymized. The field declares it, so covering a new text of
/// a viewer takes one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redaction {
    /// The value is removed. A required text becomes empty.
    Clear,
    /// The value becomes this text.
    Replace(&'static str),
    /// The value becomes a prefix with the record's identifier. It is unique and marks the record as anonymized.
    Identify {
        /// Prefix.
        prefix: &'static str,
        /// Value of the record that cannot be anonymized, as it does not represent a particular person.
        except: &'static str,
    },
    /// The record that the field refers to is deleted.
    Delete,
}

impl Redaction {
    /// Returns true if it removes a text, as opposed to the reference to a viewer.
    pub fn is_text(self) -> bool {
        self == Self::Clear
    }
}
