//! Redaction: what anonymizing does to the fields of a record and of its children.

/// A change of a field when its record, or the parent, is anonymized. A field declares it, so that a resource with a
/// new text of a viewer needs one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redaction {
    /// The value is removed. A required text becomes empty.
    Clear,
    /// The value becomes this text.
    Replace(&'static str),
    /// The value becomes a prefix with the identifier of the record, which is unique and marks the record as anonymized.
    Identify {
        /// Prefix.
        prefix: &'static str,
        /// Value of the record that cannot be anonymized, because it stands for nobody in particular.
        except: &'static str,
    },
    /// The record that the field refers to is deleted.
    Delete,
}

impl Redaction {
    /// Tell if it removes a text, and not the reference to a viewer.
    pub fn is_text(self) -> bool {
        self == Self::Clear
    }
}
