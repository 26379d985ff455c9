//! JSON as the elements of a list, as much as fits into one answer.

/// The most JSON in one response, in bytes: the platform takes 6 MB.
pub(super) const MAX_JSON: usize = 5_000_000;
/// The most that the JSON may take inside the platform's own JSON, where quotes and backslashes are escaped.
const MAX_ESCAPED: usize = 5_900_000;

/// What an answer lists.
#[derive(Default)]
pub(super) struct JsonArray {
    elements: Vec<String>,
    /// The bytes of all of them.
    pub(super) json: usize,
    escaped: usize,
}

impl JsonArray {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// Adds an element, unless it would be too much. The first is never too much.
    pub(super) fn add(&mut self, json: String) -> bool {
        let size = json.len() + 1;
        let escapes = json.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        let too_much = self.json + size > MAX_JSON || self.escaped + size + escapes > MAX_ESCAPED;
        if too_much && !self.elements.is_empty() {
            return false;
        }
        self.json += size;
        self.escaped += size + escapes;
        self.elements.push(json);
        true
    }

    /// The list in JSON.
    pub(super) fn to_json(&self) -> String {
        format!("[{}]", self.elements.join(","))
    }
}
